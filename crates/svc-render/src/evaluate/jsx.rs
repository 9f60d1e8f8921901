//! Converts JSX to elements. Components that the page defines are called here, where their names
//! can be resolved; other elements are left to the renderer.

use indexmap::IndexMap;

use super::ast::{Jsx, JsxAttribute, JsxNode};
use super::interpreter::{EvalResult, Interpreter};
use super::{EvalError, JsxChild, JsxElement, JsxTag, Value, methods};

impl Interpreter<'_> {
    pub(super) fn jsx(&mut self, jsx: &Jsx, frame: usize) -> EvalResult {
        self.offset = jsx.offset;
        self.charge(jsx.name.as_deref().map_or(0, str::len) / 16)?;
        let mut props = IndexMap::new();
        for attribute in &jsx.attributes {
            match attribute {
                JsxAttribute::Named(name, value) => {
                    self.charge(name.len() / 16)?;
                    let value = self.evaluate(value, frame)?;
                    props.insert(name.to_string(), value);
                }
                JsxAttribute::Spread(value) => {
                    let value = self.evaluate(value, frame)?;
                    self.spread_into(&mut props, &value)?;
                }
            }
        }
        props.shift_remove("key");
        props.shift_remove("ref");
        let children = self.children(&jsx.children, frame)?;
        let tag = match self.component(jsx.name.as_deref(), frame) {
            Value::Function(function) => {
                if let Some(children) = self.as_prop(children)? {
                    props.insert("children".to_owned(), children);
                }
                let props = self.object(props)?;
                return self.invoke(&function, &[props]);
            }
            Value::Component(component) => JsxTag::Component(component),
            Value::String(name) => named(&name),
            _ => jsx.name.as_deref().map_or(JsxTag::Fragment, named),
        };
        self.element(JsxElement {
            tag,
            props,
            children,
            offset: jsx.offset,
        })
    }

    fn children(&mut self, nodes: &[JsxNode], frame: usize) -> Result<Vec<JsxChild>, EvalError> {
        let mut children = Vec::new();
        for node in nodes {
            match node {
                JsxNode::Text(text) => {
                    self.reserve_bytes(text.len())?;
                    children.push(JsxChild::Text(text.clone()));
                }
                JsxNode::Value(value) => {
                    children.push(JsxChild::Value(self.evaluate(value, frame)?));
                }
                JsxNode::Spread(value) => {
                    let value = self.evaluate(value, frame)?;
                    let items = self.iterated(&value)?;
                    self.count(children.len() + items.len())?;
                    children.extend(items.into_iter().map(JsxChild::Value));
                }
            }
        }
        Ok(children)
    }

    /// The value of an element's name in the page's scope.
    fn component(&self, name: Option<&str>, frame: usize) -> Value {
        let Some(name) = name else {
            return Value::Undefined;
        };
        let mut parts = name.split('.');
        let head = parts.next().unwrap_or("");
        if head == name && head.starts_with(char::is_lowercase) {
            return Value::Undefined;
        }
        let mut value = self.find(frame, head).unwrap_or_default();
        for part in parts {
            value = methods::member(&value, part);
        }
        value
    }

    fn as_prop(&mut self, children: Vec<JsxChild>) -> Result<Option<Value>, EvalError> {
        let value = |child| match child {
            JsxChild::Text(text) => Value::from(text),
            JsxChild::Value(value) => value,
        };
        let mut all: Vec<Value> = children.into_iter().map(value).collect();
        match all.len() {
            0 => Ok(None),
            1 => Ok(all.pop()),
            _ => self.array(all).map(Some),
        }
    }
}

fn named(name: &str) -> JsxTag {
    match name {
        "Fragment" | "React.Fragment" => JsxTag::Fragment,
        name => JsxTag::Name(name.to_owned()),
    }
}
