//! Grammars of the repository: `styling.codeblocks.languages.custom`.

use svc_config::SiteConfig;
use svc_diagnostics::{
    Checked, Diagnostic, DiagnosticCode, Location, SourceFile, Span, diagnostic_code,
};
use svc_source::SourceTree;
use syntaxmate::{GrammarRegistry, PreparedLanguage};

use super::custom_grammar::CustomGrammar;
use super::{Highlighter, canonical_language, grammars, is_theme};

/// A grammar file that is not valid.
pub(crate) static BAD_GRAMMAR: DiagnosticCode = diagnostic_code!(
    warning,
    "code-grammar",
    "a grammar file could not be loaded"
);
/// A theme that is not included for license reasons.
pub(crate) static UNAVAILABLE_THEME: DiagnosticCode =
    diagnostic_code!(warning, "code-theme", "a code theme is not available");

/// Maximum number of grammars per site.
const MAX_GRAMMARS: usize = 50;
/// Maximum size of a grammar file in bytes.
const MAX_BYTES: usize = 2_000_000;

/// Creates the highlighter of a site with the grammars of its repository. Grammars that cannot be
/// used are diagnostics.
#[must_use]
pub fn site_highlighter(config: &SiteConfig, tree: &SourceTree) -> Checked<Highlighter> {
    let mut highlighter = Highlighter::new();
    let mut diagnostics = Vec::new();
    let blocks = &config.styling.codeblocks;
    let light = blocks.light_theme.as_ref();
    let dark = blocks.dark_theme.as_ref();
    for name in light.into_iter().chain(dark.filter(|_| dark != light)) {
        let known = svc_config::CODE_THEMES.contains(&name.as_str());
        if known && !is_theme(name) {
            let diagnostic = Diagnostic::new(
                &UNAVAILABLE_THEME,
                format!("theme `{name}` is not available; the default theme is used"),
            )
            .pointer("/styling/codeblocks")
            .hint("choose another theme; the license of this one does not allow svc to include it");
            diagnostics.push(diagnostic);
        }
    }
    for (at, path) in blocks.custom_languages.iter().enumerate() {
        let path = path.trim_start_matches('/');
        let problem = |diagnostic: Diagnostic| {
            diagnostic.pointer(format!("/styling/codeblocks/languages/custom/{at}"))
        };
        if at >= MAX_GRAMMARS {
            let text = format!(
                "the number of grammar files exceeds the limit of {MAX_GRAMMARS}; the rest is ignored"
            );
            diagnostics.push(problem(Diagnostic::new(&BAD_GRAMMAR, text)));
            break;
        }
        let Some(file) = tree.text(path) else {
            let diagnostic = Diagnostic::new(
                &BAD_GRAMMAR,
                format!("grammar file `{path}` does not exist"),
            )
            .hint("use the path of a JSON file, relative to the root of the repository");
            diagnostics.push(problem(diagnostic));
            continue;
        };
        match read(file.text()) {
            Ok(custom) => highlighter.custom.push(custom),
            Err((message, hint)) => diagnostics.push(
                Diagnostic::new(&BAD_GRAMMAR, format!("grammar file `{path}` {message}"))
                    .at(start(file))
                    .hint(hint),
            ),
        }
    }
    Checked {
        value: highlighter,
        diagnostics,
    }
}

fn start(file: &SourceFile) -> Location {
    file.location(Span::new(0, 0))
}

/// Parses a grammar together with the built-in ones that it embeds. An error is a message and a
/// hint.
fn read(text: &str) -> Result<CustomGrammar, (String, &'static str)> {
    const SHAPE: &str = "use a TextMate grammar with `name`, `scopeName` and a list `patterns`";
    if text.len() > MAX_BYTES {
        let message = format!("exceeds the limit of {MAX_BYTES} bytes");
        return Err((message, "remove rules that the pages do not need"));
    }
    let file: serde_json::Value = serde_json::from_str(text)
        .map_err(|error| (format!("is not valid JSON: {error}"), SHAPE))?;
    let word = |key: &str| file.get(key).and_then(|value| value.as_str());
    let (Some(name), Some(_)) = (word("name"), word("scopeName")) else {
        return Err(("has no `name` or `scopeName`".to_owned(), SHAPE));
    };
    let lists = ["aliases", "fileTypes"].into_iter();
    let others = lists
        .filter_map(|key| file.get(key)?.as_array())
        .flatten()
        .filter_map(|value| value.as_str());
    let names = std::iter::once(name)
        .chain(others)
        .map(str::to_owned)
        .collect();
    let mut registry = GrammarRegistry::new();
    let root = registry
        .add_json(text)
        .map_err(|error| (format!("is not a valid grammar: {error}"), SHAPE))?;
    let mut embedded = Vec::new();
    embedded_grammars(&file, 0, &mut embedded);
    let listed = file.get("embeddedLangs").and_then(|list| list.as_array());
    let listed = listed
        .into_iter()
        .flatten()
        .filter_map(|lang| lang.as_str());
    let listed = listed.filter_map(|lang| grammars::grammar_index(canonical_language(lang)?));
    embedded.extend(listed);
    grammars::add_with_embedded(&mut registry, embedded);
    let prepared = PreparedLanguage::new(&registry, root).map_err(|error| {
        (
            format!("is too large: {error}"),
            "remove rules that the pages do not need",
        )
    })?;
    Ok(CustomGrammar { names, prepared })
}

