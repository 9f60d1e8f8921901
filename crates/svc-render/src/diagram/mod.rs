//! Mermaid to SVG.
//!
//! A diagram is measured first ([`source`]), drawn by the engine on a thread of its own, and
//! written anew ([`write`]) with the colours of the page, so that one drawing serves light and
//! dark. The same source gives the same drawing on every machine: no font is looked up.

mod colors;
mod source;
mod write;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use mermaid_rs_renderer::layout::DiagramData;
use mermaid_rs_renderer::{
    DiagramKind, Graph, LayoutConfig, ParseError, Theme, compute_layout, parse_mermaid, render_svg,
};

use crate::html::Html;
pub(crate) use source::AccessibleText;

/// Stands in drawings where ids need a name that is unique on the page.
const MARK: char = '\u{e000}';
/// Stack of the drawing thread. The deepest diagrams within the limits take a tenth of it.
const STACK_SIZE: usize = 32 * 1024 * 1024;
/// Nodes and connections of diagrams whose connections are routed around nodes: the engine's work
/// grows with more than their square.
const MAX_ROUTED: usize = 120;
/// The same where the connections are many or meet at one node: each is laid around the others.
const MAX_TANGLED: usize = 70;
/// Connections of one node, and connections beyond those that a tree has, before it counts as such.
const MIN_TANGLED_EDGES: usize = 12;
/// Nodes, connections or entries of the others.
const MAX_ENTRIES: usize = 400;
/// Bytes of drawings that are kept.
const MAX_CACHE_BYTES: usize = 32 * 1024 * 1024;

/// A diagram, drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Diagram {
    inner: String,
    view: String,
    /// Natural size in pixels.
    pub(crate) width: u32,
    /// Natural size in pixels.
    pub(crate) height: u32,
    /// Whether it has colours of its own and stands on white in both modes.
    pub(crate) paper: bool,
    /// What the author says of it.
    pub(crate) text: AccessibleText,
}

impl Diagram {
    /// What stands between the tags of the `svg` element, its ids beginning with `prefix`.
    pub(crate) fn inner(&self, prefix: &str) -> Html {
        Html::trusted(self.inner.replace(MARK, prefix))
    }

    /// The `viewBox`.
    pub(crate) fn view(&self) -> &str {
        &self.view
    }
}

/// Why a diagram is shown as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DiagramError {
    /// What is wrong, a phrase.
    pub(crate) reason: String,
    /// Line of the diagram, from 1.
    pub(crate) line: Option<u32>,
}

impl DiagramError {
    fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            line: None,
        }
    }
}

/// The drawing of a source, or why there is none.
type DiagramResult = Result<Arc<Diagram>, DiagramError>;

/// Draws diagrams and keeps what it drew, by source: pages are drawn more often than their
/// diagrams change, and translations share them.
#[derive(Default)]
pub struct DiagramCache {
    entries: Mutex<CacheEntries>,
}

#[derive(Default)]
struct CacheEntries {
    diagrams: HashMap<Box<str>, DiagramResult>,
    bytes: usize,
}

impl fmt::Debug for DiagramCache {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Drawings").finish_non_exhaustive()
    }
}

impl DiagramCache {
    /// Nothing drawn yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Draws a diagram.
    pub(crate) fn render(&self, source: &str) -> DiagramResult {
        if let Some(drawn) = self.lock().diagrams.get(source) {
            return drawn.clone();
        }
        // Not under the lock: other pages go on meanwhile, at worst drawing the same.
        let drawn = render_diagram(source).map(Arc::new);
        let size = source.len() + drawn.as_ref().map_or(0, |drawing| drawing.inner.len());
        let mut kept = self.lock();
        if kept.bytes + size > MAX_CACHE_BYTES {
            *kept = CacheEntries::default();
        }
        if size <= MAX_CACHE_BYTES && kept.diagrams.insert(source.into(), drawn.clone()).is_none() {
            kept.bytes += size;
        }
        drawn
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, CacheEntries> {
        // Entries are only added whole, so the map of a poisoned lock is good.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn render_diagram(source: &str) -> Result<Diagram, DiagramError> {
    let words = source::measure(source)?;
    let source = &*source::plain_ends(source::plain_labels(source));
    // The engine recurses and has slips that stop it; a thread bounds both.
    let drawn = std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .name("diagram".to_owned())
            .stack_size(STACK_SIZE)
            .spawn_scoped(scope, || engine(source));
        match worker.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(DiagramError::new("it stops the engine")),
            Err(_) => Err(DiagramError::new("there is no thread to draw it on")),
        }
    })?;
    let (svg, kind) = drawn;
    write::write(&svg, kind, words)
        .ok_or_else(|| DiagramError::new("it makes a drawing of no known shape"))
}

