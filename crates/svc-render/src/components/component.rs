//! Definition of components, and validation of their attributes.

use svc_diagnostics::{DiagnosticCode, Span, diagnostic_code, did_you_mean};

use super::common::{CLASS, CLASS_NAME, COMMON, ICON_LIBRARY, ICON_TYPE};
use super::prop::{Prop, PropKind};
use crate::article::children::Children;
use crate::article::tag::{Props, Tag, number};
use crate::ctx::Ctx;
use crate::evaluate::Value;
use crate::html::Html;

/// A component has no attribute of this name.
pub(crate) static UNKNOWN_PROP: DiagnosticCode = diagnostic_code!(
    warning,
    "prop-unknown",
    "a component has no attribute of this name"
);
/// A required attribute of a component is missing.
pub(crate) static MISSING_PROP: DiagnosticCode = diagnostic_code!(
    warning,
    "prop-missing",
    "a required attribute of a component is missing"
);

/// The value of an attribute is invalid.
pub(crate) static BAD_PROP: DiagnosticCode = diagnostic_code!(
    warning,
    "prop-value",
    "an attribute has an invalid value, which is ignored"
);

/// A component: a directory with the code, style, script and documentation of related tags.
#[derive(Debug)]
pub struct Component {
    /// Directory name, in snake case.
    pub name: &'static str,
    /// The tags, the main one first.
    pub tags: &'static [Spec],
    /// Style sheet.
    pub css: &'static str,
    /// Script, if any.
    pub js: Option<&'static str>,
    /// Documentation page in Markdown.
    pub docs: &'static str,
}

/// A tag of a component.
#[derive(Debug)]
pub struct Spec {
    /// Name in a page, such as `Tree.File`.
    pub tag: &'static str,
    /// Attributes of the tag.
    pub props: &'static [Prop],
    /// Renders the tag.
    pub(crate) render: Render,
}

/// Renders a tag to HTML.
pub(crate) type Render = fn(&mut Ctx<'_>, &Element<'_>) -> Html;

/// An element in a page, the input of [`Render`].
#[derive(Debug)]
pub(crate) struct Element<'n> {
    /// Name of the tag as written.
    pub(crate) tag: &'n str,
    /// Span of the opening tag.
    pub(crate) span: Span,
    /// Evaluated attributes.
    pub(crate) props: &'n Props,
    /// Children, not rendered yet.
    pub(crate) children: Children<'n>,
}

