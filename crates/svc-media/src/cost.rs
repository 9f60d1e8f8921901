//! Estimates the cost of an SVG before it is rendered.
//!
//! A few lines of SVG can describe a billion shapes: an element that uses two copies of another one
//! that uses two copies of a third one. Shapes are counted with every reference followed, but each
//! element is visited only once. The cost of an element depends on the length of its path, its
//! dashes and the parameters of its filters.

use std::collections::HashMap;

use resvg::usvg::roxmltree::{Document, Node, NodeId};

/// Maximum cost of rendering an SVG, in elements; see [`cost`].
pub(crate) const MAX_COST: u64 = 50_000;
/// Maximum nesting depth of elements, references followed.
const MAX_DEPTH: usize = 100;
/// Maximum number of noise octaves. Each one has half the weight of the previous one, so later ones
/// are not visible.
const MAX_OCTAVES: f64 = 10.0;
/// Maximum absolute value in a path, relative to the size of the image.
const MAX_EXTENT: f64 = 10_000.0;
/// Width and height of the largest image that an SVG is rendered to, in pixels.
const CANVAS: (f64, f64) = (1_200.0, 630.0);
/// Number of operations on single pixels that take as long as one element.
const PIXELS_PER_ELEMENT: f64 = 16_000.0;
/// Cost of a filter in elements without its primitives: it copies the image several times.
const FILTER_COST: u64 = 100;
/// Cost of a group that is rendered to its own layer, in elements.
const LAYER_COST: u64 = 20;
/// Number of path coordinates that take as long as one element.
const NUMBERS_PER_ELEMENT: f64 = 8.0;
/// Number of dashes that take as long as one element.
const DASHES_PER_ELEMENT: f64 = 16.0;
/// Ratio of the time for stroking a path to that for filling it.
const STROKE_FACTOR: f64 = 4.0;

const CYCLE: &str = "its elements reference each other";
const STYLES: &str = "its style sheet references elements; use attributes instead";
const DEPTH_EXCEEDED: &str = "its elements are nested more than 100 levels deep";
const OCTAVES_EXCEEDED: &str = "`numOctaves` exceeds 10";
const EXTENT_EXCEEDED: &str = "a path exceeds the image by more than 10,000 times its size";

