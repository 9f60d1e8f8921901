//! Exports with relative URLs, which work under any path and when a browser opens them from `file:`
//! URLs.
//!
//! The site is loaded with [`RELATIVE_BASE`] as the base path. Before a file is written, each URL
//! with that prefix is replaced by the relative path from the file to its target.

use std::borrow::Cow;
use std::collections::BTreeSet;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use memchr::memmem;
use serde_json::Value;
use svc_data::percent::{RELATIVE_PATH, decode_lossy, encode};

use super::names::file_of;
use crate::Site;

/// The base path of a site that is exported with relative URLs. It marks the internal URLs and is
/// unlikely to occur in other text.
pub const RELATIVE_BASE: &str = "/-svc-relative-address-";

/// The script that replaces features that browsers do not support in `file:` URLs.
const FILES_JS: &str = include_str!("files.js");
const MARK: &[u8] = RELATIVE_BASE.as_bytes();

/// Converter of marked URLs to relative ones.
#[derive(Debug)]
pub(super) struct Relative<'a> {
    site: &'a Site,
    flat: bool,
    /// Paths of redirects that are exported as pages.
    redirects: BTreeSet<String>,
}

/// Removes preload links for fonts, which browsers block in `file:` URLs; the style sheet loads the
/// fonts anyway.
fn strip_preloads(mut html: Vec<u8>) -> Vec<u8> {
    while let Some(at) = memmem::find(&html, b"<link rel=\"preload\" as=\"font\"") {
        let length = html.iter().skip(at).position(|byte| *byte == b'\n');
        let end = length.map_or(html.len(), |length| at + length + 1);
        html.drain(at..end);
    }
    html
}

impl<'a> Relative<'a> {
    /// `None` for a site with another base path than [`RELATIVE_BASE`].
    pub(super) fn new(site: &'a Site, flat: bool, redirects: BTreeSet<String>) -> Option<Self> {
        (site.base_path() == RELATIVE_BASE).then_some(Self {
            site,
            flat,
            redirects,
        })
    }

    /// Path and text of the script for `file:` URLs.
    pub(super) fn script() -> (String, &'static str) {
        // FNV-1a, because the name must not change with the version of the compiler.
        let hash = FILES_JS.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, b| {
            (hash ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        (format!("_svc/assets/files.{hash:016x}.js"), FILES_JS)
    }

    /// Replaces marked URLs in a file with relative ones. `page_path` is the path of the file in
    /// the export.
    pub(super) fn relativize(&self, page_path: &str, bytes: &[u8]) -> Vec<u8> {
        let up = path_to_root(page_path);
        let mut out = Vec::with_capacity(bytes.len());
        let mut rest = bytes;
        while let Some(at) = memmem::find(rest, MARK) {
            let (before, from) = rest.split_at(at);
            out.extend_from_slice(before);
            let tail = from.get(MARK.len()..).unwrap_or_default();
            let length = tail.iter().position(|byte| ends_path(*byte));
            let (path, after) = tail.split_at(length.unwrap_or(tail.len()));
            if out.last().is_some_and(|byte| continues_url(*byte)) {
                // An absolute URL.
                out.extend_from_slice(path);
            } else if path.is_empty() && out.ends_with(b"data-base=\"") {
                // Scripts append paths that begin with a slash.
                out.extend_from_slice(up.trim_end_matches('/').as_bytes());
            } else {
                let path = String::from_utf8_lossy(path);
                out.extend_from_slice(up.as_bytes());
                out.extend_from_slice(self.file(&path).as_bytes());
            }
            rest = after;
        }
        out.extend_from_slice(rest);
        out
    }

    /// A page with relative URLs and the script for `file:` URLs.
    pub(super) fn page(&self, path: &str, bytes: &[u8]) -> Vec<u8> {
        let html = self.relativize(path, bytes);
        let (html, module) = strip_modules(strip_preloads(html));
        let Some(at) = memmem::find(&html, b"<script").or_else(|| memmem::find(&html, b"</head>"))
        else {
            return html;
        };
        let up = path_to_root(path);
        let module = module.map_or(String::new(), |module| format!(" data-module=\"{module}\""));
        let tag = format!(
            "<script src=\"{up}{}\" data-root=\"{up}\"{module}></script>\n",
            Self::script().0
        );
        let (before, after) = html.split_at(at);
        [before, tag.as_bytes(), after].concat()
    }

    /// Removes the marks, for files whose location relative to the site is unknown. Their URLs are
    /// absolute, or paths from the root.
    pub(super) fn absolute(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        let mut rest = bytes;
        while let Some(at) = memmem::find(rest, MARK) {
            let (before, from) = rest.split_at(at);
            out.extend_from_slice(before);
            rest = from.get(MARK.len()..).unwrap_or_default();
        }
        out.extend_from_slice(rest);
        out
    }

    /// The exported file for a URL path, percent-encoded and without leading slash.
    pub(super) fn file<'p>(&self, path: &'p str) -> Cow<'p, str> {
        let bare = path.trim_matches('/');
        if bare.is_empty() {
            return "index.html".into();
        }
        let decoded = decode_lossy(path);
        let decoded = decoded.trim_end_matches('/');
        if self.site.map.routes.contains_key(decoded) || self.redirects.contains(decoded) {
            return file_of(bare, self.flat).into();
        }
        // There is no server that could redirect.
        if let Some((to, _)) = self.site.map.redirect(decoded) {
            let to = to.split(['?', '#']).next().unwrap_or_default();
            if self.site.map.routes.contains_key(to) {
                return match to.trim_matches('/') {
                    "" => "index.html".into(),
                    bare => encode(&file_of(bare, self.flat), RELATIVE_PATH)
                        .into_owned()
                        .into(),
                };
            }
        }
        path.trim_start_matches('/').into()
    }
}

