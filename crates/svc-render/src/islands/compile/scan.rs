//! Visitor of a module. It collects the edits that convert it to plain JavaScript and the features
//! that it uses.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use oxc_ast::ast::{
    ArrowFunctionExpression, AwaitExpression, BindingIdentifier, CallExpression, Class,
    Declaration, Expression, FormalParameter, IdentifierReference, ImportExpression, JSXAttribute,
    JSXAttributeName, JSXElement, JSXElementName, JSXFragment, MethodDefinition, NewExpression,
    Program, PropertyDefinition, RegExpLiteral, StaticMemberExpression, StringLiteral,
    TSAsExpression, TSEnumDeclaration, TSInstantiationExpression, TSNonNullExpression,
    TSSatisfiesExpression, TSThisParameter, TSTypeAnnotation, TSTypeAssertion,
    TSTypeParameterDeclaration, TSTypeParameterInstantiation, TaggedTemplateExpression,
    TemplateElement, VariableDeclarator, YieldExpression,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};

use super::edits::Edits;
use super::levels::StatementInfo;
use super::options::RUNTIME;

/// Maximum number of bytes of strings that are searched for class names.
const MAX_STRING_BYTES: usize = 64 * 1024;

/// State of the visitor.
pub(super) struct Scan<'s> {
    pub(super) source: &'s str,
    pub(super) edits: Edits,
    /// All names that are declared anywhere in the module.
    pub(super) declared: HashSet<String>,
    /// Undeclared names that are used as values.
    pub(super) free: BTreeSet<String>,
    /// Offsets of elements that are nested in others.
    pub(super) nested: HashSet<u32>,
    /// Features of the current statement.
    pub(super) info: StatementInfo,
    /// Features of all top-level names.
    pub(super) statements: BTreeMap<String, StatementInfo>,
    /// String literals, which may contain class names.
    pub(super) strings: String,
    /// Message and offset of syntax that is not supported.
    pub(super) unsupported: Option<(&'static str, usize)>,
}

pub(super) fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// Collects all names that are declared anywhere in a module.
pub(super) fn declared(program: &Program<'_>) -> HashSet<String> {
    struct Names(HashSet<String>);
    impl<'a> Visit<'a> for Names {
        fn visit_binding_identifier(&mut self, name: &BindingIdentifier<'a>) {
            self.0.insert(name.name.to_string());
        }
    }
    let mut names = Names(HashSet::new());
    names.visit_program(program);
    names.0
}

/// Marks the literals of a module, whose white space is significant.
pub(super) fn literals(program: &Program<'_>, edits: &mut Edits) {
    struct Literals<'e>(&'e mut Edits);
    impl<'a> Visit<'a> for Literals<'_> {
        fn visit_string_literal(&mut self, text: &StringLiteral<'a>) {
            self.0.preserve(range(text.span));
        }
        fn visit_template_element(&mut self, text: &TemplateElement<'a>) {
            self.0.preserve(range(text.span));
        }
        fn visit_reg_exp_literal(&mut self, literal: &RegExpLiteral<'a>) {
            self.0.preserve(range(literal.span));
        }
    }
    Literals(edits).visit_program(program);
}

impl Scan<'_> {
    /// Whether a name refers to an export of the runtime.
    pub(super) fn is_runtime(&self, name: &str) -> bool {
        RUNTIME.binary_search(&name).is_ok() && !self.declared.contains(name)
    }

    pub(super) fn text(&self, span: Range<usize>) -> &str {
        self.source.get(span).unwrap_or("")
    }

    /// Removes a type and its surrounding syntax.
    pub(super) fn strike(&mut self, span: Span) {
        self.edits.replace(range(span), "");
    }

    /// Removes the character `mark` right after `at`: `?` and `!` after names.
    fn strike_mark(&mut self, at: u32, mark: char) {
        let from = at as usize;
        let rest = self.source.get(from..).unwrap_or("");
        let blank = rest.len() - rest.trim_start().len();
        if rest.trim_start().starts_with(mark) {
            let at = from + blank;
            self.edits.replace(at..at + mark.len_utf8(), "");
        }
    }

    /// Removes TypeScript modifiers of a class member.
    fn strike_modifiers(&mut self, from: u32, to: u32) {
        let base = from as usize;
        let text = self.text(base..to as usize).to_owned();
        let mut at = 0;
        for token in text.split_inclusive(char::is_whitespace) {
            let bare = token.trim_end();
            let modifiers = [
                "public",
                "private",
                "protected",
                "readonly",
                "override",
                "abstract",
                "declare",
            ];
            if modifiers.contains(&bare) {
                self.edits.replace(base + at..base + at + bare.len(), "");
            }
            at += token.len();
        }
    }

    fn refuse(&mut self, what: &'static str, span: Span) {
        self.unsupported.get_or_insert((what, span.start as usize));
    }

    fn note(&mut self, text: &str) {
        if self.strings.len() + text.len() < MAX_STRING_BYTES {
            self.strings.push(' ');
            self.strings.push_str(text);
        }
    }
}

