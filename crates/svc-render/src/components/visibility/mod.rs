//! `Visibility`: content for some readers only.

use std::collections::BTreeSet;

use svc_diagnostics::{DiagnosticCode, diagnostic_code, did_you_mean};
use svc_nav::Audience;

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::{Ctx, Reader};
use crate::evaluate::Value;
use crate::html::Html;

/// The value of `for` is unknown.
pub(crate) static UNKNOWN_READER: DiagnosticCode =
    diagnostic_code!(warning, "visibility-unknown", "`for` has an unknown value");

/// Values of `for`.
const READERS: [&str; 4] = ["humans", "agents", "signed-in", "signed-out"];

props! { PROPS:
    FOR = required("for", Any, "humans, agents, signed-in, signed-out, or an object with groups");
}

pub(super) static VISIBILITY: Component = Component {
    name: "visibility",
    tags: &[Spec {
        tag: "Visibility",
        props: PROPS,
        render,
    }],
    css: "",
    js: None,
    docs: include_str!("visibility.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    if let Some(Value::Object(rule)) = element.value(FOR)
        && let Some(groups) = rule.get("groups")
    {
        let is_shown = members(cx).is_some_and(|member| names_one_of(groups, member));
        return shown(cx, element, is_shown);
    }
    let reader = element.text(FOR);
    match reader.as_deref() {
        Some("signed-in") => {
            let is_shown = members(cx).is_some();
            shown(cx, element, is_shown)
        }
        Some("signed-out") => {
            let is_shown = members(cx).is_none();
            shown(cx, element, is_shown)
        }
        Some(reader @ ("humans" | "agents")) => {
            let is_agent = cx.input.reader == Reader::Agent;
            shown(cx, element, is_agent == (reader == "agents"))
        }
        other => {
            let message = match other {
                Some(other) => {
                    format!("`for=\"{other}\"` is not a kind of reader, so the content is hidden")
                }
                None => "`for` of `Visibility` is missing, so the content is hidden".to_owned(),
            };
            let near = other.and_then(|other| did_you_mean(other, READERS));
            let hint = near.map_or_else(
                || "write `humans`, `agents`, `signed-in`, `signed-out` or `{{ groups: [\"staff\"] }}`".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            cx.report(&UNKNOWN_READER, element.span, message, hint);
            if let (Some(other), Some(near)) = (other, near) {
                cx.fix_value(element.span, other, near);
            }
            Html::new()
        }
    }
}

fn shown(cx: &mut Ctx<'_>, element: &Element<'_>, is_shown: bool) -> Html {
    match is_shown {
        true => cx.children(element.children),
        false => Html::new(),
    }
}

/// The groups of readers who have signed in. `None` for a site whose readers have not.
fn members<'c>(cx: &Ctx<'c>) -> Option<&'c BTreeSet<String>> {
    cx.input.tree.record_audience();
    match &cx.input.options.site.audience {
        Audience::Members(groups) => Some(groups),
        Audience::Everyone | Audience::Outsiders | Audience::Trusted => None,
    }
}

fn names_one_of(groups: &Value, member: &BTreeSet<String>) -> bool {
    match groups {
        Value::Array(groups) => groups.iter().any(|group| names_one_of(group, member)),
        Value::String(group) => member.contains(&**group),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use svc_nav::Audience;

    use crate::RenderOptions;
    use crate::testing::{document_with, page};

    #[test]
    fn readers_who_have_signed_in_see_the_content_of_their_groups() {
        let page = r#"//- /a.mdx
<Visibility for="signed-in">in-1</Visibility> <Visibility for="signed-out">out-1</Visibility>
<Visibility for={{ groups: ["staff", "partners"] }}>staff-1</Visibility>
<Visibility for={{ groups: "partners" }}>partners-1</Visibility>
<Visibility for={{ groups: [] }}>none-1</Visibility>
"#;
        let shown = |audience| {
            let mut options = RenderOptions::default();
            options.site.audience = audience;
            let html = document_with(page, "/a", options);
            let parts = ["in-1", "out-1", "staff-1", "partners-1", "none-1"];
            parts.map(|part| html.contains(part))
        };
        let members = |groups: &[&str]| {
            Audience::Members(groups.iter().map(|group| (*group).to_owned()).collect())
        };
        let nobody = [false, true, false, false, false];
        assert_eq!(shown(Audience::Everyone), nobody);
        assert_eq!(shown(Audience::Trusted), nobody);
        assert_eq!(shown(members(&[])), [true, false, false, false, false]);
        assert_eq!(
            shown(members(&["staff"])),
            [true, false, true, false, false]
        );
        assert_eq!(
            shown(members(&["partners"])),
            [true, false, true, true, false]
        );
    }

    #[test]
    fn readers_see_the_content_for_them() {
        for (rule, shown) in [
            ("\"humans\"", true),
            ("\"signed-out\"", true),
            ("\"agents\"", false),
            ("\"signed-in\"", false),
            ("{{ groups: [\"admins\"] }}", false),
        ] {
            let page = page(&format!("<Visibility for={rule}>secret</Visibility>"));
            assert_eq!(page.html.contains("secret"), shown, "{rule}");
            assert!(page.problems.is_empty(), "{rule}: {:?}", page.problems);
        }
    }

    #[test]
    fn an_unknown_kind_of_reader_is_hidden_and_reported() {
        for rule in ["for=\"robots\"", "for={{ teams: [] }}", ""] {
            let page = page(&format!("<Visibility {rule}>secret</Visibility>"));
            assert!(!page.html.contains("secret"), "{rule}");
            assert!(
                page.codes().contains(&"visibility-unknown"),
                "{rule}: {:?}",
                page.problems
            );
        }
    }
}
