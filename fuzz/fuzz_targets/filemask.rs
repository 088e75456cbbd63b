//! A mask and a path: a found code is part of the path and can be inserted into the mask.
#![no_main]

use gitglot_model::FileMask;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let Some((mask, path)) = data.split_once('\n') else { return };
    let Ok(mask) = FileMask::new(mask) else { return };
    let _ = (mask.folder(), mask.depth(), mask.captures(path), mask.overlong_code(path));
    for (level, name) in path.split('/').enumerate() {
        let _ = mask.matches_level(level, name);
    }
    if let Some(code) = mask.matches(path) {
        let made = mask.with_code(code);
        assert!(!code.is_empty() && path.contains(code), "{mask:?} {path:?} {code:?} {made:?}");
    }
});
