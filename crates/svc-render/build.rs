//! Packs the grammars and themes that the binary includes into two compressed files, and generates
//! the table of Tabler icons by name, which their crate lacks.
//!
//! The source crates contain 253 grammars as JSON, some of them copyleft, and an engine in C. Only
//! the grammars in `src/code/NOTICE.md` are included: re-encoded without documentation, compressed,
//! and read on first use.

#![allow(clippy::print_stdout, reason = "cargo reads its instructions there")]

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use shiki::{LanguageDefinition, RawList, RawMap, RawRule, RawString, RawTheme};

/// The list of included grammars and themes with their licenses.
const NOTICE: &str = "src/code/NOTICE.md";

/// The sorted names in the table under a heading of the list.
fn table_names(notice: &str, heading: &str) -> Vec<String> {
    let section = notice.split("\n## ").find(|part| part.starts_with(heading));
    let rows = section.into_iter().flat_map(str::lines);
    let mut names: Vec<String> = rows
        .filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0.to_owned()))
        .collect();
    names.sort();
    names
}

/// Editor colors that the output uses; the others style the user interface of editors.
const EDITOR_COLORS: &[&str] = &[
    "editor.background",
    "editor.foreground",
    "terminal.ansiBlack",
    "terminal.ansiBlue",
    "terminal.ansiBrightBlack",
    "terminal.ansiBrightBlue",
    "terminal.ansiBrightCyan",
    "terminal.ansiBrightGreen",
    "terminal.ansiBrightMagenta",
    "terminal.ansiBrightRed",
    "terminal.ansiBrightWhite",
    "terminal.ansiBrightYellow",
    "terminal.ansiCyan",
    "terminal.ansiGreen",
    "terminal.ansiMagenta",
    "terminal.ansiRed",
    "terminal.ansiWhite",
    "terminal.ansiYellow",
];

/// Names of Tabler icons.
const TABLER: &str = "src/icons/tabler.txt";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={TABLER}");
    println!("cargo::rerun-if-changed={NOTICE}");
    let notice = std::fs::read_to_string(NOTICE)?;
    let languages = table_names(&notice, "Grammars\n");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("tabler.rs"), tabler_table()?)?;
    let all = shiki_langs::ALL_LANGUAGES;
    let mut packer = Packer::default();
    for id in &languages {
        let Some(language) = all.iter().copied().find(|language| language.id == id) else {
            return Err(format!("unknown grammar `{id}`").into());
        };
        packer.add(&grammar_json(language).to_string())?;
        let scope = &*language.grammar().scope_name;
        let embedded = language
            .dependencies
            .iter()
            .filter(|id| languages.iter().any(|packed| packed == *id));
        let names = embedded
            .map(|id| format!("{id:?}"))
            .collect::<Vec<_>>()
            .join(", ");
        packer.table.push_str(&format!(
            "Grammar {{ id: {id:?}, scope: {scope:?}, embeds: &[{names}], "
        ));
        packer.table.push_str(&format!("{} }},\n", packer.last));
    }
    packer.write(&out, "grammars", "Grammar")?;

    let mut packer = Packer::default();
    for id in table_names(&notice, "Themes\n") {
        let all = shiki_themes::ALL_THEMES;
        let Some(theme) = all.iter().find(|theme| theme.id == id) else {
            return Err(format!("unknown theme `{id}`").into());
        };
        packer.add(&theme_json(theme.raw()).to_string())?;
        packer.table.push_str(&format!(
            "ThemeFile {{ id: {:?}, {} }},\n",
            theme.id, packer.last
        ));
    }
    packer.write(&out, "themes", "ThemeFile")
}

/// Concatenates compressed entries and builds their index.
#[derive(Default)]
struct Packer {
    bytes: Vec<u8>,
    table: String,
    last: String,
}

impl Packer {
    fn add(&mut self, text: &str) -> Result<(), Box<dyn Error>> {
        let start = self.bytes.len();
        let mut encoder =
            flate2::write::DeflateEncoder::new(&mut self.bytes, flate2::Compression::best());
        encoder.write_all(text.as_bytes())?;
        encoder.finish()?;
        self.last = format!(
            "range: ({start}, {}), size: {}",
            self.bytes.len(),
            text.len()
        );
        Ok(())
    }

    fn write(&self, out: &Path, name: &str, kind: &str) -> Result<(), Box<dyn Error>> {
        std::fs::write(out.join(format!("{name}.bin")), &self.bytes)?;
        Ok(std::fs::write(
            out.join(format!("{name}.rs")),
            format!(
                "const {}: &[{kind}] = &[\n{}];\n",
                name.to_uppercase(),
                self.table
            ),
        )?)
    }
}

fn grammar_json(language: &'static LanguageDefinition) -> Value {
    let grammar = language.grammar();
    let mut out = Map::new();
    out.insert("scopeName".into(), json!(&*grammar.scope_name));
    text(&mut out, "injectionSelector", &grammar.injection_selector);
    if !language.inject_to.is_empty() {
        out.insert("injectTo".into(), json!(language.inject_to));
    }
    list(&mut out, "patterns", &grammar.patterns);
    // This version only matches diagrams in Markdown, not a document that is a diagram.
    if language.id == "mermaid"
        && let Some(patterns) = out.get_mut("patterns").and_then(Value::as_array_mut)
    {
        patterns.push(json!({ "include": "#mermaid" }));
    }
    map(&mut out, "repository", &grammar.repository);
    map(&mut out, "injections", &grammar.injections);
    Value::Object(out)
}

