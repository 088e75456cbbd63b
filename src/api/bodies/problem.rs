use crate::api::json::{boolean, object, text};
use crate::catalog::Problem;

/// Writes why a file is left out or cannot be read.
pub(in crate::api) fn problem(out: &mut Vec<u8>, problem: &Problem) {
    object!(out;
        "path" => text(&problem.path),
        "reason" => text(&problem.what),
        "broken" => boolean(problem.broken),
    );
}
