//! All checks, by category.

mod access;
mod content_health;
mod content_structure;
mod discoverability;
mod markdown_versions;
mod mcp;
mod page_size;
mod parity;
mod search_engines;
mod urls;

use super::check::Category;

/// The categories in the order of reports. The first seven are those of the agent-docs
/// specification.
pub(super) static CATEGORIES: &[Category] = &[
    Category {
        name: "Discoverability",
        checks: discoverability::CHECKS,
    },
    Category {
        name: "Markdown versions",
        checks: markdown_versions::CHECKS,
    },
    Category {
        name: "Page size",
        checks: page_size::CHECKS,
    },
    Category {
        name: "Content structure",
        checks: content_structure::CHECKS,
    },
    Category {
        name: "URLs and redirects",
        checks: urls::CHECKS,
    },
    Category {
        name: "Content health",
        checks: content_health::CHECKS,
    },
    Category {
        name: "Access",
        checks: access::CHECKS,
    },
    Category {
        name: "MCP",
        checks: mcp::CHECKS,
    },
    Category {
        name: "Search engines",
        checks: search_engines::CHECKS,
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_are_unique_and_hints_are_sentences() {
        let mut ids = BTreeSet::new();
        for check in CATEGORIES.iter().flat_map(|category| category.checks) {
            assert!(ids.insert(check.id), "{} is not unique", check.id);
            assert!(check.hint.ends_with('.'), "{}", check.id);
        }
    }

    #[test]
    fn the_guide_lists_all_checks_with_their_weights() {
        let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guides/score.mdx");
        let guide = std::fs::read_to_string(guide).expect("the guide");
        let rows: Vec<&str> = guide
            .lines()
            .filter(|line| line.starts_with("| `") && !line.starts_with("| `--"))
            .collect();
        let checks: Vec<_> = CATEGORIES
            .iter()
            .flat_map(|category| category.checks)
            .collect();
        assert_eq!(rows.len(), checks.len());
        for (row, check) in rows.into_iter().zip(checks) {
            let start = format!("| `{}` | {} |", check.id, check.weight);
            assert!(row.starts_with(&start), "{row}: expected {start}");
        }
        for category in CATEGORIES {
            assert!(
                guide.contains(&format!("### {}\n", category.name)),
                "{}",
                category.name
            );
        }
    }
}
