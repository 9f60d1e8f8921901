//! JSX: tags, attributes, children.

use oxc_ast::ast::{
    JSXAttributeItem, JSXAttributeValue, JSXChild, JSXElement, JSXExpression,
    JSXExpressionContainer, JSXFragment,
};
use oxc_span::GetSpan as _;

use super::{Lowered, Lowering};
use crate::evaluate::Value;
use crate::evaluate::ast::{Expr, Jsx, JsxAttribute, JsxNode};

impl Lowering<'_> {
    pub(super) fn element(&mut self, element: &JSXElement<'_>) -> Lowered<Jsx> {
        let opening = &element.opening_element;
        let name = self.text(opening.name.span());
        let head = name.split('.').next().unwrap_or("");
        if head != name || !head.starts_with(char::is_lowercase) {
            self.read(head);
        }
        let mut attributes = Vec::with_capacity(opening.attributes.len());
        for attribute in &opening.attributes {
            attributes.push(self.attribute(attribute)?);
        }
        Ok(Jsx {
            name: Some(name.into()),
            attributes,
            children: self.children(&element.children)?,
            offset: self.offset(element.span.start),
        })
    }

    pub(super) fn fragment(&mut self, fragment: &JSXFragment<'_>) -> Lowered<Jsx> {
        Ok(Jsx {
            name: None,
            attributes: Vec::new(),
            children: self.children(&fragment.children)?,
            offset: self.offset(fragment.span.start),
        })
    }

    fn attribute(&mut self, attribute: &JSXAttributeItem<'_>) -> Lowered<JsxAttribute> {
        let attribute = match attribute {
            JSXAttributeItem::SpreadAttribute(spread) => {
                return self.expression(&spread.argument).map(JsxAttribute::Spread);
            }
            JSXAttributeItem::Attribute(attribute) => attribute,
        };
        let name = self.text(attribute.name.span()).into();
        let value = match &attribute.value {
            None => Expr::Literal(Value::Bool(true)),
            Some(JSXAttributeValue::StringLiteral(text)) => {
                Expr::Literal(Value::from(attribute_text(self.text(text.span))))
            }
            Some(JSXAttributeValue::ExpressionContainer(container)) => {
                self.braces(container)?.unwrap_or(Expr::Opaque)
            }
            Some(JSXAttributeValue::Element(element)) => Expr::Jsx(Box::new(
                self.nested(element.span, |it| it.element(element))?,
            )),
            Some(JSXAttributeValue::Fragment(fragment)) => Expr::Jsx(Box::new(
                self.nested(fragment.span, |it| it.fragment(fragment))?,
            )),
        };
        Ok(JsxAttribute::Named(name, value))
    }

    /// The expression in braces; `None` if there are only comments.
    fn braces(&mut self, container: &JSXExpressionContainer<'_>) -> Lowered<Option<Expr>> {
        match &container.expression {
            JSXExpression::EmptyExpression(_) => Ok(None),
            other => self.expression(other.to_expression()).map(Some),
        }
    }

    fn children(&mut self, children: &[JSXChild<'_>]) -> Lowered<Vec<JsxNode>> {
        let mut nodes = Vec::with_capacity(children.len());
        for child in children {
            nodes.push(match child {
                JSXChild::Text(text) => match child_text(&text.value) {
                    text if text.is_empty() => continue,
                    text => JsxNode::Text(text),
                },
                JSXChild::ExpressionContainer(container) => match self.braces(container)? {
                    Some(value) => JsxNode::Value(value),
                    None => continue,
                },
                JSXChild::Spread(spread) => JsxNode::Spread(self.expression(&spread.expression)?),
                JSXChild::Element(element) => {
                    let element = self.nested(element.span, |it| it.element(element))?;
                    JsxNode::Value(Expr::Jsx(Box::new(element)))
                }
                JSXChild::Fragment(fragment) => {
                    let fragment = self.nested(fragment.span, |it| it.fragment(fragment))?;
                    JsxNode::Value(Expr::Jsx(Box::new(fragment)))
                }
            });
        }
        Ok(nodes)
    }
}

/// The value of an attribute in quotes, as written with its quotes.
pub(crate) fn attribute_text(quoted: &str) -> String {
    let inner = quoted.get(1..quoted.len().saturating_sub(1));
    svc_mdx::decode_references(inner.unwrap_or(""))
}

/// The text between two tags or braces, by the rules of JSX: lines are trimmed at line breaks, empty
/// lines are removed, the others are joined with a space.
pub(crate) fn child_text(text: &str) -> String {
    if !text.contains(['\n', '\r']) {
        return svc_mdx::decode_references(text);
    }
    let last = text.split('\n').count() - 1;
    let blank = |c: char| matches!(c, ' ' | '\t' | '\r');
    let mut result = String::new();
    for (index, mut line) in text.split('\n').enumerate() {
        if index > 0 {
            line = line.trim_start_matches(blank);
        }
        if index < last {
            line = line.trim_end_matches(blank);
        }
        if line.is_empty() {
            continue;
        }
        if !result.is_empty() {
            result.push(' ');
        }
        result.push_str(line);
    }
    svc_mdx::decode_references(&result)
}
