use super::*;

#[test]
fn a_number_is_found_by_its_word() {
    let text = "oom 3\noom_kill 17\noom_kill_disable 0\n";
    assert_eq!(number_after(text, "oom_kill"), Some(17));
    assert_eq!(number_after(text, "oom_group_kill"), None);
}

#[test]
fn a_kill_for_memory_is_told_by_whose_limit_it_was() {
    use Version::{One, Two};
    let kill = |version, files: &[(&str, &str)]| {
        let group = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(group.path().join(name), text).unwrap();
        }
        memory_kill(group.path(), version)
    };
    let peak = ("memory.peak", "700\n");
    let events = |text| ("memory.events", text);
    let own = events("low 0\nhigh 0\nmax 9\noom 1\noom_kill 2\noom_group_kill 1\n");
    assert_eq!(kill(Two, &[own, peak]), Some(MemoryKill::OwnLimit(Some(700))));
    assert_eq!(kill(Two, &[own]), Some(MemoryKill::OwnLimit(None)), "before Linux 5.19");
    // Pages of files gave way at the limit, and then the machine had none left.
    let host = events("low 0\nhigh 0\nmax 9\noom 0\noom_kill 1\noom_group_kill 0\n");
    assert_eq!(kill(Two, &[host, peak]), Some(MemoryKill::Host));
    assert_eq!(kill(Two, &[events("max 9\noom 1\noom_kill 0\n")]), None);
    assert_eq!(kill(Two, &[]), None);
    let control = ("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
    let most = ("memory.max_usage_in_bytes", "600\n");
    let fails = |count| ("memory.failcnt", count);
    let own = MemoryKill::OwnLimit(Some(600));
    assert_eq!(kill(One, &[control, most, fails("3\n")]), Some(own));
    let limit = |bytes| ("memory.limit_in_bytes", bytes);
    let far = limit("67108864\n");
    assert_eq!(kill(One, &[control, most, far, fails("0\n")]), Some(MemoryKill::Host));
    let near = limit("600\n");
    assert_eq!(kill(One, &[control, most, near, fails("0\n")]), Some(own), "as Linux 6.18 does");
    let swap = ("memory.memsw.failcnt", "2\n");
    assert_eq!(kill(One, &[control, most, fails("0\n"), swap]), Some(own));
    assert_eq!(kill(One, &[control, most, near]), Some(own));
    assert_eq!(kill(One, &[control, most, far]), Some(MemoryKill::Host));
}

#[test]
fn what_a_killed_program_left_is_removed_and_nothing_else() {
    let own = tempfile::tempdir().unwrap();
    let at = |name: &str| own.path().join(name);
    let living = own_name();
    let dead = format!("{PREFIX}{}-1", std::process::id());
    let (also_living, also_dead) = (format!("{living}-7"), format!("{dead}-self"));
    for name in [&living, &dead, &also_living, &also_dead, "tengen-x-1", "other-1-1"] {
        fs::create_dir_all(at(name).join("0")).unwrap();
    }
    remove_abandoned(own.path());
    let left = |names: [&str; 3]| names.map(|name| at(name).exists());
    assert_eq!(left([&living, &also_living, "tengen-x-1"]), [true, true, true]);
    assert_eq!(left([&dead, &also_dead, "other-1-1"]), [false, false, true]);
}

#[test]
fn the_groups_of_a_program_are_found_by_its_name_alone() {
    let own = tempfile::tempdir().unwrap();
    let at = |name: &str| own.path().join(name);
    for (group, pids) in
        [("me-0/0", "7\n8\n"), ("me-1/4", "9\n"), ("me-self/0", "5\n"), ("me2-0/0", "6\n")]
    {
        fs::create_dir_all(at(group)).unwrap();
        fs::write(at(group).join("cgroup.procs"), pids).unwrap();
    }
    let mut found = processes_of("me", &[own.path().to_owned(), at("none")]);
    found.sort();
    assert_eq!(found, [7, 8, 9]);
}

#[test]
fn a_group_counts_its_processes_and_is_gone_after_them() {
    let limits = GroupLimits { memory: Some(64 << 20), tasks: 10 };
    let Some(group) = Group::new(limits).unwrap() else {
        println!("skipped: {:?}", gaps());
        return;
    };
    let places = group.places();
    let join: Vec<_> = places
        .iter()
        .map(|place| format!("echo $$ > {}/cgroup.procs", place.path.display()))
        .collect();
    let script = format!("{}; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done", join.join(";"));
    let status = std::process::Command::new("sh").args(["-c", &script]).status().unwrap();
    assert!(status.success());
    if places.iter().any(|place| place.layers.iter().any(|layer| layer == CPU)) {
        assert!(group.cpu_time().is_some_and(|used| used > 0));
    }
    assert_eq!(group.memory_kill(), None);
    drop(group);
    for place in places {
        assert!(!place.path.exists(), "{}", place.path.display());
    }
}
