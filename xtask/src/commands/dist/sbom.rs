//! The components of the programs, in the format CycloneDX 1.5.

use serde_json::{Value, json};

use super::packages::{Package, Packages};

/// The document. It has no time and no serial number, so that it depends only on the packages.
pub(super) fn document(packages: &Packages, version: &str) -> String {
    let (external, own): (Vec<_>, Vec<_>) =
        packages.0.values().partition(|package| package.is_external);
    let components: Vec<Value> = own.into_iter().chain(external).map(component).collect();
    let dependencies: Vec<Value> = packages
        .0
        .values()
        .map(|package| {
            let used = package
                .dependencies
                .iter()
                .filter_map(|id| packages.0.get(id));
            let used: Vec<String> = used.map(purl).collect();
            json!({"ref": purl(package), "dependsOn": used})
        })
        .collect();
    let document = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {"type": "application", "bom-ref": "svc", "name": "svc", "version": version}
        },
        "components": components,
        "dependencies": dependencies,
    });
    format!("{document:#}\n")
}

fn component(package: &Package) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": purl(package),
        "name": package.name,
        "version": package.version,
        "description": package.description.trim(),
        "purl": purl(package),
    });
    if !package.license.is_empty() {
        // Cargo also accepts `/` for OR.
        let expression = package.license.replace('/', " OR ");
        component["licenses"] = json!([{"expression": expression}]);
    }
    component
}

/// The package URL, which is unique.
fn purl(package: &Package) -> String {
    let version = package.version.replace('+', "%2B");
    format!("pkg:cargo/{}@{version}", package.name)
}
