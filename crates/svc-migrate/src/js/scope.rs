//! Values of expressions.

use std::collections::BTreeMap;

use oxc_ast::ast::{
    Argument, ArrayExpressionElement, ArrowFunctionBody, BindingPattern, CallExpression,
    Expression, Function, FunctionBody, LogicalOperator, ObjectPropertyKind, PropertyKey,
    Statement,
};
use serde_json::{Map, Value, json};

/// Maximum nesting depth of values and calls.
const MAX_DEPTH: usize = 64;

/// The names of a module.
pub(super) struct Scope<'p, 'a> {
    values: BTreeMap<String, Value>,
    functions: BTreeMap<String, Body<'p, 'a>>,
    /// The number of values that can still be computed.
    pub(super) budget: usize,
}

/// The body of a function.
#[derive(Clone, Copy)]
enum Body<'p, 'a> {
    Block(&'p FunctionBody<'a>),
    Expression(&'p Expression<'a>),
}

impl<'p, 'a> Scope<'p, 'a> {
    pub(super) fn new(budget: usize) -> Self {
        Self {
            values: BTreeMap::new(),
            functions: BTreeMap::new(),
            budget,
        }
    }

    pub(super) fn set(&mut self, name: String, value: Value) {
        self.values.insert(name, value);
    }

    /// The value of a name; null if it is not known.
    pub(super) fn get(&mut self, name: &str) -> Value {
        let Some(value) = self.values.get(name) else {
            return Value::Null;
        };
        let size = size(value);
        if size > self.budget {
            return Value::Null;
        }
        self.budget -= size;
        value.clone()
    }

    pub(super) fn declare_function(&mut self, function: &'p Function<'a>) {
        if let (Some(id), Some(body)) = (&function.id, &function.body) {
            self.functions
                .insert(id.name.to_string(), Body::Block(body));
        }
    }

    pub(super) fn declare(
        &mut self,
        pattern: &BindingPattern<'_>,
        value: Option<&'p Expression<'a>>,
    ) {
        let (Some(name), Some(value)) = (pattern.get_identifier_name(), value) else {
            return;
        };
        if let Expression::ArrowFunctionExpression(arrow) = value
            && let Some(body) = body_of(&arrow.body)
        {
            self.functions.insert(name.to_string(), body);
        } else {
            let value = self.value(value, 0);
            self.values.insert(name.to_string(), value);
        }
    }

    /// The value of an expression, or what it returns if it is a function.
    pub(super) fn result(&mut self, expression: &'p Expression<'a>, depth: usize) -> Value {
        match expression {
            Expression::ArrowFunctionExpression(arrow) => {
                body_of(&arrow.body).map_or(Value::Null, |body| self.run(body, depth))
            }
            Expression::FunctionExpression(function) => function
                .body
                .as_ref()
                .map_or(Value::Null, |body| self.returned(body, depth)),
            other => self.value(other, depth),
        }
    }

    fn run(&mut self, body: Body<'p, 'a>, depth: usize) -> Value {
        match body {
            Body::Block(body) => self.returned(body, depth),
            Body::Expression(expression) => self.value(expression, depth),
        }
    }

    /// What a function returns at the end of its body.
    pub(super) fn returned(&mut self, body: &'p FunctionBody<'a>, depth: usize) -> Value {
        let mut out = Value::Null;
        for statement in &body.statements {
            match statement {
                Statement::VariableDeclaration(declaration) if depth < MAX_DEPTH => {
                    for one in &declaration.declarations {
                        self.declare(&one.id, one.init.as_ref());
                    }
                }
                Statement::ReturnStatement(statement) => {
                    if let Some(argument) = &statement.argument {
                        out = self.value(argument, depth + 1);
                    }
                }
                _ => {}
            }
        }
        out
    }

