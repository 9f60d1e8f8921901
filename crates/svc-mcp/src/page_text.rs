//! The Markdown of pages as tools give it.

use svc_nav::Route;
use svc_site::Site;

/// The Markdown version of a page without its front matter and the note for agents, whose facts
/// clients get in other ways. Links of the site have no origin: they are shorter, and `read` accepts
/// them.
pub(crate) fn page_text(site: &Site, route: &Route) -> String {
    let packed = site.compressed_markdown(route, "");
    let text = packed.map(|packed| String::from_utf8_lossy(&packed.bytes).into_owned());
    without_head(&text.unwrap_or_default()).to_owned()
}

fn without_head(text: &str) -> &str {
    let text = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
        .map_or(text, |(_, rest)| rest);
    let note: usize = text
        .split_inclusive('\n')
        .take_while(|line| line.starts_with('>') || line.trim().is_empty())
        .map(str::len)
        .sum();
    text.get(note..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::without_head;

    #[test]
    fn front_matter_and_note_are_left_out() {
        let text = "---\ntitle: \"T\"\n---\n\n> Index\n>\n> More\n\n# T\n\n> About\n";
        assert_eq!(without_head(text), "# T\n\n> About\n");
        assert_eq!(without_head("# T\n"), "# T\n");
        assert_eq!(without_head("---\n"), "---\n");
    }
}
