//! Code blocks: colours, fence words and line marks.
//!
//! Grammars and themes are packed into the binary at build time and read on first use. Output depends on the input
//! alone, with one exception: code made to keep the engine busy loses its colours where `MAX_TIME` ends.

mod aliases;
mod grammars;
mod meta;
mod notation;
mod themes;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use syntaxmate::{PreparedLanguage, ScopeStackId, Token, TokenizerOptions};

pub use aliases::canonical_language;
pub use meta::{FenceMeta, Lines, parse_meta, split_info};
pub use notation::{LineMark, MarkKind, apply_notations};
pub use themes::{Themes, is_theme, theme_names};

use themes::Palette;

/// Longer lines are shown without colours, in characters.
const MAX_LINE: usize = 1000;
/// Longer blocks are shown without colours, in bytes.
const MAX_BLOCK: usize = 200_000;
/// After so many lines on which the engine gave up, the rest of the block is shown without colours.
const MAX_GIVEN_UP: usize = 8;
/// Deeper nesting at the end of a line ends the colours: the engine's work per token grows with the depth.
const MAX_DEPTH: usize = 100;
/// Time for one block, far above what any real block takes. The engine bounds its steps, but a grammar's patterns can
/// make a step slow; past this, the rest of the block is shown without colours.
const MAX_TIME: Duration = Duration::from_secs(2);
/// More theme pairs than a site has; above it, palettes are built each time and not kept.
const MAX_PALETTES: usize = 64;

/// Turns code into HTML lines.
///
/// Creating one costs nothing; grammars and themes are read when first needed and kept.
pub struct Highlighter {
    languages: Vec<OnceLock<Option<PreparedLanguage>>>,
    palettes: Mutex<Palettes>,
}

/// Palettes by the names of their light and dark theme.
type Palettes = BTreeMap<(String, String), Option<Arc<Palette>>>;

/// A block as HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HighlightedLines {
    /// Escaped HTML of each line, without its line end.
    pub lines: Vec<String>,
    /// The grammar that was used; none for plain text.
    pub language: Option<&'static str>,
    /// Whether all lines were coloured that could be: false where a limit was met.
    pub complete: bool,
}

impl Default for Highlighter {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Highlighter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let read = self
            .languages
            .iter()
            .filter(|language| language.get().is_some())
            .count();
        f.debug_struct("Highlighter")
            .field("grammars_read", &read)
            .finish_non_exhaustive()
    }
}

impl Highlighter {
    /// Creates a highlighter that has read nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            languages: (0..grammars::GRAMMAR_COUNT)
                .map(|_| OnceLock::new())
                .collect(),
            palettes: Mutex::new(BTreeMap::new()),
        }
    }

    /// Colours a block; an unknown language or theme never fails.
    #[must_use]
    pub fn html(&self, lang: Option<&str>, code: &str, themes: &Themes<'_>) -> HighlightedLines {
        let index = lang
            .and_then(canonical_language)
            .and_then(grammars::grammar_index);
        let language = index.and_then(grammars::grammar_id);
        if code.len() > MAX_BLOCK {
            return HighlightedLines {
                lines: plain(code),
                language,
                complete: false,
            };
        }
        let Some(prepared) = index.and_then(|index| self.prepared(index)) else {
            return HighlightedLines {
                lines: plain(code),
                language: None,
                complete: true,
            };
        };
        let Some(palette) = self.palette(themes) else {
            return HighlightedLines {
                lines: plain(code),
                language,
                complete: false,
            };
        };
        let (lines, complete) = colour(prepared, &palette, code);
        HighlightedLines {
            lines,
            language,
            complete,
        }
    }

    /// The stylesheet of the classes in the HTML; `dark` is the selector under which a page is dark, such as `.dark`.
    #[must_use]
    pub fn palette_css(&self, themes: &Themes<'_>, dark: &str) -> String {
        self.palette(themes)
            .map(|palette| palette.css(dark))
            .unwrap_or_default()
    }

    fn prepared(&self, index: usize) -> Option<&PreparedLanguage> {
        self.languages
            .get(index)?
            .get_or_init(|| grammars::prepare(index))
            .as_ref()
    }

    fn palette(&self, themes: &Themes<'_>) -> Option<Arc<Palette>> {
        let key = (themes.light.to_owned(), themes.dark.to_owned());
        // A poisoned lock holds a map that is still whole: entries are only ever added.
        let mut palettes = self
            .palettes
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(palette) = palettes.get(&key) {
            return palette.clone();
        }
        let palette = Palette::new(themes).map(Arc::new);
        if palettes.len() < MAX_PALETTES {
            palettes.insert(key, palette.clone());
        }
        palette
    }
}

