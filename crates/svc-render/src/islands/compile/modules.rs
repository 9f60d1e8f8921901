//! Top-level statements of a module: imports, exports, and the features that each name uses.

use oxc_ast::ast::{
    BindingPattern, Declaration, ExportDefaultDeclarationKind, Expression, Function,
    ImportDeclaration, ImportDeclarationSpecifier, ModuleExportName, Program, Statement,
    VariableDeclaration,
};
use oxc_ast_visit::Visit;
use oxc_span::Span;

use super::jsx::quoted;
use super::options::{CONTENT, CompileOptions, Import};
use super::scan::{Scan, range};

/// Visits all statements; returns the exported components with their local names.
pub(super) fn statements(
    scan: &mut Scan<'_>,
    program: &Program<'_>,
    setting: &CompileOptions<'_>,
) -> Vec<(String, String)> {
    let mut exported: Vec<(String, String)> = Vec::new();
    let mut functions: Vec<String> = Vec::new();
    for statement in &program.body {
        match statement {
            Statement::ImportDeclaration(import) => {
                let text = imported(import, setting);
                scan.edits.replace(range(import.span), text);
            }
            Statement::ExportAllDeclaration(all) => {
                if all.export_kind.is_type() {
                    scan.edits.replace(range(all.span), ";");
                } else {
                    source(scan, all.source.span, &all.source.value, setting, all.span);
                }
            }
            Statement::ExportFromDeclaration(from) => {
                if from.export_kind.is_type() {
                    scan.edits.replace(range(from.span), ";");
                } else {
                    source(
                        scan,
                        from.source.span,
                        &from.source.value,
                        setting,
                        from.span,
                    );
                }
            }
            Statement::ExportNamedDeclaration(named) => {
                if named.export_kind.is_type() {
                    scan.edits.replace(range(named.span), ";");
                    continue;
                }
                let mut list = Vec::new();
                for specifier in &named.specifiers {
                    if specifier.export_kind.is_type() {
                        continue;
                    }
                    let (local, name) = (text(&specifier.local), text(&specifier.exported));
                    list.push(format!("{local} as {name}"));
                    exported.push((name, local));
                }
                let list = format!("export{{{}}};", list.join(","));
                scan.edits.replace(range(named.span), list);
            }
            Statement::ExportDefaultDeclaration(default) => {
                let local = match &default.declaration {
                    ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                        name_of(function)
                    }
                    ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                        class.id.as_ref().map(|id| id.name.to_string())
                    }
                    ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => {
                        scan.edits.replace(range(default.span), ";");
                        continue;
                    }
                    ExportDefaultDeclarationKind::Identifier(name) => Some(name.name.to_string()),
                    _ => None,
                };
                let is_reference = matches!(
                    default.declaration,
                    ExportDefaultDeclarationKind::Identifier(_)
                );
                let name = local.unwrap_or_else(|| "default".to_owned());
                scan.visit_export_default_declaration(default);
                exported.push(("default".to_owned(), name.clone()));
                if is_reference {
                    let _ = std::mem::take(&mut scan.info);
                } else {
                    functions.push(name.clone());
                    finish(scan, [name]);
                }
            }
            Statement::ExportDeclaration(export) => {
                if is_type(&export.declaration) {
                    scan.edits.replace(range(export.span), ";");
                    continue;
                }
                let names = declaration(scan, &export.declaration, &mut functions);
                exported.extend(names.into_iter().map(|name| (name.clone(), name)));
            }
            Statement::VariableDeclaration(_)
            | Statement::FunctionDeclaration(_)
            | Statement::ClassDeclaration(_) => {
                if let Some(own) = statement.as_declaration() {
                    declaration(scan, own, &mut functions);
                }
            }
            other => {
                scan.visit_statement(other);
                // Statements with side effects only are not needed for rendering.
                let _ = std::mem::take(&mut scan.info);
            }
        }
    }
    exported.retain(|(name, local)| {
        let shown = if name == "default" { local } else { name };
        let component = name == "default" || shown.starts_with(char::is_uppercase);
        component && functions.contains(local)
    });
    exported
}

fn is_type(declaration: &Declaration<'_>) -> bool {
    match declaration {
        Declaration::TSTypeAliasDeclaration(_)
        | Declaration::TSInterfaceDeclaration(_)
        | Declaration::TSGlobalDeclaration(_)
        | Declaration::TSExternalModuleDeclaration(_) => true,
        Declaration::FunctionDeclaration(function) => function.body.is_none() || function.declare,
        Declaration::ClassDeclaration(class) => class.declare,
        Declaration::VariableDeclaration(variables) => variables.declare,
        Declaration::TSEnumDeclaration(_)
        | Declaration::TSNamespaceDeclaration(_)
        | Declaration::TSImportEqualsDeclaration(_) => false,
    }
}

/// Visits a declaration; returns the names it declares.
fn declaration(
    scan: &mut Scan<'_>,
    declaration: &Declaration<'_>,
    functions: &mut Vec<String>,
) -> Vec<String> {
    let names = match declaration {
        Declaration::VariableDeclaration(variables) if !variables.declare => {
            return self::variables(scan, variables, functions);
        }
        Declaration::FunctionDeclaration(function) => name_of(function),
        Declaration::ClassDeclaration(class) => class.id.as_ref().map(|id| id.name.to_string()),
        _ => None,
    };
    scan.visit_declaration(declaration);
    let names: Vec<String> = names.into_iter().collect();
    functions.extend(names.iter().cloned());
    finish(scan, names.clone());
    names
}

