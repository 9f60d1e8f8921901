//! Renders Mermaid diagrams as SVG.
//!
//! The size of a diagram is checked first ([`source`]). The engine renders it on a thread of its
//! own, and the result is rewritten ([`write`]) with the colors of the page, so that one image
//! serves both color schemes. The output is deterministic: no fonts are loaded.

mod colors;
mod error;
mod rendered;
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

pub(crate) use error::DiagramError;
pub(crate) use rendered::Diagram;

/// Stack size of the rendering thread in bytes. The deepest diagrams within the limits use a tenth
/// of it.
const STACK_SIZE: usize = 32 * 1024 * 1024;
/// Maximum number of nodes and edges if edges are routed around nodes: the cost of the engine grows
/// more than quadratically.
const MAX_ROUTED: usize = 120;
/// The same if there are many edges or many edges at one node, because each is routed around the
/// others.
const MAX_TANGLED: usize = 70;
/// Number of edges at one node, or of edges beyond a tree, from which [`MAX_TANGLED`] applies.
const MIN_TANGLED_EDGES: usize = 12;
/// Maximum number of nodes, edges or entries of other diagrams.
const MAX_ENTRIES: usize = 400;
/// Maximum size of the cache in bytes.
const MAX_CACHE_BYTES: usize = 32 * 1024 * 1024;

/// A rendered diagram or its error.
type DiagramResult = Result<Arc<Diagram>, DiagramError>;

/// Renders Mermaid diagrams and caches the results by source. Pages are rendered more often than
/// their diagrams change, and translations share diagrams.
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
    /// Creates an empty cache.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Renders a diagram, or returns the cached result.
    pub(crate) fn render(&self, source: &str) -> DiagramResult {
        if let Some(result) = self.lock().diagrams.get(source) {
            return result.clone();
        }
        // Rendered without the lock so that other pages do not wait; at worst a diagram is rendered
        // twice.
        let result = render_diagram(source).map(Arc::new);
        let size = source.len() + result.as_ref().map_or(0, |diagram| diagram.inner.len());
        let mut cache = self.lock();
        if cache.bytes + size > MAX_CACHE_BYTES {
            *cache = CacheEntries::default();
        }
        if size <= MAX_CACHE_BYTES
            && cache
                .diagrams
                .insert(source.into(), result.clone())
                .is_none()
        {
            cache.bytes += size;
        }
        result
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, CacheEntries> {
        // Entries are inserted in one step, so the map behind a poisoned lock is consistent.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn render_diagram(source: &str) -> Result<Diagram, DiagramError> {
    let text = source::measure(source)?;
    let source = &*source::plain_ends(source::plain_labels(source));
    // The engine recurses and can panic; the thread contains both.
    let rendered = std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .name("diagram".to_owned())
            .stack_size(STACK_SIZE)
            .spawn_scoped(scope, || engine(source));
        match worker.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(DiagramError::new("the engine crashed")),
            Err(_) => Err(DiagramError::new("no thread could be started")),
        }
    })?;
    let (svg, kind) = rendered;
    write::write(&svg, kind, text)
        .ok_or_else(|| DiagramError::new("the engine's output contains unknown elements"))
}

/// The engine's SVG and the type of the diagram.
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
            "{entries} nodes or edges exceed the limit of {limit}"
        )));
    }
    let (theme, layout) = theme_and_layout(kind);
    colors::fix_contrast(&mut graph);
    let mut positioned = compute_layout(&graph, &theme, &layout);
    // Activations that are never closed come in the order of a hash map; inner ones must be on top.
    if let DiagramData::Sequence(sequence) = &mut positioned.diagram {
        sequence.activations.sort_by(|a, b| {
            (a.depth, &a.participant)
                .cmp(&(b.depth, &b.participant))
                .then(a.y.total_cmp(&b.y))
        });
    }
    Ok((render_svg(&positioned, &theme, &layout), kind))
}

fn is_tangled(graph: &Graph) -> bool {
    let mut degrees: HashMap<&str, usize> = HashMap::new();
    for edge in &graph.edges {
        *degrees.entry(&edge.from).or_default() += 1;
        *degrees.entry(&edge.to).or_default() += 1;
    }
    let max = degrees.values().max().copied().unwrap_or(0);
    max > MIN_TANGLED_EDGES || graph.edges.len() > graph.nodes.len() + MIN_TANGLED_EDGES
}

fn parse(source: &str) -> Result<Graph, DiagramError> {
    match mermaid_rs_renderer::validator::validate(source) {
        Ok(()) => {}
        // The check does not recognize `B` in `A->>+B`; the parser does.
        Err(ParseError::UnknownParticipant { name, .. }) if name.starts_with(['+', '-']) => {}
        Err(problem) => return Err(parse_error(&problem)),
    }
    match parse_mermaid(source) {
        Ok(parsed) => Ok(parsed.graph),
        Err(problem) => Err(DiagramError::new(phrase(&problem.to_string()))),
    }
}

/// The theme, whose colors can be mapped back in the output, and the layout settings.
fn theme_and_layout(kind: DiagramKind) -> (Theme, LayoutConfig) {
    let mut theme = if colors::is_themed(kind) {
        colors::theme()
    } else {
        Theme::modern()
    };
    // A font family that does not exist: widths come from the engine's built-in table.
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
            (format!("unknown participant `{name}`"), Some(*line))
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
            format!("expected {expected:.80}, found `{found:.60}`"),
            Some(*line),
        ),
        other => (other.to_string(), None),
    };
    DiagramError {
        reason: phrase(&reason),
        line,
    }
}

/// The first line of a message, shortened, without a full stop.
fn phrase(message: &str) -> String {
    let line = message.lines().next().unwrap_or("").trim_end_matches('.');
    line.chars().filter(|c| !c.is_control()).take(160).collect()
}
