//! Parser of `import` and `export` statements.

use std::ops::Range;
use std::sync::Arc;

use super::EvalError;
use super::ast::{ModuleAst, Name, Pattern, Statement};
use super::lexer::Kind;
use super::parser::{Parsed, Parser};
use super::pattern;

/// A statement of a block of `import` and `export`. Offsets and spans are in bytes of that block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Export {
    /// `import Default, { imported as local } from "source"`.
    Import {
        /// Local name of the default import.
        default: Option<String>,
        /// Imported names and local names.
        named: Vec<(String, String)>,
        /// Local name of `* as name`.
        namespace: Option<String>,
        /// Module specifier as written.
        source: String,
        /// Byte offset of the statement.
        offset: usize,
    },
    /// `export const name = …`, also `let` and `var`; one entry per name.
    ExportConst {
        /// Exported name.
        name: String,
        /// Span of the initializer, which can be passed to [`evaluate`](super::evaluate). Empty
        /// without an initializer, and for destructuring, whose names only
        /// [`module`](super::module) resolves.
        span: Range<usize>,
        /// Byte offset of the statement.
        offset: usize,
    },
    /// `export function name() { … }`.
    ExportFunction {
        /// Exported name.
        name: String,
        /// Span of the function from its keyword, which can be passed to
        /// [`evaluate`](super::evaluate).
        span: Range<usize>,
        /// Byte offset of the statement.
        offset: usize,
    },
    /// `export default …`.
    ExportDefault {
        /// Span of the expression or function.
        span: Range<usize>,
        /// Byte offset of the statement.
        offset: usize,
    },
    /// `export { local as exported }`, also `… from "source"`.
    ExportNames {
        /// Local names and exported names; `*` stands for all exports.
        names: Vec<(String, String)>,
        /// Module specifier of a re-export; `None` for names of this block.
        source: Option<String>,
        /// Byte offset of the statement.
        offset: usize,
    },
    /// Syntax error; the rest of the block is not parsed.
    Problem(EvalError),
}

/// Parses the imports and exports of a block, in order. If there is a syntax error, the last entry
/// is an [`Export::Problem`].
pub fn exports(esm: &str) -> Vec<Export> {
    let mut parser = Parser::new(esm);
    let mut module = ModuleAst::default();
    match parser.module_items(&mut module) {
        Ok(()) => module.items,
        Err(error) => {
            module.items.push(Export::Problem(error));
            module.items
        }
    }
}

