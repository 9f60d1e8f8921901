//! One document with all chapters, to print.

use svc_render::book_text as text;

use super::Book;
use super::markup;
use crate::Site;

const STYLE: &str = include_str!("book.css");

/// Format of printed pages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PageFormat {
    /// 210 × 297 mm.
    #[default]
    A4,
    /// 8.5 × 11 inches.
    Letter,
}

/// A document to print, and the images next to it.
#[derive(Debug)]
pub struct PrintDocument {
    /// The HTML.
    pub html: String,
    /// Names and contents of the images.
    pub images: Vec<(String, Vec<u8>)>,
}

/// Chapters are in the same document.
const fn same_document(_at: usize) -> String {
    String::new()
}

/// The style sheet of chapters.
pub(super) fn style(book: &Book) -> String {
    format!("{STYLE}{}", book.code_css)
}

/// The content of the title page.
pub(super) fn title_page(book: &Book) -> String {
    let date = match book.date.is_empty() {
        true => String::new(),
        false => format!("\n<p>{}</p>", text(&book.date)),
    };
    format!("<h1>{}</h1>{date}", text(&book.title))
}

impl Book {
    /// The book as one document for a browser: a title page, the table of contents, and each page of
    /// the site on a new page. Its policy forbids scripts and requests.
    pub fn into_print_document(self, site: &Site, format: PageFormat) -> PrintDocument {
        let size = match format {
            PageFormat::A4 => "A4",
            PageFormat::Letter => "letter",
        };
        let mut html = format!(
            "<!doctype html>\n<html lang=\"{}\">\n<head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src file:; style-src 'unsafe-inline'\"><title>{}</title><style>@page {{ size: {size}; margin: 20mm 18mm }}\n{}</style></head>\n<body>\n<section class=\"title-page\">{}</section>\n<nav class=\"chapter\">\n",
            text(&self.language),
            text(&self.title),
            style(&self).replace("</", "<\\/"),
            title_page(&self),
        );
        markup::contents(&self.contents, same_document, &mut html);
        html.push_str("</nav>\n");
        for (at, chapter) in self.chapters.iter().enumerate() {
            html.push_str("<section class=\"chapter\">\n");
            html.push_str(&markup::chapter(site, &self, at, chapter, same_document));
            html.push_str("\n</section>\n");
        }
        html.push_str("</body>\n</html>\n");
        let images = self.images.into_iter();
        PrintDocument {
            html,
            images: images.map(|image| (image.name, image.bytes)).collect(),
        }
    }
}