/// The engine's own drawing, and what kind of diagram it is.
fn engine(source: &str) -> Result<(String, DiagramKind), DiagramError> {
    let mut graph = parse(source)?;
    let kind = graph.kind;
    let edges = graph.edges.len();
    let entries = edges
        .max(graph.nodes.len())
        .max(graph.gantt_tasks.len())
        .max(graph.pie_slices.len())
        .max(graph.sequence_participants.len() * 10);
    let routed = matches!(
        kind,
        DiagramKind::Flowchart
            | DiagramKind::Class
            | DiagramKind::State
            | DiagramKind::Er
            | DiagramKind::Requirement
            | DiagramKind::Block
            | DiagramKind::Architecture
            | DiagramKind::C4
    );
    let limit = match routed {
        true if is_tangled(&graph) => MAX_TANGLED,
        true => MAX_ROUTED,
        false => MAX_ENTRIES,
    };
    if entries > limit {
        return Err(DiagramError::new(format!(
            "it has {entries} nodes or connections, more than {limit}"
        )));
    }
    let (theme, layout) = theme_and_layout(kind);
    colors::fix_contrast(&mut graph);
    let mut placed = compute_layout(&graph, &theme, &layout);
    // Those that are never ended come in the order of a hash table; inner ones lie on top.
    if let DiagramData::Sequence(sequence) = &mut placed.diagram {
        sequence.activations.sort_by(|a, b| {
            (a.depth, &a.participant)
                .cmp(&(b.depth, &b.participant))
                .then(a.y.total_cmp(&b.y))
        });
    }
    Ok((render_svg(&placed, &theme, &layout), kind))
}

fn is_tangled(graph: &Graph) -> bool {
    let mut degrees: HashMap<&str, usize> = HashMap::new();
    for edge in &graph.edges {
        *degrees.entry(&edge.from).or_default() += 1;
        *degrees.entry(&edge.to).or_default() += 1;
    }
    let most = degrees.values().max().copied().unwrap_or(0);
    most > MIN_TANGLED_EDGES || graph.edges.len() > graph.nodes.len() + MIN_TANGLED_EDGES
}

fn parse(source: &str) -> Result<Graph, DiagramError> {
    match mermaid_rs_renderer::validator::validate(source) {
        Ok(()) => {}
        // The check does not know that `A->>+B` names `B`; the parser does.
        Err(ParseError::UnknownParticipant { name, .. }) if name.starts_with(['+', '-']) => {}
        Err(problem) => return Err(parse_error(&problem)),
    }
    match parse_mermaid(source) {
        Ok(parsed) => Ok(parsed.graph),
        Err(problem) => Err(DiagramError::new(phrase(&problem.to_string()))),
    }
}

/// A theme whose colours are recognised again in the drawing, and distances.
fn theme_and_layout(kind: DiagramKind) -> (Theme, LayoutConfig) {
    let mut theme = if colors::is_themed(kind) {
        colors::theme()
    } else {
        Theme::modern()
    };
    // A family that no machine has: widths come from the engine's own table of letters.
    theme.font_family = "svc".to_owned();
    let layout = LayoutConfig {
        fast_text_metrics: true,
        ..LayoutConfig::default()
    };
    (theme, layout)
}

fn parse_error(problem: &ParseError) -> DiagramError {
    let (reason, line) = match problem {
        ParseError::UnknownParticipant { name, line, .. } => {
            (format!("no participant is called `{name}`"), Some(*line))
        }
        ParseError::UnclosedSubgraph { opened_at } => {
            ("a block has no `end`".to_owned(), Some(*opened_at))
        }
        ParseError::UnexpectedToken {
            line,
            found,
            expected,
            ..
        } => (
            format!("`{found:.60}` stands where {expected:.80} is expected"),
            Some(*line),
        ),
        other => (other.to_string(), None),
    };
    DiagramError {
        reason: phrase(&reason),
        line,
    }
}

/// The first line of a message, not too long, without a full stop.
fn phrase(message: &str) -> String {
    let line = message.lines().next().unwrap_or("").trim_end_matches('.');
    line.chars().filter(|c| !c.is_control()).take(160).collect()
}
