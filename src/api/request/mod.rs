//! A request, read: the snapshot it is answered from, its representation, its page and its filters.

pub(super) mod context;
pub(super) mod filters;
pub(super) mod negotiate;
pub(super) mod pagination;
pub(super) mod python_int;
