//! Versions whose files are below a directory of the tree: those with a `ref`.
//!
//! Their navigation is that of the `docs.json` in the directory, with all paths moved below it.

use svc_diagnostics::{Diagnostic, SourceFile};

use crate::{
    Children, Element, ElementKind, Navigation, OpenApiRef, PageEntry, ResolveContext, SiteConfig,
    aliases, codes::REF_POSITION, parse_with, remote_url, text::shorten,
};

/// Settings of a version that come from its own `docs.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionSettings {
    /// Directory of the version in the source tree.
    pub dir: String,
    /// Variables of its pages: pairs of name and text.
    pub variables: Vec<(String, String)>,
}

/// Keys of the `docs.json` of a version that are used; problems of the others have no effect.
const USED: [&str; 4] = ["/navigation", "/redirects", "/variables", "/api/openapi"];

/// Reads the navigation, redirects and variables of all versions with a `ref`.
pub(crate) fn versions(site: &mut SiteConfig, context: &ResolveContext<'_>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let Children::Elements(ElementKind::Version, versions) = &mut site.navigation.children else {
        return diagnostics;
    };
    for version in versions.iter_mut().filter(|item| item.reference.is_some()) {
        let Some(dir) = context.version_dir(&version.name) else {
            continue;
        };
        let file = |name: &str| -> Option<SourceFile> { (context.text)(&format!("{dir}/{name}")) };
        let Some(file) = file(aliases::FILE.new).or_else(|| file(aliases::FILE.old)) else {
            continue;
        };
        let read = context.within(&dir, |context| parse_with(&file, context));
        diagnostics.extend(read.diagnostics.into_iter().filter(is_used));
        version.mount = Some(dir.clone());
        let Some(own) = read.value else { continue };
        let openapi = own.navigation.openapi.clone().or(own.api.openapi);
        let mut content = own_entry(own.navigation, &version.name, &mut diagnostics);
        content.openapi = content.openapi.or(openapi);
        version.children = content.children;
        version.openapi = content.openapi;
        version.directory = content.directory;
        version.global = content.global;
        move_content(version, &dir);
        site.redirects
            .extend(own.redirects.into_iter().map(|mut redirect| {
                redirect.source = move_path(&redirect.source, &dir);
                redirect.destination = move_path(&redirect.destination, &dir);
                redirect
            }));
        site.versions.push(VersionSettings {
            dir,
            variables: own.variables,
        });
    }
    diagnostics
}

/// Whether a problem is in a part of the file that is used.
fn is_used(problem: &Diagnostic) -> bool {
    let pointer = problem.pointer.as_deref().unwrap_or_default();
    pointer.is_empty() || USED.iter().any(|used| pointer.starts_with(used))
}

/// The navigation of a version. If it has versions itself, that of the entry with the same name, or
/// else of the default entry.
fn own_entry(navigation: Navigation, name: &str, diagnostics: &mut Vec<Diagnostic>) -> Navigation {
    let Children::Elements(ElementKind::Version, versions) = navigation.children else {
        return navigation;
    };
    let (nested, mut own): (Vec<Element>, Vec<Element>) = versions
        .into_iter()
        .partition(|item| item.reference.is_some());
    diagnostics.extend(nested.iter().filter_map(|item| {
        let reference = item.reference.as_ref()?;
        let message = format!(
            "the `ref` of version `{}` is ignored, because this `docs.json` is that of a `ref` itself",
            shorten(&item.name)
        );
        let problem = Diagnostic::new(&REF_POSITION, message)
            .at(reference.location.clone())
            .pointer(reference.pointer.clone())
            .hint("only the versions of the default branch are shown");
        Some(problem)
    }));
    let same = |item: &Element| item.name.eq_ignore_ascii_case(name);
    let at = own
        .iter()
        .position(same)
        .or_else(|| own.iter().position(|item| item.default));
    let at = at.unwrap_or(0);
    let entry = (at < own.len()).then(|| own.swap_remove(at));
    let mut global = navigation.global;
    let (children, openapi, directory) = match entry {
        Some(entry) => {
            global.extend(entry.global);
            (entry.children, entry.openapi, entry.directory)
        }
        None => (Children::None, None, None),
    };
    Navigation {
        directory: directory.or(navigation.directory),
        openapi: openapi.or(navigation.openapi),
        children,
        global,
    }
}

