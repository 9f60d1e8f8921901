//! The XHTML of chapters and of the table of contents.

use svc_render::{BookPart, book_id, book_text as text};

use super::contents::Entry;
use super::images::key_of;
use super::links::{Target, resolve};
use super::{Book, Chapter};
use crate::Site;

/// The URL of a chapter, as seen from the others, before the `#` of an id.
pub(super) type ChapterUrl = fn(usize) -> String;

/// The prefix of the ids of a chapter, which makes them unique in the book.
pub(super) fn prefix(at: usize) -> String {
    format!("p{}-", at + 1)
}

/// The id of the start of a chapter.
pub(super) fn start_id(at: usize) -> String {
    format!("p{}", at + 1)
}

/// The content of a chapter with its title.
pub(super) fn chapter(
    site: &Site,
    book: &Book,
    at: usize,
    chapter: &Chapter,
    url_of: ChapterUrl,
) -> String {
    let mut out = format!(
        "<h1 id=\"{}\">{}</h1>\n",
        start_id(at),
        text(&chapter.title)
    );
    let description = chapter.description.trim();
    if !description.is_empty() {
        out.push_str(&format!("<p class=\"lead\">{}</p>\n", text(description)));
    }
    let mut open = "";
    for part in &chapter.article.parts {
        match part {
            BookPart::Markup(markup) => out.push_str(markup),
            BookPart::LinkStart(href) => {
                open = link_start(&resolve(site, book, at, href), url_of, &mut out);
            }
            BookPart::LinkEnd => out.push_str(open),
            BookPart::Image { src, alt } => image(book, src, alt, &mut out),
        }
    }
    out
}

/// Writes the start tag of a link and returns its end tag; both are empty for links without target.
fn link_start(target: &Target, url_of: ChapterUrl, out: &mut String) -> &'static str {
    let href = match target {
        Target::Chapter(at, id) => {
            let id = id
                .as_ref()
                .map_or_else(|| start_id(*at), |id| book_id(&prefix(*at), id));
            format!("{}#{id}", url_of(*at))
        }
        Target::Url(url) => url.clone(),
        Target::None => return "",
    };
    out.push_str(&format!("<a href=\"{}\">", text(&href)));
    "</a>"
}

fn image(book: &Book, src: &str, alt: &str, out: &mut String) {
    let at = key_of(src).and_then(|key| book.image_names.get(&key));
    match at.and_then(|at| book.images.get(*at)) {
        Some(image) => out.push_str(&format!(
            "<img src=\"{}\" alt=\"{}\"/>",
            image.name,
            text(alt)
        )),
        None if alt.trim().is_empty() => {}
        None => out.push_str(&format!(
            "<span class=\"image\">[{}]</span>",
            text(alt.trim())
        )),
    }
}

/// The table of contents as a list.
pub(super) fn contents(entries: &[Entry], url_of: ChapterUrl, out: &mut String) {
    out.push_str("<ol>\n");
    for entry in entries {
        let name = match entry.name.trim() {
            "" => "–",
            name => name,
        };
        out.push_str("<li>");
        match entry.chapter {
            Some(at) => out.push_str(&format!(
                "<a href=\"{}#{}\">{}</a>",
                url_of(at),
                start_id(at),
                text(name)
            )),
            None => out.push_str(&format!("<span>{}</span>", text(name))),
        }
        if !entry.children.is_empty() {
            contents(&entry.children, url_of, out);
        }
        out.push_str("</li>\n");
    }
    out.push_str("</ol>\n");
}
