//! EPUB 3: a ZIP archive of XHTML documents with a package document and a navigation document.

use std::io;

use svc_media::Color;
use svc_render::book_text as text;

use super::{Book, document, markup};
use crate::Site;
use crate::digest::Digester;
use crate::zip::Zip;

const CONTAINER: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">
<rootfiles><rootfile full-path=\"EPUB/package.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles>
</container>
";
/// The date of a book whose pages have none: the same site gives the same bytes.
const NO_DATE: &str = "1980-01-01";

/// The file of a chapter, in the same directory as the images.
fn chapter_name(at: usize) -> String {
    format!("page-{:04}.xhtml", at + 1)
}

impl Book {
    /// The book as an EPUB 3 publication. The same site gives the same bytes.
    ///
    /// # Errors
    /// When the book is too large for the memory.
    pub fn epub(&self, site: &Site) -> io::Result<Vec<u8>> {
        let mut zip = Zip::new(Vec::new());
        zip.add_stored("mimetype", io::Cursor::new("application/epub+zip"))?;
        let mut digester = Digester::default();
        let mut add = |name: &str, bytes: &[u8]| {
            digester.add(name.as_bytes()).add(bytes);
            zip.add_deflated(&format!("EPUB/{name}"), bytes)
        };
        add("book.css", document::style(self).as_bytes())?;
        add("title.xhtml", self.title_page().as_bytes())?;
        add("nav.xhtml", self.navigation().as_bytes())?;
        let cover = self.cover(site);
        if let Some(png) = &cover {
            add("cover.png", png)?;
        }
        let mut formulas = Vec::new();
        for (at, chapter) in self.chapters.iter().enumerate() {
            let body = markup::chapter(site, self, at, chapter, chapter_name);
            let page = self.xhtml(&chapter.title, "", &body);
            // Text is escaped, so this is an element.
            formulas.push(body.contains("<math "));
            add(&chapter_name(at), page.as_bytes())?;
        }
        for image in &self.images {
            add(&image.name, &image.bytes)?;
        }
        let key = hex::encode(digester.key());
        zip.add_deflated("META-INF/container.xml", CONTAINER.as_bytes())?;
        zip.add_deflated(
            "EPUB/package.opf",
            self.package(&key, &formulas, cover.is_some()).as_bytes(),
        )?;
        zip.finish()
    }

    /// The cover in the color of the site; `None` for titles that the built-in font cannot show.
    fn cover(&self, site: &Site) -> Option<Vec<u8>> {
        let color = Color::parse(&site.config.colors.primary)?;
        svc_media::cover(&self.title, &self.date, color)
    }

    fn xhtml(&self, title: &str, attributes: &str, body: &str) -> String {
        let language = text(&self.language);
        let title = match title.trim() {
            "" => "–".to_owned(),
            title => text(title),
        };
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\" lang=\"{language}\" xml:lang=\"{language}\">\n<head><meta charset=\"UTF-8\"/><title>{title}</title><link rel=\"stylesheet\" type=\"text/css\" href=\"book.css\"/></head>\n<body{attributes}>\n{body}\n</body>\n</html>\n"
        )
    }

    fn title_page(&self) -> String {
        let body = document::title_page(self);
        self.xhtml(&self.title, " class=\"title-page\"", &body)
    }

    fn navigation(&self) -> String {
        let mut body = String::from("<nav epub:type=\"toc\" id=\"toc\"><h1>");
        body.push_str(&text(&self.title));
        body.push_str("</h1>\n");
        markup::contents(&self.contents, chapter_name, &mut body);
        body.push_str("</nav>");
        self.xhtml(&self.title, "", &body)
    }

    /// `formulas` is whether each chapter contains formulas.
    fn package(&self, key: &str, formulas: &[bool], has_cover: bool) -> String {
        let date = if self.date.is_empty() {
            NO_DATE
        } else {
            &self.date
        };
        // Readers of EPUB 2 look for the cover there.
        let old_cover = match has_cover {
            true => "<meta name=\"cover\" content=\"cover\"/>",
            false => "",
        };
        let mut manifest = String::new();
        if has_cover {
            manifest.push_str(
                "<item id=\"cover\" href=\"cover.png\" media-type=\"image/png\" properties=\"cover-image\"/>\n",
            );
        }
        let mut spine = String::new();
        for (at, has_formulas) in formulas.iter().enumerate() {
            let name = chapter_name(at);
            let properties = match has_formulas {
                true => " properties=\"mathml\"",
                false => "",
            };
            manifest.push_str(&format!(
                "<item id=\"c{at}\" href=\"{name}\" media-type=\"application/xhtml+xml\"{properties}/>\n"
            ));
            spine.push_str(&format!("<itemref idref=\"c{at}\"/>\n"));
        }
        for (at, image) in self.images.iter().enumerate() {
            manifest.push_str(&format!(
                "<item id=\"i{at}\" href=\"{}\" media-type=\"{}\"/>\n",
                image.name, image.media_type
            ));
        }
        let parts: Vec<&str> = [0..8, 8..12, 12..16, 16..20, 20..32]
            .into_iter()
            .filter_map(|range| key.get(range))
            .collect();
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" unique-identifier=\"id\">
<metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">
<dc:identifier id=\"id\">urn:uuid:{}</dc:identifier>
<dc:title>{}</dc:title>
<dc:language>{}</dc:language>
<meta property=\"dcterms:modified\">{date}T00:00:00Z</meta>{old_cover}
</metadata>
<manifest>
<item id=\"nav\" href=\"nav.xhtml\" media-type=\"application/xhtml+xml\" properties=\"nav\"/>
<item id=\"title\" href=\"title.xhtml\" media-type=\"application/xhtml+xml\"/>
<item id=\"css\" href=\"book.css\" media-type=\"text/css\"/>
{manifest}</manifest>
<spine>
<itemref idref=\"title\"/>
<itemref idref=\"nav\"/>
{spine}</spine>
</package>
",
            parts.join("-"),
            text(&self.title),
            text(&self.language),
        )
    }
}
