//! Resolves URLs in pages.

use svc_data::browser_scheme;
use svc_data::percent::{self, PATH_END};
use svc_diagnostics::{DiagnosticCode, Span, diagnostic_code};
use svc_mdx::Node;
use svc_source::{canonical_path, normalize};

use crate::article::tag::Props;
use crate::ctx::{Ctx, PageLink, ParentContext, RenderContext};
use crate::html::Html;
use crate::url::printed_target;

/// A URL with a scheme that is not allowed.
pub(crate) static UNSAFE_URL: DiagnosticCode = diagnostic_code!(
    warning,
    "unsafe-url",
    "a URL has a scheme that is not allowed"
);

/// Schemes that pages may link to.
const SCHEMES: &[&str] = &[
    "http",
    "https",
    "mailto",
    "tel",
    "sms",
    "ftp",
    "ftps",
    "irc",
    "xmpp",
    "geo",
    "vscode",
    "vscode-insiders",
    "cursor",
    "windsurf",
    "slack",
    "discord",
    "github-windows",
    "zed",
    "goose",
    "claude",
    "jetbrains",
    "obsidian",
];

/// A resolved link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinkTarget {
    /// Value of the `href` attribute.
    pub(crate) href: String,
    /// Whether the link leads to another site.
    pub(crate) external: bool,
}

pub(super) fn markdown(
    cx: &mut Ctx<'_>,
    url: &str,
    title: Option<&str>,
    children: &[Node],
    span: Span,
    out: &mut Html,
) {
    if cx
        .frames
        .is_inside(|frame| matches!(frame, ParentContext::Link))
    {
        // An autolink inside of `<a>` is text; the outer link takes precedence.
        cx.nodes_into(children, out);
        return;
    }
    let target = target(cx, url, span);
    out.lit("<a");
    if let Some(target) = &target {
        link_attributes(target, out);
    }
    out.lit(" class=\"link\"").attr_if("title", title).lit(">");
    cx.nodes_into(children, out);
    out.lit("</a>");
}

/// Writes `href`, and `target` and `rel` for external links.
pub(crate) fn link_attributes(target: &LinkTarget, out: &mut Html) {
    out.attr("href", &target.href);
    if target.external {
        out.lit(" target=\"_blank\" rel=\"noopener noreferrer\"");
    }
}

/// Like [`link_attributes`], with the author's `target` and `rel`.
pub(crate) fn author_attributes(target: &LinkTarget, props: &Props, out: &mut Html) {
    let (link_target, rel) = (props.text("target"), props.text("rel"));
    if link_target.is_none() && rel.is_none() {
        link_attributes(target, out);
        return;
    }
    out.attr("href", &target.href)
        .attr_if("target", link_target.as_deref());
    // Prevents access to this page through `window.opener`.
    let safe = (link_target.as_deref() == Some("_blank")).then_some("noopener noreferrer");
    out.attr_if("rel", rel.as_deref().or(safe));
}

/// Resolves a link. `None` if its scheme is not allowed, which is reported.
pub(crate) fn target(cx: &mut Ctx<'_>, url: &str, span: Span) -> Option<LinkTarget> {
    let url = cx.variables.expand(url.trim()).into_owned();
    if let Some(scheme) = browser_scheme(&url) {
        if SCHEMES.contains(&scheme.as_str()) {
            let external = matches!(scheme.as_str(), "http" | "https");
            if external {
                record(cx, url.clone(), span);
            }
            return Some(LinkTarget {
                href: url,
                external,
            });
        }
        refuse(cx, &url, span);
        return None;
    }
    if url.starts_with("//") || url.starts_with("\\") || url.starts_with("/\\") {
        return Some(LinkTarget {
            href: url,
            external: true,
        });
    }
    if url.is_empty() || url.starts_with('#') || url.starts_with('?') {
        if url.len() > 1 {
            record(cx, url.clone(), span);
        }
        return Some(LinkTarget {
            href: url,
            external: false,
        });
    }
    let (path, tail) = url.split_at(url.find(['?', '#']).unwrap_or(url.len()));
    let path = format!("{}{tail}", page_path(cx, path));
    let href = printed_href(cx.input, &path);
    record(cx, path, span);
    Some(LinkTarget {
        href,
        external: false,
    })
}

