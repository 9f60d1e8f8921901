//! Pages and skills as resources.
//!
//! The URIs have schemes of their own: the specification keeps `https` for resources that clients
//! load themselves, and the server of a private site may not know its public URL.

use serde_json::{Value, json};
use svc_nav::Route;
use svc_site::Skill;

use crate::bounded_text::quoted;
use crate::protocol::Context;
use crate::protocol::error::{INVALID_PARAMS, LEGACY_RESOURCE_NOT_FOUND, RpcError};
use crate::protocol::methods::invalid_cursor;
use crate::protocol::version::Era;
use crate::visible::{self, PagePath};

/// Number of resources in a response.
const PAGE_SIZE: usize = 200;
/// Maximum number of bytes of a URI.
const MAX_URI_BYTES: usize = 2_000;
/// Begin of the URIs of pages.
const PAGES: &str = "docs://";
/// Begin and end of the URIs of skills.
const SKILLS: [&str; 2] = ["skill://", "/SKILL.md"];
const MARKDOWN: &str = "text/markdown";

/// The result of `resources/list`.
pub(crate) fn list(cx: &Context<'_>, cursor: Option<&str>) -> Result<Value, RpcError> {
    let start = match cursor {
        None => 0,
        Some(cursor) => cursor.parse::<usize>().map_err(|_| invalid_cursor())?,
    };
    let skills = cx.site.skills(cx.origin, true);
    let skills = skills.iter().map(skill);
    let pages = visible::listed(cx.site).map(page);
    let mut all = skills.chain(pages).skip(start).peekable();
    if start > 0 && all.peek().is_none() {
        return Err(invalid_cursor());
    }
    let resources: Vec<Value> = all.by_ref().take(PAGE_SIZE).collect();
    let mut result = json!({"resources": resources});
    if all.peek().is_some() {
        result["nextCursor"] = json!((start + PAGE_SIZE).to_string());
    }
    Ok(result)
}

fn page(route: &Route) -> Value {
    let mut out = json!({
        "uri": format!("{PAGES}{}", svc_source::encoded_path(&route.path)),
        "name": route.path,
        "title": route.title,
        "mimeType": MARKDOWN,
    });
    if let Some(description) = &route.description {
        out["description"] = json!(quoted(description.trim(), 300));
    }
    out
}

fn skill(skill: &Skill) -> Value {
    json!({
        "uri": skill_uri(&skill.name),
        "name": skill.name,
        "description": skill.description,
        "mimeType": MARKDOWN,
    })
}

fn skill_uri(name: &str) -> String {
    let [start, end] = SKILLS;
    format!("{start}{}{end}", svc_source::encoded_path(name))
}

/// The result of `resources/templates/list`.
pub(crate) fn templates() -> Value {
    json!({"resourceTemplates": [{
        "uriTemplate": format!("{PAGES}/{{+path}}"),
        "name": "page",
        "title": "Page",
        "description": "The Markdown of a page by its path.",
        "mimeType": MARKDOWN,
    }]})
}

/// The result of `resources/read`: a page by its URI or URL, or a skill.
pub(crate) fn read(cx: &Context<'_>, uri: &str) -> Result<Value, RpcError> {
    let text = text(cx, uri).ok_or_else(|| {
        let code = match cx.era {
            Era::Modern => INVALID_PARAMS,
            Era::Legacy => LEGACY_RESOURCE_NOT_FOUND,
        };
        let data = json!({"uri": quoted(uri, MAX_URI_BYTES)});
        RpcError::new(code, "Resource not found").data(data)
    })?;
    Ok(json!({"contents": [{"uri": uri, "mimeType": MARKDOWN, "text": text}]}))
}

fn text(cx: &Context<'_>, uri: &str) -> Option<String> {
    if uri.len() > MAX_URI_BYTES {
        return None;
    }
    if uri.starts_with(SKILLS[0]) {
        let skills = cx.site.skills(cx.origin, true);
        let skill = skills
            .into_iter()
            .find(|skill| skill_uri(&skill.name) == uri)?;
        return Some(skill.text.to_string());
    }
    let is_url = uri.starts_with("https://") || uri.starts_with("http://");
    let path = match uri.strip_prefix(PAGES) {
        Some(path) => path,
        None if is_url => uri,
        None => return None,
    };
    let route = visible::page(cx.site, &PagePath::parse(cx.site, path).path)?;
    let packed = cx.site.compressed_markdown(route, cx.origin)?;
    Some(String::from_utf8_lossy(&packed.bytes).into_owned())
}
