//! The table as data: names, patterns, and the page rendered from it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::*;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Ids of the recorded programs, read without a JSON parser: every line begins with its id.
fn vector_ids() -> Vec<String> {
    let text = fs::read_to_string(repository().join("testdata/semantics.jsonl")).unwrap();
    text.lines().map(|line| line.strip_prefix("{\"id\":\"").unwrap().split('"').next().unwrap().to_owned()).collect()
}

fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, tail)) => text.strip_prefix(head).is_some_and(|rest| {
            (0..=rest.len()).any(|start| rest.is_char_boundary(start) && matches(tail, &rest[start..]))
        }),
    }
}

#[test]
fn ids_are_unique_and_kebab_case() {
    let mut seen = BTreeSet::new();
    for point in POINTS {
        assert!(seen.insert(point.id), "{} occurs twice", point.id);
        let words_are_plain =
            point.id.split('-').all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric()));
        assert!(words_are_plain, "{} is not in kebab case", point.id);
        assert_eq!(super::point(point.id), Some(point));
    }
    assert_eq!(point("no-such-point"), None);
}

#[test]
fn texts_are_present_and_tidy() {
    for point in POINTS {
        for text in [point.topic, point.specification, point.ours] {
            assert!(!text.is_empty() && text.trim() == text && !text.ends_with('.'), "{}: {text:?}", point.id);
        }
        for op in point.ops {
            assert!(
                !op.is_empty()
                    && op.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_.".contains(&b)),
                "{op}"
            );
        }
        assert!(point.ops.is_sorted(), "{}: ops in alphabetical order", point.id);
        for reference in point.references {
            let (repository, number) = reference.split_once('#').unwrap();
            assert!(repository.contains('/') && number.parse::<u32>().is_ok(), "{}: {reference}", point.id);
        }
        for peer in [point.evaluator, point.xla] {
            if let Peer::Differs(text) | Peer::Wrong(text) = peer {
                assert!(!text.is_empty(), "{}", point.id);
            }
        }
    }
}

#[test]
fn sections_are_contiguous() {
    let mut sections: Vec<Section> = POINTS.iter().map(|point| point.section).collect();
    sections.dedup();
    assert_eq!(sections.len(), PARTS.len());
}

#[test]
fn vectors_exist() {
    let ids = vector_ids();
    for point in POINTS {
        for pattern in point.vectors {
            assert!(ids.iter().any(|id| matches(pattern, id)), "{}: no vector {pattern}", point.id);
        }
    }
}

/// The files below `src`, without those of the table.
fn sources() -> Vec<(PathBuf, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut folders, mut files) = (vec![src.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && path != src.join("semantics") {
                folders.push(path);
            } else if path.is_file() {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path, text));
            }
        }
    }
    files
}

/// Code that reports a point names it in a call of `touch`; a misspelt name would be silent.
#[test]
fn points_named_in_the_code_exist_and_are_strict() {
    for (path, text) in sources() {
        for call in text.split(".touch(\"").skip(1) {
            let id = call.split('"').next().unwrap();
            let found = point(id).unwrap_or_else(|| panic!("{}: no point {id:?}", path.display()));
            assert!(found.strict, "{}: {id} is not marked strict", path.display());
        }
    }
}

/// The page promises that a run notices them.
#[test]
fn strict_points_are_named_in_the_code() {
    let sources = sources();
    for point in POINTS.iter().filter(|point| point.strict) {
        let quoted = format!("\"{}\"", point.id);
        assert!(sources.iter().any(|(_, text)| text.contains(&quoted)), "{} is never noticed", point.id);
    }
}

#[test]
fn page_is_up_to_date() {
    let path = repository().join("docs/semantics.md");
    let page = render_markdown();
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &page).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == page, "docs/semantics.md is out of date: run UPDATE=1 cargo test -p interpreter semantics");
}
