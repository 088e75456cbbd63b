//! A request, read: where it was sent to, its representation, its page, its filters, its path parameters and its revisions.

pub(super) mod context;
pub(super) mod filters;
pub(super) mod negotiate;
pub(super) mod pagination;
pub(super) mod python_int;
pub(super) mod revisions;