/// Moves all paths below an element.
fn move_element(element: &mut Element, dir: &str) {
    if let Some(root) = &mut element.root {
        root.move_below(dir);
    }
    if let Some(href) = &mut element.href {
        *href = move_path(href, dir);
    }
    if let Some(icon) = &mut element.icon {
        icon.move_below(dir);
    }
    // The header and the footer are settings of the site.
    (element.banner, element.footer, element.navbar) = (None, None, None);
    move_content(element, dir);
}

/// Moves the paths of the content of an element.
fn move_content(element: &mut Element, dir: &str) {
    if let Some(openapi) = &mut element.openapi {
        move_documents(openapi, dir);
    }
    if let Some(mcp) = &mut element.mcp
        && remote_url(&mcp.source).is_none()
    {
        mcp.source = format!("{dir}/{}", mcp.source);
    }
    for link in &mut element.global {
        move_element(link, dir);
    }
    match &mut element.children {
        Children::None => {}
        Children::Pages(entries) => {
            for entry in entries {
                match entry {
                    PageEntry::Page(page) => page.move_below(dir),
                    PageEntry::Group(group) => move_element(group, dir),
                }
            }
        }
        Children::Elements(_, elements) => {
            for element in elements {
                move_element(element, dir);
            }
        }
    }
}

fn move_documents(openapi: &mut OpenApiRef, dir: &str) {
    for source in &mut openapi.sources {
        if remote_url(source).is_none() {
            *source = format!(
                "/{dir}/{}",
                source.trim_start_matches("./").trim_start_matches('/')
            );
        }
    }
}

