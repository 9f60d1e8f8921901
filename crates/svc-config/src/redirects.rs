//! `redirects`: moved paths.

use std::collections::BTreeMap;

use svc_diagnostics::{Location, Span};

use crate::{
    codes::DUPLICATE,
    decode::{Cx, NodeRef},
    keys::{
        key,
        kinds::{ListOf, NonEmpty},
        object, value_kind,
    },
    link::Link,
    text::shorten,
};

object! {
    /// A moved path: an entry of `redirects`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Redirect {
        /// Old path; `*` and `:name` match parts of it.
        ///
        /// With a leading slash: `/a/*`, `/a/:slug*`.
        source: String = key::<NonEmpty>("source").required().field(|source| source.map(with_slash))
            .example("\"/old/:slug*\""),
        /// New path or URL; it may contain the named parts.
        destination: String = key::<Link>("destination").required().example("\"/new/:slug*\""),
        /// Whether the status is 308 (permanent) or 307 (temporary).
        permanent: bool = key::<bool>("permanent").or(|| true),
    }
    and {
        /// Location of the source.
        location: Location = |cx, fields| {
            let source = fields.get("source");
            cx.location_of(&source.unwrap_or(*fields.node))
        },
        /// Index in the array of the file.
        index: usize = |_, fields| fields.node.index(),
    }
}

value_kind!(
    /// All redirects; the first of several with the same source is used.
    pub(crate) Redirects -> Vec<Redirect> = ListOf::<Redirect>::shape(), |cx, at| {
        let mut seen = BTreeMap::new();
        cx.list(at, |cx, at| {
            let unique = check_source(cx, at, &mut seen);
            if !unique {
                cx.fix_by_removing(at);
            }
            Redirect::decode(cx, at).filter(|_| unique)
        })
    }
);

/// Returns whether no earlier entry has the same source; reports the second one.
fn check_source(cx: &mut Cx, at: &NodeRef<'_>, seen: &mut BTreeMap<String, Span>) -> bool {
    let fields = at.fields();
    let Some(at) = fields.and_then(|fields| fields.get("source")) else {
        return true;
    };
    let text = at.tree.as_str().map(str::trim);
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        return true;
    };
    let source = with_slash(text.to_owned());
    if let Some(first) = seen.get(&source) {
        let first = *first;
        let message = format!("redirect source `{}` is not unique", shorten(&source));
        let hint = "keep one of them; the first one is used";
        cx.report(&DUPLICATE, &at, message, hint);
        cx.label(first, "first defined here");
        return false;
    }
    seen.insert(source, at.tree.span);
    true
}

/// Adds a leading slash.
fn with_slash(source: String) -> String {
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
