//! Lists of jobs.

use std::collections::BTreeSet;
use std::time::Duration;

use proptest::prelude::*;
use serde_json::Value;

use super::world::World;

fn page(world: &World, key: &str, limit: usize, more: &str) -> (Vec<String>, Option<String>) {
    let line = format!("GET /v2/agent/docs/jobs?limit={limit}{more}");
    let (status, list) = world.call_json(key, &line, None);
    assert_eq!(status, 200, "{list}");
    let jobs = list["jobs"].as_array().unwrap();
    let names = jobs
        .iter()
        .map(|job| job["id"].as_str().unwrap().to_owned());
    (
        names.collect(),
        list["nextCursor"].as_str().map(str::to_owned),
    )
}

#[test]
fn a_list_is_newest_first_with_a_cursor_for_the_next_page() {
    // spec: admin.job.list accepts
    let (world, key) = World::with_docs();
    assert_eq!(page(&world, &key, 5, ""), (Vec::new(), None));
    let mut made: Vec<String> = (0..10)
        .map(|_| {
            world.pass(Duration::from_millis(1));
            world.job(&key)
        })
        .collect();
    made.reverse();
    let (first, cursor) = page(&world, &key, 5, "");
    let (second, end) = page(&world, &key, 5, &format!("&cursor={}", cursor.unwrap()));
    assert_eq!([first, second].concat(), made);
    assert_eq!(end, None, "the last page is known to be the last one");
    assert_eq!(page(&world, &key, 10, "").1, None);
    assert_eq!(page(&world, &key, 9, "").0.len(), 9);
    let (_, list) = world.call_json(&key, "GET /v2/agent/docs/jobs", None);
    assert_eq!(list["nextCursor"], Value::Null);
}

#[test]
fn a_list_can_be_filtered_by_status() {
    let (world, key) = World::with_docs();
    let jobs: Vec<String> = (0..4)
        .map(|_| {
            world.pass(Duration::from_millis(1));
            world.job(&key)
        })
        .collect();
    world.finish_job(None);
    world.fail_job();
    world.finish_job(None);
    world.call(
        &key,
        &format!("POST /v2/agent/docs/job/{}/archive", jobs[2]),
        None,
    );
    for (status, expected_result) in [
        ("completed", 0),
        ("failed", 1),
        ("archived", 2),
        ("active", 3),
    ] {
        let (names, end) = page(&world, &key, 20, &format!("&status={status}"));
        assert_eq!(
            (names, end),
            (vec![jobs[expected_result].clone()], None),
            "{status}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn pages_are_complete_and_unique_while_jobs_are_added(
        old in 0_usize..30,
        limit in 1_usize..7,
        added in prop::collection::vec((0_usize..4, any::<bool>()), 0..20),
    ) {
        let (world, key) = World::with_docs();
        let before: BTreeSet<String> = (0..old)
            .map(|number| {
                // Several jobs at the same time.
                world.pass(Duration::from_millis((number % 3 == 0).into()));
                world.job(&key)
            })
            .collect();
        let mut added = added.into_iter();
        let (mut names, mut cursor) = page(&world, &key, limit, "");
        while let Some(at) = cursor {
            if let Some((count, later)) = added.next() {
                world.pass(Duration::from_millis(later.into()));
                for _ in 0..count {
                    world.job(&key);
                }
            }
            let (more, next) = page(&world, &key, limit, &format!("&cursor={at}"));
            names.extend(more);
            cursor = next;
        }
        let shown: BTreeSet<String> = names.iter().cloned().collect();
        prop_assert_eq!(shown.len(), names.len(), "shown twice");
        prop_assert!(before.is_subset(&shown), "left out");
    }
}