fn rule_json(rule: &RawRule<'_>) -> Value {
    let mut out = Map::new();
    text(&mut out, "include", &rule.include);
    text(&mut out, "name", &rule.name);
    text(&mut out, "contentName", &rule.content_name);
    text(&mut out, "match", &rule.match_pattern);
    text(&mut out, "begin", &rule.begin);
    text(&mut out, "end", &rule.end);
    text(&mut out, "while", &rule.while_pattern);
    map(&mut out, "captures", &rule.captures);
    map(&mut out, "beginCaptures", &rule.begin_captures);
    map(&mut out, "endCaptures", &rule.end_captures);
    map(&mut out, "whileCaptures", &rule.while_captures);
    list(&mut out, "patterns", &rule.patterns);
    map(&mut out, "repository", &rule.repository);
    if rule.apply_end_pattern_last {
        out.insert("applyEndPatternLast".into(), json!(true));
    }
    Value::Object(out)
}

fn text(out: &mut Map<String, Value>, key: &str, value: &Option<RawString<'_>>) {
    if let Some(value) = value {
        out.insert(key.into(), json!(&**value));
    }
}

fn list(out: &mut Map<String, Value>, key: &str, rules: &RawList<'_, RawRule<'_>>) {
    if !rules.is_empty() {
        out.insert(key.into(), rules.iter().map(rule_json).collect());
    }
}

fn map(out: &mut Map<String, Value>, key: &str, rules: &RawMap<'_, RawRule<'_>>) {
    if !rules.is_empty() {
        // Sorted for reproducible output.
        let sorted: BTreeMap<_, _> = rules.iter().collect();
        out.insert(
            key.into(),
            sorted
                .into_iter()
                .map(|(key, rule)| (key.to_owned(), rule_json(rule)))
                .collect(),
        );
    }
}

/// Whether a selector can match; a few themes contain typos such as `.format` and `keyword.@`.
fn is_selector(scope: &str) -> bool {
    let word = |word: &str| {
        !word.starts_with('.')
            && word
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_-.+#*>".contains(&byte))
    };
    !scope.is_empty() && scope.split_whitespace().all(word)
}

fn is_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn theme_json(theme: &RawTheme<'_>) -> Value {
    let mut colors = Map::new();
    for key in EDITOR_COLORS {
        if let Some(color) = theme.colors.get(key).filter(|color| is_color(color)) {
            colors.insert((*key).into(), json!(&**color));
        }
    }
    for (key, color) in [
        ("editor.background", &theme.bg),
        ("editor.foreground", &theme.fg),
    ] {
        if let Some(color) = color {
            colors.entry(key).or_insert_with(|| json!(&**color));
        }
    }
    let rules = if theme.token_colors.is_empty() {
        &theme.settings
    } else {
        &theme.token_colors
    };
    let rules: Vec<_> = rules
        .iter()
        .filter_map(|rule| {
            let mut settings = Map::new();
            // Some themes use keywords such as `inherit`, which are equivalent to no color.
            let foreground = rule
                .settings
                .foreground
                .as_ref()
                .filter(|color| is_color(color));
            text(&mut settings, "foreground", &foreground.cloned());
            text(&mut settings, "fontStyle", &rule.settings.font_style);
            if rule.scope.is_empty() {
                return Some(json!({ "settings": settings }));
            }
            let scopes: Vec<_> = rule
                .scope
                .iter()
                .flat_map(|scope| scope.split(','))
                .map(str::trim)
                .collect();
            let scopes: Vec<_> = scopes
                .into_iter()
                .filter(|scope| is_selector(scope))
                .collect();
            (!scopes.is_empty()).then(|| json!({ "scope": scopes, "settings": settings }))
        })
        .collect();
    json!({ "name": theme.name.as_deref(), "colors": colors, "tokenColors": rules })
}

/// A slice of names and shapes: `a-b-2` is the static `TbAB2Outline`, `star-filled` is
/// `TbStarFilled`.
fn tabler_table() -> Result<String, Box<dyn Error>> {
    let names = std::fs::read_to_string(TABLER)?;
    let mut table = String::from("&[\n");
    let names = names.lines().map(str::trim);
    for name in names.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (stem, kind) = match name.strip_suffix("-filled") {
            Some(stem) => (stem, "Filled"),
            None => (name, "Outline"),
        };
        let mut constant = String::from("Tb");
        for word in stem.split('-') {
            let mut letters = word.chars();
            constant.extend(letters.next().map(|first| first.to_ascii_uppercase()));
            constant.push_str(letters.as_str());
        }
        constant.push_str(kind);
        table.push_str(&format!("({name:?}, icondata_tb::{constant}.data),\n"));
    }
    table.push_str("]\n");
    Ok(table)
}
