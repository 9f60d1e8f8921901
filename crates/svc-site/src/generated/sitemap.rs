//! `sitemap.xml` and `robots.txt`.

use std::fmt::Write as _;

use crate::Site;

pub(super) fn sitemap(site: &Site, origin: &str) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    let cx = site.context();
    // Limit of the sitemap protocol.
    for route in site
        .map
        .listed_routes(|visibility| visibility.sitemap)
        .take(50_000)
    {
        let path = svc_render::printed_path(&site.config, &route.path);
        let url = site.public(origin, &path);
        let day = svc_render::last_modified(&cx, route);
        let day = day.map(|day| format!("<lastmod>{}</lastmod>", escape(&day)));
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "<url><loc>{}</loc>{}</url>",
            escape(&url),
            day.unwrap_or_default()
        );
    }
    out.push_str("</urlset>\n");
    out
}

pub(super) fn robots(site: &Site, origin: &str) -> String {
    format!(
        "User-agent: *\nContent-Signal: ai-train=yes, search=yes, ai-input=yes\nAllow: /\n\nSitemap: {}\n",
        site.public(origin, "/sitemap.xml")
    )
}

pub(super) fn escape(text: &str) -> String {
    let text = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    text.replace('\'', "&apos;").replace('"', "&quot;")
}