/// Cost of an SVG in elements, or why it must not be rendered.
pub(crate) fn cost(document: &Document<'_>) -> Result<u64, &'static str> {
    let mut ids: HashMap<&str, NodeId> = HashMap::new();
    let mut traits = Traits::new(document);
    for node in document.descendants() {
        if let Some(id) = node.attribute("id") {
            ids.entry(id).or_insert_with(|| node.id());
        }
        for attribute in node.attributes() {
            match attribute.name() {
                "stroke-dasharray" => traits.add_dashes(attribute.value()),
                "transform" => traits.add_transform(attribute.value()),
                "style" => traits.add_declarations(attribute.value()),
                "stroke" => traits.stroke |= attribute.value().trim() != "none",
                _ => {}
            }
        }
        if node.tag_name().name() == "style" {
            for css in node.children().filter_map(|child| child.text()) {
                // A rule can apply to any element, so references in style sheets cannot be counted.
                if css.contains("url(") {
                    return Err(STYLES);
                }
                traits.add_declarations(css);
            }
        }
    }
    let mut counter = Counter {
        document,
        ids: &ids,
        traits,
        known: HashMap::new(),
    };
    counter.count(document.root_element(), 0)
}

/// Properties of the whole image that affect the cost: elements inherit from their parents and from
/// elements that use them.
struct Traits {
    /// The shorter side in user units.
    side: f64,
    /// Pixels per user unit.
    scale: f64,
    /// Length of the shortest dash pattern.
    dashes: Option<f64>,
    /// Whether any element has a stroke.
    stroke: bool,
}

impl Traits {
    fn new(document: &Document<'_>) -> Self {
        let root = document.root_element();
        let of = |name| root.attribute(name).map(numbers).unwrap_or_default();
        let (width, height) = match of("viewBox").get(..) {
            Some([_, _, width, height]) => (*width, *height),
            _ => {
                let side = |name| of(name).first().copied().unwrap_or(100.0);
                (side("width"), side("height"))
            }
        };
        let side = |side: f64| if side > 0.0 { side } else { 100.0 };
        let (width, height) = (side(width), side(height));
        Self {
            side: width.min(height),
            scale: (CANVAS.0 / width).min(CANVAS.1 / height),
            dashes: None,
            stroke: false,
        }
    }

    fn add_dashes(&mut self, value: &str) {
        let sum: f64 = numbers(value).iter().map(|number| number.abs()).sum();
        if sum > 0.0 {
            self.dashes = Some(self.dashes.map_or(sum, |dashes| dashes.min(sum)));
        }
    }

    /// Adds the declarations of a style sheet or a `style` attribute.
    fn add_declarations(&mut self, css: &str) {
        self.stroke |= css.contains("stroke");
        for (_, rest) in pieces(css, "stroke-dasharray") {
            let rest = rest.trim_start().strip_prefix(':').unwrap_or(rest);
            self.add_dashes(rest.split([';', '}']).next().unwrap_or(rest));
        }
        for (_, rest) in pieces(css, "transform") {
            self.add_transform(rest.split([';', '}']).next().unwrap_or(rest));
        }
    }

    fn add_transform(&mut self, value: &str) {
        let mut max_factor: f64 = 1.0;
        for name in ["scale", "matrix"] {
            for (_, rest) in pieces(value, name) {
                let inside = rest.split(')').next().unwrap_or(rest);
                // The last two numbers of a matrix are a translation.
                let factors = numbers(inside).into_iter().take(4);
                max_factor = factors.fold(max_factor, |max_factor, one| max_factor.max(one.abs()));
            }
        }
        // A downscaling element can contain an upscaling one, so only upscaling is counted.
        self.scale = self.scale.max(self.scale * max_factor);
    }

    /// Number of pixels that a filter processes.
    const fn pixels() -> f64 {
        CANVAS.0 * CANVAS.1
    }
}

struct Counter<'a, 'd> {
    document: &'a Document<'d>,
    ids: &'a HashMap<&'a str, NodeId>,
    traits: Traits,
    /// Cost by element; `None` while an element is being counted.
    known: HashMap<NodeId, Option<u64>>,
}

impl Counter<'_, '_> {
    fn count(&mut self, node: Node<'_, '_>, depth: usize) -> Result<u64, &'static str> {
        if let Some(known) = self.known.get(&node.id()) {
            return known.ok_or(CYCLE);
        }
        if depth > MAX_DEPTH {
            return Err(DEPTH_EXCEEDED);
        }
        self.known.insert(node.id(), None);
        let mut sum = self.element_cost(node)?;
        for attribute in node.attributes() {
            let value = attribute.value();
            let name = attribute.name();
            if name == "href" {
                if let Some(id) = value.trim().strip_prefix('#') {
                    sum = sum.saturating_add(self.reference(id, depth)?);
                }
                continue;
            }
            for (before, rest) in pieces(value, "url(") {
                let target = rest.split(')').next().unwrap_or(rest);
                let target = target.trim().trim_matches(['"', '\'']);
                let Some(id) = target.strip_prefix('#') else {
                    continue;
                };
                if name == "filter" || before.contains("filter") {
                    sum = sum.saturating_add(FILTER_COST);
                }
                sum = sum.saturating_add(self.reference(id, depth)?);
            }
        }
        for child in node.children().filter(Node::is_element) {
            sum = sum.saturating_add(self.count(child, depth + 1)?);
        }
        self.known.insert(node.id(), Some(sum));
        Ok(sum)
    }

    fn reference(&mut self, id: &str, depth: usize) -> Result<u64, &'static str> {
        let target = self.ids.get(id).and_then(|id| self.document.get_node(*id));
        target.map_or(Ok(0), |target| self.count(target, depth + 1))
    }

    /// Cost of the element without its children.
    fn element_cost(&self, node: Node<'_, '_>) -> Result<u64, &'static str> {
        let mut cost = match node.tag_name().name() {
            "path" | "polyline" | "polygon" | "rect" | "circle" | "ellipse" | "line" => {
                self.shape(node)?
            }
            "text" | "tspan" | "textPath" => {
                let texts = node.children().filter_map(|child| child.text());
                texts.map(str::len).sum::<usize>() as f64 / 4.0
            }
            name if name.starts_with("fe") => self.primitive(name, node)?,
            _ => 0.0,
        };
        let declarations = node.attribute("style").unwrap_or_default().split(';');
        let declarations = declarations.filter_map(|item| item.split_once(':'));
        let attributes = node.attributes().map(|item| (item.name(), item.value()));
        if attributes.chain(declarations).any(is_layer) {
            cost += LAYER_COST as f64;
        }
        Ok((cost as u64).saturating_add(1))
    }

    /// Cost of a shape: the coordinates of its path, and its dashes.
    fn shape(&self, node: Node<'_, '_>) -> Result<f64, &'static str> {
        let (mut count, mut length) = (0_usize, 0.0_f64);
        for attribute in node.attributes() {
            let position = [
                "d", "points", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry",
                "width", "height",
            ];
            if !position.contains(&attribute.name()) {
                continue;
            }
            for number in numbers(attribute.value()) {
                let size = number.abs();
                if size > MAX_EXTENT * self.traits.side {
                    return Err(EXTENT_EXCEEDED);
                }
                count += 1;
                length += size;
            }
        }
        let stroke = if self.traits.stroke {
            STROKE_FACTOR
        } else {
            1.0
        };
        let mut cost = count as f64 / NUMBERS_PER_ELEMENT * stroke;
        if let Some(dashes) = self.traits.dashes {
            // Upper bound of the length: a radius contributes at most 2 π.
            cost += 7.0 * length / dashes / DASHES_PER_ELEMENT;
        }
        Ok(cost)
    }

    /// Cost of a filter primitive in operations on single pixels.
    fn primitive(&self, name: &str, node: Node<'_, '_>) -> Result<f64, &'static str> {
        let of = |name| node.attribute(name).map(numbers).unwrap_or_default();
        let both = |values: &[f64], default: f64| {
            let first = values.first().copied().unwrap_or(default);
            (first, values.get(1).copied().unwrap_or(first))
        };
        let steps = match name {
            "feTurbulence" => {
                let octaves = both(&of("numOctaves"), 1.0).0;
                if octaves > MAX_OCTAVES {
                    return Err(OCTAVES_EXCEEDED);
                }
                40.0 * octaves.max(1.0)
            }
            "feMorphology" => {
                let (x, y) = both(&of("radius"), 0.0);
                // With `objectBoundingBox` units the value is a fraction of the filtered element.
                let pixels = |radius: f64| {
                    let scaled = (radius * self.traits.scale).max(radius * CANVAS.1);
                    let radius = match self.is_relative(node) {
                        true => scaled,
                        false => radius * self.traits.scale,
                    };
                    (2.0 * radius.abs() + 1.0).min(CANVAS.0)
                };
                pixels(x) * pixels(y)
            }
            "feConvolveMatrix" => {
                let (x, y) = both(&of("order"), 3.0);
                (x * y).abs()
            }
            "feDiffuseLighting" | "feSpecularLighting" => 20.0,
            "feFuncR" | "feFuncG" | "feFuncB" | "feFuncA" | "feMergeNode" => 1.0,
            _ => 8.0,
        };
        Ok(steps * Traits::pixels() / PIXELS_PER_ELEMENT)
    }

    /// Whether the lengths of a primitive are fractions of the filtered element.
    fn is_relative(&self, node: Node<'_, '_>) -> bool {
        let filter = node.parent_element();
        filter.is_some_and(|filter| filter.attribute("primitiveUnits") == Some("objectBoundingBox"))
    }
}

