//! The declared keys of `docs.json`, read from the JSON Schema that is generated from the
//! declarations.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

use serde_json::Value;

use crate::cursor::Step;

static SCHEMA: LazyLock<Value> = LazyLock::new(svc_config::schema);

/// Maximum nesting of references in the schema.
const MAX_DEPTH: usize = 12;
/// Definitions that allow a value to be in another file. Every object has the key `$ref` already.
const REFERENCES: [&str; 2] = ["reference", "elsewhere"];

/// What the declarations allow for a value.
#[derive(Debug, Default)]
pub(crate) struct Declaration {
    /// Schemas of the value, from the outermost: alternatives, and the definitions they refer to.
    schemas: Vec<&'static Value>,
    /// Names of the definitions.
    definitions: BTreeSet<&'static str>,
}

impl Declaration {
    /// The declaration of the value at a path.
    pub(crate) fn at(steps: &[Step]) -> Self {
        let mut declaration = Self::of([&*SCHEMA]);
        for step in steps {
            declaration = match step {
                Step::Key(key) => Self::of(declaration.properties_named(key)),
                Step::Item => Self::of(declaration.members("items")),
            };
        }
        declaration
    }

    fn of(schemas: impl IntoIterator<Item = &'static Value>) -> Self {
        let mut declaration = Self::default();
        for schema in schemas {
            declaration.add(schema, 0);
        }
        declaration
    }

    fn add(&mut self, schema: &'static Value, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        self.schemas.push(schema);
        if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            let name = name.rsplit('/').next().unwrap_or_default();
            if !REFERENCES.contains(&name)
                && self.definitions.insert(name)
                && let Some(definition) = SCHEMA["$defs"].get(name)
            {
                self.add(definition, depth + 1);
            }
        }
        for alternative in schema
            .get("anyOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.add(alternative, depth + 1);
        }
    }

    fn members(&self, name: &'static str) -> impl Iterator<Item = &'static Value> {
        let members: Vec<&Value> = self
            .schemas
            .iter()
            .filter_map(|one| one.get(name))
            .collect();
        members.into_iter()
    }

    fn properties_named(&self, key: &str) -> Vec<&'static Value> {
        let all = self.members("properties");
        let mut named: Vec<&Value> = all.filter_map(|properties| properties.get(key)).collect();
        if named.is_empty() {
            named.extend(
                self.members("additionalProperties")
                    .filter(|one| one.is_object()),
            );
        }
        named
    }

    /// The keys of the value with their schemas, without duplicates.
    pub(crate) fn keys(&self) -> Vec<(&'static str, &'static Value)> {
        let mut keys: Vec<(&str, &Value)> = Vec::new();
        for properties in self.members("properties").filter_map(Value::as_object) {
            for (key, schema) in properties {
                if !keys.iter().any(|(other, _)| other == key) {
                    keys.push((key, schema));
                }
            }
        }
        keys
    }

    /// The allowed and suggested values, as JSON; with whether they are deprecated.
    pub(crate) fn values(&self) -> Vec<(&'static Value, bool)> {
        let mut values = Vec::new();
        for schema in &self.schemas {
            let deprecated = schema.get("deprecated") == Some(&Value::Bool(true));
            for value in schema
                .get("enum")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
            {
                values.push((value, deprecated));
            }
        }
        if self.types().contains(&"boolean") {
            static FLAGS: [Value; 2] = [Value::Bool(true), Value::Bool(false)];
            values.extend(FLAGS.iter().map(|flag| (flag, false)));
        }
        values
    }

    /// Values of examples.
    pub(crate) fn examples(&self) -> impl Iterator<Item = &'static Value> {
        let examples = self.members("examples").filter_map(Value::as_array);
        examples.flatten()
    }

    pub(crate) fn has_definition(&self, name: &str) -> bool {
        self.definitions.contains(name)
    }

    /// The types of the value, without duplicates: `string`, `object`.
    pub(crate) fn types(&self) -> Vec<&'static str> {
        let mut types: Vec<&str> = Vec::new();
        for schema in &self.schemas {
            let own = match schema.get("type") {
                Some(Value::String(one)) => vec![one.as_str()],
                Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
                _ if schema.get("enum").is_some() => vec!["string"],
                _ => Vec::new(),
            };
            for one in own {
                // A `$ref` instead of the value is an object too, but has no keys of its own.
                if !types.contains(&one) {
                    types.push(one);
                }
            }
        }
        types
    }

    /// Describes a key in Markdown: description, type, values, default and replacement.
    pub(crate) fn describe(&self, key: &str) -> String {
        let mut out = format!("**`{key}`**");
        let types = self.types();
        if !types.is_empty() {
            let _ = write!(out, ": {}", types.join(" or "));
        }
        let text = |name: &str| {
            let mut all = self
                .schemas
                .iter()
                .filter_map(|one| one.get(name)?.as_str());
            all.next()
        };
        if let Some(about) = text("markdownDescription").or_else(|| text("description")) {
            let _ = write!(out, "\n\n{about}");
        }
        let values = self
            .schemas
            .iter()
            .filter_map(|one| one.get("enum")?.as_array());
        let values: Vec<String> = values
            .flatten()
            .filter_map(|value| Some(format!("`{}`", value.as_str()?)))
            .collect();
        if !values.is_empty() {
            let _ = write!(out, "\n\nValues: {}", values.join(", "));
        }
        if let Some(default) = self.schemas.iter().find_map(|one| one.get("default")) {
            let _ = write!(out, "\n\nDefault: `{default}`");
        }
        let deprecated = self
            .schemas
            .first()
            .and_then(|one| one.get("deprecationMessage"));
        if let Some(instead) = deprecated.and_then(Value::as_str) {
            let _ = write!(out, "\n\nDeprecated. {instead}");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(path: &str) -> Vec<Step> {
        let parts = path.split('/').filter(|part| !part.is_empty());
        parts
            .map(|part| match part {
                "[]" => Step::Item,
                key => Step::Key(key.to_owned()),
            })
            .collect()
    }

    #[test]
    fn declarations_are_reached_through_alternatives_and_definitions() {
        let keys = |path: &str| -> Vec<&str> {
            let declaration = Declaration::at(&steps(path));
            declaration.keys().into_iter().map(|(key, _)| key).collect()
        };
        assert!(keys("").contains(&"navigation"));
        assert!(keys("navigation/tabs/[]/groups/[]/pages/[]").contains(&"group"));
        assert!(keys("logo").contains(&"light"));
        assert!(keys("no/such/key").is_empty());
        let icon = Declaration::at(&steps("navigation/groups/[]/icon"));
        assert!(icon.has_definition("iconName"));
        let theme = Declaration::at(&steps("theme"));
        assert!(
            theme
                .values()
                .iter()
                .any(|(value, old)| *value == "svc" && !old)
        );
        assert!(
            theme
                .values()
                .iter()
                .any(|(value, old)| *value == "mint" && *old)
        );
        let strict = Declaration::at(&steps("appearance/strict"));
        assert_eq!(strict.values().len(), 2);
        assert!(strict.describe("strict").contains("Default: `false`"));
    }
}
