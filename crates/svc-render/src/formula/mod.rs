//! Converts LaTeX to MathML.
//!
//! The engine parses formulas like KaTeX. It has no limits of its own, so a formula is measured
//! first and parsed on a thread with a sufficient stack. The result is rewritten as MathML Core,
//! the subset that browsers support.

mod alphabet;
mod error;
mod limits;
mod write;

#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use katex::macros::MacroDefinition;
use katex::{
    KatexContext, OutputFormat, ParseError, Settings, StrictMode, StrictSetting, TrustSetting,
};

use crate::html::Html;
pub(crate) use error::FormulaError;
use limits::FormulaLimits;
pub(crate) use write::attributes_of;

/// LaTeX commands that the engine lacks, expressed by commands that it has.
const COMMANDS: &[(&str, &str)] = &[
    ("\\mbox", "\\text{#1}"),
    ("\\textdegree", "\\degree"),
    ("\\mathbfit", "\\boldsymbol{#1}"),
    ("\\Set", "\\left\\{\\,#1\\,\\right\\}"),
];

/// Renders a formula as a `math` element.
pub(crate) fn mathml(source: &str, block: bool) -> Result<Html, FormulaError> {
    let limits = limits::measure(source)?;
    let markup = typeset(source, block, limits)?;
    // Browsers support rows only in tables, so a line break outside of a table is wrapped in one.
    if block && markup.contains("linebreak=\"newline\"") {
        let table = format!("\\begin{{gathered}}{source}\\end{{gathered}}");
        if let Ok(markup) = typeset(&table, block, limits)
            && let Some(html) = write::write(&markup, source)
        {
            return Ok(html);
        }
    }
    write::write(&markup, source)
        .ok_or_else(|| FormulaError::new("the engine's output contains unknown elements"))
}

/// The engine's own MathML.
fn typeset(source: &str, block: bool, limits: FormulaLimits) -> Result<String, FormulaError> {
    // Runs on its own thread because the engine recurses and the caller may be deep in the stack
    // already. Untouched pages of the stack cost no memory.
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .name("formula".to_owned())
            .stack_size(limits.stack)
            .spawn_scoped(scope, || {
                katex::render_to_string(context(), source, &settings(block, limits))
                    .map_err(|error| parse_error(source, &error))
            });
        match worker.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(FormulaError::new("the engine crashed")),
            Err(_) => Err(FormulaError::new("no thread could be started")),
        }
    })
}

/// The symbol tables of the engine, initialized on first use.
fn context() -> &'static KatexContext {
    static CONTEXT: OnceLock<KatexContext> = OnceLock::new();
    CONTEXT.get_or_init(KatexContext::default)
}

fn settings(block: bool, limits: FormulaLimits) -> Settings {
    let macros = COMMANDS
        .iter()
        .map(|(name, body)| ((*name).to_owned(), MacroDefinition::StaticStr(body)))
        .collect();
    Settings::builder()
        .display_mode(block)
        .output(OutputFormat::Mathml)
        .throw_on_error(true)
        .strict(StrictSetting::Mode(StrictMode::Ignore))
        .trust(TrustSetting::Bool(false))
        .max_size(50.0)
        .max_expand(limits.expansions)
        .macros(macros)
        .build()
}

fn parse_error(source: &str, error: &ParseError) -> FormulaError {
    let text = error.kind.to_string();
    let mut reason: String = text
        .trim_end_matches(['.', ':', ' '])
        .chars()
        .filter(|c| !c.is_control())
        .take(120)
        .collect();
    // Messages begin in lower case; command names are left as they are.
    let second = reason.chars().nth(1);
    if second.is_some_and(char::is_lowercase)
        && let Some(first) = reason.get_mut(..1)
    {
        first.make_ascii_lowercase();
    }
    FormulaError {
        reason,
        offset: error.position().filter(|at| source.is_char_boundary(*at)),
    }
}