/// Whether a property makes an element render to its own layer.
fn is_layer((name, value): (&str, &str)) -> bool {
    let value = value.trim();
    match name.trim() {
        "opacity" => value != "1",
        "mask" | "clip-path" => value != "none",
        "mix-blend-mode" => value != "normal",
        "isolation" => value == "isolate",
        _ => false,
    }
}

/// Yields the text before and after each occurrence of a token.
fn pieces<'t>(text: &'t str, token: &'static str) -> impl Iterator<Item = (&'t str, &'t str)> {
    text.match_indices(token)
        .map(|(at, hit)| (text.split_at(at).0, text.split_at(at + hit.len()).1))
}

/// All numbers in a text, with any separators.
fn numbers(text: &str) -> Vec<f64> {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied().unwrap_or_default();
    let digits = |mut at: usize| {
        while byte(at).is_ascii_digit() {
            at += 1;
        }
        at
    };
    let (mut parsed, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        if matches!(byte(at), b'+' | b'-') {
            at += 1;
        }
        let whole = digits(at);
        let mut end = whole;
        if byte(end) == b'.' {
            end = digits(end + 1);
        }
        if end == at || (end == at + 1 && byte(at) == b'.') {
            at = start + 1;
            continue;
        }
        if matches!(byte(end), b'e' | b'E') {
            let sign = usize::from(matches!(byte(end + 1), b'+' | b'-'));
            let exponent = digits(end + 1 + sign);
            if exponent > end + 1 + sign {
                end = exponent;
            }
        }
        let number = text.get(start..end);
        let number = number.and_then(|text| text.parse::<f64>().ok());
        parsed.extend(number);
        at = end;
    }
    parsed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(svg: &str) -> Result<u64, &'static str> {
        cost(&Document::parse(svg).expect("it is XML"))
    }

    fn of_inside(inside: &str) -> Result<u64, &'static str> {
        of(&format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>{inside}</svg>"
        ))
    }

    /// Whether an SVG is rejected, by its cost or outright.
    fn refused(inside: &str) -> bool {
        of_inside(inside).is_ok_and(|cost| cost > MAX_COST) || of_inside(inside).is_err()
    }

    #[test]
    fn references_count_as_often_as_they_are_rendered() {
        let mut svg =
            String::from("<svg xmlns='http://www.w3.org/2000/svg'><g id='a0'><rect/></g>");
        for level in 1..30 {
            let below = level - 1;
            svg.push_str(&format!("<g id='a{level}'>"));
            svg.push_str(&format!(
                "<use href='#a{below}'/><use href='#a{below}'/></g>"
            ));
        }
        svg.push_str("</svg>");
        assert!(of(&svg).is_ok_and(|cost| cost > 1 << 30));
    }

    #[test]
    fn cycles_and_references_in_style_sheets_are_rejected() {
        assert_eq!(of_inside("<g id='a'><use href='#a'/></g>"), Err(CYCLE));
        assert_eq!(
            of_inside("<pattern id='p'><rect fill='url(#p)'/></pattern><rect fill='url(#p)'/>"),
            Err(CYCLE)
        );
        // Every reference in a value counts.
        assert_eq!(
            of_inside("<g id='a' style='fill:url(#none);mask:url(#a)'/>"),
            Err(CYCLE)
        );
        assert_eq!(of_inside("<style>rect{fill:url(#p)}</style>"), Err(STYLES));
        assert_eq!(of_inside("<rect fill='url(#missing)'/>"), Ok(2));
        let deep = format!("{}{}", "<g>".repeat(200), "</g>".repeat(200));
        assert_eq!(of_inside(&deep), Err(DEPTH_EXCEEDED));
    }

    #[test]
    fn filter_cost_depends_on_the_parameters() {
        let filter =
            |inside: &str| format!("<filter id='f'>{inside}</filter><rect filter='url(#f)'/>");
        for hostile in [
            "<feTurbulence numOctaves='999999999' baseFrequency='0.9'/>",
            "<feMorphology radius='99999'/>",
            "<feMorphology radius='0 99999'/>",
            "<feConvolveMatrix order='99'/>",
            "<feConvolveMatrix order='3 9999'/>",
        ] {
            assert!(refused(&filter(hostile)), "{hostile}");
        }
        for usual in [
            "<feTurbulence numOctaves='4' baseFrequency='0.9'/>",
            "<feMorphology radius='1' operator='dilate'/><feGaussianBlur stdDeviation='2'/>",
            "<feConvolveMatrix order='3'/>",
            "<feFlood/><feColorMatrix/><feOffset/><feGaussianBlur/><feComposite/><feBlend/>",
        ] {
            assert!(!refused(&filter(usual)), "{usual}");
        }
        let many = filter("<feTurbulence numOctaves='10'/>").replace(
            "<rect filter='url(#f)'/>",
            &"<rect filter='url(#f)'/>".repeat(50),
        );
        assert!(refused(&many));
        let enlarged = "<filter id='f'><feMorphology radius='1'/></filter><g transform='scale(200)'><rect filter='url(#f)'/></g>";
        assert!(refused(enlarged));
    }

    #[test]
    fn path_cost_depends_on_length_and_dashes() {
        let path = |d: &str, more: &str| format!("<path d='M0 0{d}' {more}/>");
        let arcs = |radius: &str| format!("a{radius} {radius} 0 1 1 9 9").repeat(50_000);
        assert_eq!(
            of_inside(&path(&arcs("1e9"), "stroke='#000'")),
            Err(EXTENT_EXCEEDED)
        );
        assert!(refused(&path(&arcs("5"), "stroke='#000'")));
        let thin = path("L90 90", "stroke='#000' stroke-dasharray='0.0001'");
        assert!(refused(&thin));
        let styled = path("L90 90", "style='stroke:#000;stroke-dasharray: .0001'");
        assert!(refused(&styled));
        let ruled = format!(
            "<style>path{{stroke-dasharray:1e-4}}</style>{}",
            path("L90 90", "")
        );
        assert!(refused(&ruled));
        assert!(!refused(&path(
            &"l3-4.5.5 1".repeat(500),
            "stroke='#000' stroke-dasharray='4 4'"
        )));
        assert!(!refused(&path(&"c1 2 3 4 5 6".repeat(5_000), "")));
    }

    #[test]
    fn numbers_are_parsed_in_path_notation() {
        assert_eq!(
            numbers("M1-2.5.5,3e2L-1E-1 z"),
            [1.0, -2.5, 0.5, 300.0, -0.1]
        );
        assert_eq!(numbers("e.-+"), [0.0_f64; 0]);
        assert_eq!(numbers("12px 4%"), [12.0, 4.0]);
    }
}
