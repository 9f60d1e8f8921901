//! Evaluation of `{…}` in text and attributes, and conversion of values to HTML.

use std::borrow::Cow;

use svc_diagnostics::{DiagnosticCode, Span, diagnostic_code, did_you_mean};

use super::children::Children;
use super::tag::Props;
use crate::ctx::{Ctx, Reader};
use crate::evaluate::{JsxChild, JsxElement, JsxTag, Value, evaluate_within};
use crate::html::Html;
use crate::islands::fallback;
use crate::sign_in::READER_PATH;
use crate::url::resolve_url;

/// An expression that is not valid JavaScript.
pub(crate) static BAD_EXPRESSION: DiagnosticCode = diagnostic_code!(
    warning,
    "expression-invalid",
    "an expression in braces is not valid JavaScript"
);

/// A name in `{{…}}` that is not a variable of the site.
pub(crate) static UNKNOWN_VARIABLE: DiagnosticCode = diagnostic_code!(
    warning,
    "variable-unknown",
    "a name in double braces is not a variable of the site"
);

impl Ctx<'_> {
    /// Evaluates an expression of the current file; syntax errors are reported.
    pub(crate) fn evaluate(&mut self, text: &str, span: Span) -> Value {
        if let Some(literal) = literal(text) {
            return literal;
        }
        match evaluate_within(text, &self.scope, self.budget.evaluation()) {
            Ok(evaluated) if evaluated.needs_engine => {
                fallback::evaluate(self, text).unwrap_or(evaluated.value)
            }
            Ok(evaluated) => evaluated.value,
            Err(error) => {
                let at = u32::try_from(error.offset).unwrap_or(0);
                let start = span.start.saturating_add(at).min(span.end);
                let message = format!("invalid expression: {}", error.message);
                let hint = "to show braces as text, write `\\{` or use `code`";
                self.report(
                    &BAD_EXPRESSION,
                    Span::new(start, span.end.max(start)),
                    message,
                    hint,
                );
                Value::Undefined
            }
        }
    }

    /// Renders an expression node: the value of `{…}`, or the site's variable for `{{name}}`.
    pub(crate) fn expression(&mut self, text: &str, span: Span) -> Html {
        let trimmed = text.trim();
        if let Some(name) = trimmed
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'))
        {
            let name = name.trim();
            let is_name_char = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
            if !name.is_empty() && name.chars().all(is_name_char) {
                if let Some(value) = self.variables.get(name) {
                    self.out.text.push(value);
                    self.out.text.last_char = 'x';
                    return Html::text(value);
                }
                let locals = self.scope.locals.contains_key(name);
                if !locals {
                    unknown_variable(self, name, span);
                    let shown = format!("{{{{{name}}}}}");
                    self.out.text.push(&shown);
                    return Html::text(&shown);
                }
            }
        }
        if trimmed.starts_with("/*") && trimmed.find("*/").is_some_and(|at| at + 2 == trimmed.len())
        {
            return Html::new();
        }
        let inner = Span::new(
            span.start.saturating_add(1),
            span.end.saturating_sub(1).max(span.start),
        );
        if let Some(html) = self.reader_value(trimmed, inner) {
            return html;
        }
        let result = self.evaluate(text, inner);
        let html = self.value(&result);
        if !html.is_empty() {
            self.out.text.last_char = 'x';
        }
        html
    }

    /// A place for a value of the reader, such as `user.name` or `user.team ?? "no team"`, if
    /// readers can sign in. A script fills it in, because the page is the same for all readers with
    /// the same groups.
    fn reader_value(&mut self, text: &str, span: Span) -> Option<Html> {
        if !self.input.options.site.sign_in || self.input.reader == Reader::Agent {
            return None;
        }
        let is_own =
            self.scope.locals.contains_key("user") || self.scope.module.values.contains_key("user");
        let (path, otherwise) = text
            .split_once("??")
            .or_else(|| text.split_once("||"))
            .map_or((text, ""), |(path, otherwise)| (path.trim(), otherwise));
        let path = path
            .strip_prefix("user.")
            .or_else(|| path.strip_prefix("user?."))?;
        let path = path.replace("?.", ".");
        let is_name = |name: &str| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
        };
        if is_own || !path.split('.').all(is_name) {
            return None;
        }
        let otherwise = match self.evaluate(otherwise, span) {
            Value::String(text) => text.to_string(),
            _ => String::new(),
        };
        let url = resolve_url(&self.input.options.site.base_path, READER_PATH);
        let mut out = Html::new();
        out.lit("<span").attr("data-svc-user", &path);
        out.attr("data-url", &url)
            .lit(">")
            .esc(&otherwise)
            .lit("</span>");
        self.out.text.push(&otherwise);
        self.out.text.last_char = 'x';
        Some(out)
    }

    /// Renders a value as HTML. Functions, objects and booleans render as nothing.
    pub(crate) fn value(&mut self, shown: &Value) -> Html {
        let mut out = Html::new();
        if !self.charge(8) || !self.budget.can_enter() {
            return out;
        }
        match shown {
            // A component without a call renders as nothing, like a function.
            Value::Undefined
            | Value::Null
            | Value::Bool(_)
            | Value::Object(_)
            | Value::Function(_)
            | Value::Component(_) => {}
            Value::Number(_) => {
                let text = shown.to_text();
                self.out.text.push(&text);
                out.esc(&text);
            }
            Value::String(text) => {
                let text = self.variables.expand(text).into_owned();
                if self.charge(text.len()) {
                    self.out.text.push(&text);
                    out.esc(&text);
                }
            }
            Value::Array(items) => {
                self.budget.enter();
                for item in items.iter() {
                    out.add(&self.value(item));
                }
                self.budget.leave();
            }
            Value::Element(element) => return jsx(self, element),
        }
        out
    }

    /// Wraps rendered HTML in a value, such as the children of a call.
    pub(crate) fn html_value(&mut self, html: Html) -> Value {
        let index = self.out.rendered_children.len();
        self.out.rendered_children.push(html);
        let element = JsxElement {
            tag: JsxTag::Rendered(index),
            ..JsxElement::default()
        };
        Value::Element(element.into())
    }

    /// Substitutes variables in code of a snippet: `{name}` by props of the snippet, `{{name}}` by the
    /// site's variables.
    pub(crate) fn substitute<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let text = self.variables.expand(text);
        if self.scope.locals.is_empty() || !text.contains('{') {
            return text;
        }
        let mut out = String::with_capacity(text.len());
        let mut rest: &str = &text;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let name = after.split_once('}').filter(|(name, _)| name.len() <= 60);
            let local = name.and_then(|(name, _)| self.scope.locals.get(name.trim()));
            match (name, local) {
                (Some((_, behind)), Some(Value::String(value))) => {
                    out.push_str(value);
                    rest = behind;
                }
                (Some((_, behind)), Some(Value::Number(value))) => {
                    out.push_str(&format!("{value}"));
                    rest = behind;
                }
                _ => {
                    out.push('{');
                    rest = after;
                }
            }
        }
        out.push_str(rest);
        Cow::Owned(out)
    }
}

