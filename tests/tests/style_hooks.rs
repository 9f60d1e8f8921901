//! Style sheets of existing sites find the parts of a page under their selectors.

use svc_tests::loaded_site::LoadedSite;
use svc_tests::markup::{self, Tag};
use svc_tests::sites;

type TestResult = Result<(), Box<dyn std::error::Error>>;

const CONFIG: &str = r##"{
  "theme": "svc", "name": "Hooks", "colors": { "primary": "#0a7d4f" }, "logo": "/logo.svg",
  "banner": { "content": "News" },
  "navbar": { "links": [{ "label": "Blog", "href": "https://blog.test" }], "primary": { "type": "button", "label": "Sign up", "href": "https://app.test" } },
  "footer": { "links": [{ "header": "More", "items": [{ "label": "Status", "href": "https://status.test" }] }] },
  "contextual": { "options": ["copy", "view"] },
  "navigation": {
    "global": { "anchors": [{ "anchor": "Forum", "href": "https://forum.test", "icon": "house" }] },
    "languages": [
      { "language": "en", "products": [
        { "product": "One", "icon": "house", "description": "The first", "tabs": [
          { "tab": "Guides", "tag": "New", "dropdowns": [
            { "dropdown": "Here", "icon": "house", "description": "This one", "groups": [
              { "group": "Start", "icon": "house", "pages": ["index", "parts", "code", "log", "views", "panel"] },
              { "group": "Section", "root": "cards", "directory": "card", "pages": ["card"] },
              { "group": "List", "root": "list", "directory": "accordion", "pages": ["entry", { "group": "Inner", "pages": ["inner"] }] },
              { "group": "API", "openapi": "api.json" }] },
            { "dropdown": "There", "pages": ["there"] }] },
          { "tab": "Menu", "menu": [{ "item": "Entry", "icon": "house", "description": "About it", "pages": ["item"] }] }] },
        { "product": "Two", "icon": "house", "description": "The second", "pages": ["two"] }] },
      { "language": "de", "pages": ["de/index"] }]
  }
}"##;