/// A script that passes `text` to the loader of `files.js`.
pub(super) fn as_script(text: &str) -> String {
    format!("svcFile({})\n", Value::from(text))
}

/// A script that passes bytes to the loader of `files.js`.
pub(super) fn as_binary_script(bytes: &[u8]) -> String {
    format!("svcFile(\"{}\", true)\n", BASE64_STANDARD.encode(bytes))
}

/// The relative path from a file to the root of the export, with a trailing slash.
fn path_to_root(path: &str) -> String {
    match path.trim_start_matches('/').matches('/').count() {
        0 => "./".to_owned(),
        depth => "../".repeat(depth),
    }
}

/// Removes the module script of a page and its preload links. Returns the path of the module.
fn strip_modules(html: Vec<u8>) -> (Vec<u8>, Option<String>) {
    const RUN: &[u8] = b"<script type=\"module\" src=\"";
    const PRELOAD: &[u8] = b"<link rel=\"modulepreload\"";
    let head = memmem::find(&html, b"</head>").unwrap_or(0);
    let Ok(text) = std::str::from_utf8(html.get(..head).unwrap_or_default()) else {
        return (html, None);
    };
    if memmem::find(text.as_bytes(), RUN).is_none() {
        return (html, None);
    }
    let mut module = None;
    let mut out = Vec::with_capacity(html.len());
    for line in text.split_inclusive('\n') {
        let bytes = line.trim_start().as_bytes();
        if let Some(rest) = bytes.strip_prefix(RUN) {
            let end = rest.iter().position(|byte| *byte == b'"').unwrap_or(0);
            module = std::str::from_utf8(rest.get(..end).unwrap_or_default())
                .ok()
                .map(str::to_owned);
        } else if !bytes.starts_with(PRELOAD) {
            out.extend_from_slice(line.as_bytes());
        }
    }
    out.extend_from_slice(html.get(head..).unwrap_or_default());
    (out, module)
}

/// Whether a byte ends the path in a URL.
const fn ends_path(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(
            byte,
            b'"' | b'\''
                | b'<'
                | b'>'
                | b'('
                | b')'
                | b','
                | b';'
                | b'\\'
                | b'?'
                | b'#'
                | b'&'
                | b'`'
                | b'|'
        )
}

/// Whether a path after this byte is the continuation of a URL, as in `https://example.com/x`.
const fn continues_url(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b']' | b'/' | b'%')
}