/// A path of the site below the directory; other links are unchanged.
fn move_path(link: &str, dir: &str) -> String {
    match link.starts_with('/') && !link.starts_with("//") {
        true => format!("/{dir}{}", if link == "/" { "" } else { link }),
        false => link.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use svc_diagnostics::SourceFile;

    use crate::{Children, Element, PageEntry, ResolveContext, SiteConfig, parse_with};

    fn site(old: &str) -> (SiteConfig, Vec<String>) {
        let text = r##"{"theme":"svc","name":"X","colors":{"primary":"#000"},"variables":{"n":"2"},
            "navigation":{"versions":[{"version":"v2","pages":["a"]},{"version":"v1","ref":"release/1.x"}]}}"##;
        let lookup = |path: &str| match path {
            "v1/docs.json" => Some(SourceFile::new(path, old)),
            "v1/nav.json" => Some(SourceFile::new(path, r#"{"pages":["c"]}"#)),
            "docs.json" | "secret.json" => panic!("{path} is outside of the version"),
            _ => None,
        };
        let context = ResolveContext::default()
            .read_file_with(&lookup)
            .file_exists_with(&|path| path == "v1/icon.svg")
            .version_dir_with(&|name| (name == "v1").then(|| "v1".to_owned()));
        let read = parse_with(&SourceFile::new("docs.json", text), &context);
        let problem = |item: &svc_diagnostics::Diagnostic| {
            let file = item.location.as_ref().map_or("", |at| &*at.file);
            format!(
                "{file} {} {}",
                item.pointer.as_deref().unwrap_or("?"),
                item.code.id
            )
        };
        let problems = read.diagnostics.iter().map(problem).collect();
        (read.value.unwrap(), problems)
    }

    fn version(site: &SiteConfig) -> &Element {
        let Children::Elements(_, versions) = &site.navigation.children else {
            panic!("no versions");
        };
        &versions[1]
    }

    fn pages(element: &Element) -> Vec<&str> {
        match &element.children {
            Children::Pages(entries) => entries
                .iter()
                .flat_map(|entry| match entry {
                    PageEntry::Page(page) => vec![page.path.as_str()],
                    PageEntry::Group(group) => pages(group),
                })
                .collect(),
            Children::Elements(_, elements) => elements.iter().flat_map(pages).collect(),
            Children::None => Vec::new(),
        }
    }

    #[test]
    fn all_paths_of_a_version_are_below_its_directory() {
        let (site, problems) = site(
            r#"{"theme":"nonsense","variables":{"n":"1"},"api":{"openapi":"./api.json"},
                "redirects":[{"source":"/old","destination":"/c"},{"source":"/x","destination":"https://x.test"}],
                "navigation":{"tabs":[
                    {"tab":"A","icon":"/icon.svg","groups":[{"group":"G","root":"/g","icon":"star","pages":["c","/d/e","GET /u","s.json GET /u","https://x.test/s.json GET /u"]}]},
                    {"tab":"B","href":"/c"},{"tab":"C","href":"https://x.test"},{"tab":"D","openapi":["b.json","https://x.test/o.json"]}]}}"#,
        );
        assert_eq!(problems, [""; 0]);
        let version = version(&site);
        assert_eq!(version.mount.as_deref(), Some("v1"));
        assert_eq!(
            pages(version),
            [
                "v1/c",
                "v1/d/e",
                "GET /u",
                "v1/s.json GET /u",
                "https://x.test/s.json GET /u"
            ]
        );
        assert_eq!(version.openapi.as_ref().unwrap().sources, ["/v1/api.json"]);
        let Children::Elements(_, tabs) = &version.children else {
            panic!("no tabs");
        };
        assert_eq!(tabs[0].icon.as_ref().unwrap().name, "/v1/icon.svg");
        assert_eq!(tabs[1].href.as_deref(), Some("/v1/c"));
        assert_eq!(tabs[2].href.as_deref(), Some("https://x.test"));
        assert_eq!(
            tabs[3].openapi.as_ref().unwrap().sources,
            ["/v1/b.json", "https://x.test/o.json"]
        );
        let moved: Vec<_> = site
            .redirects
            .iter()
            .map(|one| (&*one.source, &*one.destination))
            .collect();
        assert_eq!(moved, [("/v1/old", "/v1/c"), ("/v1/x", "https://x.test")]);
        assert_eq!(site.variables, [("n".to_owned(), "2".to_owned())]);
        assert_eq!(
            site.versions[0].variables,
            [("n".to_owned(), "1".to_owned())]
        );
    }

    #[test]
    fn included_files_are_those_of_the_version() {
        let (site, problems) = site(r#"{"navigation":{"$ref":"./nav.json"}}"#);
        assert_eq!(
            (problems, pages(version(&site))),
            (Vec::new(), vec!["v1/c"])
        );
        let (_, problems) = self::site(r#"{"navigation":{"$ref":"../secret.json"}}"#);
        assert_eq!(problems, ["v1/docs.json /navigation config-ref-missing"]);
    }

    #[test]
    fn of_nested_versions_the_same_or_the_default_is_used() {
        let nested =
            |entries: &str| site(&format!(r#"{{"navigation":{{"versions":[{entries}]}}}}"#));
        let (one, problems) = nested(
            r#"{"version":"v0","ref":"old"},{"version":"x","pages":["x"],"default":true},{"version":"V1","pages":["y"]}"#,
        );
        assert_eq!(pages(version(&one)), ["v1/y"]);
        assert_eq!(
            problems,
            ["v1/docs.json /navigation/versions/0/ref nav-version-ref-position"]
        );
        let (one, _) =
            nested(r#"{"version":"w","pages":["w"]},{"version":"x","pages":["x"],"default":true}"#);
        assert_eq!(pages(version(&one)), ["v1/x"]);
        let (one, _) = nested(r#"{"version":"v0","ref":"old"}"#);
        assert_eq!(pages(version(&one)), [""; 0]);
    }

    #[test]
    fn problems_of_settings_that_are_not_used_are_not_reported() {
        let (_, problems) = site(r#"{"theme":5,"navigation":{"pages":[5]}}"#);
        assert_eq!(problems, ["v1/docs.json /navigation/pages/0 config-type"]);
    }
}
