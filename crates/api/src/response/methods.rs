//! The methods in `Allow`. Those that write are refused: the current API only lists them (docs/spec/current-api.md#paths).

/// The methods that every route of the API supports.
pub(crate) const METHODS: &str = "GET, HEAD, OPTIONS";

/// Those of a form.
pub(crate) const FORM: &str = "GET, HEAD, POST";

pub(crate) const CREATE: &str = "GET, POST, HEAD, OPTIONS";
pub(crate) const CHANGE: &str = "GET, PUT, PATCH, DELETE, HEAD, OPTIONS";
pub(crate) const DELETE: &str = "GET, DELETE, HEAD, OPTIONS";
pub(crate) const UPLOAD: &str = "GET, POST, PUT, HEAD, OPTIONS";
pub(crate) const CREATE_ONLY: &str = "POST, OPTIONS";
pub(crate) const REMOVE_ONLY: &str = "DELETE, OPTIONS";
