//! What a component is, and the check of its attributes.

use svc_diagnostics::{DiagnosticCode, Span, did_you_mean};

use crate::article::{Children, Props, Tag, number};
use crate::ctx::Ctx;
use crate::evaluate::Value;
use crate::html::Html;

/// An attribute that a component does not have.
pub(crate) static UNKNOWN_PROP: DiagnosticCode =
    DiagnosticCode::warning("prop-unknown", "a component has no attribute of this name");
/// An attribute that a component needs.
pub(crate) static MISSING_PROP: DiagnosticCode = DiagnosticCode::warning(
    "prop-missing",
    "a required attribute of a component is missing",
);

/// An attribute whose value means nothing to its component.
pub(crate) static BAD_PROP: DiagnosticCode = DiagnosticCode::warning(
    "prop-value",
    "the value of an attribute is not allowed and is ignored",
);

/// A room: one folder with everything about one component and those that only make sense with it.
#[derive(Debug)]
pub struct Component {
    /// Folder name, in snake case.
    pub name: &'static str,
    /// The tags, the main one first.
    pub tags: &'static [Spec],
    /// Stylesheet.
    pub css: &'static str,
    /// Script, where one improves it.
    pub js: Option<&'static str>,
    /// Manual page, Markdown.
    pub docs: &'static str,
}

/// One tag.
#[derive(Debug)]
pub struct Spec {
    /// Name in a page: `Tree.File`.
    pub tag: &'static str,
    /// Attributes.
    pub props: &'static [Prop],
    /// Makes the HTML.
    pub(crate) render: Render,
}

/// Makes the HTML of a tag.
pub(crate) type Render = fn(&mut Ctx<'_>, &Element<'_>) -> Html;

/// What a render function gets.
#[derive(Debug)]
pub(crate) struct Element<'n> {
    /// The tag as written.
    pub(crate) tag: &'n str,
    /// Where its opening tag is.
    pub(crate) span: Span,
    /// Attributes.
    pub(crate) props: &'n Props,
    /// Children, not rendered yet.
    pub(crate) children: Children<'n>,
}

/// One attribute.
#[derive(Debug, Clone, Copy)]
pub struct Prop {
    /// Name.
    pub name: &'static str,
    /// What it holds.
    pub kind: PropKind,
    /// Whether the component is useless without it.
    pub required: bool,
    /// One line for the manual.
    pub doc: &'static str,
}

/// What an attribute holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PropKind {
    /// Text.
    Text,
    /// Text, or JSX.
    Rich,
    /// On or off.
    Flag,
    /// A number.
    Number,
    /// A list.
    List,
    /// Name, address or JSX drawing.
    Icon,
    /// Anything else.
    Any,
}

/// An attribute that may be left out.
pub(crate) const fn prop(name: &'static str, kind: PropKind, doc: &'static str) -> Prop {
    Prop {
        name,
        kind,
        required: false,
        doc,
    }
}

/// An attribute that must be there.
pub(crate) const fn required(name: &'static str, kind: PropKind, doc: &'static str) -> Prop {
    Prop {
        name,
        kind,
        required: true,
        doc,
    }
}

/// Attributes that every tag may have: HTML's own, and those that only mean something elsewhere.
const COMMON: &[&str] = &[
    "id",
    "className",
    "class",
    "style",
    "key",
    "ref",
    "children",
    "lang",
    "dir",
    "role",
    "title",
    "icon",
    "iconType",
    "iconLibrary",
    "noAnchor",
];

/// Checks the attributes of a tag and renders it.
pub(crate) fn render(cx: &mut Ctx<'_>, spec: &'static Spec, tag: &Tag<'_>) -> Html {
    for (name, value, span) in tag.props.iter() {
        if let Some(prop) = spec.props.iter().find(|prop| prop.name == name) {
            check_value(cx, spec.tag, prop, value, span);
            continue;
        }
        let own = spec.props.iter().any(|prop| prop.name == "*");
        let open = name.starts_with("data-") || name.starts_with("aria-") || name.starts_with("on");
        if own || open || COMMON.contains(&name) {
            continue;
        }
        if cx.report_once(&UNKNOWN_PROP, &format!("{}.{name}", spec.tag)) {
            let near = did_you_mean(name, spec.props.iter().map(|prop| prop.name));
            let hint = near.map_or_else(
                || "leave it out".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            let message = format!("`{}` has no attribute `{name}`", spec.tag);
            cx.report(&UNKNOWN_PROP, span, message, hint);
        }
    }
    for prop in spec.props.iter().filter(|prop| prop.required) {
        if tag.props.get(prop.name).is_none() {
            let message = format!("`{}` needs `{}`", spec.tag, prop.name);
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

/// Reports a number that is none, and a switch that is neither on nor off.
fn check_value(cx: &mut Ctx<'_>, tag: &str, prop: &Prop, value: &Value, span: Span) {
    let Value::String(text) = value else {
        return;
    };
    let (name, text) = (prop.name, text.trim());
    let (wanted, hint) = match prop.kind {
        PropKind::Number if number(text).is_none() => ("a number", format!("write `{name}={{2}}`")),
        PropKind::Flag
            if !["", "true", "false", name].contains(&text.to_ascii_lowercase().as_str()) =>
        {
            ("on or off", format!("write `{name}`, or leave it out"))
        }
        _ => return,
    };
    let shown: String = text.chars().take(40).collect();
    let message = format!("`{name}` of `{tag}` is {wanted}, not `{shown}`");
    cx.report(&BAD_PROP, span, message, hint);
}

impl Element<'_> {
    /// The text of an attribute.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.props.text(name)
    }

    /// Where an attribute is written, else the tag.
    pub(crate) fn span_of(&self, name: &str) -> Span {
        self.props.span(name).unwrap_or(self.span)
    }

    /// An attribute that holds text or JSX, as HTML; said for search. Back-ticks make code.
    pub(crate) fn rich_text(&self, cx: &mut Ctx<'_>, name: &str) -> Html {
        match self.props.get(name) {
            Some(Value::String(text)) => {
                let text = cx.with_variables(text).into_owned();
                cx.push_search_text(&text);
                inline_code_html(&text)
            }
            Some(value) => {
                let value = value.clone();
                cx.break_search_text();
                let html = crate::article::value(cx, &value);
                cx.break_search_text();
                html
            }
            None => Html::new(),
        }
    }

    /// The icon of the tag: a name, an address, or a drawing.
    pub(crate) fn icon(&self, cx: &mut Ctx<'_>) -> Html {
        self.icon_of(cx, "icon")
    }

    /// An icon under another attribute name.
    pub(crate) fn icon_of(&self, cx: &mut Ctx<'_>, name: &str) -> Html {
        match self.props.get(name) {
            Some(Value::String(text)) => {
                let style = self.text("iconType");
                let library = self.text("iconLibrary");
                let text = text.to_string();
                let place = self.span_of(name);
                crate::icons::named_in(cx, &text, style.as_deref(), library.as_deref(), place)
            }
            Some(value @ Value::Element(_)) => {
                let value = value.clone();
                crate::article::value(cx, &value)
            }
            _ => Html::new(),
        }
    }

    /// Class names of the author.
    pub(crate) fn class(&self) -> String {
        self.text("className")
            .or_else(|| self.text("class"))
            .unwrap_or_default()
    }
}

/// Plain text in which back-ticks make code and nothing else has a meaning.
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