/// The lines of a block: without line ends, and without the empty line after the last of them.
fn lines(code: &str) -> impl Iterator<Item = &str> {
    let code = code.strip_suffix('\n').unwrap_or(code);
    code.split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
}

fn plain(code: &str) -> Vec<String> {
    lines(code).map(escaped).collect()
}

fn colour(prepared: &PreparedLanguage, palette: &Palette, code: &str) -> (Vec<String>, bool) {
    let options = TokenizerOptions {
        max_line_bytes: MAX_LINE * 4 + 1,
        line_cache_entries: 0,
    };
    let mut tokenizer = prepared.tokenizer(options);
    let mut state = tokenizer.initial_state();
    let mut classes: HashMap<ScopeStackId, Arc<str>> = HashMap::new();
    let ordinary: Arc<str> = Arc::from("");
    let mut tokens: Vec<Token> = Vec::new();
    let mut given_up = 0;
    let mut too_long = false;
    let mut too_deep = false;
    let mut too_slow = false;
    let deadline = Instant::now() + MAX_TIME;
    let mut out = Vec::new();
    for line in lines(code) {
        let long = line.len() > MAX_LINE && line.chars().nth(MAX_LINE).is_some();
        too_long |= long;
        if long || too_deep || too_slow || given_up >= MAX_GIVEN_UP {
            out.push(escaped(line));
            continue;
        }
        tokens.clear();
        let result = tokenizer.tokenize_line_with_interrupt(
            line,
            &mut state,
            |token| tokens.push(token),
            || Instant::now() > deadline,
        );
        match result {
            Ok(status) if status.is_complete() => {}
            Ok(_) => given_up += 1,
            Err(_) => {
                too_slow = true;
                out.push(escaped(line));
                continue;
            }
        }
        too_deep = state.depth() > MAX_DEPTH;
        // The engine asks only now and then, and not at all on a line of few slow steps.
        too_slow = Instant::now() > deadline;
        let mut writer = SpanWriter::new(line);
        for token in &tokens {
            let fresh = || Arc::from(palette.class(token.scopes()));
            let class = match token.scope_stack() {
                Some(id) => classes.entry(id).or_insert_with(fresh).clone(),
                None => ordinary.clone(),
            };
            writer.push(token.range(), &class);
        }
        out.push(writer.finish());
    }
    (out, given_up == 0 && !too_long && !too_deep && !too_slow)
}

/// Joins tokens of the same look into one span each.
struct SpanWriter<'a> {
    line: &'a str,
    out: String,
    /// Where the text that is not written yet begins.
    start: usize,
    /// Where the tokens seen so far end.
    end: usize,
    class: Arc<str>,
}

impl<'a> SpanWriter<'a> {
    fn new(line: &'a str) -> Self {
        Self {
            line,
            out: String::with_capacity(line.len() * 2),
            start: 0,
            end: 0,
            class: Arc::from(""),
        }
    }

    fn push(&mut self, range: std::ops::Range<usize>, class: &Arc<str>) {
        let text = self.line.get(range.clone()).unwrap_or_default();
        // Blanks look the same in every colour: they lengthen the span before them.
        if *class != self.class && !text.trim_ascii().is_empty() {
            self.flush(range.start);
            self.class = class.clone();
        }
        self.end = range.end;
    }

    fn flush(&mut self, to: usize) {
        let Some(text) = self.line.get(self.start..to) else {
            return;
        };
        if self.class.is_empty() {
            escape_into(&mut self.out, text);
        } else if !text.is_empty() {
            // Blanks before the next token stay outside, so that underlines end with the word.
            let word = text.trim_ascii_end();
            self.out.push_str("<span class=\"");
            self.out.push_str(&self.class);
            self.out.push_str("\">");
            escape_into(&mut self.out, word);
            self.out.push_str("</span>");
            self.out
                .push_str(text.get(word.len()..).unwrap_or_default());
        }
        self.start = to;
    }

    fn finish(mut self) -> String {
        let end = self.end.min(self.line.len());
        self.flush(end);
        self.class = Arc::from("");
        self.flush(self.line.len());
        self.out
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape_into(&mut out, text);
    out
}

fn escape_into(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>']) {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let mut chars = after.chars();
        out.push_str(match chars.next() {
            Some('&') => "&amp;",
            Some('<') => "&lt;",
            _ => "&gt;",
        });
        rest = chars.as_str();
    }
    out.push_str(rest);
}
