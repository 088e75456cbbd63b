//! The checks, compared with recorded verdicts of Weblate and of people. One binary, because linking takes seconds.

#![expect(clippy::unwrap_used, reason = "a failed precondition fails the test")]

mod current;
mod judged_findings;
mod sample;
mod weblate34;
