//! JavaScript configuration, read as data as far as it is literal.

use std::collections::BTreeMap;

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    Argument, ArrayExpressionElement, BindingPattern, Declaration, ExportDefaultDeclarationKind,
    Expression, ImportDeclarationSpecifier, ObjectPropertyKind, PropertyKey, Statement,
};
use oxc_parser::Parser;
use oxc_span::SourceType;
use serde_json::{Map, Value, json};
use svc_diagnostics::SourceFile;

use crate::Repository;
use crate::path::{parent, resolve};

/// Maximum nesting depth of brackets, because the parser is recursive.
const MAX_NESTING: usize = 128;
/// Maximum length of a chain of imports.
const MAX_IMPORTS: usize = 2;
/// Maximum nesting depth of values.
const MAX_DEPTH: usize = 64;

/// The value that a module exports by default or with `module.exports`; null if it is not literal.
/// Parts that are not literal are null. Imported files of the repository are read too.
pub(crate) fn default_export(repository: &Repository, file: &SourceFile) -> Value {
    export_of(repository, file, 0)
}

fn export_of(repository: &Repository, file: &SourceFile, depth: usize) -> Value {
    if file.path().ends_with(".json") {
        return svc_data::parse_json(file, &svc_data::Limits::default())
            .value
            .to_json();
    }
    if nesting(file.text()) > MAX_NESTING {
        return Value::Null;
    }
    let allocator = Allocator::default();
    let kind = if file.path().ends_with(".ts") || file.path().ends_with(".mts") {
        SourceType::ts()
    } else {
        SourceType::mjs().with_jsx(true)
    };
    let parsed = Parser::new(&allocator, file.text(), kind).parse();
    let mut scope = Scope::default();
    let mut exported = None;
    for statement in &parsed.program.body {
        match statement {
            Statement::ImportDeclaration(import) if depth < MAX_IMPORTS => {
                let source = import.source.value.as_str();
                let path = source
                    .starts_with('.')
                    .then(|| resolve(parent(file.path()), source))
                    .flatten();
                let Some(imported) = path.and_then(|path| repository.text(&path)) else {
                    continue;
                };
                let value = export_of(repository, imported, depth + 1);
                for specifier in import.specifiers.iter().flatten() {
                    if let ImportDeclarationSpecifier::ImportDefaultSpecifier(name) = specifier {
                        let name = name.local.name.to_string();
                        scope.values.insert(name, value.clone());
                    }
                }
            }
            Statement::VariableDeclaration(declaration) => {
                for one in &declaration.declarations {
                    scope.declare(&one.id, one.init.as_ref());
                }
            }
            Statement::ExportDeclaration(export) => {
                if let Declaration::VariableDeclaration(declaration) = &export.declaration {
                    for one in &declaration.declarations {
                        scope.declare(&one.id, one.init.as_ref());
                    }
                }
            }
            Statement::ExportDefaultDeclaration(export) => {
                exported = match &export.declaration {
                    ExportDefaultDeclarationKind::FunctionDeclaration(_)
                    | ExportDefaultDeclarationKind::ClassDeclaration(_) => None,
                    other => other.as_expression().map(|it| scope.value(it, 0)),
                };
            }
            Statement::ExpressionStatement(statement) => {
                if let Expression::AssignmentExpression(assignment) = &statement.expression
                    && let Some(left) = file.text().get(
                        oxc_span::GetSpan::span(&assignment.left).start as usize
                            ..oxc_span::GetSpan::span(&assignment.left).end as usize,
                    )
                    && left == "module.exports"
                {
                    exported = Some(scope.value(&assignment.right, 0));
                }
            }
            _ => {}
        }
    }
    exported.unwrap_or(Value::Null)
}

/// Depth of brackets, an upper bound as brackets in strings count too.
fn nesting(text: &str) -> usize {
    let (mut depth, mut max) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        max = max.max(depth);
    }
    max
}

/// Constants of the module.
#[derive(Default)]
struct Scope {
    values: BTreeMap<String, Value>,
}

