//! A call of an operation: conversion of parameter values to the request that is sent, and to the
//! code that sends it.
//!
//! # Example
//!
//! ```
//! use svc_openapi::{SourceFile, parse, request::{self, Inputs, RequestTarget, Scope}};
//! let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.example"}],
//!     "paths": {"/pets/{id}": {"get": {"parameters": [{"name": "id", "in": "path", "required": true, "example": 7}]}}}}"#;
//! let document = parse(&SourceFile::new("pets.json", text)).value.expect("it is an object");
//! let operation = &document.operations[0];
//!
//! let inputs = Inputs::examples(&document, operation, Scope::All);
//! let call = request::request(&document, operation, &inputs);
//! assert_eq!((call.method.as_str(), call.url.as_str()), ("GET", "https://pets.example/pets/7"));
//! assert_eq!(call.content.text(), "");
//! let language = request::language("curl").expect("it exists");
//! let code: String = request::sample(language, &call).iter().map(|token| token.text.as_str()).collect();
//! assert!(code.contains("https://pets.example/pets/7"));
//!
//! let target = RequestTarget { method: "GET", scheme: "https", host: "pets.example", port: 443, path: "/pets/7" };
//! assert_eq!(request::permits(&document, operation, &target), Ok(()));
//! assert!(request::permitted_headers(&document, operation).contains("accept"));
//!
//! // The same rules for browsers.
//! assert!(request::script().contains("export"));
//! assert!(request::languages().get(language.name).is_some());
//! ```

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
    ///
    /// Example: [module documentation](crate::request#example).
    pub fn text(&self) -> String {
        match self {
            Self::Json(value) => json::lines(value, "", "  ", &json::LITERALS),
            Self::Text(text) => text.clone(),
            Self::Form(pairs) => pairs.join("&"),
            Self::Empty | Self::Multipart(_) | Self::File(_) => String::new(),
        }
    }
}
