//! Minifies names in scripts of this crate: all names that a module declares and does not export.
//!
//! Each name has one replacement in the whole module, so scopes need not be analyzed. Names that
//! are also used without a declaration are not renamed.

use std::collections::{BTreeMap, HashSet};

use oxc_ast::ast::{
    AssignmentTargetPropertyIdentifier, BindingIdentifier, BindingProperty, IdentifierReference,
    ImportSpecifier, ObjectProperty, Program, Statement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan as _;

use super::edits::Edits;
use super::scan::range;

/// Adds edits that shorten the names in `declared`.
pub(super) fn rename(program: &Program<'_>, declared: &HashSet<String>, edits: &mut Edits) {
    let mut exported = HashSet::new();
    for statement in &program.body {
        if let Statement::ExportDeclaration(export) = statement {
            let mut names = Names(HashSet::new());
            names.visit_declaration(&export.declaration);
            // Names inside of exported functions are retained as well; there are few.
            exported.extend(names.0);
        }
    }
    let mut uses = NameCounts(BTreeMap::new());
    uses.visit_program(program);
    let mut often: Vec<(&String, &usize)> = uses
        .0
        .iter()
        .filter(|(name, _)| declared.contains(*name) && !exported.contains(*name))
        .collect();
    often.sort_by_key(|(name, times)| (std::cmp::Reverse(**times), (*name).clone()));
    let mut names = BTreeMap::new();
    let mut free =
        short_names().filter(|name| !uses.0.contains_key(name) && !declared.contains(name));
    for (name, _) in often {
        if let Some(short) = free.next()
            && short.len() < name.len()
        {
            names.insert(name.clone(), short);
        }
    }
    Renamer { names, edits }.visit_program(program);
}

/// Short names: `a` to `Z`, then two letters, without keywords.
fn short_names() -> impl Iterator<Item = String> {
    let letters = || ('a'..='z').chain('A'..='Z');
    let pairs =
        letters().flat_map(move |first| letters().map(move |second| format!("{first}{second}")));
    letters().map(String::from).chain(
        pairs.filter(|pair| !matches!(pair.as_str(), "as" | "do" | "if" | "in" | "is" | "of")),
    )
}

struct Names(HashSet<String>);

impl<'a> Visit<'a> for Names {
    fn visit_binding_identifier(&mut self, name: &BindingIdentifier<'a>) {
        self.0.insert(name.name.to_string());
    }

    fn visit_expression(&mut self, _: &oxc_ast::ast::Expression<'a>) {}

    fn visit_function_body(&mut self, _: &oxc_ast::ast::FunctionBody<'a>) {}

    fn visit_formal_parameters(&mut self, _: &oxc_ast::ast::FormalParameters<'a>) {}
}

struct NameCounts(BTreeMap<String, usize>);

impl<'a> Visit<'a> for NameCounts {
    fn visit_binding_identifier(&mut self, name: &BindingIdentifier<'a>) {
        *self.0.entry(name.name.to_string()).or_default() += 1;
    }

    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        *self.0.entry(name.name.to_string()).or_default() += 1;
    }
}

struct Renamer<'e> {
    names: BTreeMap<String, String>,
    edits: &'e mut Edits,
}

impl<'a> Visit<'a> for Renamer<'_> {
    fn visit_binding_identifier(&mut self, name: &BindingIdentifier<'a>) {
        if let Some(short) = self.names.get(name.name.as_str()) {
            self.edits.replace(range(name.span), short.clone());
        }
    }

    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        if let Some(short) = self.names.get(name.name.as_str()) {
            self.edits.replace(range(name.span), short.clone());
        }
    }

    fn visit_import_specifier(&mut self, specifier: &ImportSpecifier<'a>) {
        let name = specifier.local.name.as_str();
        // The other module has its own name for it.
        if specifier.imported.span() == specifier.local.span
            && let Some(short) = self.names.get(name)
        {
            let short = format!("{name} as {short}");
            self.edits.replace(range(specifier.local.span), short);
        } else {
            self.visit_binding_identifier(&specifier.local);
        }
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        if property.shorthand {
            let at = range(property.key.span());
            self.edits.replace(
                at.start..at.start,
                format!("{}:", property.key.name().unwrap_or_default()),
            );
        }
        walk::walk_object_property(self, property);
    }

    fn visit_binding_property(&mut self, property: &BindingProperty<'a>) {
        if property.shorthand {
            let at = range(property.key.span());
            self.edits.replace(
                at.start..at.start,
                format!("{}:", property.key.name().unwrap_or_default()),
            );
        }
        walk::walk_binding_property(self, property);
    }

    fn visit_assignment_target_property_identifier(
        &mut self,
        property: &AssignmentTargetPropertyIdentifier<'a>,
    ) {
        let at = range(property.binding.span);
        self.edits
            .replace(at.start..at.start, format!("{}:", property.binding.name));
        walk::walk_assignment_target_property_identifier(self, property);
    }
}
