//! `redirects`: moved paths.

use std::collections::BTreeMap;

use svc_diagnostics::Location;

use crate::{
    codes::DUPLICATE,
    decode::{Cx, NodeRef, shorten},
    tree::FileSpan,
};

/// A moved path: an entry of `redirects`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// Path or pattern (`/a/*`, `/a/:slug*`) with a leading slash.
    pub source: String,
    /// Path, pattern or URL.
    pub destination: String,
    /// Status 308 if true, 307 otherwise.
    pub permanent: bool,
    /// Location of the source.
    pub location: Location,
    /// Index in the array of the file.
    pub index: usize,
}

/// Decodes all redirects; the first of several with the same source is used.
pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Vec<Redirect>> {
    let mut seen: BTreeMap<String, FileSpan> = BTreeMap::new();
    cx.list(at, |cx, at| {
        let fields = cx.object(at, &["source", "destination", "permanent"])?;
        let source = cx.required(&fields, "source", |cx, at| {
            let source = path(cx.non_empty_string(at)?);
            if let Some(first) = seen.get(&source) {
                let first = *first;
                let message = format!("redirect source `{}` is not unique", shorten(&source));
                cx.report(
                    &DUPLICATE,
                    at,
                    message,
                    "keep one of them; the first one is used",
                );
                cx.label(first, "first defined here");
                return None;
            }
            seen.insert(source.clone(), at.tree.span);
            Some((source, cx.location_of(at)))
        });
        let destination = cx.required(&fields, "destination", Cx::link);
        let permanent = cx.bool_or(&fields, "permanent", true);
        let (source, location) = source?;
        Some(Redirect {
            source,
            destination: destination?,
            permanent,
            location,
            index: at.index(),
        })
    })
}

/// Adds a leading slash.
fn path(source: String) -> String {
    if source.starts_with('/') {
        source
    } else {
        format!("/{}", source.trim_start_matches("./"))
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{errors_of, site_of};

    #[test]
    fn sources_get_a_slash_and_permanent_is_the_default() {
        let json = r#""redirects":[{"source":"a/:slug*","destination":"b/:slug*"},{"source":"/c","destination":"https://x.com","permanent":false}]"#;
        let redirects = site_of(json).value.unwrap().redirects;
        assert_eq!(
            (&*redirects[0].source, &*redirects[0].destination),
            ("/a/:slug*", "/b/:slug*")
        );
        assert!(redirects[0].permanent && !redirects[1].permanent);
        assert_eq!(
            redirects[0].location.span.range().len(),
            "\"a/:slug*\"".len()
        );
    }

    #[test]
    fn a_duplicate_source_is_reported() {
        let json =
            r#""redirects":[{"source":"/a","destination":"/b"},{"source":"a","destination":"/c"}]"#;
        let checked = site_of(json);
        assert_eq!(errors_of(json), ["/redirects/1/source config-duplicate"]);
        assert_eq!(checked.diagnostics[0].labels.len(), 1);
        assert_eq!(checked.value.unwrap().redirects[0].destination, "/b");
    }

    #[test]
    fn problems_of_redirects() {
        for (json, expected) in [
            (
                r#"[{"source":"/a"}]"#,
                "/redirects/0/destination config-missing",
            ),
            (
                r#"[{"source":"","destination":"/a"}]"#,
                "/redirects/0/source config-empty",
            ),
            (
                r#"[{"source":"/a","destination":"/b","permanent":"no"}]"#,
                "/redirects/0/permanent config-type",
            ),
            ("{}", "/redirects config-type"),
            ("[1]", "/redirects/0 config-type"),
        ] {
            assert_eq!(errors_of(&format!("\"redirects\":{json}")), [expected]);
        }
    }
}