fn variables(
    scan: &mut Scan<'_>,
    variables: &VariableDeclaration<'_>,
    functions: &mut Vec<String>,
) -> Vec<String> {
    let mut all = Vec::new();
    for declarator in &variables.declarations {
        scan.visit_variable_declarator(declarator);
        let mut names = Vec::new();
        collect(&declarator.id, &mut names);
        if declarator.init.as_ref().is_some_and(is_function) {
            functions.extend(names.iter().cloned());
        }
        finish(scan, names.clone());
        all.extend(names);
    }
    all
}

fn name_of(function: &Function<'_>) -> Option<String> {
    function.id.as_ref().map(|id| id.name.to_string())
}

/// Assigns the collected features to the names of the statement.
fn finish(scan: &mut Scan<'_>, names: impl IntoIterator<Item = String>) {
    let facts = std::mem::take(&mut scan.info);
    for name in names {
        let own = scan.statements.entry(name).or_default();
        own.island |= facts.island;
        own.engine |= facts.engine;
        own.names.extend(facts.names.iter().cloned());
    }
}

fn collect(pattern: &BindingPattern<'_>, names: &mut Vec<String>) {
    struct Names<'n>(&'n mut Vec<String>);
    impl<'a> Visit<'a> for Names<'_> {
        fn visit_binding_identifier(&mut self, name: &oxc_ast::ast::BindingIdentifier<'a>) {
            self.0.push(name.name.to_string());
        }
        fn visit_expression(&mut self, _: &Expression<'a>) {}
    }
    Names(names).visit_binding_pattern(pattern);
}

/// Functions and their wrappers: `memo(…)`, `forwardRef(…)`.
fn is_function(expression: &Expression<'_>) -> bool {
    match expression.get_inner_expression() {
        Expression::ArrowFunctionExpression(_)
        | Expression::FunctionExpression(_)
        | Expression::ClassExpression(_) => true,
        Expression::CallExpression(call) => {
            let name = match &call.callee {
                Expression::Identifier(name) => name.name.as_str(),
                Expression::StaticMemberExpression(member) => member.property.name.as_str(),
                _ => "",
            };
            matches!(name, "memo" | "forwardRef")
        }
        _ => false,
    }
}

fn text(name: &ModuleExportName<'_>) -> String {
    match name {
        ModuleExportName::StringLiteral(text) => quoted(&text.value),
        other => other.name().to_string(),
    }
}

/// Rewrites the specifier of `export … from`; removes the statement if the file is missing.
fn source(
    scan: &mut Scan<'_>,
    at: Span,
    from: &str,
    setting: &CompileOptions<'_>,
    statement: Span,
) {
    let url = match (setting.resolve)(from) {
        Import::Module(url) | Import::Content { module: url, .. } => url,
        Import::Runtime => setting.runtime.to_owned(),
        Import::Missing => {
            scan.edits.replace(range(statement), ";");
            return;
        }
    };
    scan.edits.replace(range(at), quoted(&url));
    scan.edits.preserve(range(at));
}

/// Formats an import for the compiled module.
fn imported(import: &ImportDeclaration<'_>, setting: &CompileOptions<'_>) -> String {
    let specifiers = match &import.specifiers {
        Some(specifiers) if !import.import_kind.is_type() => specifiers,
        _ => return ";".to_owned(),
    };
    let target = (setting.resolve)(&import.source.value);
    let mut named = Vec::new();
    let mut out = String::new();
    let (url, content) = match &target {
        Import::Module(url) => (url.as_str(), None),
        Import::Content { path, module } => (module.as_str(), Some(path)),
        Import::Runtime => (setting.runtime, None),
        Import::Missing => ("", None),
    };
    for specifier in specifiers {
        let (imported, local) = match specifier {
            ImportDeclarationSpecifier::ImportSpecifier(specifier) => {
                if specifier.import_kind.is_type() {
                    continue;
                }
                (text(&specifier.imported), &specifier.local)
            }
            ImportDeclarationSpecifier::ImportDefaultSpecifier(specifier) => {
                ("default".to_owned(), &specifier.local)
            }
            ImportDeclarationSpecifier::ImportNamespaceSpecifier(specifier) => {
                ("*".to_owned(), &specifier.local)
            }
        };
        let local = local.name.as_str();
        match (&target, imported.as_str()) {
            (Import::Missing, _) => out.push_str(&format!("const {local}=$x;")),
            (Import::Content { .. }, "default") => {
                let path = content.map_or("", String::as_str);
                out.push_str(&format!(
                    "const {local}={};",
                    quoted(&format!("{CONTENT}{path}"))
                ));
            }
            (Import::Runtime, "default" | "*") => named.push(format!("React as {local}")),
            (_, "*") => {
                out.push_str(&format!("import*as {local} from{};", quoted(url)));
            }
            _ => named.push(format!("{imported} as {local}")),
        }
    }
    if !named.is_empty() {
        out.push_str(&format!(
            "import{{{}}}from{};",
            named.join(","),
            quoted(url)
        ));
    }
    if out.is_empty() { ";".to_owned() } else { out }
}
