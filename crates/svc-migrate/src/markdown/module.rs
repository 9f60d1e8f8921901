//! `import` and `export` of MDX.

use svc_mdx::js::{Lexer, TokenKind};

use super::block::Pass;
use super::{Line, Rewriter};
use crate::codes::MIGRATE_SYNTAX;

/// Maximum number of lines of an export.
const MAX_EXPORT_LINES: usize = 5_000;
/// Maximum length of a file that a page shows, in bytes.
const MAX_CODE_BYTES: usize = 64 * 1024;

impl Rewriter<'_> {
    /// `import` and `export` of MDX, up to the next blank line.
    pub(super) fn module_lines(&mut self, lines: &[Line], pass: &mut Pass) -> usize {
        let is_text = |line: &&Line| !line.text.trim().is_empty();
        let mut used = lines.iter().take_while(is_text).count();
        if lines[0].text.starts_with("export ") {
            used = used.max(export_len(lines));
            for line in &lines[..used] {
                self.constants.push_str(&line.text);
                self.constants.push('\n');
                pass.out.push(line.text.clone());
            }
            return used;
        }
        for line in &lines[..used] {
            self.line = line.number;
            if let Some(text) = self.module_line(&line.text) {
                pass.out.push(text);
            }
        }
        used
    }

    /// Imports of the generator's own components are removed.
    fn module_line(&mut self, text: &str) -> Option<String> {
        let source = text
            .strip_prefix("import ")
            .and_then(|rest| {
                rest.trim_end()
                    .trim_end_matches(';')
                    .rsplit_once(['\'', '"'])
            })
            .and_then(|(rest, _)| rest.rsplit_once(['\'', '"']))
            .map(|(_, source)| source.to_owned());
        let Some(source) = source else {
            return Some(text.to_owned());
        };
        let built_in = ["@theme/", "@docusaurus/", "@astrojs/", "astro:"];
        if built_in.iter().any(|start| source.starts_with(start)) {
            return None;
        }
        let ends = [".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg"];
        if ends.iter().any(|end| source.ends_with(end)) {
            let name = text
                .split_whitespace()
                .nth(1)
                .unwrap_or_default()
                .to_owned();
            let target = self.links.resolve(self.file.path(), &source);
            self.images.push((name, target));
            return None;
        }
        if crate::path::markdown_stem(&source).is_some() {
            let target = self.links.resolve(self.file.path(), &source);
            let target = match target.starts_with("/snippets/") {
                true => format!("{target}.mdx"),
                false => target,
            };
            return Some(text.replace(&source, &target));
        }
        let file = source.strip_suffix("?raw");
        let file = file.and_then(|path| self.links.text(self.file.path(), path));
        if let Some(code) = file.filter(|code| code.len() <= MAX_CODE_BYTES) {
            let name = imported_names(text).next()?;
            let line = format!("export const {name} = {};", serde_json::json!(code));
            self.constants.push_str(&format!("{line}\n"));
            return Some(line);
        }
        self.left_out
            .extend(imported_names(text).map(str::to_owned));
        self.report(
            &MIGRATE_SYNTAX,
            format!("the import of `{source}` is left out"),
            "write the component as a `.jsx` file below `snippets` and import it from there",
        );
        None
    }
}

/// The names that an import declares.
fn imported_names(text: &str) -> impl Iterator<Item = &str> {
    let declared = text.strip_prefix("import ").unwrap_or_default();
    let declared = declared.split(" from").next().unwrap_or_default();
    let names = declared.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    names.filter(|name| !name.is_empty() && *name != "as")
}

/// The number of lines up to the end of the statement at the start, which can contain blank lines.
/// Zero if it does not end.
fn export_len(lines: &[Line]) -> usize {
    let mut text = String::new();
    for line in lines.iter().take(MAX_EXPORT_LINES) {
        text.push_str(&line.text);
        text.push('\n');
    }
    let mut lexer = Lexer::new(&text, 0);
    let mut is_open = false;
    while let Some(token) = lexer.next() {
        // A blank line between tokens ends the statement.
        if token.kind == TokenKind::Newline && lexer.depth() == 0 {
            let next = text[token.end..].split('\n').next().unwrap_or_default();
            if next.trim().is_empty() {
                return text[..token.end].matches('\n').count();
            }
        }
        is_open = lexer.depth() > 0 || token.kind == TokenKind::Bad;
    }
    if is_open {
        0
    } else {
        lines.len().min(MAX_EXPORT_LINES)
    }
}

pub(super) fn is_module_line(text: &str) -> bool {
    text.starts_with("import ") || text.starts_with("export ")
}
