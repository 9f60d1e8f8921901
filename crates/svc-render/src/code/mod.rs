//! Code blocks: colours, fence words and line marks.
//!
//! Grammars and themes are packed into the binary at build time and read on first use; `NOTICE.md` lists them with their
//! licences. Output depends on the input alone: what keeps hostile code from running long are bounds on work, no clock.

mod aliases;
mod ansi;
mod custom;
mod grammars;
mod html;
mod meta;
mod notation;
mod shell;
mod themes;
mod twoslash;
mod variables;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex};

use syntaxmate::{PreparedLanguage, ScopeStackId, Token, TokenizerOptions};

pub use aliases::canonical_language;
pub use custom::site_highlighter;
pub(crate) use custom::{BAD_GRAMMAR, UNAVAILABLE_THEME};
pub use html::mark_words;
pub use meta::{FenceMeta, Lines, parse_meta, split_info};
pub use notation::{LineMark, MarkKind, NotatedCode, WordMark, apply_notations};
pub use themes::{Themes, is_theme, theme_names};
pub use twoslash::without_twoslash;

use custom::CustomGrammar;
use html::{SpanWriter, escaped};
use themes::Palette;

/// Longer lines are shown without colours, in characters.
const MAX_LINE_CHARS: usize = 1000;
/// Longer blocks are shown without colours, in bytes.
const MAX_BLOCK_BYTES: usize = 200_000;
/// After so many lines on which the engine gave up, the rest of the block is shown without colours. The engine gives up
/// late: such a line takes up to a second.
const MAX_FAILED_LINES: usize = 3;
/// Deeper nesting at the end of a line ends the colours: the engine's work per token grows with the depth.
const MAX_DEPTH: usize = 100;
/// Work for one block, as the sum of the squares of its lines' lengths: the worst line found for any grammar, all of
/// whose patterns look ahead from each of its characters to its end, takes time in that proportion, 1000 characters
/// some 30 milliseconds. No block of the real sites comes to a tenth of this.
const MAX_WORK: usize = 50_000_000;
/// More theme pairs than a site has; above it, palettes are built each time and not kept.
const MAX_PALETTES: usize = 64;

/// Turns code into HTML lines.
///
/// Creating one costs nothing; themes are read when first needed and kept, built-in grammars once for
/// the whole program.
pub struct Highlighter {
    /// Grammars of the repository; they win over built-in ones.
    custom: Vec<CustomGrammar>,
    palettes: Mutex<Palettes>,
    /// Whether nothing is coloured.
    plain: bool,
}

/// Palettes by the names of their light and dark theme.
type Palettes = BTreeMap<(String, String), Option<Arc<Palette>>>;

/// A block as HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HighlightedLines {
    /// Escaped HTML of each line, without its line end.
    pub lines: Vec<String>,
    /// The grammar that was used; none for plain text.
    pub language: Option<String>,
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
        f.debug_struct("Highlighter")
            .field("custom", &self.custom.len())
            .finish_non_exhaustive()
    }
}

