//! Options of a site that do not come from its repository.

use svc_nav::Audience;

/// Options that determine the result of a build together with the files of the repository, from the
/// command line and the settings of a server to the rendered page.
///
/// A server compares them with `==` to decide whether a site that is already in memory can be
/// served, so an option that changes a site belongs here. Data that is read or fetched, such as
/// dates and remote documents, does not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct SiteOptions {
    /// URL path prefix of the site, such as `/docs`; empty for a site at the root.
    pub base_path: String,
    /// Origin of the site, such as `https://docs.example.com`; empty if unknown. The canonical URL
    /// in `docs.json` takes precedence.
    pub origin: String,
    /// Whether this is a local preview with live reload.
    pub dev: bool,
    /// Whether the site is exported as files. Preview images are then rendered only if the origin
    /// of the site is known, and no inline loader loads the scripts of the repository.
    pub export: bool,
    /// Readers who are served: pages that they may not access are not part of the site.
    pub audience: Audience,
    /// Whether readers can sign in.
    pub sign_in: bool,
    /// Whether the scripts and style sheets of the repository are ignored. Components then run
    /// neither on the server nor in the browser; only the result of the built-in evaluator is
    /// rendered.
    pub without_scripts: bool,
    /// Whether pages load the services of `integrations`. Without scripts they load none.
    pub integrations: bool,
    /// Whether web fonts are not loaded from the public catalog.
    pub without_web_fonts: bool,
    /// Whether code has no colors, for checks that do not look at it: coloring takes a large part of
    /// the time of rendering.
    pub without_code_colors: bool,
    /// Whether only links and anchors are of interest: diagrams are not drawn, and API pages have
    /// only the examples of their authors.
    pub links_only: bool,
    /// Whether the server relays the requests of the playground.
    pub relay: bool,
    /// Whether URLs of images, styles and scripts contain the version of the file.
    pub fingerprints: bool,
    /// Whether pages offer narrower variants of raster images.
    pub image_variants: bool,
    /// Whether pages can mark what differs from another revision of the site. Only the server of
    /// previews can tell them.
    pub change_marks: bool,
}

impl SiteOptions {
    /// Readers that the site map is resolved for: a local preview shows all pages to the author,
    /// unless it is for certain readers.
    pub fn audience(&self) -> Audience {
        match (self.dev, &self.audience) {
            (true, Audience::Everyone) => Audience::Trusted,
            (_, audience) => audience.clone(),
        }
    }
}
