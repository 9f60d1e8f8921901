//! Collects the blocks of a page from the tokens of the HTML parser.

use std::cell::RefCell;

use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};

use super::{Block, BlockKind, HtmlLink, HtmlPage, Region, TabPanel, elements};

/// Maximum depth of open elements; deeper ones have no region of their own.
const MAX_DEPTH: usize = 512;
/// Maximum number of blocks of a page.
const MAX_BLOCKS: usize = 50_000;
/// Ids of the elements into which the common frameworks write an application.
const APPLICATION_ROOTS: &[&str] = &["___gatsby", "__next", "__nuxt", "app", "root"];

#[derive(Debug, Default)]
pub(super) struct PageSink(RefCell<Builder>);

#[derive(Debug, Default)]
struct Builder {
    page: HtmlPage,
    open: Vec<OpenElement>,
    text: String,
    link_chars: usize,
    open_links: usize,
    raw: Option<RawText>,
    tab_groups: usize,
    tab_panels: usize,
}

#[derive(Debug)]
struct OpenElement {
    name: String,
    region: Region,
    kind: Option<BlockKind>,
    tab_panel: Option<TabPanel>,
}

/// The element whose text is read as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RawText {
    Title,
    JsonLd,
    Script,
    Ignored,
}

impl PageSink {
    pub(super) fn finish(&self) -> HtmlPage {
        let mut builder = self.0.take();
        builder.flush();
        builder.page.title = builder.page.title.trim().to_owned();
        builder.page
    }
}

impl TokenSink for PageSink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut builder = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => builder.start(&tag),
            Token::TagToken(tag) => {
                builder.end(&tag.name);
                TokenSinkResult::Continue
            }
            Token::CharacterTokens(text) => {
                builder.characters(&text);
                TokenSinkResult::Continue
            }
            _ => TokenSinkResult::Continue,
        }
    }
}

impl Builder {
    fn start(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name: &str = &tag.name;
        let attribute = |wanted: &str| {
            let found = tag.attrs.iter().find(|attr| &*attr.name.local == wanted);
            found.map(|attr| &*attr.value)
        };
        if let Some((raw, state)) = raw_text(name, attribute("type")) {
            self.raw = Some(raw);
            match raw {
                RawText::JsonLd => self.page.json_ld.push(String::new()),
                RawText::Script => self.page.scripts.push(String::new()),
                RawText::Title | RawText::Ignored => {}
            }
            return TokenSinkResult::RawData(state);
        }
        if elements::is_block(name) {
            self.flush();
            self.page.converted_chars += elements::mark_chars(name);
        }
        if let Some(id) = attribute("id").filter(|id| APPLICATION_ROOTS.contains(id)) {
            self.page.application_roots.push(id.to_owned());
        }
        match name {
            "a" => {
                if let Some(href) = attribute("href") {
                    let position = self.position();
                    self.page.links.push(HtmlLink {
                        href: href.to_owned(),
                        position,
                        region: self.region(),
                    });
                    self.page.converted_chars += href.chars().count() + 4;
                }
                self.open_links += 1;
            }
            "link" if attribute("rel") == Some("canonical") => {
                self.page.canonical = attribute("href").map(str::to_owned);
            }
            "input" if attribute("type") == Some("password") => self.page.has_password = true,
            "meta"
                if attribute("http-equiv").is_some_and(|v| v.eq_ignore_ascii_case("refresh")) =>
            {
                let content = attribute("content")
                    .unwrap_or_default()
                    .to_ascii_lowercase();
                self.page.has_meta_refresh |= content.contains("url");
            }
            "p" | "li" | "td" | "th" | "tr" | "dt" | "dd" | "option"
                if self.open.last().is_some_and(|open| open.name == name) =>
            {
                // Their end tags are optional.
                self.open.pop();
            }
            _ => {}
        }
        if !elements::is_void(name) && !tag.self_closing && self.open.len() < MAX_DEPTH {
            let role = attribute("role");
            let mut region = self.region();
            region.content |= matches!(name, "main" | "article") || role == Some("main");
            region.chrome |= elements::is_chrome(name) || role.is_some_and(elements::is_chrome);
            region.excluded |= attribute("data-markdown-ignore").is_some()
                || elements::is_hidden_class(attribute("class").unwrap_or_default());
            let mut tab_panel = self.open.last().and_then(|open| open.tab_panel);
            match role {
                Some("tablist") => self.tab_groups += 1,
                Some("tabpanel") if tab_panel.is_none() => {
                    self.tab_panels += 1;
                    tab_panel = Some(TabPanel {
                        group: self.tab_groups,
                        panel: self.tab_panels,
                    });
                }
                _ => {}
            }
            let inherited = self.open.last().and_then(|open| open.kind);
            self.open.push(OpenElement {
                name: name.to_owned(),
                region,
                kind: elements::kind(name).or(inherited),
                tab_panel,
            });
        }
        TokenSinkResult::Continue
    }

