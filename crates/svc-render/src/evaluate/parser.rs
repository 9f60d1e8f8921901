//! Parser of expressions: a Pratt parser with one token of lookahead and no backtracking.

use std::sync::Arc;

use super::EvalError;
use super::ast::{
    Assign, Binary, Chain, ChainLink, Expr, FunctionCode, Item, LinkKind, Name, Unary,
};
use super::lexer::{self, Kind, Token};
use super::pattern;

/// Maximum nesting depth of the text; real components stay below 40.
const MAX_DEPTH: u32 = 100;

pub(super) type Parsed<T> = Result<T, EvalError>;

pub(super) struct Parser<'s> {
    pub(super) source: &'s str,
    pub(super) token: Token<'s>,
    /// End of the token before `token`.
    pub(super) previous: usize,
    /// End of the last arrow function, after which no operator and no call is allowed.
    pub(super) arrow: usize,
    depth: u32,
    pub(super) names: Vec<Name>,
    /// Declared names of each open block.
    pub(super) declared: Vec<Vec<Name>>,
    pub(super) functions: Vec<Vec<(Name, Arc<FunctionCode>)>>,
}

impl<'s> Parser<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self {
            source,
            token: lexer::token(source, 0),
            previous: 0,
            arrow: usize::MAX,
            depth: 0,
            names: Vec::new(),
            declared: vec![Vec::new()],
            functions: vec![Vec::new()],
        }
    }

    /// Parses a text of at most one expression. Returns the names it reads as well.
    pub(super) fn expression_text(mut self) -> Parsed<(Option<Expr>, Vec<Name>)> {
        if self.token.kind == Kind::End {
            return Ok((None, self.names));
        }
        // Spread attributes begin with dots.
        self.accept("...");
        let expression = self.sequence()?;
        self.accept(";");
        if self.token.kind != Kind::End {
            return Err(self.unexpected("the end of the expression"));
        }
        Ok((Some(expression), self.names))
    }

    pub(super) fn advance(&mut self) {
        self.previous = self.token.end;
        self.token = lexer::token(self.source, self.token.end);
    }

    /// Continues at `at`, after text that was not read as tokens.
    pub(super) fn resume(&mut self, at: usize) {
        self.previous = at;
        self.token = lexer::token(self.source, at);
    }

    pub(super) fn is(&self, text: &str) -> bool {
        matches!(self.token.kind, Kind::Punct(found) if found == text)
    }

    pub(super) fn is_keyword(&self, word: &str) -> bool {
        matches!(self.token.kind, Kind::Name(found) if found == word)
    }

    pub(super) fn accept(&mut self, text: &str) -> bool {
        let matches = self.is(text);
        if matches {
            self.advance();
        }
        matches
    }

    pub(super) fn accept_keyword(&mut self, word: &str) -> bool {
        let matches = self.is_keyword(word);
        if matches {
            self.advance();
        }
        matches
    }

    pub(super) fn expect(&mut self, text: &'static str) -> Parsed<()> {
        if self.accept(text) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{text}`")))
        }
    }

    pub(super) fn unexpected(&self, expected: &str) -> EvalError {
        let actual = match &self.token.kind {
            Kind::Bad(message) => return EvalError::new(*message, self.token.start),
            Kind::End => "the end".to_owned(),
            Kind::Name(name) => format!("`{name}`"),
            Kind::Number(_) => "a number".to_owned(),
            Kind::String(_) => "a string".to_owned(),
            Kind::Punct(text) => format!("`{text}`"),
            Kind::Backtick => "a template".to_owned(),
        };
        EvalError::new(
            format!("expected {expected}, found {actual}"),
            self.token.start,
        )
    }

    /// Calls `parse` at one more level of nesting.
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(EvalError::new(
                "this is nested too deeply",
                self.token.start,
            ));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    pub(super) fn sequence(&mut self) -> Parsed<Expr> {
        let first = self.assignment()?;
        if !self.is(",") {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.accept(",") {
            all.push(self.assignment()?);
        }
        Ok(Expr::Sequence(all))
    }

    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        self.nested(Self::assignment_here)
    }

    fn assignment_here(&mut self) -> Parsed<Expr> {
        if self.accept_keyword_before_expression("yield") {
            self.accept("*");
            return if self.ends_expression() {
                Ok(Expr::Opaque)
            } else {
                self.assignment()
            };
        }
        let start = self.token.start;
        let left = self.conditional()?;
        let Kind::Punct(text) = self.token.kind else {
            return Ok(left);
        };
        let operator = match text {
            "=" => None,
            _ => match text.strip_suffix('=').and_then(binary) {
                Some((operator, _)) if !matches!(text, "==" | "<=" | ">=" | "!=") => Some(operator),
                _ => return Ok(left),
            },
        };
        if self.arrow == self.previous {
            return Ok(left);
        }
        let target = pattern::pattern(left, start)?;
        self.advance();
        let value = self.assignment()?;
        Ok(Expr::Assign(Box::new(Assign {
            target,
            operator,
            value,
        })))
    }

    fn accept_keyword_before_expression(&mut self, word: &str) -> bool {
        if !self.is_keyword(word) {
            return false;
        }
        let next = lexer::token(self.source, self.token.end);
        let operand = matches!(next.kind, Kind::Name(_) | Kind::String(_) | Kind::Number(_));
        operand && self.accept_keyword(word)
    }

    fn ends_expression(&self) -> bool {
        self.token.kind == Kind::End || [")", "]", "}", ",", ";"].iter().any(|text| self.is(text))
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        let mut test = self.binary(1)?;
        if !self.is("?") || self.arrow == self.previous {
            return Ok(test);
        }
        let mut arms = Vec::new();
        while self.accept("?") {
            let then = self.assignment()?;
            self.expect(":")?;
            arms.push((test, then));
            test = self.nested(|parser| parser.binary(1))?;
            if self.arrow == self.previous {
                break;
            }
        }
        Ok(Expr::Conditional(arms, Box::new(test)))
    }

    fn binary(&mut self, lowest: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        // The precedence of the operators in `left` while it still takes operands.
        let mut open = 0;
        while self.arrow != self.previous {
            let operator_level = match self.token.kind {
                Kind::Punct(text) => binary(text),
                Kind::Name("in") => Some((Binary::In, 8)),
                Kind::Name("instanceof") => Some((Binary::InstanceOf, 8)),
                _ => None,
            };
            let Some((operator, precedence)) =
                operator_level.filter(|operator_level| operator_level.1 >= lowest)
            else {
                break;
            };
            self.advance();
            let right = if operator == Binary::Power {
                self.nested(|parser| parser.binary(precedence))?
            } else {
                self.binary(precedence + 1)?
            };
            match &mut left {
                Expr::Binary(_, rest) if open == precedence => rest.push((operator, right)),
                _ => left = Expr::Binary(Box::new(left), vec![(operator, right)]),
            }
            open = precedence;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        if self.accept_keyword_before_expression("await") {
            let operand = self.nested(Self::unary)?;
            return Ok(Expr::Unary(Unary::Void, Box::new(operand)));
        }
        let operator = match self.token.kind {
            Kind::Punct("!") => Unary::Not,
            Kind::Punct("-") => Unary::Minus,
            Kind::Punct("+") => Unary::Plus,
            Kind::Punct("~") => Unary::BitNot,
            Kind::Name("typeof") => Unary::Typeof,
            Kind::Name("void" | "delete") => Unary::Void,
            Kind::Punct(text @ ("++" | "--")) => {
                self.advance();
                let target = Box::new(self.nested(Self::unary)?);
                let step = if text == "++" { 1.0 } else { -1.0 };
                return Ok(Expr::Update {
                    target,
                    step,
                    prefix: true,
                });
            }
            _ => return self.postfix(),
        };
        self.advance();
        let operand = self.nested(Self::unary)?;
        Ok(Expr::Unary(operator, Box::new(operand)))
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let base = self.primary()?;
        if self.arrow == self.previous {
            return Ok(base);
        }
        let mut links = Vec::new();
        while let Some(link) = self.link()? {
            links.push(link);
        }
        let whole = if links.is_empty() {
            base
        } else {
            Expr::Chain(Box::new(Chain { base, links }))
        };
        if let Kind::Punct(text @ ("++" | "--")) = self.token.kind
            && !self.token.newline
        {
            self.advance();
            let step = if text == "++" { 1.0 } else { -1.0 };
            return Ok(Expr::Update {
                target: Box::new(whole),
                step,
                prefix: false,
            });
        }
        Ok(whole)
    }

    pub(super) fn link(&mut self) -> Parsed<Option<ChainLink>> {
        let offset = self.token.start;
        let optional = self.accept("?.");
        let kind = if self.is("(") {
            self.advance();
            LinkKind::Call(self.items(")")?)
        } else if self.accept("[") {
            let index = self.sequence()?;
            self.expect("]")?;
            LinkKind::Index(index)
        } else if self.token.kind == Kind::Backtick {
            LinkKind::Tagged(self.template()?)
        } else if optional || self.accept(".") {
            self.accept("#");
            LinkKind::Member(self.any_name()?)
        } else {
            return Ok(None);
        };
        Ok(Some(ChainLink {
            kind,
            optional,
            offset,
        }))
    }

    pub(super) fn any_name(&mut self) -> Parsed<Name> {
        let Kind::Name(name) = self.token.kind else {
            return Err(self.unexpected("a name"));
        };
        self.advance();
        Ok(name.into())
    }

    /// Parses items up to and including `close`.
    pub(super) fn items(&mut self, close: &'static str) -> Parsed<Vec<Item>> {
        let mut items = Vec::new();
        loop {
            if self.accept(close) {
                return Ok(items);
            }
            if self.is(",") {
                self.advance();
                items.push(Item::Hole);
                continue;
            }
            if self.accept("...") {
                items.push(Item::Spread(self.assignment()?));
            } else {
                items.push(Item::Value(self.assignment()?));
            }
            if !self.is(close) {
                self.expect(",")?;
            }
        }
    }
}

fn binary(text: &str) -> Option<(Binary, u8)> {
    Some(match text {
        "??" => (Binary::Nullish, 1),
        "||" => (Binary::Or, 2),
        "&&" => (Binary::And, 3),
        "|" => (Binary::BitOr, 4),
        "^" => (Binary::BitXor, 5),
        "&" => (Binary::BitAnd, 6),
        "==" => (Binary::LooseEqual, 7),
        "!=" => (Binary::LooseDifferent, 7),
        "===" => (Binary::Equal, 7),
        "!==" => (Binary::Different, 7),
        "<" => (Binary::Less, 8),
        "<=" => (Binary::LessEqual, 8),
        ">" => (Binary::Greater, 8),
        ">=" => (Binary::GreaterEqual, 8),
        "<<" => (Binary::ShiftLeft, 9),
        ">>" => (Binary::ShiftRight, 9),
        ">>>" => (Binary::ShiftRightUnsigned, 9),
        "+" => (Binary::Add, 10),
        "-" => (Binary::Subtract, 10),
        "*" => (Binary::Multiply, 11),
        "/" => (Binary::Divide, 11),
        "%" => (Binary::Remainder, 11),
        "**" => (Binary::Power, 12),
        _ => return None,
    })
}
