//! Arrays: one item, or as many as there have to be.

use serde_json::Value as Json;
use svc_data::Node;

use super::height::ENDLESS;
use super::maker::{Made, Maker};
use super::shape::Shape;
use super::size;

/// Items at most.
const ITEMS: usize = 1_000;
/// Items that all have to be different at most.
const DIFFERENT: usize = 50;
/// Items with a schema of their own at most.
const PREFIX: usize = 50;

impl<'d> Maker<'d> {
    /// An array; a terse one has the items it needs only.
    pub(super) fn array(&mut self, shape: &Shape<'d>, level: usize, terse: bool) -> Made {
        let unique = shape
            .all("uniqueItems")
            .any(|node| node.as_bool() == Some(true));
        let most = shape.count("maxItems", false).unwrap_or(ITEMS);
        let least = shape.count("minItems", true).unwrap_or(0);
        let cap = if unique { DIFFERENT } else { ITEMS };
        let mut made = Made::new(Json::Null);
        let mut items: Vec<Json> = Vec::new();
        let (prefix, rest) = schemas(shape);
        let required: Vec<Vec<&'d Node>> = shape
            .all("contains")
            .filter(|_| shape.count("minContains", true) != Some(0))
            .map(|contains| rest.iter().copied().chain([contains]).collect())
            .collect();
        for (at, seeds) in prefix.iter().chain(&required).enumerate() {
            let fixed = at < prefix.len();
            if items.len() >= most || (fixed && terse && items.len() >= least) {
                continue;
            }
            self.item(seeds, level, unique, &mut items, &mut made);
        }
        let usual = usize::from(!terse && items.is_empty());
        self.cut |= terse && level >= self.left.depth && items.is_empty() && !rest.is_empty();
        let wanted = least.max(usual).min(most).min(cap);
        if items.len() < wanted && self.is_item_shown(&rest, level, least) {
            let needed = least > items.len();
            let before = (self.left, made.sound);
            self.item(&rest, level, unique, &mut items, &mut made);
            if !needed && !made.sound && before.1 {
                // No item fits, and none has to be there.
                items.pop();
                (self.left, made.sound) = before;
            }
            self.fill(&rest, level, (wanted, unique), &mut items, &mut made);
        }
        made.sound &= (least..=most).contains(&items.len());
        made.value = Json::Array(items);
        made
    }

    /// Whether an item is shown that need not be there, or needed.
    fn is_item_shown(&mut self, seeds: &[&'d Node], level: usize, least: usize) -> bool {
        if least > 0 || seeds.is_empty() {
            return least > 0;
        }
        let own = self.shape(seeds);
        if own.impossible || self.is_open(&own) {
            return false;
        }
        if level + 1 >= self.left.depth && own.is_deep() {
            self.cut = true;
            return false;
        }
        self.height(seeds) < ENDLESS
    }

    fn item(
        &mut self,
        seeds: &[&'d Node],
        level: usize,
        unique: bool,
        items: &mut Vec<Json>,
        made: &mut Made,
    ) {
        let own = self.shape(seeds);
        let nth = self.nth;
        if unique {
            self.nth += items.len();
        }
        let item = self.build(&own, level + 1);
        self.nth = nth;
        made.sound &= item.sound;
        made.written |= item.written;
        items.push(item.value);
    }

    /// Adds items until there are enough: equal ones, unless all have to be different.
    fn fill(
        &mut self,
        seeds: &[&'d Node],
        level: usize,
        (wanted, unique): (usize, bool),
        items: &mut Vec<Json>,
        made: &mut Made,
    ) {
        let Some(last) = items.last().cloned() else {
            return;
        };
        if !unique {
            while items.len() < wanted && !self.spent {
                if size::take(&last, &mut self.left.bytes) {
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
                made.sound &= item.sound;
                items.push(item.value);
            }
        }
        self.nth = before;
    }
}

/// The schemas of the first items, one after the other, and those of the rest.
fn schemas<'d>(shape: &Shape<'d>) -> (Vec<Vec<&'d Node>>, Vec<&'d Node>) {
    let mut prefix: Vec<Vec<&'d Node>> = Vec::new();
    let lists = || shape.all("prefixItems").filter_map(Node::as_array);
    for (at, node) in lists().flat_map(|list| list.iter().take(PREFIX).enumerate()) {
        if at >= prefix.len() {
            prefix.push(Vec::new());
        }
        if let Some(seeds) = prefix.get_mut(at) {
            seeds.push(node);
        }
    }
    (prefix, shape.all("items").collect())
}
