//! JavaScript configuration, read as data as far as it is literal.

mod scope;

use std::collections::BTreeMap;

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    Declaration, ExportDefaultDeclarationKind, Expression, ImportDeclaration,
    ImportDeclarationSpecifier, Program, Statement,
};
use oxc_parser::Parser;
use oxc_span::SourceType;
use serde_json::{Map, Value};
use svc_diagnostics::SourceFile;

use self::scope::Scope;
use crate::Repository;
use crate::path::{parent, resolve};

/// Maximum nesting depth of brackets, because the parser is recursive.
const MAX_NESTING: usize = 128;
/// Maximum length of a chain of imports.
const MAX_IMPORTS: usize = 8;
/// Maximum number of values that are computed for one configuration.
const MAX_VALUES: usize = 1_000_000;

/// The value that a module exports by default or with `module.exports`; null if it is not literal.
/// Parts that are not literal are null. Imported files of the repository are read too, and a
/// function is replaced by what it returns.
pub(crate) fn default_export(repository: &Repository, file: &SourceFile) -> Value {
    let mut loader = Loader {
        repository,
        modules: BTreeMap::new(),
        budget: MAX_VALUES,
    };
    loader.load(file, 0).default
}

/// The value of an expression with the constants of a module; null if it is not literal.
pub(crate) fn expression(constants: &str, expression: &str) -> Value {
    let text = format!("{constants}\nexport default ({expression}\n)");
    default_export(&Repository::new(), &SourceFile::new("page.mjs", text))
}

/// What a module exports.
#[derive(Debug, Clone, Default)]
struct Module {
    default: Value,
    named: BTreeMap<String, Value>,
}

/// Reads modules, each once.
struct Loader<'r> {
    repository: &'r Repository,
    modules: BTreeMap<String, Module>,
    budget: usize,
}

