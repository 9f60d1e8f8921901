//! Books are valid and complete, whatever the markup of pages contains.

use std::io::Read as _;

use svc_source::SourceTree;

use super::{Book, BookOptions, PageFormat, book};
use crate::{LoadOptions, Site, assemble};

const PETS: &str = r##"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.test"}],
  "paths": {"/pets/{id}": {"get": {"summary": "Get a pet", "parameters": [{"name": "id", "in": "path", "required": true, "description": "Which one", "schema": {"type": "integer"}}], "responses": {"200": {"description": "The pet"}}}}}}"##;

fn site(pages: &[(&str, &str)]) -> Site {
    let config = r##"{"theme": "svc", "name": "Acme & <Co>", "colors": {"primary": "#0a7d4f"},
        "navigation": {"languages": [
            {"language": "en", "groups": [{"group": "Start", "pages": ["index", {"group": "Inner", "pages": ["b"]}]}, {"group": "API", "openapi": "pets.json"}]},
            {"language": "de", "pages": ["de/index"]}]}}"##;
    let files = [
        ("docs.json", config),
        ("pets.json", PETS),
        ("de/index.mdx", "Hallo"),
    ];
    let files = files.into_iter().chain(pages.iter().copied());
    let tree = SourceTree::from_files(files);
    assemble(tree, &LoadOptions::default()).unwrap().value
}

const INDEX: &str = "---\ntitle: Home & <b>\n---\n\n## One\n\n[b](/b#two), [none](/b#zzz), [out](https://a.test/x?a=1&b=2), [gone](/gone)\n\n<Tabs><Tab title=\"First\">Text 1</Tab><Tab title=\"Second\">Text 2</Tab></Tabs>\n\n<Accordion title=\"More\">Hidden text</Accordion>\n\n```js\nlet x = 1 < 2;\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n<p><div>block</div><ul><b>no item</b></ul></p>\n\n![A drawing](/missing.png)\n";
const B: &str = "## Two\n\n<Note>Read <Tooltip tip=\"the tip\">this</Tooltip>.</Note>\n\n<Steps><Step title=\"Do\">It</Step></Steps>\n\n$$x^2 < \\frac{1}{2}$$\n\n```mermaid\nflowchart LR\n  A[Source] --> B[Page]\n```\n\n- [ ] a\n";

fn sample() -> Site {
    site(&[("index.mdx", INDEX), ("b.mdx", B)])
}

fn book_of(site: &Site, language: Option<&str>) -> Book {
    let options = BookOptions {
        language: language.map(str::to_owned),
        ..BookOptions::default()
    };
    book(site, &options).unwrap()
}

/// Names and contents of the entries of an archive, in their order.
fn entries(bytes: &[u8]) -> Vec<(String, u16, String)> {
    let number = |at: usize, size: usize| {
        let part = bytes[at..at + size].iter().rev();
        part.fold(0, |sum, byte| sum << 8 | usize::from(*byte))
    };
    let mut out = Vec::new();
    let mut at = 0;
    while &bytes[at..at + 4] == b"PK\x03\x04" {
        let start = at + 30 + number(at + 26, 2) + number(at + 28, 2);
        let name = String::from_utf8_lossy(&bytes[at + 30..at + 30 + number(at + 26, 2)]);
        let packed = &bytes[start..start + number(at + 18, 4)];
        let method = u16::try_from(number(at + 8, 2)).unwrap();
        let mut text = Vec::new();
        match method {
            0 => text.extend(packed),
            _ => {
                let mut decoder = flate2::read::DeflateDecoder::new(packed);
                decoder.read_to_end(&mut text).unwrap();
            }
        }
        out.push((
            name.into_owned(),
            method,
            String::from_utf8_lossy(&text).into_owned(),
        ));
        at = start + packed.len();
    }
    out
}

/// Asserts that tags are balanced and returns the values of an attribute.
fn values(xml: &str, name: &str) -> Vec<String> {
    let mut open = Vec::new();
    let mut out = Vec::new();
    for part in xml.split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("a tag ends");
        if tag.starts_with(['!', '?']) {
            continue;
        }
        let word = tag
            .split([' ', '\n', '/'])
            .find(|word| !word.is_empty())
            .unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(word), "{xml}");
            continue;
        }
        if !tag.ends_with('/') {
            open.push(word);
        }
        let mut rest = tag;
        while let Some((_, after)) = rest.split_once(&format!(" {name}=\"")) {
            let (value, behind) = after.split_once('"').unwrap();
            out.push(value.to_owned());
            rest = behind;
        }
    }
    assert!(open.is_empty(), "{open:?}: {xml}");
    out
}

