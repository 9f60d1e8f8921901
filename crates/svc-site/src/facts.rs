//! What rendering has to be told about the files of a site.

use svc_render::Facts;
use svc_source::{Contents, SourceTree};

/// Reads what pages say about fonts and pictures of the repository.
pub(crate) fn gather(tree: &SourceTree) -> Facts {
    Facts {
        declared_families: declared_families(tree),
        ..Facts::default()
    }
}

/// The families that style sheets of the repository declare, in lower case.
fn declared_families(tree: &SourceTree) -> Vec<String> {
    let mut families = Vec::new();
    for (path, contents) in tree.iter() {
        let Contents::Text(file) = contents else {
            continue;
        };
        if !path.ends_with(".css") {
            continue;
        }
        for rule in file.text().split("@font-face").skip(1) {
            let rule = rule.split('}').next().unwrap_or(rule);
            let Some((_, value)) = rule.split_once("font-family") else {
                continue;
            };
            let value = value.trim_start().trim_start_matches(':');
            let name = value.split([';', '\n']).next().unwrap_or(value);
            let name = name.trim().trim_matches(['"', '\'']).to_ascii_lowercase();
            if !name.is_empty() && !families.contains(&name) && families.len() < 100 {
                families.push(name);
            }
        }
    }
    families
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_of_style_sheets_are_found_once() {
        let tree = SourceTree::from_files([
            (
                "a.css",
                "@font-face{font-family:\"My Face\";src:url(a)}@font-face { font-family: 'My Face' ; }",
            ),
            (
                "b.css",
                "body{font-family: Other} @font-face{src:url(b)} @font-face {\n  src: url(c);\n  font-family: Plain\n}",
            ),
            ("c.mdx", "@font-face{font-family:No}"),
        ]);
        assert_eq!(declared_families(&tree), ["my face", "plain"]);
    }
}