/// Fast path for the most frequent expressions, numbers and `true`. The parser takes about 0.4 µs
/// for each.
fn literal(text: &str) -> Option<Value> {
    let text = text.trim();
    match text {
        "true" => return Some(Value::Bool(true)),
        "false" => return Some(Value::Bool(false)),
        "" => return Some(Value::Undefined),
        _ => {}
    }
    if text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let octal = text.len() > 1 && text.starts_with('0');
        return text.parse().ok().filter(|_| !octal).map(Value::Number);
    }
    None
}

/// Reports an unknown variable. Sites without variables are not checked, because there `{{…}}` is
/// usually the syntax of another tool.
fn unknown_variable(cx: &mut Ctx<'_>, name: &str, span: Span) {
    if cx.variables.is_empty() || !cx.out.is_first(&UNKNOWN_VARIABLE, name) {
        return;
    }
    let known = did_you_mean(name, cx.variables.names()).map(str::to_owned);
    let hint = match &known {
        Some(known) => format!("did you mean `{known}`?"),
        None => "add it to `variables` in docs.json, or write it as code".to_owned(),
    };
    let message = format!("`{name}` is not a variable of the site");
    cx.report(&UNKNOWN_VARIABLE, span, message, hint);
    if let Some(known) = known {
        cx.fix_text(span, name, &known);
    }
}

