//! Expressions.

use std::sync::Arc;

use oxc_ast::ast::{
    self, Argument, ArrayExpressionElement, AssignmentExpression, CallExpression, ChainElement,
    ConditionalExpression, Expression, MemberExpression, ObjectExpression, ObjectPropertyKind,
    PropertyKind, SimpleAssignmentTarget, SpreadElement, TemplateLiteral, UnaryOperator,
    UpdateExpression, UpdateOperator,
};
use oxc_span::GetSpan as _;

use super::{Lowered, Lowering};
use crate::evaluate::ast::{
    Assign, Chain, ChainLink, Expr, Item, LinkKind, Name, Operator, Property, PropertyKey,
};
use crate::evaluate::{Value, number};

impl Lowering<'_> {
    pub(in crate::evaluate) fn expression(&mut self, tree: &Expression<'_>) -> Lowered<Expr> {
        self.nested(tree.span(), |lowering| lowering.expression_here(tree))
    }

    fn expression_here(&mut self, tree: &Expression<'_>) -> Lowered<Expr> {
        Ok(match tree {
            Expression::NullLiteral(_) => Expr::Literal(Value::Null),
            Expression::BooleanLiteral(literal) => Expr::Literal(Value::Bool(literal.value)),
            Expression::NumericLiteral(literal) => Expr::Literal(Value::Number(literal.value)),
            Expression::BigIntLiteral(literal) => {
                Expr::Literal(Value::Number(number::from_text(&literal.value)))
            }
            Expression::StringLiteral(literal) => {
                let text = unescaped(&literal.value, literal.lone_surrogates);
                Expr::Literal(Value::String(text))
            }
            Expression::TemplateLiteral(template) => self.template(template)?,
            Expression::Identifier(name) if name.name == "undefined" => {
                Expr::Literal(Value::Undefined)
            }
            Expression::Identifier(name) => Expr::Identifier(self.read(&name.name)),
            Expression::ArrayExpression(array) => {
                let items = array.elements.iter().map(|element| match element {
                    ArrayExpressionElement::Elision(_) => Ok(Item::Hole),
                    ArrayExpressionElement::SpreadElement(spread) => self.spread(spread),
                    other => self.expression(other.to_expression()).map(Item::Value),
                });
                Expr::Array(items.collect::<Lowered<_>>()?)
            }
            Expression::ObjectExpression(object) => self.object(object)?,
            Expression::FunctionExpression(function) => Expr::Function(self.function(function)?),
            Expression::ArrowFunctionExpression(arrow) => Expr::Function(self.arrow(arrow)?),
            Expression::AssignmentExpression(assignment) => self.assignment(assignment)?,
            Expression::AwaitExpression(awaited) => Expr::Unary(
                UnaryOperator::Void,
                Box::new(self.expression(&awaited.argument)?),
            ),
            Expression::UnaryExpression(unary) => {
                Expr::Unary(unary.operator, Box::new(self.expression(&unary.argument)?))
            }
            Expression::UpdateExpression(update) => self.update(update)?,
            Expression::BinaryExpression(_) | Expression::LogicalExpression(_) => {
                self.operators(tree)?
            }
            Expression::ConditionalExpression(conditional) => self.conditional(conditional)?,
            Expression::SequenceExpression(sequence) => {
                let all = sequence
                    .expressions
                    .iter()
                    .map(|tree| self.expression(tree));
                Expr::Sequence(all.collect::<Lowered<_>>()?)
            }
            Expression::ParenthesizedExpression(inner) => self.expression(&inner.expression)?,
            Expression::JSXElement(element) => Expr::Jsx(Box::new(self.element(element)?)),
            Expression::JSXFragment(fragment) => Expr::Jsx(Box::new(self.fragment(fragment)?)),
            Expression::TSAsExpression(cast) => self.expression(&cast.expression)?,
            Expression::TSSatisfiesExpression(cast) => self.expression(&cast.expression)?,
            Expression::TSTypeAssertion(cast) => self.expression(&cast.expression)?,
            Expression::TSInstantiationExpression(cast) => self.expression(&cast.expression)?,
            Expression::CallExpression(_)
            | Expression::ChainExpression(_)
            | Expression::TaggedTemplateExpression(_)
            | Expression::TSNonNullExpression(_)
            | Expression::ComputedMemberExpression(_)
            | Expression::StaticMemberExpression(_)
            | Expression::PrivateFieldExpression(_) => {
                let chain = self.chain(tree, Vec::new())?;
                if chain.links.is_empty() {
                    return Ok(chain.base);
                }
                Expr::Chain(Box::new(chain))
            }
            Expression::NewExpression(new) => {
                self.expression(&new.callee)?;
                Expr::Opaque
            }
            Expression::RegExpLiteral(_)
            | Expression::ClassExpression(_)
            | Expression::YieldExpression(_)
            | Expression::ImportExpression(_)
            | Expression::ImportMeta(_)
            | Expression::NewTarget(_)
            | Expression::PrivateInExpression(_)
            | Expression::Super(_)
            | Expression::ThisExpression(_)
            | Expression::V8IntrinsicExpression(_) => Expr::Opaque,
        })
    }

    /// Records that the text reads `name`.
    pub(super) fn read(&mut self, name: &str) -> Name {
        let name: Name = name.into();
        self.names.push(Arc::clone(&name));
        name
    }

    fn spread(&mut self, spread: &SpreadElement<'_>) -> Lowered<Item> {
        self.expression(&spread.argument).map(Item::Spread)
    }

    fn template(&mut self, template: &TemplateLiteral<'_>) -> Lowered<Expr> {
        let strings = template.quasis.iter().map(|part| {
            let text = part.value.cooked.as_ref().unwrap_or(&part.value.raw);
            unescaped(text, part.lone_surrogates)
        });
        let strings = strings.collect();
        let values = template
            .expressions
            .iter()
            .map(|tree| self.expression(tree));
        Ok(Expr::Template(strings, values.collect::<Lowered<_>>()?))
    }

    fn object(&mut self, object: &ObjectExpression<'_>) -> Lowered<Expr> {
        let mut properties = Vec::with_capacity(object.properties.len());
        for property in &object.properties {
            properties.push(match property {
                ObjectPropertyKind::SpreadProperty(spread) => {
                    Property::Spread(self.expression(&spread.argument)?)
                }
                ObjectPropertyKind::ObjectProperty(pair) => {
                    let key = self.key(&pair.key, pair.computed)?;
                    let value = match pair.kind {
                        PropertyKind::Init => self.expression(&pair.value)?,
                        PropertyKind::Get | PropertyKind::Set => Expr::Opaque,
                    };
                    Property::Pair(key, value)
                }
            });
        }
        Ok(Expr::Object(properties))
    }

    pub(super) fn key(
        &mut self,
        key: &ast::PropertyKey<'_>,
        computed: bool,
    ) -> Lowered<PropertyKey> {
        Ok(match key {
            ast::PropertyKey::StaticIdentifier(name) => {
                PropertyKey::Name(name.name.as_str().into())
            }
            ast::PropertyKey::PrivateIdentifier(name) => {
                PropertyKey::Name(name.name.as_str().into())
            }
            ast::PropertyKey::StringLiteral(text) if !computed => {
                PropertyKey::Name(unescaped(&text.value, text.lone_surrogates))
            }
            ast::PropertyKey::NumericLiteral(literal) if !computed => {
                PropertyKey::Name(number::to_text(literal.value).into())
            }
            other => PropertyKey::Computed(self.expression(other.to_expression())?),
        })
    }

    fn assignment(&mut self, assignment: &AssignmentExpression<'_>) -> Lowered<Expr> {
        let operator = assignment.operator;
        let operator = match operator.to_logical_operator() {
            Some(logical) => Some(Operator::Logical(logical)),
            None => operator.to_binary_operator().map(Operator::Binary),
        };
        Ok(Expr::Assign(Box::new(Assign {
            target: self.target(&assignment.left)?,
            operator,
            value: self.expression(&assignment.right)?,
        })))
    }

    fn update(&mut self, update: &UpdateExpression<'_>) -> Lowered<Expr> {
        let target = match &update.argument {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => {
                Expr::Identifier(self.read(&name.name))
            }
            other => match other.as_member_expression() {
                Some(member) => Expr::Chain(Box::new(self.member_chain(member)?)),
                None => Expr::Opaque,
            },
        };
        let increment = update.operator == UpdateOperator::Increment;
        Ok(Expr::Update {
            target: Box::new(target),
            step: if increment { 1.0 } else { -1.0 },
            prefix: update.prefix,
        })
    }

    /// Converts a tree of operators that is deep only at the left.
    fn operators(&mut self, tree: &Expression<'_>) -> Lowered<Expr> {
        let mut operands = Vec::new();
        let mut first = tree;
        loop {
            let (operator, left, right) = match first {
                Expression::BinaryExpression(binary) => (
                    Operator::Binary(binary.operator),
                    &binary.left,
                    &binary.right,
                ),
                Expression::LogicalExpression(logical) => (
                    Operator::Logical(logical.operator),
                    &logical.left,
                    &logical.right,
                ),
                _ => break,
            };
            operands.push((operator, self.expression(right)?));
            first = left;
        }
        operands.reverse();
        Ok(Expr::Binary(Box::new(self.expression(first)?), operands))
    }

    /// Converts `a ? b : c ? d : e` to a list.
    fn conditional(&mut self, tree: &ConditionalExpression<'_>) -> Lowered<Expr> {
        let mut arms = Vec::new();
        let mut tree = tree;
        loop {
            arms.push((
                self.expression(&tree.test)?,
                self.expression(&tree.consequent)?,
            ));
            match &tree.alternate {
                Expression::ConditionalExpression(next) => tree = next,
                last => return Ok(Expr::Conditional(arms, Box::new(self.expression(last)?))),
            }
        }
    }

    pub(super) fn member_chain(&mut self, member: &MemberExpression<'_>) -> Lowered<Chain> {
        let mut links = Vec::new();
        let object = self.member(member, &mut links)?;
        self.chain(object, links)
    }

    /// Converts members and calls down to their base. `links` are those after `tree`, reversed.
    fn chain(&mut self, tree: &Expression<'_>, mut links: Vec<ChainLink>) -> Lowered<Chain> {
        let mut base = match tree {
            Expression::ChainExpression(chain) if links.is_empty() => match &chain.expression {
                ChainElement::CallExpression(call) => self.call(call, &mut links)?,
                ChainElement::TSNonNullExpression(inner) => &inner.expression,
                other => self.member(other.to_member_expression(), &mut links)?,
            },
            other => other,
        };
        loop {
            base = match base {
                Expression::CallExpression(call) => self.call(call, &mut links)?,
                Expression::TaggedTemplateExpression(tagged) => {
                    let template = self.template(&tagged.quasi)?;
                    let offset = self.offset(tagged.quasi.span.start);
                    links.push(ChainLink {
                        kind: LinkKind::Tagged(template),
                        optional: false,
                        offset,
                    });
                    &tagged.tag
                }
                Expression::TSNonNullExpression(inner) => &inner.expression,
                other => match other.as_member_expression() {
                    Some(member) => self.member(member, &mut links)?,
                    None => break,
                },
            };
        }
        links.reverse();
        Ok(Chain {
            base: self.expression(base)?,
            links,
        })
    }

    fn call<'t, 'a>(
        &mut self,
        call: &'t CallExpression<'a>,
        links: &mut Vec<ChainLink>,
    ) -> Lowered<&'t Expression<'a>> {
        let args = call.arguments.iter().map(|argument| match argument {
            Argument::SpreadElement(spread) => self.spread(spread),
            other => self.expression(other.to_expression()).map(Item::Value),
        });
        let kind = LinkKind::Call(args.collect::<Lowered<_>>()?);
        self.link(kind, call.optional, &call.callee, links);
        Ok(&call.callee)
    }

    fn member<'t, 'a>(
        &mut self,
        member: &'t MemberExpression<'a>,
        links: &mut Vec<ChainLink>,
    ) -> Lowered<&'t Expression<'a>> {
        let (kind, object) = match member {
            MemberExpression::StaticMemberExpression(member) => {
                let name = member.property.name.as_str().into();
                (LinkKind::Member(name), &member.object)
            }
            MemberExpression::ComputedMemberExpression(member) => {
                let index = self.expression(&member.expression)?;
                (LinkKind::Index(index), &member.object)
            }
            MemberExpression::PrivateFieldExpression(member) => {
                let name = member.field.name.as_str().into();
                (LinkKind::Member(name), &member.object)
            }
        };
        self.link(kind, member.optional(), object, links);
        Ok(object)
    }

    fn link(
        &self,
        kind: LinkKind,
        optional: bool,
        before: &Expression<'_>,
        links: &mut Vec<ChainLink>,
    ) {
        let end = before.span().end;
        let rest = self.source.get(end as usize..).unwrap_or("");
        let blank = rest.len() - rest.trim_start().len();
        links.push(ChainLink {
            kind,
            optional,
            offset: self.offset(end) + blank,
        });
    }
}

/// The text of a literal. The parser writes half of a surrogate pair as U+FFFD and four digits.
fn unescaped(text: &str, lone_surrogates: bool) -> Arc<str> {
    if !lone_surrogates {
        return text.into();
    }
    let mut parts = text.split('\u{fffd}');
    let mut result = parts.next().unwrap_or("").to_owned();
    for part in parts {
        result.push('\u{fffd}');
        result.push_str(part.get(4..).unwrap_or(""));
    }
    result.into()
}
