//! HTML pages. Each file builds one kind of page and fills the template of the same name.

pub(crate) mod about;
pub(crate) mod changes;
pub(crate) mod checks;
pub mod compare;
pub(crate) mod component;
pub mod credits;
pub mod documents;
pub(crate) mod engage;
pub mod health;
mod health_lists;
pub(crate) mod languages;
pub(crate) mod project;
pub(crate) mod readiness;
pub mod revision;
pub(crate) mod search;
pub(crate) mod sitemap;
pub(crate) mod start;
pub mod string_pages;
pub(crate) mod strings;
pub(crate) mod translation;
mod unit;
mod unit_document;
mod unit_filter;
