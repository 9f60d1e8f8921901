//! `ref` of a version: a revision of the repository that its files come from.

use svc_diagnostics::Location;

use super::{
    children,
    types::{Children, Element, ElementKind},
};
use crate::{
    codes::{LINK_CONTENT, REF_CONTENT, REF_NAME, REF_POSITION},
    decode::{Cx, Fields, NodeRef},
    keys::{ValueKind, shape::Shape},
    text::shorten,
};

/// Maximum length of the name in bytes.
const MAX_NAME_BYTES: usize = 250;

/// `ref`: the branch, tag or commit that the files of a version come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionRef {
    /// Name of a branch or tag, or the id of a commit.
    pub name: String,
    /// Location of the value.
    pub location: Location,
    /// JSON pointer of the value.
    pub pointer: String,
}

impl ValueKind for VersionRef {
    type Value = Self;

    fn shape() -> Shape {
        Shape::NonEmpty
    }

    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let name = cx.non_empty_string(at)?;
        if !is_valid(&name) {
            let message = format!(
                "`{}` is not the name of a branch, tag or commit",
                shorten(&name.escape_debug().to_string())
            );
            let hint = "write a name as `git branch` and `git tag` list it, such as `release/1.x`, or the 40 digits of a commit";
            cx.report(&REF_NAME, at, message, hint);
            return None;
        }
        Some(Self {
            name,
            location: cx.location_of(at),
            pointer: at.pointer(),
        })
    }
}

/// Whether Git allows the name (git-check-ref-format), except for names that begin with a hyphen,
/// which programs could read as options.
fn is_valid(name: &str) -> bool {
    let forbidden = |c: char| c.is_control() || c.is_whitespace() || "~^:?*[\\".contains(c);
    let bad_part = |part: &str| part.is_empty() || part.starts_with('.') || part.ends_with(".lock");
    name.len() <= MAX_NAME_BYTES
        && !name.starts_with('-')
        && !name.ends_with('.')
        && !name.contains("..")
        && !name.contains("@{")
        && name != "@"
        && !name.chars().any(forbidden)
        && !name.split('/').any(bad_part)
}

impl Element {
    /// Reports content beside `ref`, and a `ref` that has no effect, and removes both.
    pub(super) fn check_reference(&mut self, cx: &mut Cx, fields: &Fields<'_>) {
        if self.kind != ElementKind::Version || !fields.has("ref") {
            return;
        }
        let noun = format!("version `{}`", shorten(&self.name));
        let pointer = fields.node.pointer();
        let is_root = pointer
            .strip_prefix("/navigation/versions/")
            .is_some_and(|rest| !rest.contains('/'));
        let span = fields.key_span("ref");
        if !is_root {
            let message = format!("the `ref` of {noun} has no effect here");
            let hint = "move the version to `navigation.versions`, which may contain languages";
            cx.report_at(&REF_POSITION, span, format!("{pointer}/ref"), message, hint);
            self.reference = None;
            return;
        }
        if self.href.is_some() {
            let message = format!("{noun} has both `href` and `ref`");
            let hint = "remove one of them; `ref` is ignored";
            cx.report_at(&LINK_CONTENT, span, format!("{pointer}/ref"), message, hint);
            self.reference = None;
            return;
        }
        let own = ["openapi", "mcp", "directory", "global"];
        let mut content = children::keys(Some(self.kind)).chain(own);
        if let Some(key) = content.find(|key| fields.has(key)) {
            let message = format!("{noun} has both `ref` and `{key}`");
            let hint = format!(
                "remove one of them; `{key}` is ignored, the navigation is that of `docs.json` at the `ref`"
            );
            let span = fields.key_span(key);
            cx.report_at(
                &REF_CONTENT,
                span,
                format!("{pointer}/{key}"),
                message,
                hint,
            );
        }
        // Without a valid `ref` the content would be shown as that of the version.
        self.children = Children::None;
        (self.openapi, self.mcp, self.directory) = (None, None, None);
        self.global.clear();
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{in_navigation, problems_in_navigation};

    fn version(json: &str) -> String {
        format!(r#"{{"versions":[{{"version":"2","pages":["a"]}},{{"version":"1",{json}}}]}}"#)
    }

    #[test]
    fn a_ref_is_the_name_of_a_branch_tag_or_commit() {
        let read = in_navigation(&version(r#""ref":"release/1.x""#));
        assert_eq!(read.diagnostics.len(), 0);
        let crate::Children::Elements(_, versions) = read.value.unwrap().navigation.children else {
            panic!("no versions");
        };
        assert_eq!(versions[1].reference.as_ref().unwrap().name, "release/1.x");
        assert_eq!(versions[1].mount, None);
        for hostile in [
            "-upload-pack=x",
            "--help",
            "a..b",
            "a b",
            "a\\tb",
            "x^",
            "x~1",
            "a:b",
            "/a",
            "a/",
            "a//b",
            ".a",
            "a.lock",
            "@{1}",
            "@",
            "a.",
            "*",
        ] {
            assert_eq!(
                problems_in_navigation(&version(&format!(r#""ref":"{hostile}""#))),
                ["/navigation/versions/1/ref nav-version-ref-name"],
                "{hostile}"
            );
        }
    }

    #[test]
    fn content_next_to_a_ref_is_reported_and_ignored() {
        for (key, value) in [("pages", r#"["b"]"#), ("openapi", r#""a.json""#)] {
            let json = version(&format!(r#""ref":"v1","{key}":{value}"#));
            assert_eq!(
                problems_in_navigation(&json),
                [format!(
                    "/navigation/versions/1/{key} nav-version-ref-content"
                )]
            );
        }
        assert_eq!(
            problems_in_navigation(&version(r#""ref":"v1","href":"https://a.test""#)),
            ["/navigation/versions/1/ref nav-link-content"]
        );
    }

    #[test]
    fn a_ref_below_another_element_has_no_effect() {
        let json = r#"{"languages":[{"language":"en","versions":[{"version":"1","ref":"v1"}]}]}"#;
        assert_eq!(
            problems_in_navigation(json),
            ["/navigation/languages/0/versions/0/ref nav-version-ref-position"]
        );
    }
}