/// Finds the built-in grammars that the rules embed.
fn embedded_grammars(value: &serde_json::Value, depth: usize, out: &mut Vec<usize>) {
    // The JSON parser rejects deeper files; this does not rely on it.
    if depth > 128 {
        return;
    }
    match value {
        serde_json::Value::Object(fields) => {
            for (key, value) in fields {
                match value.as_str() {
                    Some(text) if key == "include" => {
                        let scope = text.split('#').next().unwrap_or_default();
                        let known = grammars::scope_index(scope);
                        out.extend(known.filter(|known| !out.contains(known)));
                    }
                    Some(_) => {}
                    None => embedded_grammars(value, depth + 1, out),
                }
            }
        }
        serde_json::Value::Array(items) => {
            for item in items {
                embedded_grammars(item, depth + 1, out);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Themes;

    const POEM: &str = r#"{"name": "Poem", "scopeName": "source.poem", "fileTypes": ["poem"], "patterns": [
        {"match": "\\brose\\b", "name": "keyword.poem"},
        {"begin": "<js>", "end": "</js>", "patterns": [{"include": "source.js"}]}]}"#;

    fn site(paths: &str, files: &[(&str, &str)]) -> Checked<Highlighter> {
        let docs = format!(
            r##"{{"theme": "svc", "name": "T", "colors": {{"primary": "#112233"}}, "navigation": {{"pages": ["a"]}},
            "styling": {{"codeblocks": {{"theme": "aurora-x", "languages": {{"custom": [{paths}]}}}}}}}}"##
        );
        let mut all = vec![("docs.json".to_owned(), docs)];
        all.extend(
            files
                .iter()
                .map(|(a, b)| ((*a).to_owned(), (*b).to_owned())),
        );
        let tree = SourceTree::from_files(all);
        let file = tree.text("docs.json").expect("it was added");
        let config = svc_config::parse(file, &|_| None).value;
        site_highlighter(&config.expect("it is an object"), &tree)
    }

    #[test]
    fn a_grammar_of_the_repository_highlights_its_language() {
        // spec: view.styling.codeblocks.languages accepts
        let checked = site("\"/poem.json\"", &[("poem.json", POEM)]);
        let html = |lang| {
            checked
                .value
                .html(Some(lang), "a rose <js>const x</js>", &Themes::DEFAULT)
        };
        for lang in ["poem", "Poem", "POEM"] {
            let block = html(lang);
            assert_eq!(block.language.as_deref(), Some("Poem"));
            let line = block.lines.concat();
            assert!(line.contains("\">rose</span>"), "{line}");
            assert!(line.contains("\">const</span>"), "{line}");
        }
        assert_eq!(html("other").language, None);
    }

    #[test]
    fn invalid_grammars_are_reported_and_skipped() {
        // spec: view.styling.codeblocks.languages refuses
        let checked = site(
            "\"/a.json\", \"/b.json\", \"/c.json\", \"/poem.json\"",
            &[
                ("a.json", "{"),
                ("b.json", "{\"name\": \"b\"}"),
                ("poem.json", POEM),
            ],
        );
        let diagnostics: Vec<_> = checked
            .diagnostics
            .iter()
            .map(|diagnostic| format!("{}: {}", diagnostic.code.id, diagnostic.message))
            .collect();
        let [theme, a, b, c] = diagnostics.as_slice() else {
            panic!("four: {diagnostics:?}");
        };
        assert_eq!(
            theme,
            "code-theme: theme `aurora-x` is not available; the default theme is used"
        );
        assert!(
            a.starts_with("code-grammar: grammar file `a.json` is not valid JSON"),
            "{a}"
        );
        assert!(b.ends_with("has no `name` or `scopeName`"), "{b}");
        assert!(c.ends_with("grammar file `c.json` does not exist"), "{c}");
        assert!(
            checked
                .value
                .html(Some("poem"), "rose", &Themes::DEFAULT)
                .language
                .is_some()
        );
    }
}
