//! Compiles a source file of the repository to a JavaScript module for the browser and the sandbox.
//!
//! The parser is oxc. Types are removed and JSX becomes calls of `$h` by edits of the source text,
//! so that every line of the sandbox form is the author's line and errors need no source map.
//! Import specifiers are replaced with the URLs of modules.

mod edits;
mod jsx;
mod levels;
mod modules;
mod options;
mod rename;
mod scan;

#[cfg(test)]
mod tests;

pub(crate) use levels::Level;
pub(crate) use options::{CONTENT, CompileOptions, Import, RUNTIME};

use std::collections::{BTreeSet, HashSet};

use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;

use edits::Edits;
use levels::StatementInfo;
use scan::{Scan, range};

use crate::evaluate::{nesting_marks, with_stack};

/// Maximum size of a compiled file in bytes.
const MAX_SOURCE_BYTES: usize = 256 * 1024;
/// Maximum number of tokens that can nest in a file: the parser and the visitor recurse for each.
const MAX_MARKS: usize = 30_000;

/// A compiled module.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CompiledModule {
    /// Exported components and where they are rendered.
    pub(crate) components: Vec<(String, Level)>,
    /// Code with the author's lines, for the sandbox.
    pub(crate) code: String,
    /// Minified code for the browser.
    pub(crate) minified: String,
    /// String literals of the module, which may contain class names.
    pub(crate) strings: String,
}

/// Error of a module that cannot be compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CompileError {
    /// Message in lower case, without a full stop.
    pub(crate) message: String,
    /// Byte offset of the error.
    pub(crate) offset: usize,
    /// How to fix the error.
    pub(crate) hint: &'static str,
}

impl CompileError {
    fn new(message: impl Into<String>, offset: usize, hint: &'static str) -> Self {
        Self {
            message: message.into(),
            offset,
            hint,
        }
    }
}

/// Compiles a module.
pub(crate) fn compile(
    source: &str,
    setting: &CompileOptions<'_>,
) -> Result<CompiledModule, CompileError> {
    if source.len() > MAX_SOURCE_BYTES {
        return Err(CompileError::new(
            "the file exceeds the limit of 256 KiB for components",
            0,
            "split the file, or move data to a page",
        ));
    }
    if nesting_marks(source) > MAX_MARKS {
        return Err(CompileError::new(
            "the file has too many operators and brackets",
            0,
            "split the file",
        ));
    }
    with_stack(source, || compile_here(source, setting)).unwrap_or_else(|| {
        Err(CompileError::new(
            "the file cannot be compiled",
            0,
            "simplify the component",
        ))
    })
}

fn compile_here(
    source: &str,
    setting: &CompileOptions<'_>,
) -> Result<CompiledModule, CompileError> {
    let allocator = Allocator::default();
    let kind = SourceType::tsx();
    let parsed = Parser::new(&allocator, source, kind).parse();
    if let Some(diagnostic) = parsed.diagnostics.first() {
        let offset = diagnostic.labels.first().map_or(0, |label| label.offset());
        return Err(CompileError::new(
            format!("syntax error: {}", diagnostic.message),
            offset as usize,
            "fix the syntax; JavaScript with JSX and TypeScript are supported",
        ));
    }
    let program = &parsed.program;
    let mut scan = Scan {
        source,
        edits: Edits::default(),
        declared: scan::declared(program),
        free: BTreeSet::new(),
        nested: HashSet::new(),
        info: StatementInfo::default(),
        statements: std::collections::BTreeMap::new(),
        strings: String::new(),
        unsupported: None,
    };
    for comment in &program.comments {
        scan.edits.comment(range(comment.span));
    }
    let exported = modules::statements(&mut scan, program, setting);
    if let Some((what, offset)) = scan.unsupported {
        return Err(CompileError::new(
            format!("{what} is not supported in components"),
            offset,
            "use plain JavaScript",
        ));
    }
    scan.edits.sort();
    let prelude = prelude(&scan, setting);
    let levels = levels::levels(&scan.statements);
    let components = exported
        .iter()
        .filter_map(|(name, local)| {
            let level = levels.get(local.as_str()).copied()?;
            Some((name.clone(), level))
        })
        .collect();
    Ok(CompiledModule {
        components,
        code: prelude.clone() + &scan.edits.with_lines(source),
        minified: prelude + scan.edits.minified(source).trim(),
        strings: std::mem::take(&mut scan.strings),
    })
}

/// One line with the imports from the runtime and the built-in components, without a line break.
fn prelude(scan: &Scan<'_>, setting: &CompileOptions<'_>) -> String {
    let mut out = String::from("import{h as $h,Fragment as $F,$x");
    let mut parts = String::new();
    for name in &scan.free {
        if RUNTIME.binary_search(&name.as_str()).is_ok() {
            out.push(',');
            out.push_str(name);
        } else if (setting.is_part)(name) {
            parts.push_str(&format!("const {name}={};", jsx::quoted(name)));
        }
    }
    out.push_str(&format!("}}from{};", jsx::quoted(setting.runtime)));
    out + &parts
}

/// Minifies a script of this crate.
pub(crate) fn shorten(source: &str) -> String {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, source, SourceType::mjs()).parse();
    let names = scan::declared(&parsed.program);
    let mut edits = Edits::default();
    for comment in &parsed.program.comments {
        edits.comment(range(comment.span));
    }
    scan::literals(&parsed.program, &mut edits);
    rename::rename(&parsed.program, &names, &mut edits);
    edits.sort();
    edits.minified(source).trim().to_owned()
}
