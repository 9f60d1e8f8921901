//! Syntax tree. Operator chains are lists, so that long chains do not become deep trees.

use std::sync::Arc;

use oxc_ast::ast::{BinaryOperator, LogicalOperator, UnaryOperator};

use super::Value;

pub(super) type Name = Arc<str>;

#[derive(Debug)]
pub(super) enum Expr {
    Literal(Value),
    Template(Vec<Arc<str>>, Vec<Self>),
    Identifier(Name),
    Array(Vec<Item>),
    Object(Vec<Property>),
    /// An operator before its operand; `await` is `void`.
    Unary(UnaryOperator, Box<Self>),
    Update {
        target: Box<Self>,
        step: f64,
        prefix: bool,
    },
    Chain(Box<Chain>),
    /// A first operand, and the operators that apply to all before them.
    Binary(Box<Self>, Vec<(Operator, Self)>),
    /// Conditions with their results, and the final alternative.
    Conditional(Vec<(Self, Self)>, Box<Self>),
    Assign(Box<Assign>),
    Function(Arc<FunctionCode>),
    Sequence(Vec<Self>),
    Jsx(Box<Jsx>),
    /// Regular expressions, `new`, classes: only an engine has their value.
    Opaque,
}

#[derive(Debug)]
pub(super) enum Item {
    Value(Expr),
    Spread(Expr),
    Hole,
}

#[derive(Debug)]
pub(super) enum PropertyKey {
    Name(Name),
    Computed(Expr),
}

#[derive(Debug)]
pub(super) enum Property {
    Pair(PropertyKey, Expr),
    Spread(Expr),
}

/// An operator between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Logical(LogicalOperator),
    Binary(BinaryOperator),
}

#[derive(Debug)]
pub(super) struct Chain {
    pub(super) base: Expr,
    pub(super) links: Vec<ChainLink>,
}

#[derive(Debug)]
pub(super) struct ChainLink {
    pub(super) kind: LinkKind,
    pub(super) optional: bool,
    pub(super) offset: usize,
}

#[derive(Debug)]
pub(super) enum LinkKind {
    Member(Name),
    Index(Expr),
    Call(Vec<Item>),
    /// A tagged template; the tag is ignored.
    Tagged(Expr),
}

#[derive(Debug)]
pub(super) struct Assign {
    pub(super) target: Pattern,
    /// `None` for a plain `=`.
    pub(super) operator: Option<Operator>,
    pub(super) value: Expr,
}

#[derive(Debug)]
pub(super) enum Pattern {
    Name(Name),
    Member(Box<Chain>),
    Array(Vec<Option<BindingElement>>, Option<Box<Self>>),
    Object(Vec<(PropertyKey, BindingElement)>, Option<Box<Self>>),
}

#[derive(Debug)]
pub(super) struct BindingElement {
    pub(super) pattern: Pattern,
    pub(super) default: Option<Expr>,
}

#[derive(Debug)]
pub(super) struct FunctionCode {
    pub(super) name: Option<Name>,
    pub(super) params: Vec<BindingElement>,
    pub(super) rest: Option<Pattern>,
    pub(super) body: Body,
    /// Async functions and generators: a call returns `undefined`.
    pub(super) inert: bool,
}

#[derive(Debug)]
pub(super) enum Body {
    Expression(Expr),
    Block(Block),
}

#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) statements: Vec<Statement>,
    pub(super) declared: Vec<Name>,
    pub(super) functions: Vec<(Name, Arc<FunctionCode>)>,
}

#[derive(Debug)]
pub(super) enum Statement {
    Expression(Expr),
    Declare(Vec<(Pattern, Option<Expr>)>),
    Return(Option<Expr>),
    If(Vec<(Expr, Self)>, Option<Box<Self>>),
    Block(Block),
    ForEach {
        pattern: Pattern,
        /// Whether the loop declares the names of the pattern.
        declares: bool,
        keys: bool,
        over: Expr,
        body: Box<Block>,
    },
    For {
        init: Box<Block>,
        test: Option<Expr>,
        update: Option<Expr>,
        body: Box<Self>,
    },
    While {
        test: Expr,
        body: Box<Self>,
        first: bool,
    },
    Try {
        block: Block,
        param: Option<Pattern>,
        handler: Option<Block>,
        last: Option<Block>,
    },
    Switch {
        subject: Expr,
        cases: Vec<(Option<Expr>, usize)>,
        body: Block,
    },
    Throw(Expr),
    Break,
    Continue,
    Empty,
}

#[derive(Debug)]
pub(super) struct Jsx {
    /// `None` for a fragment.
    pub(super) name: Option<Name>,
    pub(super) attributes: Vec<JsxAttribute>,
    pub(super) children: Vec<JsxNode>,
    pub(super) offset: usize,
}

#[derive(Debug)]
pub(super) enum JsxAttribute {
    Named(Name, Expr),
    Spread(Expr),
}

#[derive(Debug)]
pub(super) enum JsxNode {
    Text(String),
    Value(Expr),
    Spread(Expr),
}

/// A parsed block of module statements.
#[derive(Debug)]
pub(super) struct ModuleAst {
    pub(super) block: Block,
    /// Exported name and local name, in order.
    pub(super) exported: Vec<(Name, Name)>,
    /// All names that the text reads.
    pub(super) names: Vec<Name>,
}