const API: &str = r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "https://api.test"}],
  "paths": {"/pets": {"get": {"summary": "List pets", "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}], "responses": {"200": {"description": "ok"}}}}}}"#;

const PARTS: &str = r##"---
title: Parts
---

## A heading

Words and <Link href="/code">a link</Link>.

<Note>Callout</Note>

<AccordionGroup><Accordion title="A">x</Accordion></AccordionGroup>

<CardGroup><Card title="C" icon="house">x</Card></CardGroup>

<Columns><Card title="D">x</Card></Columns>

<Expandable title="E">x</Expandable>

<Frame>x</Frame>

<Badge color="blue">B</Badge>

<Color variant="table"><Color.Row title="Row"><Color.Item name="n" value="#123456" /></Color.Row></Color>

<ResponseField name="f" type="string">x</ResponseField>

<Prompt description="Ask">x</Prompt>

<Steps><Step title="S">x</Step></Steps>

<Tabs><Tab title="T" icon="house">x</Tab></Tabs>

<Tile title="T" href="/code">x</Tile>

<Tooltip tip="t">word</Tooltip>

<Tree><Tree.Folder name="f"><Tree.File name="g" /></Tree.Folder></Tree>

```mermaid
flowchart LR
  A --> B
```
"##;

const CODE: &str = "---\ntitle: Code\n---\n\n```js a.js icon=\"house\"\n1\n```\n\n<CodeGroup>\n```js a.js\n1\n```\n```js b.js\n2\n```\n</CodeGroup>\n\n<RequestExample>\n```bash\ncurl\n```\n</RequestExample>\n\n<ResponseExample>\n```json\n1\n```\n</ResponseExample>\n";

fn site(eyebrows: &str) -> Result<LoadedSite, Box<dyn std::error::Error>> {
    let eyebrows = format!("\"styling\": {{ \"eyebrows\": \"{eyebrows}\" }},\n  \"navigation\":");
    let mut files = vec![
        (
            "docs.json",
            CONFIG.replacen("\"navigation\":", &eyebrows, 1),
        ),
        (
            "logo.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_owned(),
        ),
        ("style.css", "[data-as=\"p\"] { color: red }".to_owned()),
        ("api.json", API.to_owned()),
        ("parts.mdx", PARTS.to_owned()),
        ("code.mdx", CODE.to_owned()),
        (
            "log.mdx",
            "<Update label=\"1\" tags={[\"New\"]}>\nx\n</Update>\n".to_owned(),
        ),
        (
            "views.mdx",
            "<View title=\"A\">\nx\n</View>\n\n<View title=\"B\">\ny\n</View>\n".to_owned(),
        ),
        ("panel.mdx", "<Panel>\nx\n</Panel>\n\ny\n".to_owned()),
    ];
    for name in [
        "index.mdx",
        "cards.mdx",
        "card.mdx",
        "list.mdx",
        "entry.mdx",
        "inner.mdx",
        "there.mdx",
        "item.mdx",
        "two.mdx",
        "de/index.mdx",
    ] {
        files.push((name, format!("---\ntitle: {name}\n---\n\nText.\n")));
    }
    Ok(LoadedSite::of_files(files)?)
}

/// Returns whether an element matches a simple selector: type, id, classes and attributes.
fn fits(tag: &Tag, selector: &str) -> bool {
    let (mut rest, mut fits) = (selector, true);
    while !rest.is_empty() {
        let mark = rest.chars().next().filter(|c| "#.[".contains(*c));
        let inner = rest.trim_start_matches(['#', '.', '[']);
        let end = inner
            .find(if mark == Some('[') {
                &[']'][..]
            } else {
                &['#', '.', '['][..]
            })
            .unwrap_or(inner.len());
        let (name, behind) = inner.split_at(end);
        fits &= match mark {
            Some('#') => tag.get("id") == Some(name),
            Some('.') => tag
                .get("class")
                .is_some_and(|own| own.split_ascii_whitespace().any(|own| own == name)),
            Some(_) => match name.split_once('=') {
                Some((name, value)) => tag.get(name) == Some(value.trim_matches('"')),
                None => tag.get(name).is_some(),
            },
            None => tag.name == name,
        };
        rest = behind.strip_prefix(']').unwrap_or(behind);
    }
    fits
}

#[test]
fn every_documented_style_hook_is_in_a_page() -> TestResult {
    let (sections, breadcrumbs) = (site("section")?, site("breadcrumbs")?);
    let mut tags = Vec::new();
    for page in [&sections, &breadcrumbs] {
        for path in page.site.map.routes.keys() {
            let html = page.page(path).ok_or("the page is rendered")?;
            tags.extend(markup::tags(&html));
        }
        let missing = page.site.not_found("/part");
        tags.extend(markup::tags(&String::from_utf8(missing)?));
    }
    let guide = std::fs::read_to_string(sites::docs().join("guides/custom-styles.mdx"))?;
    let rows = guide.lines().filter_map(|line| line.strip_prefix("| `"));
    let selectors: Vec<&str> = rows
        .filter_map(|row| {
            let (selector, rest) = row.split_once('`')?;
            rest.trim_start().starts_with('|').then_some(selector)
        })
        .collect();
    assert!(selectors.len() >= 117, "{}", selectors.len());
    let absent: Vec<&&str> = selectors
        .iter()
        .filter(|selector| !tags.iter().any(|tag| fits(tag, selector)))
        .collect();
    assert!(absent.is_empty(), "{absent:?}");
    Ok(())
}

#[test]
fn links_of_the_header_are_inside_of_their_entries() -> TestResult {
    let html = site("section")?.page("/").ok_or("the page is rendered")?;
    for part in [
        "<li class=\"navbar-link\"><a href=\"https://blog.test\"",
        "<li id=\"topbar-cta-button\"><a class=\"svc-cta\" href=\"https://app.test\"",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    Ok(())
}

#[test]
fn paragraphs_are_marked_only_if_a_style_sheet_selects_them() -> TestResult {
    let marked = site("section")?.page("/").ok_or("the page is rendered")?;
    assert!(marked.contains("<p data-as=\"p\">Text.</p>"), "{marked}");
    let plain = LoadedSite::load(&sites::docs())?
        .page("/")
        .ok_or("it is rendered")?;
    assert!(!plain.contains("data-as"), "{plain}");
    Ok(())
}
