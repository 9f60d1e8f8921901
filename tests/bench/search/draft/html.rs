//! Pages of a corpus from HTML.
use scraper::{ElementRef, Html, Node, Selector};
use svc_search::{Document, Section};

pub fn document(path: &str, html: &str, root: &str) -> Option<Document> {
    let html = Html::parse_document(html);
    let select = |s: &str| html.select(&Selector::parse(s).unwrap()).next();
    let title = select("title")?.text().collect::<String>();
    let body = select(root).or_else(|| select("body"))?;
    let mut b = Builder { doc: Document { path: path.into(), title: clean_title(&title), sections: vec![Section::default()], ..Document::default() }, stack: vec![], first: true };
    b.walk(body, false, "");
    Some(b.doc)
}

fn clean_title(t: &str) -> String {
    let t = t.replace('\u{a0}', " ");
    let t = t.trim();
    let t = t.split(" — ").next().unwrap_or(t);
    let t = t.strip_prefix("Chapter ").or_else(|| t.strip_prefix("Appendix ")).unwrap_or(t);
    match t.split_once(". ") {
        Some((n, rest)) if n.chars().all(|c| c.is_ascii_digit() || c == '.' || c.is_ascii_uppercase()) && n.len() < 8 => rest.to_owned(),
        _ => t.to_owned(),
    }
}

struct Builder { doc: Document, stack: Vec<(u8, String)>, first: bool }

impl Builder {
    fn walk(&mut self, e: ElementRef<'_>, code: bool, id: &str) {
        for child in e.children() {
            match child.value() {
                Node::Text(t) => {
                    let s = self.doc.sections.last_mut().unwrap();
                    let out = if code { &mut s.code } else { &mut s.text };
                    out.push_str(t);
                }
                Node::Element(el) => {
                    let name = el.name();
                    let class = el.attr("class").unwrap_or("");
                    if matches!(name, "script" | "style" | "nav" | "head") || class.split(' ').any(|c| matches!(c, "navheader" | "navfooter" | "toc" | "headerlink" | "sphinxsidebar" | "related" | "footer")) { continue; }
                    let child = ElementRef::wrap(child).unwrap();
                    if let [b'h', n @ b'1'..=b'6'] = name.as_bytes() {
                        let text: String = child.text().collect::<String>().replace('¶', "").replace('\u{a0}', " ");
                        let text = clean_title(text.trim());
                        if self.first { self.first = false; if text != self.doc.title && self.doc.title.is_empty() { self.doc.title = text; } continue; }
                        let level = n - b'0';
                        while self.stack.last().is_some_and(|(l, _)| *l >= level) { self.stack.pop(); }
                        self.stack.push((level, text));
                        let id = el.attr("id").unwrap_or(id);
                        self.doc.sections.push(Section { id: id.into(), headings: self.stack.iter().map(|(_, t)| t.clone()).collect(), ..Section::default() });
                        continue;
                    }
                    let block = !matches!(name, "a" | "code" | "em" | "span" | "strong" | "tt" | "b" | "i" | "sup" | "sub" | "acronym");
                    let id = el.attr("id").unwrap_or(id);
                    self.walk(child, code || name == "pre", id);
                    if block { let s = self.doc.sections.last_mut().unwrap(); if code || name == "pre" { s.code.push('\n') } else { s.text.push('\n') } }
                }
                _ => {}
            }
        }
    }
}