impl Highlighter {
    /// Creates a highlighter that has read nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            custom: Vec::new(),
            palettes: Mutex::new(BTreeMap::new()),
            plain: false,
        }
    }

    /// Creates one that leaves all code without colours, to measure what they cost.
    #[must_use]
    pub fn plain() -> Self {
        Self {
            plain: true,
            ..Self::new()
        }
    }

    /// Colours a block; an unknown language or theme never fails.
    #[must_use]
    pub fn html(&self, lang: Option<&str>, code: &str, themes: &Themes<'_>) -> HighlightedLines {
        if lang.is_some_and(|lang| lang.eq_ignore_ascii_case("ansi"))
            && code.len() <= MAX_BLOCK_BYTES
        {
            return HighlightedLines {
                lines: ansi::html(lines(code)),
                language: Some("ansi".to_owned()),
                complete: true,
            };
        }
        let found = lang
            .filter(|_| !self.plain)
            .and_then(|lang| self.language(lang));
        let language = found.map(|(name, _)| name.to_owned());
        let plain = |language, complete| HighlightedLines {
            lines: lines(code).map(escaped).collect(),
            language,
            complete,
        };
        if code.len() > MAX_BLOCK_BYTES {
            return plain(language, false);
        }
        let Some((name, prepared)) = found else {
            return plain(None, true);
        };
        let Some(palette) = self.palette(themes) else {
            return plain(language, false);
        };
        let (lines, complete) = highlight(prepared, &palette, code, name == "shellscript");
        HighlightedLines {
            lines,
            language,
            complete,
        }
    }

    /// The stylesheet of one theme for the blocks inside `scope`, on light and dark pages alike.
    #[must_use]
    pub fn scoped_css(&self, theme: &str, scope: &str) -> String {
        let themes = Themes {
            light: theme,
            dark: theme,
        };
        self.palette(&themes)
            .map(|palette| palette.scoped_css(scope))
            .unwrap_or_default()
    }

    /// Whether a theme is dark; `None` for one whose colours are not known.
    #[must_use]
    pub fn is_dark(&self, theme: &str) -> Option<bool> {
        if theme == variables::NAME || !is_theme(theme) {
            return None;
        }
        let themes = Themes {
            light: theme,
            dark: theme,
        };
        self.palette(&themes).map(|palette| palette.is_dark())
    }

    /// The stylesheet of the classes in the HTML; `dark` is the selector under which a page is dark, such as `.dark`.
    #[must_use]
    pub fn palette_css(&self, themes: &Themes<'_>, dark: &str) -> String {
        let usual = |name: &str, default: &str| name == default || !is_theme(name);
        let built_in =
            usual(themes.light, Themes::DEFAULT.light) && usual(themes.dark, Themes::DEFAULT.dark);
        self.palette(themes)
            .map(|palette| palette.css(dark, built_in))
            .unwrap_or_default()
    }

    /// The grammar of a fence's language, with its name.
    fn language(&self, lang: &str) -> Option<(&str, &PreparedLanguage)> {
        if let Some(own) = self.custom.iter().find_map(|custom| custom.named(lang)) {
            return Some(own);
        }
        let name = canonical_language(lang)?;
        Some((
            name,
            grammars::prepared_language(grammars::grammar_index(name)?)?,
        ))
    }

    /// The class of what a grammar would call by this scope; empty for ordinary text.
    #[must_use]
    pub fn class_of(&self, scope: &str, themes: &Themes<'_>) -> String {
        self.palette(themes)
            .map(|palette| palette.class_of(&[scope]))
            .unwrap_or_default()
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

fn highlight(
    prepared: &PreparedLanguage,
    palette: &Palette,
    code: &str,
    shell: bool,
) -> (Vec<String>, bool) {
    let options = TokenizerOptions {
        max_line_bytes: MAX_LINE_CHARS * 4 + 1,
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
    let mut work = 0_usize;
    let mut out = Vec::new();
    for line in lines(code) {
        let long = line.len() > MAX_LINE_CHARS && line.chars().nth(MAX_LINE_CHARS).is_some();
        too_long |= long;
        if !long {
            work = work.saturating_add(line.len() * line.len());
        }
        if long || too_deep || work > MAX_WORK || given_up >= MAX_FAILED_LINES {
            out.push(escaped(line));
            continue;
        }
        tokens.clear();
        let read = if shell {
            shell::readable(line)
        } else {
            Cow::Borrowed(line)
        };
        let result = tokenizer.tokenize_line_with(&read, &mut state, |token| tokens.push(token));
        if !result.is_ok_and(|status| status.is_complete()) {
            given_up += 1;
        }
        too_deep = state.depth() > MAX_DEPTH;
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
    let complete = given_up == 0 && !too_long && !too_deep && work <= MAX_WORK;
    (out, complete)
}
