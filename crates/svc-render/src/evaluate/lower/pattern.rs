//! Destructuring: patterns of declarations and parameters, and targets of assignments.

use std::sync::Arc;

use oxc_ast::ast::{
    AssignmentTarget, AssignmentTargetMaybeDefault, AssignmentTargetProperty, BindingPattern,
    BindingRestElement,
};
use oxc_span::GetSpan as _;

use super::{Lowered, Lowering};
use crate::evaluate::ast::{BindingElement, Name, Pattern, PropertyKey};

impl Lowering<'_> {
    /// Converts a pattern and declares its names in the innermost block.
    pub(super) fn declared_pattern(&mut self, tree: &BindingPattern<'_>) -> Lowered<Pattern> {
        let pattern = self.pattern(tree)?;
        if let Some(scope) = self.declared.last_mut() {
            names(&pattern, scope);
        }
        Ok(pattern)
    }

    pub(super) fn pattern(&mut self, tree: &BindingPattern<'_>) -> Lowered<Pattern> {
        self.nested(tree.span(), |lowering| match tree {
            BindingPattern::BindingIdentifier(name) => Ok(Pattern::Name(name.name.as_str().into())),
            BindingPattern::AssignmentPattern(pattern) => lowering.pattern(&pattern.left),
            BindingPattern::ArrayPattern(array) => {
                let elements = array.elements.iter();
                let elements =
                    elements.map(|tree| tree.as_ref().map(|tree| lowering.item(tree)).transpose());
                let elements = elements.collect::<Lowered<_>>()?;
                Ok(Pattern::Array(
                    elements,
                    lowering.rest(array.rest.as_deref())?,
                ))
            }
            BindingPattern::ObjectPattern(object) => {
                let mut entries = Vec::with_capacity(object.properties.len());
                for property in &object.properties {
                    let key = lowering.key(&property.key, property.computed)?;
                    entries.push((key, lowering.item(&property.value)?));
                }
                Ok(Pattern::Object(
                    entries,
                    lowering.rest(object.rest.as_deref())?,
                ))
            }
        })
    }

    fn item(&mut self, tree: &BindingPattern<'_>) -> Lowered<BindingElement> {
        let default = match tree {
            BindingPattern::AssignmentPattern(pattern) => Some(self.expression(&pattern.right)?),
            _ => None,
        };
        Ok(BindingElement {
            pattern: self.pattern(tree)?,
            default,
        })
    }

    fn rest(&mut self, rest: Option<&BindingRestElement<'_>>) -> Lowered<Option<Box<Pattern>>> {
        rest.map(|rest| self.pattern(&rest.argument).map(Box::new))
            .transpose()
    }

    pub(super) fn target(&mut self, tree: &AssignmentTarget<'_>) -> Lowered<Pattern> {
        self.nested(tree.span(), |lowering| match tree {
            AssignmentTarget::AssignmentTargetIdentifier(name) => {
                Ok(Pattern::Name(name.name.as_str().into()))
            }
            AssignmentTarget::ArrayAssignmentTarget(array) => {
                let elements = array.elements.iter();
                let elements = elements.map(|tree| {
                    tree.as_ref()
                        .map(|tree| lowering.target_item(tree))
                        .transpose()
                });
                let elements = elements.collect::<Lowered<_>>()?;
                let rest = array
                    .rest
                    .as_deref()
                    .map(|rest| lowering.target(&rest.target));
                Ok(Pattern::Array(elements, rest.transpose()?.map(Box::new)))
            }
            AssignmentTarget::ObjectAssignmentTarget(object) => {
                let mut entries = Vec::with_capacity(object.properties.len());
                for property in &object.properties {
                    entries.push(lowering.target_property(property)?);
                }
                let rest = object
                    .rest
                    .as_deref()
                    .map(|rest| lowering.target(&rest.target));
                Ok(Pattern::Object(entries, rest.transpose()?.map(Box::new)))
            }
            other => match other.as_member_expression() {
                Some(member) => Ok(Pattern::Member(Box::new(lowering.member_chain(member)?))),
                None => lowering.unsupported("invalid assignment target", other.span()),
            },
        })
    }

    fn target_item(&mut self, tree: &AssignmentTargetMaybeDefault<'_>) -> Lowered<BindingElement> {
        Ok(match tree {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(with) => BindingElement {
                pattern: self.target(&with.binding)?,
                default: Some(self.expression(&with.init)?),
            },
            other => BindingElement {
                pattern: self.target(other.to_assignment_target())?,
                default: None,
            },
        })
    }

    fn target_property(
        &mut self,
        property: &AssignmentTargetProperty<'_>,
    ) -> Lowered<(PropertyKey, BindingElement)> {
        match property {
            AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(property) => {
                let name: Name = property.binding.name.as_str().into();
                let default = property.init.as_ref().map(|tree| self.expression(tree));
                let element = BindingElement {
                    pattern: Pattern::Name(Arc::clone(&name)),
                    default: default.transpose()?,
                };
                Ok((PropertyKey::Name(name), element))
            }
            AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                let key = self.key(&property.name, property.computed)?;
                Ok((key, self.target_item(&property.binding)?))
            }
        }
    }
}

/// Collects all names that a pattern binds.
pub(super) fn names(pattern: &Pattern, out: &mut Vec<Name>) {
    let rest = match pattern {
        Pattern::Name(name) => {
            out.push(Arc::clone(name));
            return;
        }
        Pattern::Member(_) => return,
        Pattern::Array(elements, rest) => {
            for element in elements.iter().flatten() {
                names(&element.pattern, out);
            }
            rest
        }
        Pattern::Object(entries, rest) => {
            for (_, element) in entries {
                names(&element.pattern, out);
            }
            rest
        }
    };
    if let Some(rest) = rest {
        names(rest, out);
    }
}
