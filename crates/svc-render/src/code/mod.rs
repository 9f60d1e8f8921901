//! Code blocks: syntax highlighting, meta strings and line notations.
//!
//! Grammars and themes are packed into the binary at build time and unpacked on first use;
//! `NOTICE.md` lists them with their licenses. The output depends only on the input: the run time
//! for hostile code is bounded by work limits and not by a clock.

mod aliases;
mod ansi;
mod custom;
mod custom_grammar;
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
pub use meta::{FenceMeta, Lines, parse_meta};
pub use notation::{LineMark, MarkKind, NotatedCode, WordMark, apply_notations};
pub use themes::{Themes, is_theme, theme_names};
pub use twoslash::without_twoslash;

use custom_grammar::CustomGrammar;
use html::{SpanWriter, escaped};
use themes::Palette;

/// Maximum length of a highlighted line in characters.
const MAX_LINE_CHARS: usize = 1000;
/// Maximum size of a highlighted block in bytes.
const MAX_BLOCK_BYTES: usize = 200_000;
/// Maximum number of lines on which the engine may fail before the rest of the block is not
/// highlighted. The engine fails late: such a line takes up to a second.
const MAX_FAILED_LINES: usize = 3;
/// Maximum nesting depth at the end of a line, because the cost of the engine per token grows with
/// the depth.
const MAX_DEPTH: usize = 100;
/// Maximum work per block: the sum of the squared line lengths. The worst line for any grammar
/// takes quadratic time, because all patterns look ahead from each character to the end of the
/// line; 1,000 characters take about 30 ms. No block of the tested sites reaches a tenth of this.
const MAX_WORK: usize = 50_000_000;
/// Maximum number of cached palettes, more than a site has; further ones are not cached.
const MAX_PALETTES: usize = 64;

/// Highlights code as HTML lines.
///
/// Creating one is cheap: themes are loaded and cached on first use, and built-in grammars are
/// shared by the whole process.
pub struct Highlighter {
    /// Grammars of the repository; they take precedence over built-in ones.
    custom: Vec<CustomGrammar>,
    palettes: Mutex<Palettes>,
    /// Whether highlighting is disabled.
    plain: bool,
}

/// Palettes by the names of their light and dark theme.
type Palettes = BTreeMap<(String, String), Option<Arc<Palette>>>;

/// A highlighted code block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HighlightedLines {
    /// Escaped HTML of each line, without its line break.
    pub lines: Vec<String>,
    /// Name of the grammar; `None` for plain text.
    pub language: Option<String>,
    /// Whether the whole block was highlighted; false if a limit was reached.
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
    /// Creates a highlighter without grammars of a repository.
    #[must_use]
    pub fn new() -> Self {
        Self {
            custom: Vec::new(),
            palettes: Mutex::new(BTreeMap::new()),
            plain: false,
        }
    }

    /// The same highlighter, which renders all code as plain text.
    #[must_use]
    pub fn plain(self) -> Self {
        Self {
            plain: true,
            ..self
        }
    }

    /// Highlights a code block. An unknown language is plain text, an unknown theme the default.
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
        let grammar = lang
            .filter(|_| !self.plain)
            .and_then(|lang| self.language(lang));
        let language = grammar.map(|(name, _)| name.to_owned());
        let plain = |language, complete| HighlightedLines {
            lines: lines(code).map(escaped).collect(),
            language,
            complete,
        };
        if code.len() > MAX_BLOCK_BYTES {
            return plain(language, false);
        }
        let Some((name, prepared)) = grammar else {
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

    /// The style sheet of one theme for blocks inside of `scope`, for both color schemes.
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

    /// Whether a theme is dark; `None` if its colors are not included.
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

    /// The style sheet for the classes in the HTML. `dark` is the selector of dark pages, such as
    /// `.dark`.
    #[must_use]
    pub fn palette_css(&self, themes: &Themes<'_>, dark: &str) -> String {
        let usual = |name: &str, default: &str| name == default || !is_theme(name);
        let built_in =
            usual(themes.light, Themes::DEFAULT.light) && usual(themes.dark, Themes::DEFAULT.dark);
        self.palette(themes)
            .map(|palette| palette.css(dark, built_in))
            .unwrap_or_default()
    }

    /// The grammar of a language, with its name.
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

    /// The class of a TextMate scope; empty for plain text.
    #[must_use]
    pub fn class_of(&self, scope: &str, themes: &Themes<'_>) -> String {
        self.palette(themes)
            .map(|palette| palette.class_of(&[scope]))
            .unwrap_or_default()
    }

    fn palette(&self, themes: &Themes<'_>) -> Option<Arc<Palette>> {
        let key = (themes.light.to_owned(), themes.dark.to_owned());
        // Entries are inserted in one step, so the map behind a poisoned lock is consistent.
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

/// The lines of a block without line breaks, and without an empty last line.
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
    let mut cost = 0_usize;
    let mut out = Vec::new();
    for line in lines(code) {
        let long = line.len() > MAX_LINE_CHARS && line.chars().nth(MAX_LINE_CHARS).is_some();
        too_long |= long;
        if !long {
            cost = cost.saturating_add(line.len() * line.len());
        }
        if long || too_deep || cost > MAX_WORK || given_up >= MAX_FAILED_LINES {
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
    let complete = given_up == 0 && !too_long && !too_deep && cost <= MAX_WORK;
    (out, complete)
}
