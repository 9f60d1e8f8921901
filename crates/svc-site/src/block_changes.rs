//! What a revision changes on one page, for marks on the page.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use serde_json::{Value, json};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use svc_nav::Route;
use svc_render::{ContentBlock, content_blocks};

use crate::cache::SizedCache;
use crate::comparison::moved_pages;
use crate::load::with_site_options;
use crate::page::CompressedBytes;
use crate::site::Site;

/// Maximum number of blocks of both revisions between the first and the last difference that are
/// compared with each other. Beyond it, all of them count as one change.
const MAX_COMPARED_BLOCKS: usize = 6_000;
/// Maximum number of texts of removed blocks of a change.
const MAX_REMOVED_TEXTS: usize = 20;

/// A run of blocks that differ.
#[derive(Debug, Clone, PartialEq, Eq)]
struct BlockChange {
    /// Indexes in the older revision.
    old: Range<usize>,
    /// Indexes in the newer revision. If it is empty, blocks were removed before its start.
    new: Range<usize>,
}

/// Another revision of a site, as its readers see it.
#[derive(Debug)]
pub(crate) struct Baseline {
    /// The revision that it was built from.
    revision: Weak<Site>,
    /// `None` if it cannot be built.
    site: OnceLock<Option<Site>>,
    /// Changes by path.
    changes: SizedCache<CompressedBytes>,
}

impl Site {
    /// Whether pages can mark what differs from another revision.
    pub fn has_change_marks(&self) -> bool {
        self.options.site.change_marks
    }

    /// What differs on a page from another revision of the site, as JSON for the script of the
    /// page. `None` if there is no such page. The older page is seen with the options of this site, so
    /// that readers learn only about pages that they may access in both revisions. A moved page is compared
    /// with its former path.
    pub fn page_changes(&self, old: &Arc<Self>, path: &str) -> Option<Arc<CompressedBytes>> {
        let route = self.map.routes.get(path)?;
        let baseline = self.baseline_of(old);
        let build = || {
            let built = with_site_options(old, self.options.site.clone());
            Some(built.ok()?.value)
        };
        let old = baseline.site.get_or_init(build).as_ref()?;
        let make = || {
            let mut page = changes(old, self, route);
            page["messages"] = svc_render::change_mark_messages(route.language.as_deref());
            let text = page.to_string();
            Some(CompressedBytes::new(text.into_bytes()))
        };
        let size = |packed: &CompressedBytes| packed.bytes.len();
        baseline.changes.get_or_make(path, make, size)
    }

    fn baseline_of(&self, old: &Arc<Self>) -> Arc<Baseline> {
        let mut known = self.baseline.lock().unwrap_or_else(PoisonError::into_inner);
        let revision = Arc::downgrade(old);
        match &*known {
            Some(baseline) if baseline.revision.ptr_eq(&revision) => Arc::clone(baseline),
            _ => {
                let baseline = Arc::new(Baseline {
                    revision,
                    site: OnceLock::new(),
                    changes: SizedCache::new(&self.counters.responses),
                });
                *known = Some(Arc::clone(&baseline));
                baseline
            }
        }
    }
}

/// A slot for the revision that a site was last compared with.
pub(crate) type BaselineSlot = Mutex<Option<Arc<Baseline>>>;

fn changes(old: &Site, new: &Site, route: &Route) -> Value {
    let same_path = old.map.routes.get(&route.path);
    let former = || {
        let from = *moved_pages(old, new).get(&*route.path)?;
        old.map.routes.get(from)
    };
    let Some(before) = same_path.or_else(former) else {
        return json!({ "page": "added", "changes": [] });
    };
    let (left, right) = (old.render_article(before), new.render_article(route));
    let (left, right) = match left.broken || right.broken {
        true => (Vec::new(), Vec::new()),
        false => (
            content_blocks(&left.article.html),
            content_blocks(&right.article.html),
        ),
    };
    let runs = compare_blocks(&left, &right);
    let runs: Vec<Value> = runs.iter().map(|run| run.json(&left)).collect();
    json!({
        "page": "changed",
        "title": before.title != route.title,
        "description": svc_render::summary(before) != svc_render::summary(route),
        "changes": runs,
    })
}