/// The URL of a path of the site, with its query and fragment, below the base path.
fn printed_href(input: &RenderContext<'_>, path: &str) -> String {
    let path = printed_target(input.config, path, |path| input.is_page(path));
    format!("{}{path}", input.options.site.base_path)
}

/// A link in a text that is not MDX: where it leads, and the URL for browsers.
#[derive(Debug)]
pub(crate) struct SiteLink {
    /// The path of this site, or `#` and an anchor of the same page.
    pub(crate) path: String,
    pub(crate) href: String,
}

/// Resolves a link to this site that a text writes. Its path is relative to one of `files`, in their
/// order, to the root, or complete with the base path. `None` for other URLs.
pub(crate) fn site_link(input: &RenderContext<'_>, files: &[&str], url: &str) -> Option<SiteLink> {
    let is_other = url.is_empty() || url.starts_with(['?', '\\']) || url.starts_with("//");
    if is_other || url.starts_with("/\\") || browser_scheme(url).is_some() {
        return None;
    }
    if url.starts_with('#') {
        let (path, href) = (url.to_owned(), url.to_owned());
        return Some(SiteLink { path, href });
    }
    let (path, tail) = url.split_at(url.find(['?', '#']).unwrap_or(url.len()));
    let base = &input.options.site.base_path;
    let is_below = |rest: &&str| !base.is_empty() && rest.starts_with('/');
    let without_base = path.strip_prefix(&**base).filter(is_below);
    let existing = |path: &str| {
        let mut files = files.iter();
        files.find_map(|from| existing_from(input, from, path))
    };
    let found = existing(path).or_else(|| existing(without_base?));
    // A browser resolves a relative path against the page, which is the last file.
    let from = match path.starts_with('/') {
        true => files.first(),
        false => files.last(),
    };
    let path = found.or_else(|| Some(path_from(input, from?, path)))?;
    let path = format!("{path}{tail}");
    let href = printed_href(input, &path);
    Some(SiteLink { path, href })
}

/// Resolves the path of a page or file relative to the current file, or to the root.
fn page_path(cx: &Ctx<'_>, reference: &str) -> String {
    path_from(cx.input, cx.scope.file.path(), reference)
}

/// The path of a page or file that `from` writes; what it would be if it does not exist.
fn path_from(input: &RenderContext<'_>, from: &str, reference: &str) -> String {
    existing_from(input, from, reference).unwrap_or_else(|| {
        let candidates = candidates(input, from, reference);
        page_form(candidates.first().map_or("", String::as_str))
    })
}

/// The path of a page or file that `from` writes. `None` if it does not exist.
fn existing_from(input: &RenderContext<'_>, from: &str, reference: &str) -> Option<String> {
    let candidates = candidates(input, from, reference);
    candidates.iter().find_map(|path| existing(input, path))
}

/// The paths of the repository that `reference` can mean in the file `from`, the likeliest first.
fn candidates(input: &RenderContext<'_>, from: &str, reference: &str) -> Vec<String> {
    let decoded = percent::decode(reference);
    let mounts = input.tree.mounts();
    let dotted = decoded.starts_with("./") || decoded.starts_with("../");
    let mut candidates = Vec::new();
    if !decoded.starts_with('/') {
        candidates.push(mounts.from_dir(from, &decoded));
    }
    if !dotted {
        candidates.push(mounts.from_root(from, &decoded));
    }
    // Pages that a version does not have are those of the site.
    if decoded.starts_with('/') && mounts.of(from).is_some() {
        candidates.push(normalize(&decoded));
    }
    candidates
}

