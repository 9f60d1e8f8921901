//! Runs in the engine what the evaluator cannot, so that a line has the same value with and without
//! a hook around it.

use serde_json::{Map, Value as Json};

use super::sandbox::ComponentError;
use super::{ComponentCall, MAX_FAILURES, defined, tree};
use crate::ctx::Ctx;
use crate::evaluate::{EngineComponent, Value};
use crate::html::Html;
use crate::modules::Module;

/// Maximum number of expressions and calls per page that run in the engine.
const MAX_FALLBACKS: usize = 50;
/// Name of the component of an expression. It renders an element with the value as its prop.
const EXPRESSION: &str = "Svc$Expression";

/// Evaluates an expression of the current file; `None` if it fails in the engine too.
pub(crate) fn evaluate(cx: &mut Ctx<'_>, text: &str) -> Option<Value> {
    begin(cx)?;
    let locals = std::rc::Rc::clone(&cx.scope.locals);
    let is_name_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let tokens = text.split(|c| !is_name_part(c));
    let mut names: Vec<&str> = tokens.filter(|name| locals.contains_key(*name)).collect();
    names.sort_unstable();
    names.dedup();
    let text = text.trim().trim_start_matches("...").trim_end_matches(';');
    let component = format!(
        "export const {EXPRESSION}=({{{}}})=><Svc$Value value={{({text}\n)}}/>;",
        names.join(",")
    );
    let file = cx.scope.file.path().to_string();
    let number = cx.islands.fallbacks;
    let component = EngineComponent {
        path: cx.modules.graph.extended(&file, &component, number)?,
        name: EXPRESSION.to_owned(),
        island: false,
    };
    let values = names.iter().map(|name| (*name, locals.get(*name)));
    let (call, _, steps) = run(cx, &component, values)?;
    tree::first_prop(cx, &steps, &call.slots)
}

/// Calls a component of `module` with `props`; `None` if it fails in the engine too.
pub(crate) fn call(
    cx: &mut Ctx<'_>,
    module: &Module,
    component: &Value,
    props: &Value,
) -> Option<Html> {
    begin(cx)?;
    let (path, name) = defined(module, component)?;
    let component = EngineComponent {
        path,
        name,
        island: false,
    };
    let props = props.as_object()?.iter();
    let props = props.map(|(name, value)| (name.as_str(), Some(value)));
    let (call, props, steps) = run(cx, &component, props)?;
    let nodes = tree::nodes(&steps)?;
    let span = svc_diagnostics::Span::default();
    Some(call.render_tree(cx, span, 0, &props, &nodes))
}

/// Counts an attempt; `None` if no more are allowed.
fn begin(cx: &mut Ctx<'_>) -> Option<()> {
    let enabled = !cx.input.options.site.without_scripts && cx.input.engine.is_some();
    let islands = &mut cx.islands;
    islands.fallbacks += 1;
    (enabled && islands.fallbacks <= MAX_FALLBACKS && islands.failures < MAX_FAILURES).then_some(())
}

/// Runs a component; returns its props and its output as JSON.
fn run<'c, 'v>(
    cx: &mut Ctx<'_>,
    component: &'c EngineComponent,
    values: impl Iterator<Item = (&'v str, Option<&'v Value>)>,
) -> Option<(ComponentCall<'c>, String, String)> {
    let mut call = ComponentCall::new(component);
    let mut props = Map::new();
    for (name, value) in values {
        if let Some(json) = value.and_then(|value| call.json(cx, value, 0)) {
            props.insert(name.to_owned(), json);
        }
    }
    let props = Json::Object(props).to_string();
    match call.run(cx, 0, &props) {
        Ok(steps) => Some((call, props, steps)),
        Err(error) => {
            // An exception is no error here: unknown names are `undefined` on a page.
            let limit = !matches!(error, ComponentError::Thrown { .. });
            cx.islands.failures += usize::from(limit);
            None
        }
    }
}