/// The runs of blocks that differ, in the order of the page.
fn compare_blocks<'b>(old: &'b [ContentBlock], new: &'b [ContentBlock]) -> Vec<BlockChange> {
    // Numbers are compared faster than keys.
    let mut known: HashMap<&str, usize> = HashMap::new();
    let number = |block: &'b ContentBlock| {
        let next = known.len();
        *known.entry(&*block.key).or_insert(next)
    };
    let numbers: Vec<usize> = old.iter().chain(new).map(number).collect();
    let (left, right) = numbers.split_at(old.len());
    let same = |(left, right): &(&usize, &usize)| left == right;
    let start = left.iter().zip(right).take_while(same).count();
    let (_, left) = left.split_at(start);
    let (_, right) = right.split_at(start);
    let ends = left.iter().rev().zip(right.iter().rev());
    let end = ends.take_while(same).count();
    let (left, _) = left.split_at(left.len() - end);
    let (right, _) = right.split_at(right.len() - end);
    let all = BlockChange {
        old: shift(&(0..left.len()), start),
        new: shift(&(0..right.len()), start),
    };
    if left.len() + right.len() > MAX_COMPARED_BLOCKS {
        return vec![all];
    }
    capture_diff_slices(Algorithm::Myers, left, right)
        .into_iter()
        .filter(|run| !matches!(run, DiffOp::Equal { .. }))
        .flat_map(|run| all.part(&run).split(old, new))
        .collect()
}

