//! Minimum depth of the values of a schema.

use svc_data::Node;

use super::builder::{ExampleBuilder, names};
use super::shape::{NodeSet, Shape};

/// Schemas with a larger minimum depth are treated as infinite.
pub(super) const INFINITE_DEPTH: usize = 20;

/// Initial bounds: the largest depth that is too small and the smallest that suffices.
const UNKNOWN: (usize, usize) = (0, usize::MAX);

impl<'d> ExampleBuilder<'d> {
    /// The minimum depth of a value; [`INFINITE_DEPTH`] if there is none.
    pub(super) fn min_depth(&mut self, seeds: &[&'d Node]) -> usize {
        let known = self.min_depths.get(&NodeSet::of(seeds));
        let (short, enough) = known.copied().unwrap_or(UNKNOWN);
        (enough.min(short + 1)..INFINITE_DEPTH)
            .find(|height| self.ends_within(seeds, *height))
            .unwrap_or(INFINITE_DEPTH)
    }

    /// Whether there is a value of that depth. A recursive schema is visited with less depth each
    /// time, so this terminates.
    fn ends_within(&mut self, seeds: &[&'d Node], height: usize) -> bool {
        if height == 0 {
            return false;
        }
        let key = NodeSet::of(seeds);
        // The largest depth that is known to be too small, and the smallest that is known to
        // suffice.
        let (mut short, mut enough) = self.min_depths.get(&key).copied().unwrap_or(UNKNOWN);
        if height <= short || height >= enough {
            return height >= enough;
        }
        // A recursive visit at the same depth does not terminate.
        self.min_depths.insert(key.clone(), (height, enough));
        let shape = self.shape(seeds);
        let ends = self.nest(|maker| maker.shape_ends(&shape, height)) == Some(true);
        if ends {
            enough = enough.min(height);
        } else {
            short = short.max(height);
        }
        self.min_depths.insert(key, (short, enough));
        ends
    }

    fn shape_ends(&mut self, shape: &Shape<'d>, height: usize) -> bool {
        if shape.impossible {
            return false;
        }
        if shape.nullable() || shape.has(&["enum", "const", "example", "examples", "default"]) {
            return true;
        }
        for choice in &shape.choices {
            let mut options = choice.options.iter();
            if !options.any(|option| self.ends_within(&option.seeds, height)) {
                return false;
            }
        }
        let types = shape.types();
        if types & crate::view::type_set::OBJECT == types {
            let required: Vec<&'d str> = shape.all("required").flat_map(names).collect();
            for name in required {
                let seeds: Vec<&'d Node> = shape
                    .all("properties")
                    .filter_map(|properties| properties.get(name))
                    .collect();
                if !seeds.is_empty() && !self.ends_within(&seeds, height - 1) {
                    return false;
                }
            }
        }
        if types & crate::view::type_set::ARRAY == types
            && shape.count("minItems", true).unwrap_or(0) > 0
        {
            let seeds: Vec<&'d Node> = shape.all("items").collect();
            return seeds.is_empty() || self.ends_within(&seeds, height - 1);
        }
        true
    }
}
