//! Operations: parameters, bodies, responses, callbacks.

use std::hash::Hash;
use std::sync::Arc;

use indexmap::IndexMap;

use super::flat_schema::Seed;
use super::{ChangeContext, Comparer, DiffLocation, Effect, PayloadDirection, Side, named};
use crate::request::Style;
use crate::{
    Body, Callback, Header, MediaType, Operation, OperationKind, Parameter, ParameterLocation,
    Response,
};

/// The parts of two operations, or two callbacks, that are sent over the wire.
struct Exchange<'a> {
    parameters: &'a [Parameter],
    body: Option<&'a Body>,
    responses: &'a [Response],
    /// The path, whose parameters are matched by position.
    path: &'a str,
    pointer: &'a str,
}

impl<'a> Comparer<'a> {
    pub(super) fn operation(&mut self, old: &'a Operation, new: &'a Operation) {
        let name = named(new);
        let locations = |comparer: &Self| {
            (
                Some(comparer.old.locate(old.source.pointer(), old.location.span)),
                Some(comparer.new.locate(new.source.pointer(), new.location.span)),
            )
        };
        if old.deprecated != new.deprecated {
            let state = if new.deprecated {
                "is now"
            } else {
                "is no longer"
            };
            let locations = locations(self);
            self.report(
                ("operation-deprecated", Effect::Compatible),
                &name,
                format!("`{name}` {state} deprecated"),
                locations,
            );
        }
        if let Some(id) = old
            .operation_id
            .as_ref()
            .filter(|id| new.operation_id.as_ref() != Some(*id))
        {
            let now = match &new.operation_id {
                Some(now) => format!("is now `{now}`"),
                None => "was removed".to_owned(),
            };
            let locations = locations(self);
            self.report(
                ("operation-id", Effect::Unknown),
                &name,
                format!("the `operationId` `{id}` of `{name}` {now}; generated clients name their methods by it"),
                locations,
            );
        }
        if !old.servers.is_empty() || !new.servers.is_empty() {
            let servers = (
                self.old.document.servers_of(old),
                self.new.document.servers_of(new),
            );
            let pointers = (old.source.pointer(), new.source.pointer());
            self.servers(servers.0, servers.1, &name, pointers);
        }
        self.own_security(old, new, &name);
        let call = |item: &'a Operation| Exchange {
            parameters: &item.parameters,
            body: item.request_body.as_ref(),
            responses: &item.responses,
            path: &item.path,
            pointer: item.source.pointer(),
        };
        // Clients receive the payload of a webhook.
        let direction = match new.kind {
            OperationKind::Path => PayloadDirection::Sent,
            OperationKind::Webhook => PayloadDirection::Received,
        };
        let operation: Arc<str> = name.into();
        self.call(&call(old), &call(new), &operation, &operation, direction);
        self.callbacks((old, &old.callbacks), (new, &new.callbacks), &operation);
    }

    fn callbacks(
        &mut self,
        (old_operation, old): (&'a Operation, &'a [Callback]),
        (new_operation, new): (&'a Operation, &'a [Callback]),
        operation: &Arc<str>,
    ) {
        let key = |one: &Callback| (one.name.clone(), one.expression.clone(), one.method.clone());
        let pointers = (
            old_operation.source.pointer(),
            new_operation.source.pointer(),
        );
        for fate in pair_by_key(index_by(old, key), index_by(new, key)) {
            let one = fate.entry();
            let subject: Arc<str> = format!("the callback `{}` of `{operation}`", one.name).into();
            match fate {
                Pairing::Removed(_) => {
                    let location = self
                        .old
                        .locate_pointer(&format!("{}/callbacks", pointers.0));
                    let message = format!("{subject} was removed");
                    let rule = ("callback-removed", Effect::Breaking);
                    self.report(rule, operation, message, (Some(location), None));
                }
                Pairing::Matched(old, new) => {
                    let call = |one: &'a Callback, pointer: &'a str| Exchange {
                        parameters: &one.parameters,
                        body: one.request_body.as_ref(),
                        responses: &one.responses,
                        path: "",
                        pointer,
                    };
                    let (old, new) = (call(old, pointers.0), call(new, pointers.1));
                    self.call(&old, &new, operation, &subject, PayloadDirection::Received);
                }
                Pairing::Added(_) => {
                    let location = self
                        .new
                        .locate_pointer(&format!("{}/callbacks", pointers.1));
                    let message = format!("{subject} was added");
                    let rule = ("callback-added", Effect::Compatible);
                    self.report(rule, operation, message, (None, Some(location)));
                }
            }
        }
    }

    fn call(
        &mut self,
        old: &Exchange<'a>,
        new: &Exchange<'a>,
        operation: &Arc<str>,
        what: &Arc<str>,
        direction: PayloadDirection,
    ) {
        let what: Arc<str> = if operation == what {
            format!("`{what}`").into()
        } else {
            Arc::clone(what)
        };
        let context = |what: String, direction: PayloadDirection| ChangeContext {
            operation: Arc::clone(operation),
            subject: what.into(),
            direction,
        };
        self.parameters(old, new, &context(what.to_string(), direction));
        self.body(
            old,
            new,
            &context(format!("the request body of {what}"), direction),
        );
        self.responses(old, new, &context(what.to_string(), direction.reversed()));
    }

    fn parameters(&mut self, old: &Exchange<'a>, new: &Exchange<'a>, context: &ChangeContext) {
        for fate in pair_by_key(by_location(old), by_location(new)) {
            let subject = describe(fate.entry(), context);
            match fate {
                Pairing::Removed(old) => {
                    let location = self.old.locate(old.source.pointer(), old.span);
                    let message = format!("{subject} was removed; it may be ignored or rejected");
                    let rule = ("parameter-removed", Effect::Unknown);
                    self.report(rule, &context.operation, message, (Some(location), None));
                }
                Pairing::Matched(old, new) => self.parameter(old, new, context),
                Pairing::Added(new) => {
                    let location = self.new.locate(new.source.pointer(), new.span);
                    let (rule, more) = if new.required {
                        (
                            ("parameter-required", context.direction.narrowing_effect()),
                            "was added and is required",
                        )
                    } else {
                        (("parameter-added", Effect::Compatible), "was added")
                    };
                    let message = format!("{subject} {more}");
                    self.report(rule, &context.operation, message, (None, Some(location)));
                }
            }
        }
    }

    fn parameter(&mut self, old: &'a Parameter, new: &'a Parameter, context: &ChangeContext) {
        let name = describe(new, context);
        let locations = |comparer: &Self| {
            (
                Some(comparer.old.locate(old.source.pointer(), old.span)),
                Some(comparer.new.locate(new.source.pointer(), new.span)),
            )
        };
        if old.required != new.required {
            let (effect, state) = if new.required {
                (context.direction.narrowing_effect(), "is now required")
            } else {
                (context.direction.widening_effect(), "is no longer required")
            };
            let locations = locations(self);
            let rule = ("parameter-required", effect);
            self.report(
                rule,
                &context.operation,
                format!("{name} {state}"),
                locations,
            );
        }
        if old.deprecated != new.deprecated {
            let state = if new.deprecated {
                "is now"
            } else {
                "is no longer"
            };
            let locations = locations(self);
            let rule = ("parameter-deprecated", Effect::Compatible);
            self.report(
                rule,
                &context.operation,
                format!("{name} {state} deprecated"),
                locations,
            );
        }
        let written = |item: &Parameter| {
            let named = item.style.as_deref().and_then(Style::from_name);
            let style = named.unwrap_or(Style::default_of(item.location));
            let explode = item.explode.unwrap_or(style.explodes());
            (item.media_type.clone(), style, explode, item.allow_reserved)
        };
        let (before, after) = (written(old), written(new));
        let pair = (
            Seed::of(self.old.document, &old.schema),
            Seed::of(self.new.document, &new.schema),
        );
        // `explode` has an effect only on arrays and objects.
        let compound = self.is_compound(&pair.0, true) || self.is_compound(&pair.1, false);
        let shape = |(media_type, style, explode, reserved)| {
            (media_type, style, explode && compound, reserved)
        };
        if shape(before) != shape(after) {
            let locations = locations(self);
            let rule = ("parameter-style", Effect::Breaking);
            let message = format!(
                "{name} has a different serialization (`style`, `explode`, `allowReserved` or `content`)"
            );
            self.report(rule, &context.operation, message, locations);
        }
        let context = ChangeContext {
            subject: name.into(),
            ..context.clone()
        };
        self.pair(pair, &context, "");
    }

    fn body(&mut self, old: &Exchange<'a>, new: &Exchange<'a>, context: &ChangeContext) {
        let pointers = (
            format!("{}/requestBody", old.pointer),
            format!("{}/requestBody", new.pointer),
        );
        let subject = &context.subject;
        match (old.body, new.body) {
            (None, None) => {}
            (None, Some(body)) => {
                let location = self.new.locate(&pointers.1, body.span);
                let (effect, more) = if body.required {
                    (context.direction.narrowing_effect(), " and is required")
                } else {
                    (Effect::Compatible, "")
                };
                let message = format!("{subject} was added{more}");
                self.report(
                    ("body-added", effect),
                    &context.operation,
                    message,
                    (None, Some(location)),
                );
            }
            (Some(body), None) => {
                let location = self.old.locate(&pointers.0, body.span);
                let message = format!("{subject} was removed");
                let rule = ("body-removed", Effect::Unknown);
                self.report(rule, &context.operation, message, (Some(location), None));
            }
            (Some(before), Some(after)) => {
                let locations = (
                    Some(self.old.locate(&pointers.0, before.span)),
                    Some(self.new.locate(&pointers.1, after.span)),
                );
                if before.required != after.required {
                    let (effect, state) = if after.required {
                        (context.direction.narrowing_effect(), "is now required")
                    } else {
                        (context.direction.widening_effect(), "is no longer required")
                    };
                    let rule = ("body-required", effect);
                    self.report(
                        rule,
                        &context.operation,
                        format!("{subject} {state}"),
                        locations.clone(),
                    );
                }
                self.content(&before.content, &after.content, context, &locations);
            }
        }
    }

    fn responses(&mut self, old: &Exchange<'a>, new: &Exchange<'a>, context: &ChangeContext) {
        let status = |one: &Response| one.status.to_ascii_uppercase();
        let location = |side: &Side<'_>, pointer: &str, one: &Response| {
            side.locate(&format!("{pointer}/responses/{}", one.status), one.span)
        };
        for fate in pair_by_key(
            index_by(old.responses, status),
            index_by(new.responses, status),
        ) {
            let one = fate.entry();
            let subject: Arc<str> =
                format!("the response `{}` of {}", one.status, context.subject).into();
            match fate {
                Pairing::Removed(was) => {
                    let effect = if was.status.starts_with('2') {
                        Effect::Breaking
                    } else {
                        Effect::Compatible
                    };
                    let removed = location(&self.old, old.pointer, was);
                    let message = format!("{subject} was removed");
                    let rule = ("response-removed", effect);
                    self.report(rule, &context.operation, message, (Some(removed), None));
                }
                Pairing::Matched(was, now) => {
                    let locations = (
                        Some(location(&self.old, old.pointer, was)),
                        Some(location(&self.new, new.pointer, now)),
                    );
                    let context = ChangeContext {
                        subject,
                        ..context.clone()
                    };
                    self.headers(&was.headers, &now.headers, &context, &locations);
                    self.content(&was.content, &now.content, &context, &locations);
                }
                Pairing::Added(now) => {
                    let location = location(&self.new, new.pointer, now);
                    let message = format!("{subject} was added");
                    let rule = ("response-added", Effect::Compatible);
                    self.report(rule, &context.operation, message, (None, Some(location)));
                }
            }
        }
    }

    fn headers(
        &mut self,
        old: &'a [Header],
        new: &'a [Header],
        context: &ChangeContext,
        locations: &(Option<DiffLocation>, Option<DiffLocation>),
    ) {
        let key = |header: &Header| header.name.to_ascii_lowercase();
        for fate in pair_by_key(index_by(old, key), index_by(new, key)) {
            let name = format!("the header `{}` of {}", fate.entry().name, context.subject);
            let mut report = |rule, state: &str| {
                let message = format!("{name} {state}");
                self.report(rule, &context.operation, message, locations.clone());
            };
            match fate {
                Pairing::Removed(old) => {
                    let effect = if old.required {
                        Effect::Breaking
                    } else {
                        Effect::Unknown
                    };
                    report(("header-removed", effect), "was removed");
                }
                Pairing::Matched(old, new) => {
                    if old.required != new.required {
                        let (effect, state) = if new.required {
                            (
                                context.direction.narrowing_effect(),
                                "is now always present",
                            )
                        } else {
                            (
                                context.direction.widening_effect(),
                                "is no longer always present",
                            )
                        };
                        report(("header-required", effect), state);
                    }
                    let pair = (
                        Seed::of(self.old.document, &old.schema),
                        Seed::of(self.new.document, &new.schema),
                    );
                    let context = ChangeContext {
                        subject: name.into(),
                        ..context.clone()
                    };
                    self.pair(pair, &context, "");
                }
                Pairing::Added(_) => report(("header-added", Effect::Compatible), "was added"),
            }
        }
    }

    fn content(
        &mut self,
        old: &'a [MediaType],
        new: &'a [MediaType],
        context: &ChangeContext,
        locations: &(Option<DiffLocation>, Option<DiffLocation>),
    ) {
        let key = |media_type: &MediaType| essence(&media_type.name);
        let after = index_by(new, key);
        for fate in pair_by_key(index_by(old, key), after.clone()) {
            // A range may have replaced a media type.
            let wider = |old: &MediaType| after.values().find(|new| covers(&new.name, &key(old)));
            let fate = match fate {
                Pairing::Removed(old) => wider(old).map_or(fate, |new| Pairing::Matched(old, new)),
                Pairing::Matched(..) | Pairing::Added(_) => fate,
            };
            match fate {
                Pairing::Removed(old) => {
                    let locations = (
                        Some(self.old.locate_pointer(old.source.pointer())),
                        locations.1.clone(),
                    );
                    let message = format!(
                        "{} is no longer available as `{}`",
                        context.subject, old.name
                    );
                    let rule = ("media-type-removed", Effect::Breaking);
                    self.report(rule, &context.operation, message, locations);
                }
                Pairing::Matched(old, new) => {
                    let pair = (
                        Seed::of(self.old.document, &old.schema),
                        Seed::of(self.new.document, &new.schema),
                    );
                    self.pair(pair, context, "");
                }
                Pairing::Added(new) => {
                    let locations = (
                        locations.0.clone(),
                        Some(self.new.locate_pointer(new.source.pointer())),
                    );
                    let message = format!("{} may also be `{}`", context.subject, new.name);
                    let rule = ("media-type-added", Effect::Compatible);
                    self.report(rule, &context.operation, message, locations);
                }
            }
        }
    }
}

