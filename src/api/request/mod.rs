//! A request, read: where it was sent to, its representation, its page, its filters and its path parameters.

pub(super) mod context;
pub(super) mod filters;
pub(super) mod negotiate;
pub(super) mod pagination;
pub(super) mod python_int;
