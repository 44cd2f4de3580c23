//! `clouds.yaml` and its companions, found and read as the tools of the ecosystem do
//! (<https://docs.openstack.org/openstacksdk/latest/user/config/configuration.html>): the file that
//! `OS_CLIENT_CONFIG_FILE` names, else the first of the working folder, the user's and the system's; over it the secrets
//! of `secure.yaml`, and under it what `clouds-public.yaml` says of its `profile`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use yaml_rust2::{Yaml, YamlLoader};

/// The most of a file that is read.
const MOST_BYTES: u64 = 1024 * 1024;

/// How deep documents may be nested.
const DEEPEST: usize = 32;

/// The parts of a cloud's entry, those below `auth` beside the others.
pub(super) type Parts = BTreeMap<String, String>;

/// Reads the entry of a cloud. `variable` gives the value of one of the environment.
///
/// # Errors
/// In words: which file is missing or broken, or which clouds there are. Nothing of a file's values is repeated.
pub(super) fn cloud(name: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Parts, String> {
    let read = |variable_name: &str, stem: &str| {
        let named = variable(variable_name).filter(|path| !path.trim().is_empty()).map(PathBuf::from);
        let path = named.or_else(|| folders(variable).iter().find_map(|folder| in_folder(folder, stem)));
        path.map(|path| document(&path)).transpose()
    };
    let clouds = read("OS_CLIENT_CONFIG_FILE", "clouds")?.ok_or("there is no clouds.yaml")?;
    let mut entry = clouds["clouds"][name].clone();
    let secure = read("OS_CLIENT_SECURE_FILE", "secure")?.unwrap_or_default();
    merge(&mut entry, &secure["clouds"][name]);
    if !entry.is_object() {
        let known: Vec<&str> =
            clouds["clouds"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        return Err(format!("clouds.yaml has no cloud “{name}”, it has: {}", known.join(", ")));
    }
    if let Some(profile) = entry["profile"].as_str().or_else(|| entry["cloud"].as_str()) {
        let public = read("OS_CLIENT_VENDOR_FILE", "clouds-public")?.unwrap_or_default();
        let mut under = public["public-clouds"][profile].clone();
        merge(&mut under, &entry);
        entry = under;
    }
    Ok(flat(&entry))
}

/// Where the files may be, in order.
fn folders(variable: &dyn Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let filled = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = filled("HOME").or_else(|| filled("USERPROFILE"));
    let mut folders: Vec<PathBuf> = std::env::current_dir().into_iter().collect();
    folders.extend(filled("XDG_CONFIG_HOME").map(|folder| folder.join("openstack")));
    folders.extend(home.map(|home| home.join(".config/openstack")));
    folders.push(PathBuf::from("/etc/openstack"));
    folders
}

fn in_folder(folder: &Path, stem: &str) -> Option<PathBuf> {
    ["yaml", "yml", "json"].iter().map(|end| folder.join(format!("{stem}.{end}"))).find(|path| path.is_file())
}

fn document(path: &Path) -> Result<Value, String> {
    let shown = path.display();
    let about = std::fs::metadata(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    if !about.is_file() || about.len() > MOST_BYTES {
        return Err(format!("{shown} is no file of clouds: it is larger than 1 MiB, or no file"));
    }
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    // Of the parser's words only the place is told: the rest could be a part of the file.
    let documents = YamlLoader::load_from_str(&text)
        .map_err(|error| format!("{shown} is not YAML at line {}", error.marker().line()))?;
    Ok(documents.first().map_or(Value::Null, |first| json(first, 0)))
}

/// A document as JSON. Numbers are texts, as they stand.
fn json(yaml: &Yaml, depth: usize) -> Value {
    if depth > DEEPEST {
        return Value::Null;
    }
    match yaml {
        Yaml::Real(text) | Yaml::String(text) => Value::String(text.clone()),
        Yaml::Integer(number) => Value::String(number.to_string()),
        Yaml::Boolean(flag) => Value::Bool(*flag),
        Yaml::Array(list) => list.iter().map(|one| json(one, depth + 1)).collect(),
        Yaml::Hash(map) => {
            let mut fields = Map::new();
            for (name, value) in map {
                let value = json(value, depth + 1);
                match json(name, depth + 1) {
                    // What is merged in stands under what is said here.
                    Value::String(name) if name == "<<" => {
                        let several = value.as_array().cloned().unwrap_or_else(|| vec![value]);
                        for (name, value) in several.iter().filter_map(Value::as_object).flatten() {
                            fields.entry(name.clone()).or_insert_with(|| value.clone());
                        }
                    }
                    Value::String(name) => {
                        fields.insert(name, value);
                    }
                    _ => {}
                }
            }
            Value::Object(fields)
        }
        Yaml::Alias(_) | Yaml::Null | Yaml::BadValue => Value::Null,
    }
}

/// Lays a document over another one.
fn merge(under: &mut Value, over: &Value) {
    match (under, over) {
        (_, Value::Null) => {}
        (Value::Object(under), Value::Object(over)) => {
            for (name, value) in over {
                merge(under.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (under, over) => *under = over.clone(),
    }
}

/// The texts of an entry; a list of regions becomes one text.
fn flat(entry: &Value) -> Parts {
    let fields = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let mut parts = Parts::new();
    for (name, value) in fields(entry).into_iter().chain(fields(&entry["auth"])) {
        let text = match &value {
            Value::String(text) => text.clone(),
            Value::Array(list) if name == "regions" => {
                let names = list.iter().filter_map(|one| one["name"].as_str().or_else(|| one.as_str()));
                names.collect::<Vec<_>>().join(",")
            }
            _ => continue,
        };
        parts.insert(name, text);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files, found as the user's own.
    fn home(files: &[(&str, &str)]) -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(".config/openstack");
        std::fs::create_dir_all(&folder).unwrap();
        for (name, text) in files {
            std::fs::write(folder.join(name), text).unwrap();
        }
        home
    }

    fn at(home: &tempfile::TempDir, name: &str) -> Result<Parts, String> {
        let path = home.path().to_str().unwrap().to_owned();
        cloud(name, &move |variable| (variable == "HOME").then(|| path.clone()))
    }

    const CLOUDS: &str = "
defaults: &usual
  interface: public
clouds:
  work:
    <<: *usual
    profile: acme
    auth:
      username: anna
      project_id: 0012
      user_domain_name: 123456
    region_name: ru-7
  both:
    auth: {auth_url: 'https://keystone.example:5000/v3'}
    regions: [one, {name: two}]
";

    #[test]
    fn secrets_lie_over_an_entry_and_a_profile_under_it() {
        let home = home(&[
            ("clouds.yaml", CLOUDS),
            ("secure.yaml", "clouds: {work: {auth: {password: hush}}}"),
            (
                "clouds-public.yaml",
                "public-clouds: {acme: {auth: {auth_url: https://acme.example}, region_name: x}}",
            ),
        ]);
        let parts = at(&home, "work").unwrap();
        let of = |name: &str| parts.get(name).map(String::as_str);
        assert_eq!(of("auth_url"), Some("https://acme.example"));
        assert_eq!((of("username"), of("password")), (Some("anna"), Some("hush")));
        assert_eq!(of("user_domain_name"), Some("123456"), "a number is a text");
        assert_eq!(of("region_name"), Some("ru-7"), "the entry is more than its profile");
        assert_eq!(of("interface"), Some("public"), "merged in");
        assert_eq!(at(&home, "both").unwrap()["regions"], "one,two");
    }

    #[test]
    fn json_is_yaml_and_a_named_file_comes_first() {
        let home = home(&[("clouds.yaml", "clouds: {a: {auth: {username: wrong}}}")]);
        let named = home.path().join("mine.json");
        std::fs::write(&named, r#"{"clouds": {"a": {"auth": {"username": "right"}}}}"#).unwrap();
        let path = named.to_str().unwrap().to_owned();
        let parts = cloud("a", &move |name| (name == "OS_CLIENT_CONFIG_FILE").then(|| path.clone())).unwrap();
        assert_eq!(parts["username"], "right");
    }

    #[test]
    fn what_is_wrong_is_said_without_what_is_in_it() {
        let good = home(&[("clouds.yml", CLOUDS)]);
        assert_eq!(at(&good, "play").unwrap_err(), "clouds.yaml has no cloud “play”, it has: both, work");
        let broken = home(&[("clouds.yaml", "clouds: {a: {auth: {password: [hush")]);
        let words = at(&broken, "a").unwrap_err();
        assert!(words.contains("not YAML at line") && !words.contains("hush"), "{words}");
        let nothing = tempfile::tempdir().unwrap();
        // A machine may have one of its own for everybody.
        if !Path::new("/etc/openstack/clouds.yaml").exists() {
            assert_eq!(at(&nothing, "a").unwrap_err(), "there is no clouds.yaml");
        }
    }
}
