//! Modules: imports, exports and the statements between them.

use std::sync::Arc;

use oxc_ast::ast::{
    self, Declaration, ExportDefaultDeclarationKind, ImportDeclarationSpecifier, Program,
};
use oxc_span::GetSpan as _;

use super::pattern::names;
use super::{Lowered, Lowering};
use crate::evaluate::ast::{Expr, ModuleAst, Name, Pattern, Statement};

/// An import: `import Default, { imported as local } from "source"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// Local name of the default import.
    pub default: Option<String>,
    /// Imported names and local names.
    pub named: Vec<(String, String)>,
    /// Local name of `* as name`.
    pub namespace: Option<String>,
    /// Module specifier as written.
    pub source: String,
    /// Byte offset of the statement in the module.
    pub offset: usize,
}

/// The imports of values of a module, in order.
pub(crate) fn imports(program: &Program<'_>) -> Vec<Import> {
    let mut all = Vec::new();
    for statement in &program.body {
        let ast::Statement::ImportDeclaration(import) = statement else {
            continue;
        };
        if import.import_kind.is_type() {
            continue;
        }
        let mut entry = Import {
            default: None,
            named: Vec::new(),
            namespace: None,
            source: import.source.value.to_string(),
            offset: import.span.start as usize,
        };
        for specifier in import.specifiers.iter().flatten() {
            let local = specifier.local().name.to_string();
            match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(specifier) => {
                    if !specifier.import_kind.is_type() {
                        let imported = specifier.imported.name().to_string();
                        entry.named.push((imported, local));
                    }
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(_) => {
                    entry.default = Some(local);
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => {
                    entry.namespace = Some(local);
                }
            }
        }
        all.push(entry);
    }
    all
}

impl Lowering<'_> {
    pub(crate) fn module(mut self, program: &Program<'_>) -> Lowered<ModuleAst> {
        let mut statements = Vec::new();
        let mut exported = Vec::new();
        for tree in &program.body {
            match tree {
                ast::Statement::ImportDeclaration(_)
                | ast::Statement::ExportAllDeclaration(_)
                | ast::Statement::ExportFromDeclaration(_) => {}
                ast::Statement::ExportDeclaration(export) => {
                    let statement =
                        self.exported_declaration(&export.declaration, &mut exported)?;
                    statements.extend(statement);
                }
                ast::Statement::ExportNamedDeclaration(export) => {
                    let specifiers = export.specifiers.iter();
                    for specifier in specifiers.filter(|item| !item.export_kind.is_type()) {
                        let local = self.read(&specifier.local.name());
                        exported.push((specifier.exported.name().as_str().into(), local));
                    }
                }
                ast::Statement::ExportDefaultDeclaration(export) => {
                    let value = match &export.declaration {
                        ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                            Expr::Function(self.function(function)?)
                        }
                        ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => continue,
                        ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                            return self.unsupported("classes are not supported", class.span);
                        }
                        other => self.expression(other.to_expression())?,
                    };
                    // A named default function is also declared in the block.
                    let own = match &value {
                        Expr::Function(code) => code.name.clone(),
                        _ => None,
                    };
                    let name: Name = own.unwrap_or_else(|| "default".into());
                    if let Some(scope) = self.declared.last_mut() {
                        scope.push(Arc::clone(&name));
                    }
                    let target = Pattern::Name(Arc::clone(&name));
                    statements.push(Statement::Declare(vec![(target, Some(value))]));
                    exported.push(("default".into(), name));
                }
                ast::Statement::ClassDeclaration(class) => {
                    return self.unsupported("classes are not supported", class.span);
                }
                ast::Statement::TSEnumDeclaration(other) => {
                    return self.unsupported("`enum` is not supported", other.span);
                }
                other => statements.push(self.statement(other)?),
            }
        }
        Ok(ModuleAst {
            block: self.close(statements),
            exported,
            names: self.names,
        })
    }

    fn exported_declaration(
        &mut self,
        declaration: &Declaration<'_>,
        exported: &mut Vec<(Name, Name)>,
    ) -> Lowered<Option<Statement>> {
        let mut own = Vec::new();
        let statement = match declaration {
            Declaration::VariableDeclaration(variables) => {
                let statement = self.variables(variables)?;
                if let Statement::Declare(all) = &statement {
                    all.iter().for_each(|(pattern, _)| names(pattern, &mut own));
                }
                Some(statement)
            }
            Declaration::FunctionDeclaration(function) => {
                own.extend(self.hoisted(function)?.name.clone());
                None
            }
            Declaration::TSTypeAliasDeclaration(_) | Declaration::TSInterfaceDeclaration(_) => None,
            Declaration::ClassDeclaration(class) => {
                return self.unsupported("classes are not supported", class.span);
            }
            other => return self.unsupported("this statement is not supported", other.span()),
        };
        exported.extend(own.into_iter().map(|name| (Arc::clone(&name), name)));
        Ok(statement)
    }
}
