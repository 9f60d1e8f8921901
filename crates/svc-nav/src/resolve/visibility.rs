//! Visibility of pages: the rules for hidden pages, indexing and search.

use svc_source::FrontMatter;

use super::context::Context;
use crate::Visibility;

/// Returns the visibility of a page. `context` is `None` for a page outside of the navigation; `all`
/// is true if the site requests indexing of all pages.
pub(super) fn visibility(
    fields: &FrontMatter,
    context: Option<&Context<'_>>,
    all: bool,
) -> Visibility {
    let hidden = fields.hidden == Some(true);
    let sidebar = context.is_some_and(|cx| !cx.hidden) && !hidden;
    let mut out = if fields.noindex {
        Visibility::NONE
    } else if all {
        Visibility::ALL
    } else if hidden {
        Visibility::NONE
    } else {
        match context {
            // A page that is not in the navigation may still be crawled.
            None => Visibility {
                engines: true,
                ..Visibility::NONE
            },
            Some(cx) => {
                let back = fields.hidden == Some(false) || cx.searchable == Some(true);
                if cx.hidden && !back {
                    Visibility::NONE
                } else {
                    Visibility::ALL
                }
            }
        }
    };
    let searchable = fields
        .searchable
        .or(context.and_then(|cx| cx.searchable))
        .unwrap_or(true);
    out.search &= searchable;
    out.assistant &= searchable;
    out.sidebar = sidebar;
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(hidden: Option<bool>, noindex: bool, searchable: Option<bool>) -> FrontMatter {
        FrontMatter {
            hidden,
            noindex,
            searchable,
            ..FrontMatter::default()
        }
    }

    fn flags(visibility: Visibility) -> String {
        let flags = [
            visibility.sidebar,
            visibility.search,
            visibility.sitemap,
            visibility.engines,
            visibility.assistant,
            visibility.llms,
        ];
        flags
            .map(|flag| if flag { 'y' } else { '-' })
            .iter()
            .collect()
    }

    #[test]
    fn visibility_follows_the_rules_for_hidden_pages() {
        let open = Context::default();
        let hidden = Context {
            hidden: true,
            ..Context::default()
        };
        let searchable = Context {
            hidden: true,
            searchable: Some(true),
            ..Context::default()
        };
        let plain = fields(None, false, None);
        // Columns: sidebar, search, sitemap, engines, assistant, llms.txt.
        for (front, around, all, expected) in [
            (plain.clone(), Some(&open), false, "yyyyyy"),
            (
                fields(Some(true), false, None),
                Some(&open),
                false,
                "------",
            ),
            (plain.clone(), None, false, "---y--"),
            (fields(None, true, None), Some(&open), false, "y-----"),
            (
                fields(None, false, Some(false)),
                Some(&open),
                false,
                "y-yy-y",
            ),
            (plain.clone(), Some(&hidden), false, "------"),
            (plain.clone(), Some(&searchable), false, "-yyyyy"),
            (
                fields(Some(true), false, None),
                Some(&searchable),
                false,
                "------",
            ),
            (
                fields(Some(false), false, None),
                Some(&hidden),
                false,
                "-yyyyy",
            ),
            (fields(Some(true), false, None), Some(&open), true, "-yyyyy"),
            (plain, None, true, "-yyyyy"),
            (fields(None, true, None), None, true, "------"),
        ] {
            assert_eq!(
                flags(visibility(&front, around, all)),
                expected,
                "{front:?} {around:?}"
            );
        }
    }
}
