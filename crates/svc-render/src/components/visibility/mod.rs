//! `Visibility`: content for humans or agents only.

use svc_diagnostics::DiagnosticCode;

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::{Ctx, Reader};
use crate::evaluate::Value;
use crate::html::Html;

/// The value of `for` is unknown.
pub(crate) static UNKNOWN_READER: DiagnosticCode =
    DiagnosticCode::warning("visibility-unknown", "`for` has an unknown value");

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
        && rule.contains_key("groups")
    {
        // Anonymous readers belong to no group.
        return Html::new();
    }
    match element.text(FOR).as_deref() {
        Some("signed-out") => cx.children(element.children),
        Some(reader @ ("humans" | "agents")) => {
            let is_agent = cx.input.reader == Reader::Agent;
            match is_agent == (reader == "agents") {
                true => cx.children(element.children),
                false => Html::new(),
            }
        }
        Some("signed-in") => Html::new(),
        other => {
            let message = match other {
                Some(other) => {
                    format!("`for=\"{other}\"` is not a kind of reader, so the content is hidden")
                }
                None => "`for` of `Visibility` is missing, so the content is hidden".to_owned(),
            };
            cx.report(
                &UNKNOWN_READER,
                element.span,
                message,
                "write `humans` or `agents`",
            );
            Html::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

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