/// Validates the attributes of a tag and renders it.
pub(crate) fn render(cx: &mut Ctx<'_>, spec: &'static Spec, tag: &Tag<'_>) -> Html {
    for (name, value, span) in tag.props.iter() {
        if let Some(prop) = spec.props.iter().find(|prop| prop.name == name) {
            check_value(cx, spec.tag, prop, value, span);
            continue;
        }
        let own = spec.props.iter().any(|prop| prop.name == "*");
        let open = name.starts_with("data-") || name.starts_with("aria-") || name.starts_with("on");
        if own || open || COMMON.iter().any(|prop| prop.name == name) {
            continue;
        }
        if cx
            .out
            .is_first(&UNKNOWN_PROP, &format!("{}.{name}", spec.tag))
        {
            let near = did_you_mean(name, spec.props.iter().map(|prop| prop.name));
            let hint = near.map_or_else(
                || "remove it".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            let message = format!("`{}` has no attribute `{name}`", spec.tag);
            cx.report(&UNKNOWN_PROP, span, message, hint);
            if let Some(near) = near.filter(|near| *near != "*") {
                cx.fix_attributes(tag.name, name, near);
            }
        }
    }
    for prop in spec.props.iter().filter(|prop| prop.required) {
        if tag.props.get(prop.name).is_none() {
            let message = format!("`{}` of `{}` is missing", prop.name, spec.tag);
            cx.report(
                &MISSING_PROP,
                tag.span,
                message,
                format!("add `{}=\"…\"`", prop.name),
            );
        }
    }
    let element = Element {
        tag: tag.name,
        span: tag.span,
        props: &tag.props,
        children: tag.children,
    };
    (spec.render)(cx, &element)
}

/// Reports invalid numbers and Booleans.
fn check_value(cx: &mut Ctx<'_>, tag: &str, prop: &Prop, value: &Value, span: Span) {
    let Value::String(text) = value else {
        return;
    };
    let (name, text) = (prop.name, text.trim());
    let (expected, hint) = match prop.kind {
        PropKind::Number if number(text).is_none() => ("a number", format!("write `{name}={{2}}`")),
        PropKind::Flag
            if !["", "true", "false", name].contains(&text.to_ascii_lowercase().as_str()) =>
        {
            ("true or false", format!("write `{name}`, or remove it"))
        }
        _ => return,
    };
    let shown: String = text.chars().take(40).collect();
    let message = format!("`{name}` of `{tag}` must be {expected}, not `{shown}`");
    cx.report(&BAD_PROP, span, message, hint);
}

impl Element<'_> {
    /// The value of an attribute; `None` if it is missing or `undefined`.
    pub(crate) fn value(&self, prop: Prop) -> Option<&Value> {
        self.props.get(prop.name)
    }

    /// The value of an attribute as text; numbers are converted.
    pub(crate) fn text(&self, prop: Prop) -> Option<String> {
        self.props.text(prop.name)
    }

    /// Whether an attribute is true: `wrap`, `wrap={true}`, `wrap="true"`.
    pub(crate) fn flag(&self, prop: Prop) -> bool {
        self.props.flag(prop.name)
    }

    /// Whether an attribute is true; `default` if it is missing.
    pub(crate) fn flag_or(&self, prop: Prop, default: bool) -> bool {
        self.props.flag_or(prop.name, default)
    }

    /// The value of an attribute as a number; text is parsed.
    pub(crate) fn number(&self, prop: Prop) -> Option<f64> {
        self.props.number(prop.name)
    }

    /// The values of an attribute that is a list or a single text; numbers are converted.
    pub(crate) fn texts(&self, prop: Prop) -> Vec<String> {
        self.props.texts(prop.name)
    }

    /// The value of an attribute as a color that is safe in a CSS declaration.
    pub(crate) fn color(&self, prop: Prop) -> Option<String> {
        self.props.color(prop.name)
    }

    /// Span of an attribute, or of the tag without it.
    pub(crate) fn span_of(&self, prop: Prop) -> Span {
        self.props.span(prop.name).unwrap_or(self.span)
    }

    /// HTML of an attribute that contains text or JSX, which is added to the search text. Backticks
    /// mark code.
    pub(crate) fn rich_text(&self, cx: &mut Ctx<'_>, prop: Prop) -> Html {
        match self.value(prop) {
            Some(Value::String(text)) => {
                let text = cx.variables.expand(text);
                cx.out.text.push_line(&text);
                inline_code_html(&text)
            }
            Some(value) => {
                cx.out.text.break_line();
                let html = cx.value(value);
                cx.out.text.break_line();
                html
            }
            None => Html::new(),
        }
    }

    /// The icon in an attribute: a name, a URL, a path or JSX.
    pub(crate) fn icon(&self, cx: &mut Ctx<'_>, prop: Prop) -> Html {
        match self.value(prop) {
            Some(Value::String(text)) => {
                let style = self.text(ICON_TYPE);
                let library = self.text(ICON_LIBRARY);
                let text = text.to_string();
                let span = self.span_of(prop);
                crate::icons::named_in(cx, &text, style.as_deref(), library.as_deref(), span)
            }
            Some(value @ Value::Element(_)) => cx.value(value),
            _ => Html::new(),
        }
    }

    /// Class names of the author.
    pub(crate) fn class(&self) -> String {
        self.text(CLASS_NAME)
            .or_else(|| self.text(CLASS))
            .unwrap_or_default()
    }
}

/// Plain text in which only backticks have a meaning: they mark code.
pub(crate) fn inline_code_html(text: &str) -> Html {
    let mut out = Html::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, behind)) = after.split_once('`') else {
            break;
        };
        out.esc(before).lit("<code>").esc(code).lit("</code>");
        rest = behind;
    }
    out.esc(rest);
    out
}