impl<'a> Visit<'a> for Scan<'_> {
    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        let name = name.name.as_str();
        self.info.mention(name);
        if !self.declared.contains(name) && !self.free.contains(name) {
            self.free.insert(name.to_owned());
        }
    }

    fn visit_jsx_element_name(&mut self, name: &JSXElementName<'a>) {
        let span = range(name.span());
        let head = self.text(span).split('.').next().unwrap_or("").to_owned();
        if head.starts_with(|c: char| !c.is_lowercase()) || self.declared.contains(&head) {
            self.info.mention(&head);
            // `React.Fragment` and `Suspense` come from the runtime.
            if self.is_runtime(&head) {
                self.free.insert(head);
            }
        }
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        match &call.callee {
            Expression::Identifier(name) => self.info.call(&name.name),
            Expression::StaticMemberExpression(member) => {
                self.info.call(&member.property.name);
            }
            _ => {}
        }
        walk::walk_call_expression(self, call);
    }

    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'a>) {
        if let Expression::Identifier(object) = &member.object
            && object.name == "Math"
            && member.property.name == "random"
        {
            self.info.island = true;
        }
        walk::walk_static_member_expression(self, member);
    }

    fn visit_jsx_attribute(&mut self, attribute: &JSXAttribute<'a>) {
        if let JSXAttributeName::Identifier(name) = &attribute.name {
            let event = name
                .name
                .strip_prefix("on")
                .is_some_and(|rest| rest.starts_with(char::is_uppercase));
            if event || name.name == "ref" {
                self.info.island = true;
            }
        }
        walk::walk_jsx_attribute(self, attribute);
    }

    fn visit_jsx_element(&mut self, element: &JSXElement<'a>) {
        let before = if self.nested.remove(&element.span.start) {
            ","
        } else {
            ""
        };
        self.jsx_element(element, before);
        walk::walk_jsx_element(self, element);
    }

    fn visit_jsx_fragment(&mut self, fragment: &JSXFragment<'a>) {
        let before = if self.nested.remove(&fragment.span.start) {
            ","
        } else {
            ""
        };
        self.jsx_fragment(fragment, before);
        walk::walk_jsx_fragment(self, fragment);
    }

    fn visit_string_literal(&mut self, text: &StringLiteral<'a>) {
        self.edits.preserve(range(text.span));
        self.note(&text.value);
    }

    fn visit_template_element(&mut self, text: &TemplateElement<'a>) {
        self.edits.preserve(range(text.span));
        self.note(&text.value.raw);
    }

    fn visit_reg_exp_literal(&mut self, literal: &RegExpLiteral<'a>) {
        self.info.engine = true;
        self.edits.preserve(range(literal.span));
    }

    fn visit_new_expression(&mut self, new: &NewExpression<'a>) {
        self.info.engine = true;
        walk::walk_new_expression(self, new);
    }

    fn visit_await_expression(&mut self, await_: &AwaitExpression<'a>) {
        self.info.engine = true;
        walk::walk_await_expression(self, await_);
    }

    fn visit_yield_expression(&mut self, yield_: &YieldExpression<'a>) {
        self.info.engine = true;
        walk::walk_yield_expression(self, yield_);
    }

    fn visit_tagged_template_expression(&mut self, tagged: &TaggedTemplateExpression<'a>) {
        self.info.engine = true;
        walk::walk_tagged_template_expression(self, tagged);
    }

    fn visit_import_expression(&mut self, import: &ImportExpression<'a>) {
        self.refuse("`import()`", import.span);
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        self.info.engine = true;
        for implemented in &class.implements {
            self.strike(implemented.span);
        }
        if let Some(first) = class.implements.first() {
            let before = class
                .heritage
                .as_ref()
                .map(|heritage| heritage.expression.span().end)
                .or(class.id.as_ref().map(|id| id.span.end))
                .unwrap_or(class.span.start);
            let end = class.body.span.start as usize;
            let from = (before as usize).min(first.span.start as usize);
            let text = self.text(from..end);
            if let Some(at) = text.find("implements") {
                self.edits.replace(from + at..end, " ");
            }
        }
        if class.r#abstract {
            self.strike_modifiers(class.span.start, class.body.span.start);
        }
        walk::walk_class(self, class);
    }

    fn visit_property_definition(&mut self, property: &PropertyDefinition<'a>) {
        if property.declare || property.r#type.is_abstract() {
            self.strike(property.span);
            return;
        }
        self.strike_modifiers(property.span.start, property.key.span().start);
        if property.optional {
            self.strike_mark(property.key.span().end, '?');
        }
        if property.definite {
            self.strike_mark(property.key.span().end, '!');
        }
        walk::walk_property_definition(self, property);
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        if method.value.body.is_none() {
            self.strike(method.span);
            return;
        }
        self.strike_modifiers(method.span.start, method.key.span().start);
        walk::walk_method_definition(self, method);
    }

    fn visit_formal_parameter(&mut self, parameter: &FormalParameter<'a>) {
        if parameter.accessibility.is_some() || parameter.readonly {
            self.refuse("a parameter that is a property", parameter.span);
        }
        if parameter.optional {
            self.strike_mark(parameter.pattern.span().end, '?');
        }
        walk::walk_formal_parameter(self, parameter);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if declarator.definite {
            self.strike_mark(declarator.id.span().end, '!');
        }
        walk::walk_variable_declarator(self, declarator);
    }

    fn visit_declaration(&mut self, declaration: &Declaration<'a>) {
        let removed = match declaration {
            Declaration::TSTypeAliasDeclaration(_) | Declaration::TSInterfaceDeclaration(_) => true,
            Declaration::FunctionDeclaration(function) => {
                function.body.is_none() || function.declare
            }
            Declaration::ClassDeclaration(class) => class.declare,
            Declaration::VariableDeclaration(variables) => variables.declare,
            Declaration::TSGlobalDeclaration(_) | Declaration::TSExternalModuleDeclaration(_) => {
                true
            }
            Declaration::TSEnumDeclaration(_)
            | Declaration::TSNamespaceDeclaration(_)
            | Declaration::TSImportEqualsDeclaration(_) => false,
        };
        if removed {
            self.edits.replace(range(declaration.span()), ";");
            return;
        }
        if let Declaration::TSNamespaceDeclaration(namespace) = declaration {
            self.refuse("`namespace`", namespace.span);
            return;
        }
        walk::walk_declaration(self, declaration);
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        if let Some(types) = &arrow.type_parameters {
            self.strike(types.span);
        }
        self.visit_formal_parameters(&arrow.params);
        if let Some(result) = &arrow.return_type {
            // A line break before `=>` is not allowed.
            self.edits.replace_in_line(range(result.span), "");
        }
        self.visit_arrow_function_body(&arrow.body);
    }

    fn visit_ts_enum_declaration(&mut self, declaration: &TSEnumDeclaration<'a>) {
        self.refuse("`enum`", declaration.span);
    }

    fn visit_ts_type_annotation(&mut self, annotation: &TSTypeAnnotation<'a>) {
        self.strike(annotation.span);
    }

    fn visit_ts_type_parameter_declaration(&mut self, types: &TSTypeParameterDeclaration<'a>) {
        self.strike(types.span);
    }

    fn visit_ts_type_parameter_instantiation(&mut self, types: &TSTypeParameterInstantiation<'a>) {
        self.strike(types.span);
    }

    fn visit_ts_this_parameter(&mut self, this: &TSThisParameter<'a>) {
        self.strike(this.span);
        self.strike_mark(this.span.end, ',');
    }

    fn visit_ts_as_expression(&mut self, cast: &TSAsExpression<'a>) {
        let end = cast.expression.span().end as usize;
        self.edits.replace(end..cast.span.end as usize, "");
        self.visit_expression(&cast.expression);
    }

    fn visit_ts_satisfies_expression(&mut self, cast: &TSSatisfiesExpression<'a>) {
        let end = cast.expression.span().end as usize;
        self.edits.replace(end..cast.span.end as usize, "");
        self.visit_expression(&cast.expression);
    }

    fn visit_ts_non_null_expression(&mut self, cast: &TSNonNullExpression<'a>) {
        let end = cast.expression.span().end as usize;
        self.edits.replace(end..cast.span.end as usize, "");
        self.visit_expression(&cast.expression);
    }

    fn visit_ts_instantiation_expression(&mut self, cast: &TSInstantiationExpression<'a>) {
        let end = cast.expression.span().end as usize;
        self.edits.replace(end..cast.span.end as usize, "");
        self.visit_expression(&cast.expression);
    }

    fn visit_ts_type_assertion(&mut self, cast: &TSTypeAssertion<'a>) {
        let end = cast.expression.span().start as usize;
        self.edits.replace(cast.span.start as usize..end, "");
        self.visit_expression(&cast.expression);
    }
}