/// A pair of entries with equal keys, or an entry without a partner.
#[derive(Debug)]
enum Pairing<'a, T> {
    Removed(&'a T),
    Matched(&'a T, &'a T),
    Added(&'a T),
}

impl<T> Clone for Pairing<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Pairing<'_, T> {}

impl<'a, T> Pairing<'a, T> {
    /// The old entry, or else the new one.
    const fn entry(&self) -> &'a T {
        match self {
            Self::Removed(item) | Self::Added(item) | Self::Matched(item, _) => item,
        }
    }
}

/// Indexes the entries of a list by key.
fn index_by<T, K: Hash + Eq>(list: &[T], key: impl Fn(&T) -> K) -> IndexMap<K, &T> {
    list.iter().map(|item| (key(item), item)).collect()
}

/// Pairs entries by key: those of the old list in its order, then the new ones.
fn pair_by_key<'a, T, K: Hash + Eq>(
    old: IndexMap<K, &'a T>,
    new: IndexMap<K, &'a T>,
) -> Vec<Pairing<'a, T>> {
    let pairing = |(key, old): (&K, &&'a T)| match new.get(key) {
        Some(new) => Pairing::Matched(*old, new),
        None => Pairing::Removed(*old),
    };
    let mut fates: Vec<_> = old.iter().map(pairing).collect();
    let added = new.iter().filter(|(key, _)| !old.contains_key(*key));
    fates.extend(added.map(|(_, new)| Pairing::Added(*new)));
    fates
}