impl Loader<'_> {
    fn load(&mut self, file: &SourceFile, depth: usize) -> Module {
        if let Some(module) = self.modules.get(&**file.path()) {
            return module.clone();
        }
        // A module that imports itself sees nothing.
        let path = file.path().to_string();
        self.modules.insert(path.clone(), Module::default());
        let module = self.read(file, depth);
        self.modules.insert(path, module.clone());
        module
    }

    fn read(&mut self, file: &SourceFile, depth: usize) -> Module {
        if file.path().ends_with(".json") {
            let default = svc_data::parse_json(file, &svc_data::Limits::default())
                .value
                .to_json();
            let fields = default.as_object().cloned().unwrap_or_default();
            return Module {
                default,
                named: fields.into_iter().collect(),
            };
        }
        if nesting(file.text()) > MAX_NESTING {
            return Module::default();
        }
        let allocator = Allocator::default();
        let kind = if [".ts", ".mts", ".cts"]
            .iter()
            .any(|end| file.path().ends_with(end))
        {
            SourceType::ts()
        } else {
            SourceType::mjs().with_jsx(true)
        };
        let parsed = Parser::new(&allocator, file.text(), kind).parse();
        let mut scope = Scope::new(self.budget);
        for statement in &parsed.program.body {
            if let Statement::ImportDeclaration(import) = statement {
                self.import(file, import, depth, &mut scope);
            }
        }
        scope.budget = scope.budget.min(self.budget);
        let module = self.exports(file, &parsed.program, depth, scope);
        self.budget = module.1;
        module.0
    }

    /// The imported file of the repository.
    fn imported(&mut self, file: &SourceFile, source: &str, depth: usize) -> Option<Module> {
        if depth >= MAX_IMPORTS || !source.starts_with('.') {
            return None;
        }
        let path = resolve(parent(file.path()), source)?;
        let stem = path.strip_suffix(".js").unwrap_or(&path);
        let ends = [
            "",
            ".ts",
            ".js",
            ".mts",
            ".mjs",
            ".json",
            "/index.ts",
            "/index.js",
        ];
        let found = [path.clone()]
            .into_iter()
            .chain(ends.iter().map(|end| format!("{stem}{end}")))
            .find_map(|path| self.repository.text(&path))?;
        Some(self.load(found, depth + 1))
    }

    fn import<'a>(
        &mut self,
        file: &SourceFile,
        import: &ImportDeclaration<'a>,
        depth: usize,
        scope: &mut Scope<'_, 'a>,
    ) {
        let source = import.source.value.as_str();
        let Some(module) = self.imported(file, source, depth) else {
            return;
        };
        for specifier in import.specifiers.iter().flatten() {
            let (name, value) = match specifier {
                ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => {
                    (it.local.name.to_string(), module.default.clone())
                }
                ImportDeclarationSpecifier::ImportSpecifier(it) => {
                    let value = module.named.get(it.imported.name().as_str());
                    (
                        it.local.name.to_string(),
                        value.cloned().unwrap_or(Value::Null),
                    )
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => {
                    let all: Map<String, Value> = module.named.clone().into_iter().collect();
                    (it.local.name.to_string(), Value::Object(all))
                }
            };
            scope.set(name, value);
        }
    }

    /// What the program exports, and the values that are left of the budget.
    fn exports<'p, 'a>(
        &mut self,
        file: &SourceFile,
        program: &'p Program<'a>,
        depth: usize,
        mut scope: Scope<'p, 'a>,
    ) -> (Module, usize) {
        // Functions can be called before their declaration.
        for statement in &program.body {
            match statement {
                Statement::FunctionDeclaration(function) => scope.declare_function(function),
                Statement::ExportDeclaration(export) => {
                    if let Declaration::FunctionDeclaration(function) = &export.declaration {
                        scope.declare_function(function);
                    }
                }
                _ => {}
            }
        }
        let mut module = Module::default();
        for statement in &program.body {
            match statement {
                Statement::VariableDeclaration(declaration) => {
                    for one in &declaration.declarations {
                        scope.declare(&one.id, one.init.as_ref());
                    }
                }
                Statement::ExportDeclaration(export) => match &export.declaration {
                    Declaration::VariableDeclaration(declaration) => {
                        for one in &declaration.declarations {
                            scope.declare(&one.id, one.init.as_ref());
                            let name = one.id.get_identifier_name();
                            if let Some(name) = name.map(|name| name.to_string()) {
                                let value = scope.get(&name);
                                module.named.insert(name, value);
                            }
                        }
                    }
                    Declaration::FunctionDeclaration(function) => {
                        if let (Some(id), Some(body)) = (&function.id, &function.body) {
                            let value = scope.returned(body, 0);
                            module.named.insert(id.name.to_string(), value);
                        }
                    }
                    _ => {}
                },
                Statement::ExportNamedDeclaration(export) => {
                    for one in &export.specifiers {
                        let value = scope.get(one.local.name().as_str());
                        let name = one.exported.name().to_string();
                        if name == "default" {
                            module.default = value;
                        } else {
                            module.named.insert(name, value);
                        }
                    }
                }
                Statement::ExportFromDeclaration(export) => {
                    let source = export.source.value.as_str();
                    let from = self.imported(file, source, depth).unwrap_or_default();
                    for one in &export.specifiers {
                        let value = match one.local.name().as_str() {
                            "default" => Some(from.default.clone()),
                            name => from.named.get(name).cloned(),
                        };
                        let name = one.exported.name().to_string();
                        module.named.insert(name, value.unwrap_or(Value::Null));
                    }
                }
                _ => {}
            }
        }
        // What is exported by default can use everything else.
        for statement in &program.body {
            match statement {
                Statement::ExportDefaultDeclaration(export) => {
                    module.default = match &export.declaration {
                        ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                            let body = function.body.as_ref();
                            body.map_or(Value::Null, |body| scope.returned(body, 0))
                        }
                        other => other
                            .as_expression()
                            .map_or(Value::Null, |it| scope.result(it, 0)),
                    };
                }
                Statement::ExpressionStatement(statement) => {
                    if let Expression::AssignmentExpression(assignment) = &statement.expression {
                        let span = oxc_span::GetSpan::span(&assignment.left);
                        let left = file.text().get(span.start as usize..span.end as usize);
                        if left == Some("module.exports") {
                            module.default = scope.result(&assignment.right, 0);
                        }
                    }
                }
                _ => {}
            }
        }
        (module, scope.budget)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
        assert_eq!(value("export default () => unknown"), Value::Null);
        assert_eq!(value("}{"), Value::Null);
        let deep = format!("export default {}{}", "[".repeat(5000), "]".repeat(5000));
        assert_eq!(value(&deep), Value::Null);
    }

    #[test]
    fn functions_are_what_they_return() {
        let text = "export default ({ mode }) => { const b = 1; return withPwa(defineConfig({ a: list(), b })) }\nfunction list() { return [one, more.c] }\nconst one = 'x';\nconst more = { c: true };";
        assert_eq!(
            value(text),
            json!({ "a": ["x", true], "b": 1.0, "$call": "withPwa" })
        );
    }

    #[test]
    fn named_exports_are_read() {
        let mut repository = Repository::new();
        repository.insert_text(
            "c/en.ts",
            "export const en: Config = { a: 1 }\nexport function f() { return 2 }",
        );
        repository.insert_text("c/index.ts", "export { en as english } from './en'");
        let file = SourceFile::new(
            "a.ts",
            "import { english } from './c/index'\nimport * as all from './c/en.js'\nexport default { ...english, f: all.f }",
        );
        let value = default_export(&repository, &file);
        assert_eq!(value, json!({ "a": 1.0, "f": 2.0 }));
    }

    #[test]
    fn work_is_limited() {
        let endless = "function f() { return [f(), f(), f()] }\nexport default f()";
        assert!(value(endless).is_array());
        let doubling: String = (1..60)
            .map(|n| format!("const a{n} = [...a{m}, ...a{m}];\n", m = n - 1))
            .collect();
        let value = value(&format!("const a0 = [1];\n{doubling}export default a59"));
        assert!(value.as_array().is_none_or(|all| all.len() < MAX_VALUES));
    }
}
