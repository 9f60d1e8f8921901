//! Arrays: one item, or the required number of items.

use serde_json::Value as Json;
use svc_data::Node;

use super::builder::{BuiltExample, ExampleBuilder};
use super::min_depth::INFINITE_DEPTH;
use super::shape::Shape;
use super::size;

/// Maximum number of items.
const MAX_ITEMS: usize = 1_000;
/// Maximum number of items that must be unique.
const MAX_UNIQUE_ITEMS: usize = 50;
/// Maximum number of items with a schema of their own.
const MAX_PREFIX_ITEMS: usize = 50;

impl<'d> ExampleBuilder<'d> {
    /// Builds an array; a terse one has only its required items.
    pub(super) fn array(&mut self, shape: &Shape<'d>, level: usize, terse: bool) -> BuiltExample {
        let unique = shape
            .all("uniqueItems")
            .any(|node| node.as_bool() == Some(true));
        let max_items = shape.count("maxItems", false).unwrap_or(MAX_ITEMS);
        let least = shape.count("minItems", true).unwrap_or(0);
        let cap = if unique { MAX_UNIQUE_ITEMS } else { MAX_ITEMS };
        let mut example = BuiltExample::new(Json::Null);
        let mut items: Vec<Json> = Vec::new();
        let (prefix, rest) = schemas(shape);
        let required: Vec<Vec<&'d Node>> = shape
            .all("contains")
            .filter(|_| shape.count("minContains", true) != Some(0))
            .map(|contains| rest.iter().copied().chain([contains]).collect())
            .collect();
        for (at, seeds) in prefix.iter().chain(&required).enumerate() {
            let fixed = at < prefix.len();
            if items.len() >= max_items || (fixed && terse && items.len() >= least) {
                continue;
            }
            self.item(seeds, level, unique, &mut items, &mut example);
        }
        let usual = usize::from(!terse && items.is_empty());
        self.cut |= terse && level >= self.remaining.depth && items.is_empty() && !rest.is_empty();
        let length = least.max(usual).min(max_items).min(cap);
        if items.len() < length && self.includes_item(&rest, level, least) {
            let is_required = least > items.len();
            let before = (self.remaining, example.sound);
            self.item(&rest, level, unique, &mut items, &mut example);
            if !is_required && !example.sound && before.1 {
                // No item matches, and none is required.
                items.pop();
                (self.remaining, example.sound) = before;
            }
            self.fill(&rest, level, (length, unique), &mut items, &mut example);
        }
        example.sound &= (least..=max_items).contains(&items.len());
        example.value = Json::Array(items);
        example
    }

    /// Whether an optional item is shown.
    fn includes_item(&mut self, seeds: &[&'d Node], level: usize, least: usize) -> bool {
        if least > 0 || seeds.is_empty() {
            return least > 0;
        }
        let own = self.shape(seeds);
        if own.impossible || self.is_open(&own) {
            return false;
        }
        if level + 1 >= self.remaining.depth && own.is_deep() {
            self.cut = true;
            return false;
        }
        self.min_depth(seeds) < INFINITE_DEPTH
    }

    fn item(
        &mut self,
        seeds: &[&'d Node],
        level: usize,
        unique: bool,
        items: &mut Vec<Json>,
        example: &mut BuiltExample,
    ) {
        let own = self.shape(seeds);
        let nth = self.nth;
        if unique {
            self.nth += items.len();
        }
        let item = self.build(&own, level + 1);
        self.nth = nth;
        example.sound &= item.sound;
        example.written |= item.written;
        items.push(item.value);
    }

    /// Adds items until there are enough: equal ones, unless they must be unique.
    fn fill(
        &mut self,
        seeds: &[&'d Node],
        level: usize,
        (wanted, unique): (usize, bool),
        items: &mut Vec<Json>,
        example: &mut BuiltExample,
    ) {
        let Some(last) = items.last().cloned() else {
            return;
        };
        if !unique {
            while items.len() < wanted && !self.spent {
                if size::take(&last, &mut self.remaining.bytes) {
                    items.push(last.clone());
                } else {
                    self.spent = true;
                }
            }
            return;
        }
        let own = self.shape(seeds);
        let before = self.nth;
        for nth in 1..3 * wanted {
            if items.len() >= wanted || self.spent {
                break;
            }
            self.nth = before + nth;
            let item = self.build(&own, level + 1);
            if !items.contains(&item.value) {
                example.sound &= item.sound;
                items.push(item.value);
            }
        }
        self.nth = before;
    }
}

/// The schemas of the first items, in order, and those of the rest.
fn schemas<'d>(shape: &Shape<'d>) -> (Vec<Vec<&'d Node>>, Vec<&'d Node>) {
    let mut prefix: Vec<Vec<&'d Node>> = Vec::new();
    let lists = || shape.all("prefixItems").filter_map(Node::as_array);
    for (at, node) in lists().flat_map(|list| list.iter().take(MAX_PREFIX_ITEMS).enumerate()) {
        if at >= prefix.len() {
            prefix.push(Vec::new());
        }
        if let Some(seeds) = prefix.get_mut(at) {
            seeds.push(node);
        }
    }
    (prefix, shape.all("items").collect())
}
