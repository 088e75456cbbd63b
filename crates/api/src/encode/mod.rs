//! Writers for the formats of bodies.

pub(super) mod csv;
pub(super) mod json;
pub(super) mod xml;
pub(super) mod zip;
