//! The writers, with small stand-ins for the programs.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::packages::Packages;
use super::programs::{PROGRAMS, TARGETS, generate};
use super::tree::Tree;
use super::{Release, archive, container, deb, licenses, recreate, sbom};
use crate::sh;

/// A program that generates what the real ones do.
const PROGRAM_SCRIPT: &str = "#!/bin/sh\nname=$(basename \"$0\")\ncase $1 in\n\
    man) mkdir -p \"$3\" && echo \".TH $name 1\" > \"$3/$name.1\" ;;\n\
    completions) echo \"$2 $name\" ;;\n*) echo \"$name 0.1.0\" ;;\nesac\n";

/// A folder of a test; it is removed when this is dropped.
struct TestDir(PathBuf);

impl TestDir {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("svc-xtask-{name}-{}", std::process::id()));
        recreate(&dir).expect("it can be created");
        Self(dir)
    }
}

impl Drop for TestDir {
    fn drop(&mut self) {
        // What is left is in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Whether Debian's tools are here.
fn has_tools() -> bool {
    let is_there = ["dpkg-deb", "dpkg", "tar", "gzip", "sha256sum"]
        .into_iter()
        .all(sh::has);
    if !is_there {
        eprintln!("skipped: dpkg or GNU tar is missing");
    }
    is_there
}

fn release(out: &Path) -> Release {
    Release {
        version: "0.1.0".to_owned(),
        time: "1700000000".to_owned(),
        out: out.to_owned(),
    }
}

/// Writes all artefacts for the first target with stand-ins for the programs.
fn write_all(dir: &Path) -> Release {
    let (programs, generated) = (dir.join("programs"), dir.join("generated"));
    let mut stand_ins = Tree::default();
    for name in PROGRAMS {
        stand_ins.insert((*name).to_owned(), PROGRAM_SCRIPT.as_bytes().to_vec(), true);
    }
    stand_ins.write(&programs).expect("written");
    generate(&programs, &generated).expect("generated");
    let release = release(&dir.join("out"));
    recreate(&release.out).expect("created");
    let tree = Tree::of_release(&programs, &generated, "Licences.\n").expect("read");
    let target = &TARGETS[0];
    archive::write_archive(&release, &tree, &release.archive_dir(target)).expect("packed");
    deb::write(&release, &tree, target).expect("packed");
    archive::write_chart(&release).expect("packed");
    let metadata = sbom::document(&Packages::of_programs(&metadata(), &["svc-cli"]), "0.1.0");
    fs::write(release.out.join(release.sbom()), metadata).expect("written");
    fs::write(release.out.join(release.licenses()), "Licences.\n").expect("written");
    archive::write_checksums(&release.out, &release.artefacts(&[target])).expect("written");
    release
}

#[test]
fn artefacts_are_named_complete_and_equal_in_two_runs() {
    if !has_tools() {
        return;
    }
    let (one, two) = (TestDir::new("one"), TestDir::new("two"));
    let (one, two) = (write_all(&one.0), write_all(&two.0));
    let sums = fs::read_to_string(one.out.join("SHA256SUMS")).expect("written");
    assert_eq!(
        sums,
        fs::read_to_string(two.out.join("SHA256SUMS")).expect("written")
    );
    let names: Vec<&str> = sums
        .lines()
        .filter_map(|line| line.split("  ").nth(1))
        .collect();
    assert_eq!(
        names,
        [
            "svc-0.1.0-licenses.txt",
            "svc-0.1.0-x86_64-unknown-linux-musl.tar.gz",
            "svc-0.1.0.cdx.json",
            "svc-0.1.0.tgz",
            "svc_0.1.0_amd64.deb",
        ]
    );
    let (out, file) = (one.out.to_string_lossy(), one.out.join("SHA256SUMS"));
    let check = format!(
        "cd '{out}' && sha256sum --check --strict '{}'",
        file.display()
    );
    sh::output("sh", &["-c", &check]).expect("the sums are right");
    fs::write(one.out.join(names[0]), "changed").expect("written");
    assert!(sh::output("sh", &["-c", &check]).is_err());
    fs::write(one.out.join("other"), "").expect("written");
    let error = archive::write_checksums(&one.out, &one.artefacts(&[&TARGETS[0]]));
    assert!(error.expect_err("a file too many").contains("other"));
}

#[test]
fn the_archive_has_the_layout_that_the_manifests_describe() {
    if !has_tools() {
        return;
    }
    let dir = TestDir::new("archive");
    let release = write_all(&dir.0);
    let name = release.archive_dir(&TARGETS[0]);
    let file = release.out.join(format!("{name}.tar.gz"));
    let list = sh::output("tar", &["-tvzf", &file.to_string_lossy()]).expect("listed");
    for line in list.lines() {
        assert!(
            line.contains(" 0/0 ") && line.contains("2023-11-14"),
            "{line}"
        );
        assert!(line.contains(&name), "{line}");
    }
    for (mode, path) in [
        ("-rwxr-xr-x", "bin/svc"),
        ("-rwxr-xr-x", "bin/svc-server"),
        ("-rw-r--r--", "share/man/man1/svc-server.1"),
        ("-rw-r--r--", "share/zsh/site-functions/_svc"),
        ("-rw-r--r--", "share/doc/svc/LICENSE-MIT"),
        ("-rw-r--r--", "share/doc/svc/THIRD-PARTY-LICENSES"),
    ] {
        let path = format!("{name}/{path}");
        let line = list.lines().find(|line| line.ends_with(&path));
        assert!(
            line.is_some_and(|line| line.starts_with(mode)),
            "{path}: {list}"
        );
    }
    let unit = format!("{name}/lib/systemd/system/svc-server.service");
    let file = file.to_string_lossy();
    let unit = sh::output("tar", &["-xzOf", &file, &unit]).expect("extracted");
    assert!(
        unit.contains("ExecStart=/usr/local/bin/svc-server "),
        "{unit}"
    );
    // `cargo binstall` finds each program with the templates of its manifest.
    for (krate, program) in [("svc-cli", "svc"), ("svc-server", "svc-server")] {
        let manifest = sh::root().join("crates").join(krate).join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).expect("read");
        let template = |key: &str| {
            let line = manifest.lines().find(|line| line.starts_with(key));
            let value = line.and_then(|line| line.split('"').nth(1));
            let value = value.unwrap_or_else(|| panic!("{krate}: {key} is missing"));
            value
                .replace("{ version }", &release.version)
                .replace("{ target }", TARGETS[0].triple)
                .replace("{ bin }", program)
                .replace("{ binary-ext }", "")
        };
        let url = template("pkg-url");
        assert!(url.ends_with(&format!("/v0.1.0/{name}.tar.gz")), "{url}");
        assert_eq!(template("pkg-fmt"), "tgz");
        assert_eq!(template("bin-dir"), format!("{name}/bin/{program}"));
    }
}

#[test]
fn the_debian_package_can_be_installed_and_removed() {
    if !has_tools() {
        return;
    }
    let dir = TestDir::new("deb");
    let release = write_all(&dir.0);
    let file = release.out.join(release.deb(&TARGETS[0]));
    let root = dir.0.join("root");
    for name in ["info", "updates", "triggers"] {
        fs::create_dir_all(root.join("var/lib/dpkg").join(name)).expect("created");
    }
    fs::write(root.join("var/lib/dpkg/status"), "").expect("written");
    let (root_text, file) = (root.to_string_lossy(), file.to_string_lossy());
    let dpkg = |action: &str, name: &str| {
        let options = [
            "--root",
            &root_text,
            "--force-not-root,architecture",
            action,
            name,
        ];
        sh::output("dpkg", &options)
    };
    dpkg("--install", &file).expect("installed");
    for path in [
        "usr/bin/svc",
        "usr/lib/systemd/system/svc-server.service",
        "usr/share/man/man1/svc.1",
        "usr/share/zsh/vendor-completions/_svc-server",
        "usr/share/doc/svc/copyright",
    ] {
        assert!(root.join(path).is_file(), "{path}");
    }
    let unit = root.join("usr/lib/systemd/system/svc-server.service");
    let unit = fs::read_to_string(unit).expect("read");
    assert!(unit.contains("ExecStart=/usr/bin/svc-server "), "{unit}");
    let program = root.join("usr/bin/svc-server").display().to_string();
    let version = sh::output(&program, &["--version"]).expect("it runs");
    assert_eq!(version, "svc-server 0.1.0\n");
    dpkg("--remove", "svc").expect("removed");
    assert!(!root.join("usr/bin").exists());
    assert!(!root.join("usr/share/doc/svc").exists());
}

#[test]
fn the_container_folder_has_what_the_container_file_copies() {
    let dir = TestDir::new("container");
    let release = release(&dir.0.join("out"));
    let target = &TARGETS[0];
    let mut stand_ins = Tree::default();
    for name in PROGRAMS {
        stand_ins.insert((*name).to_owned(), b"program".to_vec(), true);
    }
    let programs = dir.0.join("programs");
    stand_ins.write(&programs).expect("written");
    container::write(&release, &[(target, programs)], "Licences.\n").expect("written");
    let out = release.out.join("container");
    let file = fs::read_to_string(out.join("Containerfile")).expect("copied");
    let mut count = 0;
    for line in file.lines().filter(|line| line.starts_with("COPY ")) {
        let from = line.split(' ').rev().nth(1).expect("a source");
        let from = from.replace("${TARGETARCH}", target.debian);
        assert!(out.join(&from).exists(), "{from}");
        count += 1;
    }
    assert_eq!(count, 3);
}

/// What `cargo metadata` prints for a program with a library, which has a build script.
fn metadata() -> Value {
    let package = |id: &str, source: Value| {
        json!({"id": id, "name": id, "version": "1.0.0+a", "license": "MIT/Apache-2.0",
            "description": "Text.\n", "manifest_path": "/nowhere/Cargo.toml", "source": source})
    };
    let uses = |id: &str, kind: Value| json!({"pkg": id, "dep_kinds": [{"kind": kind}]});
    let registry = json!("registry+https://example.com");
    json!({
        "packages": [package("svc-cli", Value::Null), package("lib", registry.clone()),
            package("builder", registry.clone()), package("tester", registry)],
        "resolve": {"nodes": [
            {"id": "svc-cli", "deps": [uses("lib", Value::Null), uses("tester", json!("dev"))]},
            {"id": "lib", "deps": [uses("builder", json!("build"))]},
            {"id": "builder", "deps": []}, {"id": "tester", "deps": []},
        ]}
    })
}

#[test]
fn components_are_the_packages_in_the_programs() {
    let packages = Packages::of_programs(&metadata(), &["svc-cli"]);
    let text = sbom::document(&packages, "0.1.0");
    let document: Value = serde_json::from_str(&text).expect("it is JSON");
    let components = document["components"].as_array().expect("a list");
    let urls: Vec<&str> = components
        .iter()
        .filter_map(|component| component["purl"].as_str())
        .collect();
    assert_eq!(
        urls,
        ["pkg:cargo/svc-cli@1.0.0%2Ba", "pkg:cargo/lib@1.0.0%2Ba"]
    );
    assert_eq!(
        components[1]["licenses"][0]["expression"],
        "MIT OR Apache-2.0"
    );
    assert_eq!(document["dependencies"].as_array().map(Vec::len), Some(2));
    assert_eq!(text, sbom::document(&packages, "0.1.0"));
}

/// The packages of this workspace: licences of all, and at most as many as the notes allow.
#[test]
fn every_package_in_the_programs_has_a_license() {
    let packages = Packages::read().expect("cargo metadata");
    let unlicensed: Vec<&str> = packages
        .0
        .values()
        .filter(|package| package.license.is_empty())
        .map(|package| package.name.as_str())
        .collect();
    assert_eq!(unlicensed, [""; 0]);
    let names: Vec<&str> = packages.0.values().map(|package| &*package.name).collect();
    assert!(names.contains(&"svc-server") && names.contains(&"clap"));
    assert!(!names.contains(&"svc-test-support") && !names.contains(&"proptest"));
    let text = licenses::text(&packages).expect("the sources are here");
    assert!(text.contains("\nserde 1.") && text.contains("Permission is hereby granted"));
}
