//! Variables of one evaluation, and the functions that capture them.
//!
//! A closure stored in a variable has a weak reference to its heap, so that a heap never keeps
//! itself alive. Closures of a result have a strong one (`Interpreter::escape`). After its
//! evaluation, a heap is read-only.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::Value;
use super::ast::{FunctionCode, Name};

#[derive(Debug, Default)]
pub(super) struct Heap {
    frames: Mutex<Vec<HeapFrame>>,
    pub(super) globals: HashMap<Name, Value>,
}

#[derive(Debug, Default)]
pub(super) struct HeapFrame {
    pub(super) names: HashMap<Name, Value>,
    pub(super) parent: Option<FrameRef>,
}

/// A reference to a frame. If `heap` is `None`, the frame is in the same heap as the reference.
#[derive(Debug, Clone)]
pub(super) struct FrameRef {
    pub(super) heap: Option<Arc<Heap>>,
    pub(super) frame: usize,
}

impl Heap {
    pub(super) fn new(globals: HashMap<Name, Value>) -> Self {
        Self {
            frames: Mutex::default(),
            globals,
        }
    }

    pub(super) fn frames(&self) -> MutexGuard<'_, Vec<HeapFrame>> {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A function value: a closure of the page, or a built-in function.
pub struct Function {
    pub(super) kind: FunctionKind,
}

pub(super) enum FunctionKind {
    Closure {
        code: Arc<FunctionCode>,
        heap: HeapRef,
        frame: usize,
    },
    /// `Math`, `Math.max`, `useState`, …
    BuiltIn(&'static str),
}

#[derive(Clone)]
pub(super) enum HeapRef {
    Weak(Weak<Heap>),
    Strong(Arc<Heap>),
}

impl HeapRef {
    pub(super) fn heap(&self) -> Option<Arc<Heap>> {
        match self {
            Self::Weak(heap) => heap.upgrade(),
            Self::Strong(heap) => Some(Arc::clone(heap)),
        }
    }
}

impl Function {
    pub(super) fn built_in(name: &'static str) -> Value {
        Value::Function(Arc::new(Self {
            kind: FunctionKind::BuiltIn(name),
        }))
    }

    /// Name of the function; `None` if it is anonymous.
    pub fn name(&self) -> Option<&str> {
        match &self.kind {
            FunctionKind::Closure { code, .. } => code.name.as_deref(),
            FunctionKind::BuiltIn(name) => Some(name),
        }
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "Function({})",
            self.name().unwrap_or("anonymous")
        )
    }
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (FunctionKind::BuiltIn(left), FunctionKind::BuiltIn(right)) => left == right,
            (
                FunctionKind::Closure {
                    code: left, frame, ..
                },
                FunctionKind::Closure {
                    code: right,
                    frame: other,
                    ..
                },
            ) => Arc::ptr_eq(left, right) && frame == other,
            _ => false,
        }
    }
}
