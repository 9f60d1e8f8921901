//! State of one evaluation: its resource usage, its heap, and expressions.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;

use super::ast::{ModuleAst, Name};
use super::escape_closures::escaped;
use super::heap::{FrameRef, Heap, HeapFrame};
use super::size_limits::{ValueSize, ValueSizes};
use super::{EvalError, EvalLimits, Evaluated, JsxElement, Scope, Value};

pub(super) type EvalResult = Result<Value, EvalError>;

pub(super) struct Interpreter<'s> {
    pub(super) heap: Arc<Heap>,
    scope: &'s dyn Scope,
    pub(super) limits: EvalLimits,
    steps: u64,
    pub(super) calls: u32,
    nesting: u32,
    bytes: usize,
    sizes: ValueSizes,
    /// The last byte offset that an error can refer to.
    pub(super) offset: usize,
    /// The value of an exception of the page that has not been caught yet.
    pub(super) thrown: Option<Value>,
    /// Whether something was `undefined` because only an engine can run it.
    pub(super) needs_engine: bool,
}

impl<'s> Interpreter<'s> {
    pub(super) fn new(scope: &'s dyn Scope, names: &[Name], limits: EvalLimits) -> Self {
        let mut globals = HashMap::new();
        for name in names {
            if !globals.contains_key(name)
                && let Some(value) = scope.get(name)
            {
                globals.insert(Arc::clone(name), value);
            }
        }
        let heap = Arc::new(Heap::new(globals));
        heap.frames().push(HeapFrame::default());
        Self {
            heap,
            scope,
            limits,
            steps: 0,
            calls: 0,
            nesting: 0,
            bytes: 0,
            sizes: ValueSizes::default(),
            offset: 0,
            thrown: None,
            needs_engine: false,
        }
    }

    pub(super) fn error<T>(&self, message: &str) -> Result<T, EvalError> {
        Err(EvalError::new(message, self.offset))
    }

    pub(super) fn charge(&mut self, steps: usize) -> Result<(), EvalError> {
        self.steps = self
            .steps
            .saturating_add(u64::try_from(steps).unwrap_or(u64::MAX));
        if self.steps > self.limits.steps {
            return self.error("the evaluation exceeds the step limit");
        }
        Ok(())
    }