fn jsx(cx: &mut Ctx<'_>, element: &JsxElement) -> Html {
    let children = Children::Parts(&element.children);
    match &element.tag {
        JsxTag::Fragment => return cx.children(children),
        JsxTag::Rendered(index) => {
            let html = cx.out.rendered_children.get(*index).cloned();
            let html = html.unwrap_or_default();
            return if cx.charge(html.len()) {
                html
            } else {
                Html::new()
            };
        }
        JsxTag::Name(_) | JsxTag::Component(_) | JsxTag::Content(_) => {}
    }
    let mut props = Props::default();
    let mut own = None;
    for (key, value) in &element.props {
        if key == "children" && element.children.is_empty() {
            own = Some(JsxChild::Value(value.clone()));
        } else {
            props.push(key.clone(), value.clone(), Span::default());
        }
    }
    let children = own
        .as_ref()
        .map_or(children, |own| Children::Parts(std::slice::from_ref(own)));
    cx.jsx_tag(&element.tag, props, children)
}

#[cfg(test)]
mod tests {
    use svc_nav::Audience;

    use crate::RenderOptions;
    use crate::testing::document_with;

    #[test]
    fn values_of_the_reader_are_filled_in_by_a_script() {
        let page = "//- /a.mdx\nexport const own = 1\n\nHi {user.name ?? \"you <b>\"}, {user?.team.name}; {user.name.length}, {user.name + 1}.\n\nMail: {user.email || own}\n";
        let html = |sign_in| {
            let mut options = RenderOptions::default();
            options.site.sign_in = sign_in;
            document_with(page, "/a", options)
        };
        let place = |path: &str, text: &str| {
            format!("<span data-svc-user=\"{path}\" data-url=\"/_svc/reader\">{text}</span>")
        };
        let shown = html(true);
        for place in [
            place("name", "you &lt;b&gt;"),
            place("team.name", ""),
            place("name.length", ""),
            place("email", ""),
        ] {
            assert!(shown.contains(&place), "{place}: {shown}");
        }
        assert_eq!(shown.matches("data-svc-user").count(), 4);
        let hidden = html(false);
        assert!(!hidden.contains("data-svc-user") && hidden.contains("Hi you &lt;b&gt;, ;"));
    }

    #[test]
    fn the_header_has_a_link_to_sign_in_or_out() {
        let link = |sign_in, audience| {
            let mut options = RenderOptions::default();
            (options.site.sign_in, options.site.audience) = (sign_in, audience);
            let html = document_with("//- /a.mdx\nA\n", "/a", options);
            let (_, rest) = html.split_once("/_svc/sign-in?next=%2Fa\">")?;
            rest.split('<').next().map(str::to_owned)
        };
        let members = || Audience::Members(std::iter::once("staff".to_owned()).collect());
        assert_eq!(link(true, Audience::Everyone).as_deref(), Some("Sign in"));
        assert_eq!(link(true, members()).as_deref(), Some("Sign out"));
        assert_eq!(link(false, Audience::Everyone), None);
        assert_eq!(link(false, members()), None);
        assert_eq!(link(true, Audience::Trusted), None);
    }
}
