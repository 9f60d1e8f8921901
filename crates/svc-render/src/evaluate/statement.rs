//! Parser of statements in function bodies.

use super::EvalError;
use super::ast::{Block, Expr, FunctionCode, Pattern, Statement};
use super::lexer::{self, Kind};
use super::parser::{Parsed, Parser};
use std::sync::Arc;

impl Parser<'_> {
    /// Parses `[…]` or `{…}` as an expression.
    pub(super) fn bracketed(&mut self) -> Parsed<Expr> {
        if self.is("[") || self.is("{") {
            self.operand()
        } else {
            Err(self.unexpected("a name"))
        }
    }

    /// Parses a block in braces.
    pub(super) fn block(&mut self) -> Parsed<Block> {
        self.expect("{")?;
        let block = self.statements(|parser| parser.is("}"))?;
        self.expect("}")?;
        Ok(block)
    }

    fn open(&mut self) {
        self.declared.push(Vec::new());
        self.functions.push(Vec::new());
    }

    fn close(&mut self, statements: Vec<Statement>) -> Block {
        Block {
            statements,
            declared: self.declared.pop().unwrap_or_default(),
            functions: self.functions.pop().unwrap_or_default(),
        }
    }

    fn statements(&mut self, end: impl Fn(&Self) -> bool) -> Parsed<Block> {
        self.open();
        let mut statements = Vec::new();
        while !end(self) {
            statements.push(self.statement()?);
        }
        Ok(self.close(statements))
    }

    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        self.nested(Self::statement_here)
    }

    fn statement_here(&mut self) -> Parsed<Statement> {
        if self.is("{") {
            return self.block().map(Statement::Block);
        }
        if self.accept(";") {
            return Ok(Statement::Empty);
        }
        let Kind::Name(word) = self.token.kind else {
            return self.expression_statement();
        };
        if self.declares() {
            return self.declaration();
        }
        let start = self.token.start;
        match word {
            "return" => {
                self.advance();
                let value = if self.ends() {
                    None
                } else {
                    Some(self.sequence()?)
                };
                self.end()?;
                Ok(Statement::Return(value))
            }
            "if" => self.condition(),
            "for" => self.repetition(),
            "while" => {
                self.advance();
                let test = self.test()?;
                let body = Box::new(self.statement()?);
                Ok(Statement::While {
                    test,
                    body,
                    first: false,
                })
            }
            "do" => {
                self.advance();
                let body = Box::new(self.statement()?);
                if !self.accept_keyword("while") {
                    return Err(self.unexpected("`while`"));
                }
                let test = self.test()?;
                self.accept(";");
                Ok(Statement::While {
                    test,
                    body,
                    first: true,
                })
            }
            "function" => {
                self.advance();
                self.function_statement(false)
            }
            "async" if self.next_is_function() => {
                self.advance();
                self.advance();
                self.function_statement(true)
            }
            "try" => self.attempt(),
            "switch" => self.switch(),
            "throw" => {
                self.advance();
                let value = self.sequence()?;
                self.end()?;
                Ok(Statement::Throw(value))
            }
            "break" | "continue" => {
                self.advance();
                if !self.ends() {
                    return Err(EvalError::new("labels are not supported", self.token.start));
                }
                self.end()?;
                Ok(if word == "break" {
                    Statement::Break
                } else {
                    Statement::Continue
                })
            }
            "class" | "import" | "export" | "with" if !self.is_called() => Err(EvalError::new(
                format!("`{word}` is not supported in functions"),
                start,
            )),
            _ => self.expression_statement(),
        }
    }

    fn is_called(&self) -> bool {
        let next = lexer::token(self.source, self.token.end);
        matches!(next.kind, Kind::Punct("(" | "."))
    }

    pub(super) fn next_is_function(&self) -> bool {
        lexer::token(self.source, self.token.end).kind == Kind::Name("function")
    }

    fn expression_statement(&mut self) -> Parsed<Statement> {
        let value = self.sequence()?;
        self.end()?;
        Ok(Statement::Expression(value))
    }

    /// Whether a declaration begins here (`let` can also be a name).
    pub(super) fn declares(&self) -> bool {
        match self.token.kind {
            Kind::Name("const" | "var") => true,
            Kind::Name("let") => matches!(
                lexer::token(self.source, self.token.end).kind,
                Kind::Name(_) | Kind::Punct("{" | "[")
            ),
            _ => false,
        }
    }

    fn ends(&self) -> bool {
        self.token.newline || self.token.kind == Kind::End || self.is(";") || self.is("}")
    }

    pub(super) fn end(&mut self) -> Parsed<()> {
        if self.accept(";") || self.ends() {
            Ok(())
        } else {
            Err(self.unexpected("`;`"))
        }
    }

    pub(super) fn declaration(&mut self) -> Parsed<Statement> {
        self.advance();
        let mut all = Vec::new();
        loop {
            let pattern = self.declared_pattern()?;
            let value = if self.accept("=") {
                Some(self.assignment()?)
            } else {
                None
            };
            all.push((pattern, value));
            if !self.accept(",") {
                break;
            }
        }
        self.end()?;
        Ok(Statement::Declare(all))
    }

    /// Parses after `function` and declares the name in the whole block.
    pub(super) fn hoisted(&mut self, inert: bool) -> Parsed<Arc<FunctionCode>> {
        let code = self.function(inert)?;
        if let (Some(name), Some(functions)) = (&code.name, self.functions.last_mut()) {
            functions.push((Arc::clone(name), Arc::clone(&code)));
        }
        Ok(code)
    }

    fn function_statement(&mut self, inert: bool) -> Parsed<Statement> {
        self.hoisted(inert)?;
        Ok(Statement::Empty)
    }

    fn test(&mut self) -> Parsed<Expr> {
        self.expect("(")?;
        let test = self.sequence()?;
        self.expect(")")?;
        Ok(test)
    }

    fn condition(&mut self) -> Parsed<Statement> {
        let mut arms = Vec::new();
        loop {
            self.advance();
            let test = self.test()?;
            arms.push((test, self.statement()?));
            if !self.accept_keyword("else") {
                return Ok(Statement::If(arms, None));
            }
            if !self.is_keyword("if") {
                return Ok(Statement::If(arms, Some(Box::new(self.statement()?))));
            }
        }
    }

    /// Parses the body of a loop, with the names that its head declares.
    fn repetition(&mut self) -> Parsed<Statement> {
        self.advance();
        self.accept_keyword("await");
        self.expect("(")?;
        self.open();
        let mut init = Vec::new();
        if self.declares() {
            self.advance();
            let pattern = self.declared_pattern()?;
            if self.is_keyword("of") || self.is_keyword("in") {
                return self.each(pattern);
            }
            let value = if self.accept("=") {
                Some(self.assignment()?)
            } else {
                None
            };
            let mut all = vec![(pattern, value)];
            while self.accept(",") {
                let pattern = self.declared_pattern()?;
                let value = if self.accept("=") {
                    Some(self.assignment()?)
                } else {
                    None
                };
                all.push((pattern, value));
            }
            init.push(Statement::Declare(all));
        } else if !self.is(";") {
            init.push(Statement::Expression(self.sequence()?));
        }
        self.expect(";")?;
        let test = if self.is(";") {
            None
        } else {
            Some(self.sequence()?)
        };
        self.expect(";")?;
        let update = if self.is(")") {
            None
        } else {
            Some(self.sequence()?)
        };
        self.expect(")")?;
        let body = Box::new(self.statement()?);
        let init = Box::new(self.close(init));
        Ok(Statement::For {
            init,
            test,
            update,
            body,
        })
    }

    fn each(&mut self, pattern: Pattern) -> Parsed<Statement> {
        let keys = self.is_keyword("in");
        self.advance();
        let over = self.sequence()?;
        self.expect(")")?;
        let body = self.statement()?;
        let body = Box::new(self.close(vec![body]));
        Ok(Statement::ForEach {
            pattern,
            keys,
            over,
            body,
        })
    }

    fn attempt(&mut self) -> Parsed<Statement> {
        self.advance();
        let block = self.block()?;
        let mut param = None;
        let mut handler = None;
        if self.accept_keyword("catch") {
            self.open();
            if self.accept("(") {
                param = Some(self.declared_pattern()?);
                self.expect(")")?;
            }
            let body = Statement::Block(self.block()?);
            handler = Some(self.close(vec![body]));
        }
        let last = if self.accept_keyword("finally") {
            Some(self.block()?)
        } else {
            None
        };
        Ok(Statement::Try {
            block,
            param,
            handler,
            last,
        })
    }

    fn switch(&mut self) -> Parsed<Statement> {
        self.advance();
        let subject = self.test()?;
        self.expect("{")?;
        self.open();
        let mut cases = Vec::new();
        let mut statements = Vec::new();
        while !self.accept("}") {
            if self.accept_keyword("case") {
                cases.push((Some(self.sequence()?), statements.len()));
                self.expect(":")?;
            } else if self.accept_keyword("default") {
                cases.push((None, statements.len()));
                self.expect(":")?;
            } else {
                statements.push(self.statement()?);
            }
        }
        let body = self.close(statements);
        Ok(Statement::Switch {
            subject,
            cases,
            body,
        })
    }
}
