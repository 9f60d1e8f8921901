//! The pages of a site in reading order, as one EPUB or as one document to print.
//!
//! [`book`] selects the pages and renders them as static XHTML; `links` resolves what they link to,
//! `images` reads their images, `markup` writes the XHTML, and `epub` and `document` pack it.

mod contents;
mod document;
mod epub;
mod images;
mod links;
mod markup;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io;

use svc_diagnostics::Diagnostic;
use svc_render::{BookArticle, Reader, RenderContext};

use crate::diagnostics::sort_diagnostics;
use crate::parallel::{in_parallel, threads};
use crate::{Site, render, versions};
use contents::Entry;
use images::BookImage;

pub use document::{PageFormat, PrintDocument};

/// Options of a book.
#[derive(Debug, Clone, Default)]
pub struct BookOptions {
    /// Code of the language; the default language if `None`.
    pub language: Option<String>,
    /// Name of the version; the default version if `None`.
    pub version: Option<String>,
}

/// The pages of a site in reading order.
#[derive(Debug)]
pub struct Book {
    title: String,
    language: String,
    /// The day of the last change of a page; empty if it is unknown.
    date: String,
    chapters: Vec<Chapter>,
    contents: Vec<Entry>,
    /// Indexes of chapters by the paths of their pages.
    paths: HashMap<String, usize>,
    images: Vec<BookImage>,
    /// Indexes of images by their URL paths.
    image_names: HashMap<String, usize>,
    code_css: String,
    /// Problems of rendering the pages, sorted by file and location.
    pub diagnostics: Vec<Diagnostic>,
    /// Number of pages that could not be rendered; their chapters are empty.
    pub broken: usize,
}

#[derive(Debug)]
struct Chapter {
    title: String,
    description: String,
    article: BookArticle,
}

/// A chapter with the problems of rendering its page.
struct RenderedChapter {
    chapter: Chapter,
    diagnostics: Vec<Diagnostic>,
    is_broken: bool,
}

impl Book {
    /// Number of pages.
    pub fn pages(&self) -> usize {
        self.chapters.len()
    }
}

/// Renders the pages of the navigation that readers see, of one language and version.
///
/// # Errors
/// When an image cannot be read.
pub fn book(site: &Site, options: &BookOptions) -> io::Result<Book> {
    let (contents, order) = contents::contents(site, options);
    let language = order.iter().find_map(|path| {
        let route = site.map.route(path)?;
        route.language.clone()
    });
    let context = context(site);
    let dates = order.iter().filter_map(|path| {
        let route = site.map.route(path)?;
        svc_render::last_modified(&context, route)
    });
    let date = dates.max().unwrap_or_default();
    let rendered = in_parallel(order.len(), threads(), |at| {
        chapter(site, order.get(at).map_or("", String::as_str), at)
    });
    let (mut chapters, mut diagnostics) = (Vec::with_capacity(rendered.len()), Vec::new());
    let mut broken = 0;
    for one in rendered {
        chapters.push(one.chapter);
        diagnostics.extend(one.diagnostics);
        broken += usize::from(one.is_broken);
    }
    let mut book = Book {
        title: site.config.name.clone(),
        language: language.unwrap_or_else(|| "en".to_owned()),
        date,
        paths: order.iter().cloned().zip(0..).collect(),
        chapters,
        contents,
        images: Vec::new(),
        image_names: HashMap::new(),
        code_css: svc_render::book_code_css(&site.context()),
        diagnostics: sort_diagnostics(versions::label(&site.tree, diagnostics)),
        broken,
    };
    images::read(site, &mut book)?;
    Ok(book)
}

fn context(site: &Site) -> RenderContext<'_> {
    RenderContext {
        reader: Reader::Book,
        ..site.context()
    }
}

fn chapter(site: &Site, path: &str, at: usize) -> RenderedChapter {
    let Some(route) = site.map.route(path) else {
        return RenderedChapter {
            chapter: Chapter {
                title: path.to_owned(),
                description: String::new(),
                article: BookArticle::default(),
            },
            diagnostics: Vec::new(),
            is_broken: false,
        };
    };
    let context = context(site);
    let file = site.page_of(route).map(|page| &page.file);
    let rendered = render::article(&context, file, route);
    // The article of an operation has its description.
    let description = route.description.clone();
    let description = description.filter(|_| route.operation.is_none());
    RenderedChapter {
        chapter: Chapter {
            title: route.title.clone(),
            description: description.unwrap_or_default(),
            article: svc_render::html_to_book(&rendered.article.html, &markup::prefix(at)),
        },
        diagnostics: rendered.diagnostics,
        is_broken: rendered.broken,
    }
}