#[test]
fn an_epub_has_the_structure_of_epub_3() {
    let site = sample();
    let bytes = book_of(&site, None).epub(&site).unwrap();
    let files = entries(&bytes);
    assert_eq!(
        files[0],
        ("mimetype".to_owned(), 0, "application/epub+zip".to_owned())
    );
    let file = |name: &str| {
        let found = files.iter().find(|(other, _, _)| other == name);
        &found.unwrap_or_else(|| panic!("{name} exists")).2
    };
    assert_eq!(
        values(file("META-INF/container.xml"), "full-path"),
        ["EPUB/package.opf"]
    );
    let package = file("EPUB/package.opf");
    let hrefs = values(package, "href");
    let names: Vec<String> = files
        .iter()
        .filter_map(|(name, _, _)| name.strip_prefix("EPUB/").map(str::to_owned))
        .filter(|name| name != "package.opf")
        .collect();
    assert_eq!(
        names.iter().collect::<std::collections::BTreeSet<_>>(),
        hrefs.iter().collect()
    );
    let ids = values(package, "id");
    let spine = values(package, "idref");
    assert_eq!(spine.len(), 5, "title, contents and three pages: {package}");
    assert!(spine.iter().all(|id| ids.contains(id)));
    assert!(package.contains("<dc:title>Acme &amp; &lt;Co&gt;</dc:title>"));
    assert!(package.contains("<dc:language>en</dc:language>"));
    let mut links = 0;
    for (name, _, text) in files.iter().filter(|(name, _, _)| name.ends_with(".xhtml")) {
        let ids = values(text, "id");
        let unique: std::collections::BTreeSet<_> = ids.iter().collect();
        assert_eq!(unique.len(), ids.len(), "{name}");
        for href in values(text, "href") {
            if href.starts_with("https://") {
                continue;
            }
            let (to, id) = href.split_once('#').unwrap_or((&href, ""));
            let target = file(&format!("EPUB/{to}"));
            assert!(
                id.is_empty() || values(target, "id").contains(&id.to_owned()),
                "{href}"
            );
            links += 1;
        }
    }
    assert!(links > 6, "{links}");
    assert_eq!(
        bytes,
        book_of(&site, None).epub(&site).unwrap(),
        "the same bytes"
    );
}

#[test]
fn chapters_contain_what_scripts_would_show() {
    let site = sample();
    let files = entries(&book_of(&site, None).epub(&site).unwrap());
    let text: String = files.iter().map(|(_, _, text)| text.as_str()).collect();
    for part in [
        "<h1 id=\"p1\">Home &amp; &lt;b&gt;</h1>",
        "<a href=\"page-0002.xhtml#p2-two\">b</a>",
        "<a href=\"page-0002.xhtml#p2\">none</a>",
        "<a href=\"https://a.test/x?a=1&amp;b=2\">out</a>",
        "<p class=\"panel-title\">Second</p>",
        "Text 2",
        "Hidden text",
        "(the tip)",
        "<msup><mi>x</mi><mn>2</mn></msup>",
        "<mo>&lt;</mo><mfrac>",
        "x^2 &lt; \\frac{1}{2}</annotation>",
        "<img src=\"image-0001.svg\" alt=\"Diagram\"/>",
        "media-type=\"application/xhtml+xml\" properties=\"mathml\"/>",
        "Get a pet",
        "Which one",
        "[A drawing]",
        "<span>Inner</span>",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let cover = files.iter().find(|(name, ..)| name == "EPUB/cover.png");
    assert!(
        cover.is_some_and(|(.., png)| png.contains("PNG"))
            && text.contains("properties=\"cover-image\"")
    );
    let drawing = files
        .iter()
        .find(|(name, ..)| name == "EPUB/image-0001.svg")
        .map(|(.., text)| text)
        .unwrap();
    assert!(
        drawing.contains(">Source<") && drawing.contains("#1f2328"),
        "{drawing}"
    );
    assert!(!drawing.contains("var("), "{drawing}");
    for part in ["<script", "<button", "Hallo", ">gone</a>"] {
        assert!(!text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_book_has_one_language() {
    let site = sample();
    let files = entries(&book_of(&site, Some("de")).epub(&site).unwrap());
    let text: String = files.iter().map(|(_, _, text)| text.as_str()).collect();
    assert!(text.contains("Hallo") && text.contains("<dc:language>de</dc:language>"));
    assert!(!text.contains("Hidden text"));
    assert_eq!(book_of(&site, Some("fr")).pages(), 0);
}

#[test]
fn a_document_to_print_links_inside_of_itself() {
    let site = sample();
    let document = book_of(&site, None).into_print_document(&site, PageFormat::Letter);
    for part in [
        "size: letter",
        "default-src 'none'",
        "href=\"#p2-two\"",
        "id=\"p2-two\"",
    ] {
        assert!(document.html.contains(part), "{part}");
    }
    assert!(!document.html.contains("<script"));
    let names: Vec<_> = document
        .images
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["image-0001.svg"]);
}
