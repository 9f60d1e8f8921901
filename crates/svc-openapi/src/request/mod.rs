//! A call of an operation: conversion of parameter values to the request that is sent, and to the
//! code that sends it.

mod build;
mod inputs;
mod json;
mod permit;
mod samples;
mod script;
mod style;
mod xml;

#[cfg(test)]
mod client_tests;
#[cfg(test)]
mod script_tests;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub use build::request;
pub use inputs::{Inputs, Scope};
pub use permit::{PermitError, RequestTarget, permits, permitted_headers};
pub use samples::{
    LANGUAGES, Language, LongLiteral, ShortLiteral, Token, TokenKind, language, sample,
};
pub use script::{languages, script};
pub use style::{EncodeSet, Style, escape, serialize};

/// A request, ready to be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Method in upper case.
    pub method: String,
    /// URL with path and query.
    pub url: String,
    /// Headers in the order in which they are sent, including cookies. A multipart body has no
    /// `Content-Type`: the writer of the body chooses the boundary.
    pub headers: Vec<(String, String)>,
    /// Body of the request.
    pub content: Content,
}

/// The body of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// No body.
    Empty,
    /// JSON.
    Json(Value),
    /// Any other text: XML, plain text, JSON lines.
    Text(String),
    /// `application/x-www-form-urlencoded`: encoded pairs.
    Form(Vec<String>),
    /// `multipart/form-data`.
    Multipart(Vec<Part>),
    /// The content of a file, by the name of the file.
    File(String),
}

/// A part of a multipart body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Name of the field.
    pub name: String,
    /// The text, or the name of the file.
    pub value: String,
    /// Whether the content of a file is sent.
    pub file: bool,
    /// `Content-Type` of the part; None for plain text.
    pub content_type: Option<String>,
}

impl Content {
    /// The body as text; empty if there is none.
    pub fn text(&self) -> String {
        match self {
            Self::Json(value) => json::lines(value, "", "  ", &json::LITERALS),
            Self::Text(text) => text.clone(),
            Self::Form(pairs) => pairs.join("&"),
            Self::Empty | Self::Multipart(_) | Self::File(_) => String::new(),
        }
    }
}