impl Parser<'_> {
    pub(super) fn module(mut self) -> Parsed<ModuleAst> {
        let mut module = ModuleAst::default();
        self.module_items(&mut module)?;
        module.block.declared = self.declared.pop().unwrap_or_default();
        module.block.functions = self.functions.pop().unwrap_or_default();
        module.names = std::mem::take(&mut self.names);
        Ok(module)
    }

    fn module_items(&mut self, module: &mut ModuleAst) -> Parsed<()> {
        while self.token.kind != Kind::End {
            let next = super::lexer::token(self.source, self.token.end);
            let dynamic = matches!(next.kind, Kind::Punct("(" | "."));
            if self.is_keyword("import") && !dynamic {
                let item = self.import()?;
                module.items.push(item);
            } else if self.is_keyword("export") {
                self.export(module)?;
            } else {
                let statement = self.statement()?;
                module.block.statements.push(statement);
            }
        }
        Ok(())
    }

    fn text(&mut self) -> Parsed<String> {
        let Kind::String(text) = &self.token.kind else {
            return Err(self.unexpected("a quoted path"));
        };
        let text = text.clone();
        self.advance();
        // `with { type: "json" }`
        if self.is_keyword("with") && !self.token.newline {
            self.advance();
            self.bracketed()?;
        }
        Ok(text)
    }

    fn import(&mut self) -> Parsed<Export> {
        let offset = self.token.start;
        self.advance();
        let mut default = None;
        let mut named = Vec::new();
        let mut namespace = None;
        if !matches!(self.token.kind, Kind::String(_)) {
            if matches!(self.token.kind, Kind::Name(_)) {
                default = Some(self.any_name()?.to_string());
                if self.accept(",") && !self.is("{") && !self.is("*") {
                    return Err(self.unexpected("`{`"));
                }
            }
            if self.accept("*") {
                self.expect_keyword("as")?;
                namespace = Some(self.any_name()?.to_string());
            } else if self.is("{") {
                named = self.specifiers()?;
            }
            self.expect_keyword("from")?;
        }
        let source = self.text()?;
        self.end()?;
        Ok(Export::Import {
            default,
            named,
            namespace,
            source,
            offset,
        })
    }

    fn expect_keyword(&mut self, word: &str) -> Parsed<()> {
        if self.accept_keyword(word) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{word}`")))
        }
    }

    /// `{ a, b as c }`
    fn specifiers(&mut self) -> Parsed<Vec<(String, String)>> {
        self.expect("{")?;
        let mut all = Vec::new();
        while !self.accept("}") {
            let first = self.specifier()?;
            let second = if self.accept_keyword("as") {
                self.specifier()?
            } else {
                first.clone()
            };
            all.push((first, second));
            if !self.is("}") {
                self.expect(",")?;
            }
        }
        Ok(all)
    }

    fn specifier(&mut self) -> Parsed<String> {
        if let Kind::String(text) = &self.token.kind {
            let text = text.clone();
            self.advance();
            return Ok(text);
        }
        Ok(self.any_name()?.to_string())
    }

    fn export(&mut self, module: &mut ModuleAst) -> Parsed<()> {
        let offset = self.token.start;
        self.advance();
        if self.declares() {
            return self.exported_declaration(module, offset);
        }
        if self.is_keyword("function") || (self.is_keyword("async") && self.next_is_function()) {
            let start = self.token.start;
            let inert = self.accept_keyword("async");
            self.advance();
            let code = self.hoisted(inert)?;
            let name = code.name.clone().unwrap_or_else(|| "default".into());
            module.exported.push((Arc::clone(&name), Arc::clone(&name)));
            let span = start..self.previous;
            module.items.push(Export::ExportFunction {
                name: name.to_string(),
                span,
                offset,
            });
            return Ok(());
        }
        if self.accept_keyword("default") {
            let start = self.token.start;
            let value = self.assignment()?;
            let span = start..self.previous;
            self.end()?;
            // A named default function is also declared in the block.
            let name: Name = match &value {
                super::ast::Expr::Function(code) => code.name.clone(),
                _ => None,
            }
            .unwrap_or_else(|| "default".into());
            let target = Pattern::Name(Arc::clone(&name));
            self.declare(&target);
            module
                .block
                .statements
                .push(Statement::Declare(vec![(target, Some(value))]));
            module.exported.push(("default".into(), name));
            module.items.push(Export::ExportDefault { span, offset });
            return Ok(());
        }
        let names = if self.accept("*") {
            let name = if self.accept_keyword("as") {
                self.specifier()?
            } else {
                "*".to_owned()
            };
            vec![("*".to_owned(), name)]
        } else {
            self.specifiers()?
        };
        let source = if self.accept_keyword("from") {
            Some(self.text()?)
        } else {
            None
        };
        self.end()?;
        if source.is_none() {
            for (local, exported) in &names {
                module
                    .exported
                    .push((exported.as_str().into(), local.as_str().into()));
                self.names.push(local.as_str().into());
            }
        }
        module.items.push(Export::ExportNames {
            names,
            source,
            offset,
        });
        Ok(())
    }

    fn exported_declaration(&mut self, module: &mut ModuleAst, offset: usize) -> Parsed<()> {
        self.advance();
        let mut all = Vec::new();
        loop {
            let pattern = self.declared_pattern()?;
            let start = self.token.end;
            let value = if self.accept("=") {
                Some(self.assignment()?)
            } else {
                None
            };
            let mut names = Vec::new();
            pattern::names(&pattern, &mut names);
            let simple = value.is_some() && matches!(pattern, Pattern::Name(_));
            let span = if simple {
                start..self.previous
            } else {
                start..start
            };
            for name in names {
                module.exported.push((Arc::clone(&name), Arc::clone(&name)));
                let name = name.to_string();
                module.items.push(Export::ExportConst {
                    name,
                    span: span.clone(),
                    offset,
                });
            }
            all.push((pattern, value));
            if !self.accept(",") {
                break;
            }
        }
        self.end()?;
        module.block.statements.push(Statement::Declare(all));
        Ok(())
    }
}
