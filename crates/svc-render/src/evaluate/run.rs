//! Execution of calls and statements.

use std::sync::Arc;

use super::ast::{Block, Body, Expr, FunctionCode, Statement};
use super::heap::{FrameRef, FunctionKind};
use super::interpreter::{EvalResult, Interpreter};
use super::operators::same;
use super::{EvalError, Function, Value, methods};

/// Completion of a statement.
#[derive(Debug)]
pub(super) enum Flow {
    Normal,
    Return(Value),
    Break,
    Continue,
    /// An exception of the page.
    Throw(Value),
}

type Run = Result<Flow, EvalError>;

impl Interpreter<'_> {
    pub(super) fn invoke(&mut self, function: &Function, args: &[Value]) -> EvalResult {
        self.charge(1)?;
        match &function.kind {
            FunctionKind::BuiltIn(name) => self.nested(|machine| machine.built_in(name, args)),
            FunctionKind::Closure {
                code,
                heap: home,
                frame,
            } => {
                if code.inert {
                    return self.unsupported();
                }
                let Some(home) = home.heap() else {
                    return Ok(Value::Undefined);
                };
                let own = Arc::ptr_eq(&home, &self.heap);
                let heap = if own { None } else { Some(home) };
                self.calls += 1;
                if self.calls > self.limits.calls {
                    return self.error("function calls exceed the depth limit");
                }
                let frame = self.frame(Some(FrameRef {
                    heap,
                    frame: *frame,
                }));
                let result = self.nested(|machine| machine.body(code, args, frame));
                self.calls -= 1;
                result
            }
        }
    }

    fn body(&mut self, code: &FunctionCode, args: &[Value], frame: usize) -> EvalResult {
        for (index, param) in code.params.iter().enumerate() {
            let value = args.get(index).cloned().unwrap_or_default();
            self.bind_element(param, value, frame, true)?;
        }
        if let Some(rest) = &code.rest {
            let rest_args = args.get(code.params.len()..).unwrap_or(&[]).to_vec();
            let rest_args = self.array(rest_args)?;
            self.bind(rest, rest_args, frame, true)?;
        }
        match &code.body {
            Body::Expression(expression) => self.evaluate(expression, frame),
            Body::Block(block) => {
                // Shares the frame of the parameters, because redeclarations are not valid anyway.
                self.enter(block, frame);
                Ok(match self.run(&block.statements, frame)? {
                    Flow::Return(value) => value,
                    Flow::Throw(value) => {
                        self.thrown = Some(value);
                        Value::Undefined
                    }
                    Flow::Normal | Flow::Break | Flow::Continue => Value::Undefined,
                })
            }
        }
    }

    /// Declares the names of a block.
    pub(super) fn enter(&mut self, block: &Block, frame: usize) {
        for name in &block.declared {
            self.define(frame, name, Value::Undefined);
        }
        for (name, code) in &block.functions {
            let function = self.closure(code, frame);
            self.define(frame, name, function);
        }
    }

    fn block(&mut self, block: &Block, frame: usize) -> Run {
        if block.declared.is_empty() && block.functions.is_empty() {
            return self.run(&block.statements, frame);
        }
        self.charge(block.declared.len() + block.functions.len())?;
        let frame = self.inner_frame(frame);
        self.enter(block, frame);
        self.run(&block.statements, frame)
    }

    pub(super) fn run(&mut self, statements: &[Statement], frame: usize) -> Run {
        for statement in statements {
            match self.statement(statement, frame)? {
                Flow::Normal => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Normal)
    }

    fn statement(&mut self, statement: &Statement, frame: usize) -> Run {
        self.charge(1)?;
        let flow = self.nested(|machine| machine.statement_here(statement, frame))?;
        // A call in the statement can have thrown an exception.
        Ok(match self.thrown.take() {
            Some(value) => Flow::Throw(value),
            None => flow,
        })
    }

    fn statement_here(&mut self, statement: &Statement, frame: usize) -> Run {
        match statement {
            Statement::Empty => {}
            Statement::Expression(expression) => {
                self.evaluate(expression, frame)?;
            }
            Statement::Declare(all) => {
                for (pattern, value) in all {
                    let value = match value {
                        Some(value) => self.evaluate(value, frame)?,
                        None => Value::Undefined,
                    };
                    self.bind(pattern, value, frame, true)?;
                }
            }
            Statement::Return(value) => {
                let value = match value {
                    Some(value) => self.evaluate(value, frame)?,
                    None => Value::Undefined,
                };
                return Ok(Flow::Return(value));
            }
            Statement::If(arms, last) => {
                for (test, then) in arms {
                    if self.evaluate(test, frame)?.is_true() {
                        return self.statement(then, frame);
                    }
                }
                if let Some(last) = last {
                    return self.statement(last, frame);
                }
            }
            Statement::Block(block) => return self.block(block, frame),
            Statement::ForEach {
                pattern,
                declares,
                keys,
                over,
                body,
            } => {
                let over = self.evaluate(over, frame)?;
                let items = if *keys {
                    methods::keys(&over)
                } else {
                    self.iterated(&over)?
                };
                for item in items {
                    let frame = self.inner_frame(frame);
                    self.enter(body, frame);
                    self.bind(pattern, item, frame, *declares)?;
                    match self.run(&body.statements, frame)? {
                        Flow::Normal | Flow::Continue => {}
                        Flow::Break => break,
                        other => return Ok(other),
                    }
                }
            }
            Statement::For {
                init,
                test,
                update,
                body,
            } => {
                return self.counted(init, test.as_ref(), update.as_ref(), body, frame);
            }
            Statement::While { test, body, first } => {
                let mut skip = *first;
                while skip || self.evaluate(test, frame)?.is_true() {
                    skip = false;
                    match self.statement(body, frame)? {
                        Flow::Normal | Flow::Continue => {}
                        Flow::Break => break,
                        other => return Ok(other),
                    }
                }
            }
            Statement::Try {
                block,
                param,
                handler,
                last,
            } => {
                let mut flow = self.block(block, frame)?;
                if let (Flow::Throw(value), Some(handler)) = (&flow, handler) {
                    let value = value.clone();
                    let frame = self.inner_frame(frame);
                    if let Some(param) = param {
                        self.bind(param, value, frame, true)?;
                    }
                    flow = self.run(&handler.statements, frame)?;
                }
                if let Some(last) = last {
                    match self.block(last, frame)? {
                        Flow::Normal => {}
                        other => flow = other,
                    }
                }
                return Ok(flow);
            }
            Statement::Switch {
                subject,
                cases,
                body,
            } => {
                return self.switch(subject, cases, body, frame);
            }
            Statement::Throw(value) => return Ok(Flow::Throw(self.evaluate(value, frame)?)),
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
        }
        Ok(Flow::Normal)
    }

    fn counted(
        &mut self,
        init: &Block,
        test: Option<&Expr>,
        update: Option<&Expr>,
        body: &Statement,
        frame: usize,
    ) -> Run {
        let frame = self.inner_frame(frame);
        self.enter(init, frame);
        self.run(&init.statements, frame)?;
        loop {
            if let Some(test) = test
                && !self.evaluate(test, frame)?.is_true()
            {
                break;
            }
            match self.statement(body, frame)? {
                Flow::Normal | Flow::Continue => {}
                Flow::Break => break,
                other => return Ok(other),
            }
            if let Some(update) = update {
                self.evaluate(update, frame)?;
            }
        }
        Ok(Flow::Normal)
    }

    fn switch(
        &mut self,
        subject: &Expr,
        cases: &[(Option<Expr>, usize)],
        body: &Block,
        frame: usize,
    ) -> Run {
        let subject = self.evaluate(subject, frame)?;
        let frame = self.inner_frame(frame);
        self.enter(body, frame);
        let mut start = cases
            .iter()
            .find(|case| case.0.is_none())
            .map(|case| case.1);
        for (test, at) in cases {
            let Some(test) = test else { continue };
            let test = self.evaluate(test, frame)?;
            self.charge_text(&test)?;
            if same(&subject, &test) {
                start = Some(*at);
                break;
            }
        }
        let Some(start) = start else {
            return Ok(Flow::Normal);
        };
        Ok(
            match self.run(body.statements.get(start..).unwrap_or(&[]), frame)? {
                Flow::Break => Flow::Normal,
                other => other,
            },
        )
    }
}
