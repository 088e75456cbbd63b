//! The methods in `Allow`. Those that write are refused: the current API only lists them (docs/spec/current-api.md#paths).

/// The methods that every route of the API supports.
pub(crate) const METHODS: &str = "GET, HEAD, OPTIONS";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Methods {
    /// Those that read.
    Read,
    /// Those of a form.
    Form,
    /// Those that Weblate has, as a list.
    Listed(&'static str),
}

pub(crate) const CREATE: &str = "GET, POST, HEAD, OPTIONS";
pub(crate) const CHANGE: &str = "GET, PUT, PATCH, DELETE, HEAD, OPTIONS";
pub(crate) const DELETE: &str = "GET, DELETE, HEAD, OPTIONS";
pub(crate) const UPLOAD: &str = "GET, POST, PUT, HEAD, OPTIONS";
pub(crate) const CREATE_ONLY: &str = "POST, OPTIONS";
pub(crate) const REMOVE_ONLY: &str = "DELETE, OPTIONS";

impl Methods {
    pub(crate) fn list(self) -> &'static str {
        match self {
            Self::Read => METHODS,
            Self::Form => "GET, HEAD, POST",
            Self::Listed(list) => list,
        }
    }
}
