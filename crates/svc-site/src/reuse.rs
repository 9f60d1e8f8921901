//! The last stage: which rendered pages of the previous site are still valid.

use std::sync::{Arc, OnceLock};

use svc_nav::Route;
use svc_render::{OutdatedTranslation, RenderOptions};

use crate::dependencies::ChangeSet;
use crate::site::{Site, Slot};

impl Site {
    /// A slot for each route, with the results of a previous site that are still valid.
    ///
    /// The summary of an article, and with it the article, is valid if the configuration, the
    /// options, the highlighter and the fields of the route are the same, and no change affects what
    /// was recorded while the article was rendered. The page is valid if also the navigation, the
    /// catalog and all front matter, which the frame of each page shows, and the date and the note
    /// of the page are the same, and no change affects what was recorded while the frame was rendered.
    pub(crate) fn reuse_slots(&self, before: &Self, changed: &ChangeSet) -> Vec<Arc<Slot>> {
        let same_map = Arc::ptr_eq(&self.map, &before.map);
        let same_setting = Arc::ptr_eq(&self.config, &before.config)
            && Arc::ptr_eq(&self.highlighter(), &before.highlighter())
            && same_but_frame(&self.options, &before.options);
        let same_dates = self.facts().dates == before.facts().dates;
        let same_notes = self.facts().outdated == before.facts().outdated;
        let same_catalog = Arc::ptr_eq(&self.catalog, &before.catalog);
        let same_readers = self.options.site.audience == before.options.site.audience;
        // The parts of a page outside of its article depend on the navigation and on front matter, and
        // have a link to sign in or out.
        let same_frame = same_map
            && same_catalog
            && (same_readers || !self.options.site.sign_in)
            && self.pages.front_matter_eq(&before.pages);
        let (current, previous) = (&self.map.routes, &before.map.routes);
        let same_paths = same_map || current.keys().eq(previous.keys());
        let changed = match same_paths {
            true => changed.clone(),
            false => {
                let came = current.keys().filter(|path| !previous.contains_key(*path));
                let went = previous.keys().filter(|path| !current.contains_key(*path));
                let paths = came.chain(went).map(String::as_str);
                changed.clone().with_pages(paths)
            }
        };
        let changed = match same_readers {
            true => changed,
            false => changed.with_audience(),
        };
        let reusable = |index: usize, route: &Route| {
            let old = match same_paths {
                true => index,
                false => previous.get_index_of(&route.path)?,
            };
            let slot = before.slots.get(old)?;
            let summary = slot.summary.get()?;
            let (_, route_before) = before.map.routes.get_index(old)?;
            let same_route = same_map || same_article(route, route_before);
            let document = route.operation.is_none() || same_catalog;
            if !same_route || !document || changed.affects(&summary.dependencies) {
                return None;
            }
            // Only the page frame shows the date and the note of an outdated translation.
            let same_day = || same_dates || self.day(route) == before.day(route_before);
            let same_note = || same_notes || self.note(route) == before.note(route_before);
            let page = slot.page.get().filter(|page| {
                same_frame && same_day() && same_note() && !changed.affects(&page.dependencies)
            });
            Some(match page {
                Some(_) => Arc::clone(slot),
                None => Arc::new(Slot {
                    summary: OnceLock::from(Arc::clone(summary)),
                    page: OnceLock::new(),
                }),
            })
        };
        let routes = self.map.routes.values().enumerate();
        let slots = routes.map(|(index, route)| reusable(index, route).filter(|_| same_setting));
        slots.map(Option::unwrap_or_default).collect()
    }

    /// The date on which the file of a route was last changed.
    fn day(&self, route: &Route) -> Option<&String> {
        self.facts().dates.get(&*self.page_of(route)?.path)
    }

    /// What the note of an outdated translation says.
    fn note(&self, route: &Route) -> Option<&OutdatedTranslation> {
        self.facts().outdated.get(&*self.page_of(route)?.path)
    }
}

/// Whether two sets of options render pages the same way, except for dates of last changes
/// and notes of outdated translations.
fn same_but_frame(one: &RenderOptions, other: &RenderOptions) -> bool {
    let mut rest = RenderOptions {
        metadata: Arc::clone(&other.metadata),
        ..one.clone()
    };
    // What an audience does not see is not in the map, and articles record that they depend on it.
    rest.site.audience.clone_from(&other.site.audience);
    rest == *other && one.metadata.eq_except_frame(&other.metadata)
}

/// Whether two routes have the same article as far as their fields determine it. Positions in the
/// navigation and visibility do not matter.
pub(crate) fn same_article(one: &Route, other: &Route) -> bool {
    // Destructures all fields, so that adding a field requires a decision here.
    let Route {
        path,
        slug,
        body,
        operation,
        title,
        sidebar_title: _,
        description,
        icon,
        tag,
        deprecated,
        method,
        openapi,
        trail: _,
        node: _,
        nodes: _,
        root_of: _,
        in_navigation: _,
        hidden: _,
        noindex: _,
        visibility: _,
        public,
        groups,
        required_groups: _,
        protected,
        previous: _,
        next: _,
        version,
        language,
        boost: _,
        directory: _,
        url,
        metadata,
    } = one;
    *path == other.path
        && *slug == other.slug
        && *body == other.body
        && *operation == other.operation
        && *title == other.title
        && *description == other.description
        && *icon == other.icon
        && *tag == other.tag
        && *deprecated == other.deprecated
        && *method == other.method
        && *openapi == other.openapi
        && *public == other.public
        && *groups == other.groups
        && *protected == other.protected
        && *version == other.version
        && *language == other.language
        && *url == other.url
        && *metadata == other.metadata
}