impl Scope {
    fn declare(&mut self, pattern: &BindingPattern<'_>, value: Option<&Expression<'_>>) {
        if let (Some(name), Some(value)) = (pattern.get_identifier_name(), value) {
            let value = self.value(value, 0);
            self.values.insert(name.to_string(), value);
        }
    }

    fn value(&self, expression: &Expression<'_>, depth: usize) -> Value {
        if depth > MAX_DEPTH {
            return Value::Null;
        }
        match expression {
            Expression::StringLiteral(text) => json!(text.value.as_str()),
            Expression::BooleanLiteral(value) => json!(value.value),
            Expression::NumericLiteral(value) => json!(value.value),
            Expression::TemplateLiteral(template) => {
                let mut text = String::new();
                for (index, quasi) in template.quasis.iter().enumerate() {
                    text.push_str(quasi.value.cooked.as_ref().map_or("", |text| text.as_str()));
                    if let Some(inner) = template.expressions.get(index) {
                        let Some(part) = self.value(inner, depth + 1).as_str().map(str::to_owned)
                        else {
                            return Value::Null;
                        };
                        text.push_str(&part);
                    }
                }
                json!(text)
            }
            Expression::Identifier(name) => self
                .values
                .get(name.name.as_str())
                .cloned()
                .unwrap_or(Value::Null),
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
                            if let Some(name) = self.key(&property.key) {
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
            Expression::LogicalExpression(inner) => {
                let left = self.value(&inner.left, depth + 1);
                if left.is_null() {
                    self.value(&inner.right, depth + 1)
                } else {
                    left
                }
            }
            Expression::ConditionalExpression(inner) => self.value(&inner.alternate, depth + 1),
            Expression::CallExpression(call) => self.call(call, depth),
            _ => Value::Null,
        }
    }

    /// The call of an integration or of a function that returns its argument: its last argument
    /// that is data. The name of the function is in `$call`.
    fn call(&self, call: &oxc_ast::ast::CallExpression<'_>, depth: usize) -> Value {
        let name = match &call.callee {
            Expression::Identifier(name) => name.name.to_string(),
            Expression::StaticMemberExpression(member) => member.property.name.to_string(),
            _ => String::new(),
        };
        let arguments = call.arguments.iter().filter_map(Argument::as_expression);
        let values: Vec<Value> = arguments.map(|it| self.value(it, depth + 1)).collect();
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

    fn key(&self, key: &PropertyKey<'_>) -> Option<String> {
        match key {
            PropertyKey::StaticIdentifier(name) => Some(name.name.to_string()),
            PropertyKey::StringLiteral(text) => Some(text.value.to_string()),
            PropertyKey::NumericLiteral(number) => Some(number.value.to_string()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        default_export(&Repository::new(), &SourceFile::new("a.mjs", text))
    }

    #[test]
    fn literals_constants_and_spreads_are_read() {
        let text = "const a = 'x'; const more = { c: 1 };\nexport default defineConfig({ a, b: [`${a}y`, true], ...more, d: f() || 2 });";
        assert_eq!(
            value(text),
            json!({ "a": "x", "b": ["xy", true], "c": 1.0, "d": { "$call": "f" } })
        );
        assert_eq!(
            value("module.exports = { a: require.resolve('./b.js') }"),
            json!({ "a": "./b.js" })
        );
    }

    #[test]
    fn imported_files_are_read() {
        let mut repository = Repository::new();
        repository.insert_text("locales.json", "{\"de\": {}}");
        let file = SourceFile::new(
            "a.mjs",
            "import locales from './locales.json';\nexport default { locales };",
        );
        let value = default_export(&repository, &file);
        assert_eq!(value, json!({ "locales": { "de": {} } }));
    }

    #[test]
    fn what_is_not_data_is_null() {
        assert_eq!(value("export default () => 1"), Value::Null);
        assert_eq!(value("}{"), Value::Null);
        let deep = format!("export default {}{}", "[".repeat(5000), "]".repeat(5000));
        assert_eq!(value(&deep), Value::Null);
    }
}