    fn value(&mut self, expression: &'p Expression<'a>, depth: usize) -> Value {
        if depth > MAX_DEPTH || self.budget == 0 {
            return Value::Null;
        }
        self.budget -= 1;
        match expression {
            Expression::StringLiteral(text) => json!(text.value.as_str()),
            Expression::BooleanLiteral(value) => json!(value.value),
            Expression::NumericLiteral(value) => json!(value.value),
            Expression::TemplateLiteral(template) => {
                let mut text = String::new();
                for (index, quasi) in template.quasis.iter().enumerate() {
                    text.push_str(quasi.value.cooked.as_ref().map_or("", |text| text.as_str()));
                    if let Some(inner) = template.expressions.get(index) {
                        match self.value(inner, depth + 1) {
                            Value::String(part) => text.push_str(&part),
                            _ => return Value::Null,
                        }
                    }
                }
                json!(text)
            }
            Expression::Identifier(name) => self.get(name.name.as_str()),
            Expression::StaticMemberExpression(member) => {
                match self.value(&member.object, depth + 1) {
                    Value::Object(mut object) => object
                        .remove(member.property.name.as_str())
                        .unwrap_or(Value::Null),
                    _ => Value::Null,
                }
            }
            Expression::ArrayExpression(array) => {
                let mut out = Vec::new();
                for element in &array.elements {
                    match element {
                        ArrayExpressionElement::SpreadElement(spread) => {
                            if let Value::Array(all) = self.value(&spread.argument, depth + 1) {
                                out.extend(all);
                            }
                        }
                        ArrayExpressionElement::Elision(_) => {}
                        other => {
                            out.extend(other.as_expression().map(|it| self.value(it, depth + 1)));
                        }
                    }
                }
                Value::Array(out)
            }
            Expression::ObjectExpression(object) => {
                let mut out = Map::new();
                for property in &object.properties {
                    match property {
                        ObjectPropertyKind::SpreadProperty(spread) => {
                            if let Value::Object(all) = self.value(&spread.argument, depth + 1) {
                                out.extend(all);
                            }
                        }
                        ObjectPropertyKind::ObjectProperty(property) => {
                            if let Some(name) = key(&property.key) {
                                let value = self.value(&property.value, depth + 1);
                                out.insert(name, value);
                            }
                        }
                    }
                }
                Value::Object(out)
            }
            Expression::ParenthesizedExpression(inner) => self.value(&inner.expression, depth + 1),
            Expression::TSAsExpression(inner) => self.value(&inner.expression, depth + 1),
            Expression::TSSatisfiesExpression(inner) => self.value(&inner.expression, depth + 1),
            Expression::AwaitExpression(inner) => self.value(&inner.argument, depth + 1),
            Expression::LogicalExpression(inner) => {
                let left = self.value(&inner.left, depth + 1);
                if left.is_null() || inner.operator == LogicalOperator::And {
                    self.value(&inner.right, depth + 1)
                } else {
                    left
                }
            }
            Expression::ConditionalExpression(inner) => {
                match self.value(&inner.alternate, depth + 1) {
                    Value::Null => self.value(&inner.consequent, depth + 1),
                    value => value,
                }
            }
            Expression::CallExpression(call) => self.call(call, depth),
            _ => Value::Null,
        }
    }

    /// The call of a function of the module, of an integration, or of a function that returns its
    /// argument: its last argument that is data. The name of the function is in `$call`.
    fn call(&mut self, call: &'p CallExpression<'a>, depth: usize) -> Value {
        let name = match &call.callee {
            Expression::Identifier(name) => name.name.to_string(),
            Expression::StaticMemberExpression(member) => member.property.name.to_string(),
            _ => String::new(),
        };
        if let Expression::Identifier(name) = &call.callee {
            if let Some(body) = self.functions.get(name.name.as_str()).copied() {
                return self.run(body, depth + 1);
            }
            // A function of an imported module is what it returns.
            let imported = self.get(name.name.as_str());
            if !imported.is_null() {
                return imported;
            }
        }
        let arguments = call.arguments.iter().filter_map(Argument::as_expression);
        let mut values: Vec<Value> = Vec::new();
        for argument in arguments {
            values.push(self.value(argument, depth + 1));
        }
        let last = values.into_iter().rev().find(|value| !value.is_null());
        match last {
            Some(Value::Object(mut object)) => {
                if !name.starts_with("define") {
                    object.insert("$call".to_owned(), json!(name));
                }
                Value::Object(object)
            }
            // `require.resolve('./sidebars.js')`, `path.resolve(__dirname, 'x')`
            Some(value) => value,
            None => json!({ "$call": name }),
        }
    }
}

fn body_of<'p, 'a>(body: &'p ArrowFunctionBody<'a>) -> Option<Body<'p, 'a>> {
    match body {
        ArrowFunctionBody::FunctionBody(body) => Some(Body::Block(body)),
        other => other.as_expression().map(Body::Expression),
    }
}

fn key(key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::StaticIdentifier(name) => Some(name.name.to_string()),
        PropertyKey::StringLiteral(text) => Some(text.value.to_string()),
        PropertyKey::NumericLiteral(number) => Some(number.value.to_string()),
        _ => None,
    }
}

/// The number of values in a value.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(all) => 1 + all.iter().map(size).sum::<usize>(),
        Value::Object(all) => 1 + all.values().map(size).sum::<usize>(),
        _ => 1,
    }
}
