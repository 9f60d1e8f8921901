//! Fixes of diagnostics as code actions.

use std::collections::BTreeMap;

use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, WorkspaceEdit};
use svc_diagnostics::{Diagnostic, Edit, Fix, apply_fixes};

use crate::convert::diagnostic;
use crate::edits::{Replacements, document_edits, workspace_edit};
use crate::view::View;
use crate::workspace::Workspace;

/// The fixes of the diagnostics in a range, and all fixes of the document.
pub(crate) fn actions(
    workspace: &Workspace,
    view: &View<'_>,
    params: &CodeActionParams,
) -> Vec<CodeActionOrCommand> {
    let path = view.project.absolute(&view.path);
    let diagnostics = workspace
        .published
        .get(&path)
        .map_or(&[][..], Vec::as_slice);
    // The diagnostics of an older text have other positions; the client requests actions again when
    // it gets the new ones.
    if workspace.changed.contains(&path) {
        return Vec::new();
    }
    let wants = |kind: &CodeActionKind| match &params.context.only {
        Some(only) => only.iter().any(|wanted| {
            let (wanted, kind) = (wanted.as_str(), kind.as_str());
            kind == wanted
                || kind
                    .strip_prefix(wanted)
                    .is_some_and(|rest| rest.starts_with('.'))
        }),
        None => true,
    };
    let mut out = Vec::new();
    if wants(&CodeActionKind::QUICKFIX) {
        out.extend(quick_fixes(workspace, view, diagnostics, params));
    }
    if wants(&CodeActionKind::SOURCE_FIX_ALL) {
        out.extend(fix_all(workspace, view, diagnostics));
    }
    out.into_iter()
        .map(CodeActionOrCommand::CodeAction)
        .collect()
}

fn quick_fixes(
    workspace: &Workspace,
    view: &View<'_>,
    diagnostics: &[Diagnostic],
    params: &CodeActionParams,
) -> Vec<CodeAction> {
    let start = view.index.offset(params.range.start);
    let end = view.index.offset(params.range.end);
    let touches = |one: &&Diagnostic| {
        one.location.as_ref().is_some_and(|location| {
            let span = location.span.range();
            span.start <= end && start <= span.end
        })
    };
    let fixes = diagnostics.iter().filter(touches).filter_map(|one| {
        let fix = one.fix.as_ref()?;
        let edits: Vec<&Edit> = fix.edits.iter().collect();
        Some(CodeAction {
            title: sentence(&fix.title),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic(
                workspace,
                Some(view.project),
                &view.index,
                one,
            )]),
            edit: Some(edit_of(workspace, view, &edits)?),
            is_preferred: Some(true),
            ..CodeAction::default()
        })
    });
    fixes.collect()
}

/// All fixes that change only this document and do not overlap.
fn fix_all(
    workspace: &Workspace,
    view: &View<'_>,
    diagnostics: &[Diagnostic],
) -> Option<CodeAction> {
    let is_own = |fix: &&Fix| {
        fix.edits
            .iter()
            .all(|edit| *edit.location.file == *view.path)
    };
    let fixes: Vec<&Fix> = diagnostics
        .iter()
        .filter_map(|one| one.fix.as_ref())
        .filter(is_own)
        .collect();
    let text_of = |path: &str| (path == view.path).then_some(view.text);
    let outcome = apply_fixes(&text_of, &fixes);
    let mut edits: Vec<&Edit> = Vec::new();
    for (fix, _) in fixes
        .iter()
        .zip(&outcome.applied)
        .filter(|(_, applied)| **applied)
    {
        for edit in &fix.edits {
            if !edits.contains(&edit) {
                edits.push(edit);
            }
        }
    }
    if edits.is_empty() {
        return None;
    }
    Some(CodeAction {
        title: "Fix all problems of this file that have a fix".to_owned(),
        kind: Some(CodeActionKind::SOURCE_FIX_ALL),
        edit: Some(edit_of(workspace, view, &edits)?),
        ..CodeAction::default()
    })
}

/// The edits by document. `None` if a file has no URI.
fn edit_of(workspace: &Workspace, view: &View<'_>, edits: &[&Edit]) -> Option<WorkspaceEdit> {
    let mut files: BTreeMap<&str, Replacements> = BTreeMap::new();
    for edit in edits {
        let replacement = (edit.location.span.range(), edit.text.clone());
        files
            .entry(&edit.location.file)
            .or_default()
            .push(replacement);
    }
    let documents = document_edits(workspace, view.project, files)?;
    Some(workspace_edit(workspace.client, documents, None))
}

/// A title with a capital letter, as editors show them.
fn sentence(title: &str) -> String {
    let mut rest = title.chars();
    let first = rest.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + rest.as_str()
}

#[cfg(test)]
mod tests {
    use svc_diagnostics::{DiagnosticCode, SourceFile, Span};
    use svc_site::LoadOptions;

    use super::*;
    use crate::uri::uri_of;

    static CODE: DiagnosticCode = DiagnosticCode::warning("test-code", "a problem of this test");

    #[test]
    fn fixes_are_quick_fixes_and_all_of_them_one_action() {
        let dir = tempfile::tempdir().expect("it can be made");
        let root = dir.path().canonicalize().expect("it exists");
        let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["a"]}}"##;
        std::fs::write(root.join("docs.json"), config).expect("it can be written");
        std::fs::write(root.join("a.mdx"), "one two").expect("it can be written");
        let mut workspace = Workspace::new(Box::new(|_| LoadOptions::default()));
        workspace.client.has_document_changes = true;
        workspace.folders.push(root.clone());
        workspace.check();
        let path = root.join("a.mdx");
        let uri = uri_of(&path).expect("the path is absolute");
        let file = SourceFile::new("a.mdx", "one two");
        let problem = |start: u32, end: u32, text: &str| {
            let location = file.location(Span::new(start, end));
            let fix = Fix::new(format!("write `{text}`"), location.clone(), text);
            Diagnostic::new(&CODE, "a problem").at(location).fix(fix)
        };
        // The last one overlaps with the first one.
        let problems = vec![problem(0, 3, "1"), problem(4, 7, "2"), problem(2, 5, "x")];
        workspace.published.insert(path, problems);
        let view = workspace.view(&uri).expect("it is a page");
        let actions_in = |only: Option<&str>| {
            let params = serde_json::json!({
                "textDocument": { "uri": uri },
                "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 1 } },
                "context": { "diagnostics": [], "only": only.map(|only| vec![only]) },
            });
            let params = serde_json::from_value(params).expect("they are parameters");
            serde_json::to_value(actions(&workspace, &view, &params)).expect("it can be printed")
        };
        let all = actions_in(None);
        assert_eq!(all.as_array().map(Vec::len), Some(2), "{all:#}");
        assert_eq!(all[0]["title"], "Write `1`");
        assert_eq!(all[0]["diagnostics"][0]["code"], "test-code");
        let edit = &all[0]["edit"]["documentChanges"][0]["edits"][0];
        assert_eq!(
            (&edit["newText"], &edit["range"]["end"]["character"]),
            (&"1".into(), &3.into())
        );
        let edits = &all[1]["edit"]["documentChanges"][0]["edits"];
        assert_eq!(
            (&edits[0]["newText"], &edits[1]["newText"]),
            (&"1".into(), &"2".into())
        );
        assert_eq!(edits.as_array().map(Vec::len), Some(2));
        let sources = actions_in(Some("source"));
        assert_eq!(sources[0]["kind"], "source.fixAll");
        assert_eq!(sources.as_array().map(Vec::len), Some(1));
        assert_eq!(actions_in(Some("refactor")), serde_json::json!([]));
    }
}