    /// Charges `bytes` of text that is about to be created.
    pub(super) fn reserve_bytes(&mut self, bytes: usize) -> Result<(), EvalError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > self.limits.bytes {
            return self.error("the evaluation exceeds the text limit");
        }
        self.charge(bytes / 16)
    }

    /// Charges a traversal of all of `value`.
    pub(super) fn charge_text(&mut self, value: &Value) -> Result<(), EvalError> {
        let weight = self.measure(value);
        self.charge((weight.size - 1).saturating_add(weight.bytes / 16))
    }

    pub(super) fn measure(&mut self, value: &Value) -> ValueSize {
        self.sizes.of(value)
    }

    pub(super) fn text(&mut self, text: String) -> EvalResult {
        self.reserve_bytes(text.len())?;
        Ok(Value::String(text.into()))
    }

    pub(super) fn text_of(&mut self, value: &Value) -> Result<Arc<str>, EvalError> {
        if let Value::String(text) = value {
            return Ok(Arc::clone(text));
        }
        let weight = self.measure(value);
        self.charge(weight.size)?;
        self.reserve_bytes(weight.bytes)?;
        Ok(value.to_text().into())
    }

    fn check_size(&mut self, value: Value) -> EvalResult {
        let weight = self.measure(&value);
        if weight.is_too_deep() {
            return self.error("this value is nested too deeply");
        }
        if weight.bytes > self.limits.bytes {
            return self.error("the value contains too much text");
        }
        if weight.size > self.limits.items.saturating_mul(10) {
            return self.error("this value has too many parts");
        }
        Ok(value)
    }

    pub(super) fn array(&mut self, items: Vec<Value>) -> EvalResult {
        self.count(items.len())?;
        self.check_size(Value::Array(Arc::new(items)))
    }

    pub(super) fn object(&mut self, entries: IndexMap<String, Value>) -> EvalResult {
        self.count(entries.len())?;
        self.check_size(Value::Object(Arc::new(entries)))
    }

    pub(super) fn element(&mut self, element: JsxElement) -> EvalResult {
        self.count(element.children.len() + element.props.len())?;
        self.check_size(Value::Element(Arc::new(element)))
    }

    pub(super) fn count(&mut self, items: usize) -> Result<(), EvalError> {
        if items > self.limits.items {
            return self.error("this list is too long");
        }
        self.charge(items / 16)
    }

    /// Calls `body` at one more level of nesting.
    pub(super) fn nested<T>(
        &mut self,
        body: impl FnOnce(&mut Self) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        self.nesting += 1;
        if self.nesting > self.limits.nesting {
            return self.error("this is nested too deeply");
        }
        let result = body(self);
        self.nesting -= 1;
        result
    }

    pub(super) fn frame(&mut self, parent: Option<FrameRef>) -> usize {
        let mut frames = self.heap.frames();
        frames.push(HeapFrame {
            names: HashMap::new(),
            parent,
        });
        frames.len() - 1
    }

    pub(super) fn inner_frame(&mut self, frame: usize) -> usize {
        self.frame(Some(FrameRef { heap: None, frame }))
    }

    /// Declares a name in `frame`.
    pub(super) fn define(&mut self, frame: usize, name: &Name, value: Value) {
        if let Some(frame) = self.heap.frames().get_mut(frame) {
            frame.names.insert(Arc::clone(name), value);
        }
    }

    /// Assigns to the nearest binding of `name`; variables of other evaluations are read-only.
    pub(super) fn set(&mut self, frame: usize, name: &Name, value: Value) {
        let mut frames = self.heap.frames();
        let mut at = Some(frame);
        while let Some(current) = at.and_then(|index| frames.get_mut(index)) {
            if let Some(slot) = current.names.get_mut(name) {
                *slot = value;
                return;
            }
            at = current
                .parent
                .as_ref()
                .filter(|parent| parent.heap.is_none())
                .map(|parent| parent.frame);
        }
    }

    pub(super) fn find(&self, frame: usize, name: &str) -> Option<Value> {
        let mut heap = Arc::clone(&self.heap);
        let mut at = frame;
        loop {
            let parent = {
                let frames = heap.frames();
                let frame = frames.get(at)?;
                if let Some(value) = frame.names.get(name) {
                    return Some(value.clone());
                }
                frame.parent.clone()
            };
            let Some(parent) = parent else { break };
            at = parent.frame;
            if let Some(other) = parent.heap {
                heap = other;
            }
        }
        let global = heap.globals.get(name).cloned();
        global.or_else(|| self.scope.get(name))
    }

    /// Evaluates a block of module statements and returns its exports.
    pub(super) fn module(
        &mut self,
        module: &ModuleAst,
    ) -> Result<IndexMap<String, Value>, EvalError> {
        let frame = self.inner_frame(0);
        self.enter(&module.block, frame);
        self.run(&module.block.statements, frame)?;
        let mut exported = IndexMap::new();
        for (name, local) in &module.exported {
            let value = self.find(frame, local).unwrap_or_default();
            let value = self.escape(&value)?;
            exported.insert(name.to_string(), value);
        }
        Ok(exported)
    }

    /// The value of something that only an engine can run.
    pub(super) fn unsupported(&mut self) -> EvalResult {
        self.needs_engine = true;
        Ok(Value::Undefined)
    }

    /// The result of the evaluation.
    pub(super) fn finish(&mut self, value: &Value) -> Result<Evaluated, EvalError> {
        Ok(Evaluated {
            value: self.escape(value)?,
            needs_engine: self.needs_engine,
        })
    }

    /// Converts a value so that it can leave the evaluation: its functions keep their captured
    /// variables alive.
    pub(super) fn escape(&mut self, value: &Value) -> EvalResult {
        self.check_size(value.clone())?;
        Ok(escaped(value).unwrap_or_else(|| value.clone()))
    }
}
