//! `svc openapi diff` and `svc openapi bundle`.

use crate::program::{assert_contains, err, out, svc};

const API: &str =
    "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get: {}\n    put: {}\n";

#[test]
fn two_versions_of_a_document_are_compared() {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| std::fs::write(dir.path().join(path), text).unwrap();
    write("old.yaml", API);
    write("new.yaml", &API.replace("put", "post"));
    let output = svc(&["openapi", "diff", "old.yaml", "new.yaml"], dir.path());
    assert_eq!(
        out(&output),
        "breaking      the operation `PUT /a` was removed\n              old.yaml:6:5 => -\n\
         not breaking  the operation `POST /a` was added\n              - => new.yaml:6:5\n\
         1 breaking, 0 unknown, 1 not breaking\n"
    );
    assert_eq!(output.status.code(), Some(0));
    let fails = |arguments: &[&str]| {
        let all = [&["openapi", "diff"], arguments].concat();
        svc(&all, dir.path()).status.code()
    };
    assert_eq!(
        fails(&["old.yaml", "new.yaml", "--fail-on", "breaking"]),
        Some(1)
    );
    assert_eq!(
        fails(&["old.yaml", "old.yaml", "--fail-on", "any"]),
        Some(0)
    );
    assert_eq!(fails(&["old.yaml", "gone.yaml"]), Some(2));
    let output = svc(
        &[
            "openapi", "diff", "old.yaml", "new.yaml", "--format", "json",
        ],
        dir.path(),
    );
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&value["breaking"], &value["notBreaking"]),
        (&1.into(), &1.into())
    );
    let first = &value["changes"][0];
    assert_eq!(
        (&first["rule"], &first["old"]["line"]),
        (&"operation-removed".into(), &6.into())
    );
    assert_eq!(
        (&first["old"]["pointer"], &first["new"]),
        (&"/paths/~1a/put".into(), &serde_json::Value::Null)
    );
    write("new.yaml", "- a\n");
    let output = svc(&["openapi", "diff", "old.yaml", "new.yaml"], dir.path());
    assert_contains(&err(&output), "openapi-not-an-object");
}

#[test]
fn a_document_of_several_files_becomes_one() {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| std::fs::write(dir.path().join(path), text).unwrap();
    std::fs::create_dir(dir.path().join("api")).unwrap();
    write("secret.yaml", "type: string\n");
    write("api/pet.yaml", "type: object\n");
    let text = "openapi: 3.1.0\npaths: {}\ncomponents: {schemas: {A: {items: {$ref: pet.yaml}}}}\n";
    write("api/api.yaml", text);
    let output = svc(&["openapi", "bundle", "api/api.yaml"], dir.path());
    let expected = "openapi: 3.1.0\npaths: {}\ncomponents:\n  schemas:\n    A:\n      items:\n        $ref: \"#/components/schemas/pet\"\n    pet:\n      type: object\n";
    assert_eq!(
        (out(&output).as_str(), output.status.code()),
        (&expected.replace("3.1.0", "\"3.1.0\"")[..], Some(0))
    );
    let output = svc(
        &["openapi", "bundle", "api/api.yaml", "-o", "out.json"],
        dir.path(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let json = std::fs::read_to_string(dir.path().join("out.json")).unwrap();
    assert!(json.starts_with("{\n  \"openapi\": \"3.1.0\",\n"), "{json}");
    // Nothing outside of the folder is read, not even through a symbolic link.
    write("api/api.yaml", &text.replace("pet.yaml", "../secret.yaml"));
    let output = svc(
        &["openapi", "bundle", "api/api.yaml", "-o", "no.yaml"],
        dir.path(),
    );
    assert_eq!(output.status.code(), Some(1));
    assert_contains(&err(&output), "openapi-external-ref");
    assert!(!dir.path().join("no.yaml").exists());
    #[cfg(unix)]
    {
        let link = dir.path().join("api/link.yaml");
        std::os::unix::fs::symlink(dir.path().join("secret.yaml"), link).unwrap();
        write("api/api.yaml", &text.replace("pet.yaml", "link.yaml"));
        let output = svc(&["openapi", "bundle", "api/api.yaml"], dir.path());
        assert_eq!(output.status.code(), Some(1), "{}", out(&output));
    }
}
