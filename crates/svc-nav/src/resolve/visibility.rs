//! Where a page can be found: one table for hidden pages, indexing and search.

use svc_source::FrontMatter;

use super::context::Context;
use crate::Visibility;

/// The rule of a page; `around` is nothing for a page outside the navigation, `all` is the site's
/// wish to have everything indexed.
pub(super) fn visibility(
    fields: &FrontMatter,
    around: Option<&Context<'_>>,
    all: bool,
) -> Visibility {
    let hidden = fields.hidden == Some(true);
    let sidebar = around.is_some_and(|cx| !cx.hidden) && !hidden;
    let mut out = if fields.noindex {
        Visibility::NONE
    } else if all {
        Visibility::ALL
    } else if hidden {
        Visibility::NONE
    } else {
        match around {
            // Leaving a page out of the navigation is no wish to keep crawlers away.
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
        .or(around.and_then(|cx| cx.searchable))
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

    fn word(found: Visibility) -> String {
        let flags = [
            found.sidebar,
            found.search,
            found.sitemap,
            found.engines,
            found.assistant,
            found.llms,
        ];
        flags
            .map(|flag| if flag { 'y' } else { '-' })
            .iter()
            .collect()
    }

    #[test]
    fn the_table_of_hidden_pages_holds() {
        let open = Context::default();
        let hidden = Context {
            hidden: true,
            ..Context::default()
        };
        let found = Context {
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
            (plain.clone(), Some(&found), false, "-yyyyy"),
            (
                fields(Some(true), false, None),
                Some(&found),
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
                word(visibility(&front, around, all)),
                expected,
                "{front:?} {around:?}"
            );
        }
    }
}