fn shift(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

impl BlockChange {
    /// A part of the change; the offsets of `part` are relative.
    fn part(&self, part: &DiffOp) -> Self {
        Self {
            old: shift(&part.old_range(), self.old.start),
            new: shift(&part.new_range(), self.new.start),
        }
    }

    /// Splits a change into blocks that are different, new or gone: only blocks with the same
    /// element are revisions of each other.
    fn split(self, old: &[ContentBlock], new: &[ContentBlock]) -> Vec<Self> {
        let tags = |blocks: &[ContentBlock], range: &Range<usize>| -> Vec<String> {
            let blocks = blocks.get(range.clone()).unwrap_or_default();
            blocks.iter().map(|block| block.tag.clone()).collect()
        };
        let (left, right) = (tags(old, &self.old), tags(new, &self.new));
        let parts = capture_diff_slices(Algorithm::Myers, &left, &right);
        parts.iter().map(|part| self.part(part)).collect()
    }

    /// The change for the script. `before` are the blocks of the older revision.
    fn json(&self, before: &[ContentBlock]) -> Value {
        let kind = match (self.old.is_empty(), self.new.is_empty()) {
            (true, _) => "added",
            (false, true) => "removed",
            (false, false) => "changed",
        };
        let removed = self.old.len().saturating_sub(self.new.len());
        // Which blocks of a changed run are gone is not known.
        let gone = match kind {
            "removed" => before.get(self.old.clone()).unwrap_or_default(),
            _ => &[],
        };
        let texts = gone.iter().map(|block| &*block.text);
        let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
        json!({
            "kind": kind,
            "first": self.new.start,
            "count": self.new.len(),
            "removed": removed,
            "texts": texts.get(..MAX_REMOVED_TEXTS).unwrap_or(&texts),
        })
    }
}

#[cfg(test)]
mod tests {
    use svc_nav::Audience;
    use svc_render::SiteOptions;
    use svc_source::SourceTree;

    use super::*;
    use crate::{LoadOptions, assemble};

    fn blocks(keys: &[u32]) -> Vec<ContentBlock> {
        let block = |key: &u32| ContentBlock {
            tag: if *key < 100 { "p" } else { "tr" }.to_owned(),
            key: key.to_string(),
            text: format!("t{key}"),
        };
        keys.iter().map(block).collect()
    }

    fn runs(old: &[u32], new: &[u32]) -> Vec<(Range<usize>, Range<usize>)> {
        let runs = compare_blocks(&blocks(old), &blocks(new));
        runs.into_iter().map(|run| (run.old, run.new)).collect()
    }

    #[test]
    fn runs_of_blocks_that_differ() {
        assert_eq!(runs(&[1, 2, 3], &[1, 2, 3]), []);
        assert_eq!(runs(&[1, 2, 3], &[1, 3]), [(1..2, 1..1)]);
        assert_eq!(runs(&[1, 3], &[1, 2, 3]), [(1..1, 1..2)]);
        assert_eq!(runs(&[1, 2, 3], &[1, 4, 3]), [(1..2, 1..2)]);
        assert_eq!(runs(&[1, 2], &[1]), [(1..2, 1..1)]);
        assert_eq!(runs(&[], &[1, 2]), [(0..0, 0..2)]);
        assert_eq!(
            runs(&[1, 2, 3, 4, 5, 6], &[1, 7, 3, 4, 6, 8]),
            [(1..2, 1..2), (4..5, 4..4), (6..6, 5..6)]
        );
        // A row is no revision of a paragraph.
        assert_eq!(runs(&[100, 1], &[101]), [(0..1, 0..1), (1..2, 1..1)]);
        assert_eq!(runs(&[1], &[100, 2]), [(0..0, 0..1), (0..1, 1..2)]);
    }

    #[test]
    fn removing_or_adding_any_run_is_one_change_of_its_length() {
        let all: Vec<u32> = (0..30).collect();
        for start in 0..all.len() {
            for end in start + 1..=all.len() {
                let rest = [&all[..start], &all[end..]].concat();
                assert_eq!(runs(&all, &rest), [(start..end, start..start)]);
                assert_eq!(runs(&rest, &all), [(start..start, start..end)]);
            }
        }
    }

    #[test]
    fn pages_with_too_many_blocks_have_one_change() {
        let count = u32::try_from(MAX_COMPARED_BLOCKS).unwrap();
        let (old, new): (Vec<u32>, Vec<u32>) = ((0..count).collect(), (0..count).rev().collect());
        let length = old.len();
        assert_eq!(runs(&old, &new), [(0..length, 0..length)]);
    }

    fn site(config: &str, pages: &[(&str, &str)], audience: Audience) -> Arc<Site> {
        let config = format!(
            r##"{{"theme": "svc", "name": "A", "colors": {{"primary": "#070"}}, {config}}}"##
        );
        let mut files = vec![("docs.json", &*config)];
        files.extend_from_slice(pages);
        let options = LoadOptions::from(SiteOptions {
            change_marks: true,
            audience,
            ..SiteOptions::default()
        });
        Arc::new(
            assemble(SourceTree::from_files(files), &options)
                .unwrap()
                .value,
        )
    }

    fn changes_of(old: &Arc<Site>, new: &Site, path: &str) -> Value {
        let bytes = new.page_changes(old, path).unwrap();
        let mut changes: Value = serde_json::from_slice(&bytes.bytes).unwrap();
        let messages = changes.as_object_mut().unwrap().remove("messages");
        assert!(messages.is_some_and(|messages| messages["added"].is_string()));
        changes
    }

    #[test]
    fn the_messages_have_the_language_of_the_page() {
        let config = r#""navigation": {"languages": [
            {"language": "en", "pages": ["a"]}, {"language": "de", "pages": ["de/a"]}]}"#;
        let pages = [("a.mdx", "A"), ("de/a.mdx", "A")];
        let site = site(config, &pages, Audience::Everyone);
        let added = |path: &str| {
            let bytes = site.page_changes(&site, path).unwrap();
            let changes: Value = serde_json::from_slice(&bytes.bytes).unwrap();
            changes["messages"]["added"].clone()
        };
        assert_eq!((added("/a"), added("/de/a")), (json!("New"), json!("Neu")));
    }

    const ONE: &str = r#""navigation": {"pages": ["a"]}"#;
    const TWO: &str = r#""navigation": {"pages": ["a", "b"]}"#;

    #[test]
    fn an_unchanged_page_has_no_changes() {
        let page = "# A\n\n- b\n\n<Steps><Step title=\"S\">x</Step></Steps>\n\n```js\na\n```\n";
        let old = site(ONE, &[("a.mdx", page)], Audience::Everyone);
        let new = site(TWO, &[("a.mdx", page), ("b.mdx", "B")], Audience::Everyone);
        let changes = changes_of(&old, &new, "/a");
        assert_eq!(
            changes,
            json!({"page": "changed", "title": false, "description": false, "changes": []})
        );
        assert_eq!(changes_of(&old, &new, "/b")["page"], "added");
        assert!(new.page_changes(&old, "/c").is_none());
    }

    #[test]
    fn blocks_are_those_that_the_page_numbers() {
        let old = site(
            ONE,
            &[("a.mdx", "---\ntitle: A\n---\nOne.\n\nGone.\n\nThree.\n")],
            Audience::Everyone,
        );
        let text = "---\ntitle: B\n---\nOne.\n\nThree.\n\n<Note>New *note*.</Note>\n";
        let new = site(ONE, &[("a.mdx", text)], Audience::Everyone);
        let changes = changes_of(&old, &new, "/a");
        assert_eq!(
            (&changes["title"], &changes["description"]),
            (&json!(true), &json!(false))
        );
        let removed =
            json!({"kind": "removed", "first": 1, "count": 0, "removed": 1, "texts": ["Gone."]});
        assert_eq!(changes["changes"][0], removed);
        let added = &changes["changes"][1];
        assert_eq!(
            (&added["kind"], &added["first"]),
            (&json!("added"), &json!(2))
        );
        let html = String::from_utf8(new.page("/a").unwrap().html.bytes.to_vec()).unwrap();
        assert!(
            html.contains("<p data-svc-block=\"1\">Three.</p>"),
            "{html}"
        );
        let note = html.find("data-svc-block=\"2\"").unwrap();
        assert!(html[note..].find("New <em>note</em>").is_some());
        assert!(html.contains("/_svc/changes/change_marks.js"));
    }

    #[test]
    fn a_moved_page_is_compared_with_its_former_path() {
        let (page, moved) = (
            r#""navigation": {"pages": ["a"]}"#,
            r#""navigation": {"pages": ["c/a"]}"#,
        );
        let old = site(page, &[("a.mdx", "<X />\n\n[x](./y)")], Audience::Everyone);
        let new = site(
            moved,
            &[("c/a.mdx", "<X />\n\n[x](./y)")],
            Audience::Everyone,
        );
        let changes = changes_of(&old, &new, "/c/a");
        assert_eq!(changes["page"], "changed");
        // The link leads elsewhere.
        assert_eq!(changes["changes"][0]["kind"], "changed");
    }

    #[test]
    fn readers_learn_nothing_about_pages_that_they_may_not_access() {
        let secret = "---\ntitle: A\ngroups: [\"staff\"]\n---\nSecret words.\n";
        let public = "---\ntitle: A\npublic: true\n---\nPublic words.\n";
        let old = site(
            TWO,
            &[("a.mdx", secret), ("b.mdx", "B")],
            Audience::Everyone,
        );
        let new = site(
            TWO,
            &[("a.mdx", public), ("b.mdx", "B")],
            Audience::Everyone,
        );
        assert_eq!(
            changes_of(&old, &new, "/a"),
            json!({"page": "added", "changes": []})
        );
        // What was public is only for staff now.
        assert!(old.page_changes(&new, "/a").is_none());
        let staff = Audience::Members(["staff".to_owned()].into());
        let staff = crate::for_audience(&old, staff).unwrap();
        let changes = changes_of(&new, &staff, "/a");
        assert_eq!(changes["changes"][0]["kind"], "changed");
    }
}
