//! Converts JSX to calls: `<Card title="x">text</Card>` becomes `$h("Card",{"title":"x"},"text")`.
//!
//! Only the syntax of JSX is replaced; expressions in it stay in place and can contain JSX.

use oxc_ast::ast::{
    JSXAttributeItem, JSXAttributeName, JSXAttributeValue, JSXChild, JSXElement, JSXElementName,
    JSXExpression, JSXFragment, JSXMemberExpression, JSXMemberExpressionObject,
};
use oxc_span::GetSpan;

use super::scan::{Scan, range};

impl Scan<'_> {
    pub(super) fn jsx_element(&mut self, element: &JSXElement<'_>, before: &str) {
        let opening = &element.opening_element;
        let name = self.tag(&opening.name);
        let mut end = opening.name.span().end as usize;
        if let Some(types) = &opening.type_arguments {
            end = types.span.end as usize;
        }
        let start = opening.span.start as usize;
        self.edits
            .replace(start..end, format!("{before}$h({name},"));
        let tail = opening.span.end as usize;
        if opening.attributes.is_empty() {
            self.edits.replace(end..tail, "null");
        } else {
            let mut mark = "{";
            for attribute in &opening.attributes {
                let span = range(attribute.span());
                self.edits.replace(end..span.start, mark);
                self.jsx_attribute(attribute);
                end = span.end;
                mark = ",";
            }
            self.edits.replace(end..tail, "}");
        }
        self.jsx_children(&element.children);
        match &element.closing_element {
            Some(closing) => self.edits.replace(range(closing.span), ")"),
            None => self.edits.replace(tail..tail, ")"),
        }
    }

    pub(super) fn jsx_fragment(&mut self, fragment: &JSXFragment<'_>, before: &str) {
        self.edits.replace(
            range(fragment.opening_fragment.span),
            format!("{before}$h($F,null"),
        );
        self.jsx_children(&fragment.children);
        self.edits
            .replace(range(fragment.closing_fragment.span), ")");
    }

    /// The type of an element as an expression. Undeclared names are built-in components.
    fn tag(&self, name: &JSXElementName<'_>) -> String {
        match name {
            JSXElementName::Identifier(name) => quoted(&name.name),
            JSXElementName::IdentifierReference(name) => {
                let own = name.name.as_str();
                if self.declared.contains(own) || self.is_runtime(own) {
                    name.name.to_string()
                } else {
                    quoted(&name.name)
                }
            }
            JSXElementName::NamespacedName(name) => {
                quoted(&format!("{}:{}", name.namespace.name, name.name.name))
            }
            JSXElementName::MemberExpression(member) => {
                let text = dotted(member);
                let head = text.split('.').next().unwrap_or("");
                if self.declared.contains(head) || self.is_runtime(head) || head == "this" {
                    text
                } else {
                    quoted(&text)
                }
            }
            JSXElementName::ThisExpression(_) => "this".to_owned(),
        }
    }

    fn jsx_attribute(&mut self, attribute: &JSXAttributeItem<'_>) {
        let attribute = match attribute {
            JSXAttributeItem::SpreadAttribute(spread) => {
                let inner = range(spread.argument.span());
                self.edits
                    .replace(spread.span.start as usize..inner.start, "...");
                self.edits.replace(inner.end..spread.span.end as usize, "");
                return;
            }
            JSXAttributeItem::Attribute(attribute) => attribute,
        };
        let span = range(attribute.span);
        let name = match &attribute.name {
            JSXAttributeName::Identifier(name) => quoted(&name.name),
            JSXAttributeName::NamespacedName(name) => {
                quoted(&format!("{}:{}", name.namespace.name, name.name.name))
            }
        };
        let from = attribute
            .value
            .as_ref()
            .map_or(span.end, |value| value.span().start as usize);
        self.edits.replace(span.start..from, format!("{name}:"));
        match &attribute.value {
            None => self.edits.replace(span.end..span.end, "true"),
            Some(JSXAttributeValue::StringLiteral(text)) => {
                self.edits
                    .replace(range(text.span), quoted(&entities(&text.value)));
            }
            Some(JSXAttributeValue::ExpressionContainer(container)) => {
                self.braces(range(container.span), &container.expression, "");
            }
            // These elements are replaced when they are visited.
            Some(JSXAttributeValue::Element(_) | JSXAttributeValue::Fragment(_)) => {}
        }
    }

    /// Converts `{expression}` to `(expression)`; braces without an expression are removed.
    fn braces(
        &mut self,
        span: std::ops::Range<usize>,
        expression: &JSXExpression<'_>,
        before: &str,
    ) {
        if matches!(expression, JSXExpression::EmptyExpression(_)) {
            let nothing = if before.is_empty() { "null" } else { "" };
            self.edits.replace(span, nothing);
            return;
        }
        self.edits
            .replace(span.start..span.start + 1, format!("{before}("));
        self.edits.replace(span.end - 1..span.end, ")");
    }

    fn jsx_children(&mut self, children: &[JSXChild<'_>]) {
        for child in children {
            match child {
                JSXChild::Text(text) => {
                    // The parser decodes character references in attributes, but not in text.
                    let shown = crate::evaluate::collapse(&text.value);
                    let code = if shown.is_empty() {
                        String::new()
                    } else {
                        format!(",{}", quoted(&entities(&shown)))
                    };
                    self.edits.replace(range(text.span), code);
                }
                JSXChild::ExpressionContainer(container) => {
                    self.braces(range(container.span), &container.expression, ",");
                }
                JSXChild::Spread(spread) => {
                    let inner = range(spread.expression.span());
                    self.edits
                        .replace(spread.span.start as usize..inner.start, ",...");
                    self.edits.replace(inner.end..spread.span.end as usize, "");
                }
                JSXChild::Element(element) => {
                    self.nested.insert(element.span.start);
                }
                JSXChild::Fragment(fragment) => {
                    self.nested.insert(fragment.span.start);
                }
            }
        }
    }
}

fn dotted(member: &JSXMemberExpression<'_>) -> String {
    let object = match &member.object {
        JSXMemberExpressionObject::IdentifierReference(name) => name.name.to_string(),
        JSXMemberExpressionObject::MemberExpression(inner) => dotted(inner),
        JSXMemberExpressionObject::ThisExpression(_) => "this".to_owned(),
    };
    format!("{object}.{}", member.property.name)
}

/// Formats a string literal.
pub(super) fn quoted(text: &str) -> String {
    serde_json::to_string(text)
        .unwrap_or_else(|_| "\"\"".to_owned())
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

fn entities(text: &str) -> String {
    if text.contains('&') {
        svc_mdx::decode_references(text)
    } else {
        text.to_owned()
    }
}
