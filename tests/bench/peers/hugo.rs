//! Hugo with a custom layout that has the sidebar of the section.

use std::io;
use std::path::Path;

use super::{Peer, Section, arguments, file, weighted};

pub(super) const HUGO: Peer = Peer {
    name: "Hugo",
    program: "hugo",
    write,
    build: Some(|project, out| {
        let cache = out.with_extension("cache");
        arguments(&[
            &"--source",
            &project,
            &"--destination",
            &out,
            &"--cacheDir",
            &cache,
            &"--quiet",
            &"--noBuildLock",
        ])
    }),
    preview: Some(|project, port| {
        let port = port.to_string();
        arguments(&[
            &"server",
            &"--source",
            &project,
            &"--port",
            &port,
            &"--bind",
            &"127.0.0.1",
        ])
    }),
    page: |path| (format!("content/{path}.md"), format!("/{path}/")),
};

const CONFIG: &str = r#"baseURL = "http://127.0.0.1:8000/"
title = "Docs"
disableKinds = ["taxonomy", "term", "RSS"]
[markup.highlight]
noClasses = false
[outputs]
home = ["HTML", "JSON"]
"#;

const BASE: &str = r#"<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{ .Title }}</title>
<meta name="description" content="{{ .Description }}"></head><body>
<nav><ul>{{ $page := . }}{{ range site.Sections.ByWeight }}<li><a href="{{ .RelPermalink }}">{{ .LinkTitle }}</a>
{{ if eq $page.CurrentSection . }}<ul>{{ range .RegularPages.ByWeight }}<li><a href="{{ .RelPermalink }}">{{ .LinkTitle }}</a></li>{{ end }}</ul>{{ end }}
</li>{{ end }}</ul></nav>
<main><h1>{{ .Title }}</h1>{{ .Content }}
{{ with .NextInSection }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}
{{ with .PrevInSection }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}
</main><aside>{{ .TableOfContents }}</aside></body></html>
"#;

/// The search index: the text of every page.
const INDEX: &str = r#"[{{ range $i, $p := site.RegularPages }}{{ if $i }},{{ end }}{"t":{{ $p.Title | jsonify }},"u":{{ $p.RelPermalink | jsonify }},"x":{{ $p.Plain | jsonify }}}{{ end }}]"#;

fn write(root: &Path, sections: &[Section]) -> io::Result<()> {
    file(root, "hugo.toml", CONFIG)?;
    for layout in ["single", "list"] {
        file(root, &format!("layouts/_default/{layout}.html"), BASE)?;
    }
    file(root, "layouts/index.json", INDEX)?;
    file(
        root,
        "content/_index.md",
        "---\ntitle: Docs\n---\n\nThe first page.\n",
    )?;
    weighted(root, sections, ["---", ": "])
}