    fn end(&mut self, name: &str) {
        if self.raw.take().is_some() {
            return;
        }
        if elements::is_block(name) {
            self.flush();
        }
        if name == "a" {
            self.open_links = self.open_links.saturating_sub(1);
        }
        if let Some(at) = self.open.iter().rposition(|open| open.name == name) {
            self.open.truncate(at);
        }
    }

    fn characters(&mut self, text: &str) {
        match self.raw {
            Some(RawText::Title) => {
                // Images inside of a page have titles, too.
                if self.page.blocks.is_empty() {
                    self.page.title.push_str(text);
                }
            }
            Some(RawText::JsonLd) => append(&mut self.page.json_ld, text),
            Some(RawText::Script) => append(&mut self.page.scripts, text),
            Some(RawText::Ignored) => {}
            None => {
                if self.open_links > 0 {
                    let is_text = |c: &char| !c.is_whitespace();
                    self.link_chars += text.chars().filter(is_text).count();
                }
                self.text.push_str(text);
            }
        }
    }

    fn region(&self) -> Region {
        self.open.last().map(|open| open.region).unwrap_or_default()
    }

    /// Position of the next character in the page as Markdown.
    fn position(&self) -> usize {
        self.page.converted_chars + self.text.chars().count()
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        let link_chars = std::mem::take(&mut self.link_chars);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() || self.page.blocks.len() >= MAX_BLOCKS {
            return;
        }
        let position = self.page.converted_chars;
        self.page.converted_chars += text.chars().count() + 2;
        let open = self.open.last();
        self.page.blocks.push(Block {
            kind: open.and_then(|open| open.kind).unwrap_or(BlockKind::Text),
            text,
            link_chars,
            region: open.map(|open| open.region).unwrap_or_default(),
            tab_panel: open.and_then(|open| open.tab_panel),
            position,
        });
    }
}

fn append(texts: &mut [String], text: &str) {
    if let Some(last) = texts.last_mut() {
        last.push_str(text);
    }
}

/// How the text of an element is read if it contains no elements.
fn raw_text(name: &str, media_type: Option<&str>) -> Option<(RawText, RawKind)> {
    match name {
        "title" => Some((RawText::Title, RawKind::Rcdata)),
        "textarea" => Some((RawText::Ignored, RawKind::Rcdata)),
        "style" | "iframe" | "noembed" | "noframes" | "xmp" => {
            Some((RawText::Ignored, RawKind::Rawtext))
        }
        "script" if media_type == Some("application/ld+json") => {
            Some((RawText::JsonLd, RawKind::ScriptData))
        }
        "script" => {
            let is_code = media_type.is_none_or(|kind| {
                kind.is_empty() || kind == "module" || kind.ends_with("javascript")
            });
            let raw = if is_code {
                RawText::Script
            } else {
                RawText::Ignored
            };
            Some((raw, RawKind::ScriptData))
        }
        _ => None,
    }
}