/// The URL path under which a file or page is served; `None` if it does not exist.
fn existing(input: &RenderContext<'_>, path: &str) -> Option<String> {
    let page = page_form(path);
    if input.is_page(&page) {
        return Some(page);
    }
    let lower = page.to_ascii_lowercase();
    if lower != page && input.is_page(&lower) {
        return Some(lower);
    }
    input.tree.contains(path).then(|| format!("/{path}"))
}

/// Converts `guides/a.mdx` and `guides/a/index` to URL paths.
fn page_form(path: &str) -> String {
    let path = path.trim_end_matches('/');
    let bare = path
        .strip_suffix(".mdx")
        .or_else(|| path.strip_suffix(".md"))
        .unwrap_or(path);
    canonical_path(bare)
}

/// Resolves the URL of an image, video or other file; `data:` URLs of images are allowed.
pub(crate) fn source(cx: &mut Ctx<'_>, url: &str, span: Span) -> Option<String> {
    let url = cx.variables.expand(url.trim()).into_owned();
    if let Some(scheme) = browser_scheme(&url) {
        let is_image = scheme == "data" && is_data_image(&url);
        let is_external = matches!(scheme.as_str(), "http" | "https");
        if is_external {
            record(cx, url.clone(), span);
        }
        if is_external || is_image {
            return Some(url);
        }
        refuse(cx, &url, span);
        return None;
    }
    if url.is_empty() || url.starts_with("//") || url.starts_with('#') {
        return Some(url);
    }
    let (path, tail) = url.split_at(url.find(['?', '#']).unwrap_or(url.len()));
    let (mounts, from) = (cx.input.tree.mounts(), cx.scope.file.path());
    let decoded = percent::decode(path);
    let relative = mounts.from_dir(from, &decoded);
    let absolute = mounts.from_root(from, &decoded);
    let bare = !path.starts_with('/') && !path.starts_with("./") && !path.starts_with("../");
    let at_root = bare && !cx.input.tree.contains(&relative) && cx.input.tree.contains(&absolute);
    let resolved = if path.starts_with('/') || at_root {
        absolute
    } else {
        relative
    };
    record(cx, format!("/{resolved}"), span);
    let version = if tail.starts_with('?') {
        String::new()
    } else {
        cx.input.options.metadata.fingerprint_query(&resolved)
    };
    Some(format!(
        "{}/{}{version}{tail}",
        cx.input.options.site.base_path,
        percent::encode_ascii(&resolved, PATH_END)
    ))
}

/// Resolves the URL of a frame. `data:` URLs are not allowed, because such a document has no
/// content security policy.
pub(crate) fn frame_source(cx: &mut Ctx<'_>, url: &str, span: Span) -> Option<String> {
    let written = cx.variables.expand(url.trim()).into_owned();
    if browser_scheme(&written).as_deref() == Some("data") {
        refuse(cx, &written, span);
        return None;
    }
    source(cx, url, span)
}

fn is_data_image(url: &str) -> bool {
    let start: String = url
        .chars()
        .filter(|c| !c.is_whitespace())
        .take(22)
        .collect();
    let start = start.to_ascii_lowercase();
    [
        "data:image/png",
        "data:image/jpeg",
        "data:image/jpg",
        "data:image/gif",
        "data:image/webp",
        "data:image/avif",
        "data:image/svg+xml",
    ]
    .iter()
    .any(|allowed| start.starts_with(allowed))
}

fn refuse(cx: &mut Ctx<'_>, url: &str, span: Span) {
    let short: String = url.chars().take(40).collect();
    cx.report(
        &UNSAFE_URL,
        span,
        format!("the scheme of the URL `{short}` is not allowed"),
        "use `https:` or `mailto:`, or a path of this site",
    );
}

fn record(cx: &mut Ctx<'_>, href: String, span: Span) {
    cx.out.links.push(PageLink {
        href,
        span: span.shifted(cx.scope.shift),
        file: cx.scope.file.clone(),
    });
}