/// Parameters by location and name; path parameters by position, because clients do not see their
/// names.
fn by_location<'a>(call: &Exchange<'a>) -> IndexMap<(ParameterLocation, String), &'a Parameter> {
    let names = crate::parse::template_names(call.path);
    let key = |item: &Parameter| {
        let position = names.iter().position(|name| *name == item.name);
        let name = match (item.location, position) {
            (ParameterLocation::Path, Some(position)) => format!("{{{position}}}"),
            (ParameterLocation::Header, _) => item.name.to_ascii_lowercase(),
            _ => item.name.clone(),
        };
        (item.location, name)
    };
    let parameters = call.parameters.iter().filter(|item| !item.ignored);
    parameters.map(|item| (key(item), item)).collect()
}

fn describe(parameter: &Parameter, context: &ChangeContext) -> String {
    let location = parameter.location.as_str();
    format!(
        "the {location} parameter `{}` of {}",
        parameter.name, context.subject
    )
}

/// A media type without its parameters.
fn essence(name: &str) -> String {
    let essence = name.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

/// Whether a media type range includes a media type.
fn covers(range: &str, name: &str) -> bool {
    let range = essence(range);
    range == "*/*"
        || range
            .strip_suffix("/*")
            .is_some_and(|kind| name.split('/').next() == Some(kind))
}
