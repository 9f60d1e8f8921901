//! `import` and `export` of MDX.

use super::block::Pass;
use super::{Line, Rewriter};
use crate::codes::MIGRATE_SYNTAX;

impl Rewriter<'_> {
    /// `import` and `export` of MDX, up to the next blank line.
    pub(super) fn module_lines(&mut self, lines: &[Line], pass: &mut Pass) -> usize {
        let is_text = |line: &&Line| !line.text.trim().is_empty();
        let mut used = lines.iter().take_while(is_text).count();
        if lines[0].text.starts_with("export ") {
            // Template literals can contain blank lines.
            let ticks = |line: &Line| line.text.replace("\\`", "").matches('`').count();
            let is_open = |used: usize| lines[..used].iter().map(ticks).sum::<usize>() % 2 == 1;
            while used < lines.len() && is_open(used) {
                used += 1;
            }
            pass.out
                .extend(lines[..used].iter().map(|line| line.text.clone()));
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
        self.report(
            &MIGRATE_SYNTAX,
            format!("the import of `{source}` is left out"),
            "write the component as a `.jsx` file below `snippets` and import it from there",
        );
        None
    }
}

pub(super) fn is_module_line(text: &str) -> bool {
    text.starts_with("import ") || text.starts_with("export ")
}
