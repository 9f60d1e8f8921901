//! File and variables of the nodes that are being rendered.

use std::rc::Rc;

use indexmap::IndexMap;
use svc_diagnostics::{Location, SourceFile, Span};

use crate::evaluate::{self, Value};
use crate::modules::Module;

/// File and variables of the nodes that are being rendered.
#[derive(Debug, Clone)]
pub(crate) struct FileScope {
    pub(crate) file: SourceFile,
    /// Byte offset of the parsed text in the file.
    pub(crate) shift: u32,
    /// Imports, exports and definitions of the file.
    pub(crate) module: Rc<Module>,
    /// Variables of the snippet or call that is being rendered.
    pub(crate) locals: Rc<IndexMap<String, Value>>,
}

impl FileScope {
    /// The scope of a file without variables.
    pub(crate) fn new(file: SourceFile, shift: u32, module: Rc<Module>) -> Self {
        Self {
            file,
            shift,
            module,
            locals: Rc::default(),
        }
    }

    /// Location of a span of the parsed text.
    pub(crate) fn location(&self, span: Span) -> Location {
        self.file.location(span.shifted(self.shift))
    }

    /// The source text of a span of the parsed text.
    pub(crate) fn slice(&self, span: Span) -> &str {
        self.file.slice(span.shifted(self.shift))
    }
}

/// Variables of the snippet or call, then names of the file.
impl evaluate::Scope for FileScope {
    fn get(&self, name: &str) -> Option<Value> {
        if let Some(value) = self
            .locals
            .get(name)
            .or_else(|| self.module.values.get(name))
        {
            return Some(value.clone());
        }
        match name {
            "props" => Some(Value::Object(self.locals.as_ref().clone().into())),
            "user" => Some(Value::Object(IndexMap::new().into())),
            _ => None,
        }
    }
}
