//! Functions and the statements in their bodies.

use std::sync::Arc;

use oxc_ast::ast::{
    self, ArrowFunctionBody, ArrowFunctionExpression, Expression, ForStatement, ForStatementInit,
    ForStatementLeft, FormalParameters, Function, IfStatement, SwitchStatement, TryStatement,
    VariableDeclaration,
};
use oxc_span::GetSpan as _;

use super::{Lowered, Lowering};
use crate::evaluate::ast::{BindingElement, Block, Body, Expr, FunctionCode, Pattern, Statement};

type Params = (Vec<BindingElement>, Option<Pattern>);

impl Lowering<'_> {
    pub(super) fn function(&mut self, function: &Function<'_>) -> Lowered<Arc<FunctionCode>> {
        let (params, rest) = self.params(&function.params)?;
        let statements = function.body.as_ref().map(|body| &body.statements[..]);
        Ok(Arc::new(FunctionCode {
            name: function.id.as_ref().map(|id| id.name.as_str().into()),
            params,
            rest,
            body: Body::Block(self.block(statements.unwrap_or(&[]))?),
            inert: function.r#async || function.generator,
        }))
    }

    pub(super) fn arrow(
        &mut self,
        arrow: &ArrowFunctionExpression<'_>,
    ) -> Lowered<Arc<FunctionCode>> {
        let (params, rest) = self.params(&arrow.params)?;
        let body = match &arrow.body {
            ArrowFunctionBody::FunctionBody(body) => Body::Block(self.block(&body.statements)?),
            other => Body::Expression(self.expression(other.to_expression())?),
        };
        Ok(Arc::new(FunctionCode {
            name: None,
            params,
            rest,
            body,
            inert: arrow.r#async,
        }))
    }

    fn params(&mut self, params: &FormalParameters<'_>) -> Lowered<Params> {
        let mut elements = Vec::with_capacity(params.items.len());
        for param in &params.items {
            let default = param.initializer.as_ref().map(|tree| self.expression(tree));
            elements.push(BindingElement {
                pattern: self.pattern(&param.pattern)?,
                default: default.transpose()?,
            });
        }
        let rest = params
            .rest
            .as_ref()
            .map(|rest| self.pattern(&rest.rest.argument));
        Ok((elements, rest.transpose()?))
    }

    pub(super) fn block(&mut self, trees: &[ast::Statement<'_>]) -> Lowered<Block> {
        self.open();
        let statements = self.statements(trees)?;
        Ok(self.close(statements))
    }

    /// Opens a scope for declarations.
    fn open(&mut self) {
        self.declared.push(Vec::new());
        self.functions.push(Vec::new());
    }

    /// The block of the innermost scope, which ends.
    pub(super) fn close(&mut self, statements: Vec<Statement>) -> Block {
        Block {
            statements,
            declared: self.declared.pop().unwrap_or_default(),
            functions: self.functions.pop().unwrap_or_default(),
        }
    }

    fn statements(&mut self, trees: &[ast::Statement<'_>]) -> Lowered<Vec<Statement>> {
        trees.iter().map(|tree| self.statement(tree)).collect()
    }

    pub(super) fn statement(&mut self, tree: &ast::Statement<'_>) -> Lowered<Statement> {
        self.nested(tree.span(), |lowering| lowering.statement_here(tree))
    }

    fn statement_here(&mut self, tree: &ast::Statement<'_>) -> Lowered<Statement> {
        Ok(match tree {
            ast::Statement::EmptyStatement(_)
            | ast::Statement::DebuggerStatement(_)
            | ast::Statement::TSTypeAliasDeclaration(_)
            | ast::Statement::TSInterfaceDeclaration(_) => Statement::Empty,
            ast::Statement::ExpressionStatement(statement) => {
                Statement::Expression(self.expression(&statement.expression)?)
            }
            ast::Statement::VariableDeclaration(variables) => self.variables(variables)?,
            ast::Statement::FunctionDeclaration(function) => {
                self.hoisted(function)?;
                Statement::Empty
            }
            ast::Statement::BlockStatement(block) => Statement::Block(self.block(&block.body)?),
            ast::Statement::ReturnStatement(statement) => {
                let value = statement
                    .argument
                    .as_ref()
                    .map(|tree| self.expression(tree));
                Statement::Return(value.transpose()?)
            }
            ast::Statement::ThrowStatement(statement) => {
                Statement::Throw(self.expression(&statement.argument)?)
            }
            ast::Statement::IfStatement(statement) => self.condition(statement)?,
            ast::Statement::ForStatement(statement) => self.counted(statement)?,
            ast::Statement::ForOfStatement(each) => {
                self.each(&each.left, false, &each.right, &each.body)?
            }
            ast::Statement::ForInStatement(each) => {
                self.each(&each.left, true, &each.right, &each.body)?
            }
            ast::Statement::WhileStatement(statement) => Statement::While {
                test: self.expression(&statement.test)?,
                body: Box::new(self.statement(&statement.body)?),
                first: false,
            },
            ast::Statement::DoWhileStatement(statement) => Statement::While {
                body: Box::new(self.statement(&statement.body)?),
                test: self.expression(&statement.test)?,
                first: true,
            },
            ast::Statement::SwitchStatement(statement) => self.switch(statement)?,
            ast::Statement::TryStatement(statement) => self.attempt(statement)?,
            ast::Statement::BreakStatement(statement) if statement.label.is_none() => {
                Statement::Break
            }
            ast::Statement::ContinueStatement(statement) if statement.label.is_none() => {
                Statement::Continue
            }
            // Labels, classes, `with`.
            _ => Statement::Expression(Expr::Opaque),
        })
    }

    pub(super) fn variables(&mut self, variables: &VariableDeclaration<'_>) -> Lowered<Statement> {
        let mut all = Vec::with_capacity(variables.declarations.len());
        for variable in &variables.declarations {
            let pattern = self.declared_pattern(&variable.id)?;
            let value = variable.init.as_ref().map(|tree| self.expression(tree));
            all.push((pattern, value.transpose()?));
        }
        Ok(Statement::Declare(all))
    }

    /// Converts a function and declares its name in the whole block.
    pub(super) fn hoisted(&mut self, function: &Function<'_>) -> Lowered<Arc<FunctionCode>> {
        let code = self.function(function)?;
        if let (Some(name), Some(functions)) = (&code.name, self.functions.last_mut()) {
            functions.push((Arc::clone(name), Arc::clone(&code)));
        }
        Ok(code)
    }

    /// Converts `if … else if … else …` to a list.
    fn condition(&mut self, tree: &IfStatement<'_>) -> Lowered<Statement> {
        let mut arms = Vec::new();
        let mut tree = tree;
        loop {
            arms.push((
                self.expression(&tree.test)?,
                self.statement(&tree.consequent)?,
            ));
            match &tree.alternate {
                None => return Ok(Statement::If(arms, None)),
                Some(ast::Statement::IfStatement(next)) => tree = next,
                Some(last) => {
                    return Ok(Statement::If(arms, Some(Box::new(self.statement(last)?))));
                }
            }
        }
    }

    /// The scope of the names that the head declares contains the body.
    fn counted(&mut self, tree: &ForStatement<'_>) -> Lowered<Statement> {
        self.open();
        let init = match &tree.init {
            None => Vec::new(),
            Some(ForStatementInit::VariableDeclaration(variables)) => {
                vec![self.variables(variables)?]
            }
            Some(other) => vec![Statement::Expression(
                self.expression(other.to_expression())?,
            )],
        };
        let test = tree
            .test
            .as_ref()
            .map(|tree| self.expression(tree))
            .transpose()?;
        let update = tree
            .update
            .as_ref()
            .map(|tree| self.expression(tree))
            .transpose()?;
        let body = Box::new(self.statement(&tree.body)?);
        Ok(Statement::For {
            init: Box::new(self.close(init)),
            test,
            update,
            body,
        })
    }

    fn each(
        &mut self,
        left: &ForStatementLeft<'_>,
        keys: bool,
        over: &Expression<'_>,
        body: &ast::Statement<'_>,
    ) -> Lowered<Statement> {
        self.open();
        let (pattern, declares) = match left {
            ForStatementLeft::VariableDeclaration(variables) => match &variables.declarations[..] {
                [variable] => (self.declared_pattern(&variable.id)?, true),
                _ => return self.unsupported("a loop declares one name", variables.span),
            },
            other => (self.target(other.to_assignment_target())?, false),
        };
        let over = self.expression(over)?;
        let body = self.statement(body)?;
        Ok(Statement::ForEach {
            pattern,
            declares,
            keys,
            over,
            body: Box::new(self.close(vec![body])),
        })
    }

    fn attempt(&mut self, tree: &TryStatement<'_>) -> Lowered<Statement> {
        let block = self.block(&tree.block.body)?;
        let mut param = None;
        let mut handler = None;
        if let Some(clause) = &tree.handler {
            self.open();
            if let Some(caught) = &clause.param {
                param = Some(self.declared_pattern(&caught.pattern)?);
            }
            let body = Statement::Block(self.block(&clause.body.body)?);
            handler = Some(self.close(vec![body]));
        }
        let last = tree.finalizer.as_ref().map(|block| self.block(&block.body));
        Ok(Statement::Try {
            block,
            param,
            handler,
            last: last.transpose()?,
        })
    }

    fn switch(&mut self, tree: &SwitchStatement<'_>) -> Lowered<Statement> {
        let subject = self.expression(&tree.discriminant)?;
        self.open();
        let mut cases = Vec::with_capacity(tree.cases.len());
        let mut statements = Vec::new();
        for case in &tree.cases {
            let test = case.test.as_ref().map(|tree| self.expression(tree));
            cases.push((test.transpose()?, statements.len()));
            statements.extend(self.statements(&case.consequent)?);
        }
        Ok(Statement::Switch {
            subject,
            cases,
            body: self.close(statements),
        })
    }
}
