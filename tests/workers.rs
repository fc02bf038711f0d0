//! Events that workers play, through a real server.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use async_nats::{Client, ConnectOptions, HeaderMap};
use common::nats::{NatsServer, WorkerProcess, worker};
use common::running::RunningProgram;
use common::{ProgramRun, assert_whole, games, json, repository, tengen, timeless, wait_for};
use futures_util::StreamExt;
use tempfile::TempDir;

/// A tournament of three engines, with the same games wherever it is played.
fn tournament(out: &Path, games: u32) -> Command {
    let mut command = tengen(["tournament", "run", "--engines"]);
    command.args(["greedy", "greedy-wasm", "builtin:alphabeta", "--dir"]);
    command.arg(repository("engines")).args(["--tc", "nodes=300", "--seed", "5", "--json"]);
    command.args(["--games", &games.to_string(), "--concurrency", "1", "--out"]).arg(out);
    command
}

#[test]
fn workers_play_the_games_that_one_machine_would() {
    let (server, folder) = (NatsServer::start(), TempDir::new().unwrap());
    let at = |name: &str| folder.path().join(name);
    let _workers = ["one", "two"].map(|name| WorkerProcess::start(&server.url(), name, &at(name)));
    let (here, there) = (at("here"), at("there"));
    ProgramRun::of(&mut tournament(&here, 4)).done();
    let told = ProgramRun::of(tournament(&there, 4).args(["--workers", &server.url()])).done();
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(games(&told), 12);
    assert_whole(&there, 12);
    for (one, mut other) in timeless(&here).iter().zip(timeless(&there)) {
        let worker = other.as_object_mut().unwrap().remove("worker").expect("it is named");
        assert!(["one", "two"].contains(&worker["name"].as_str().unwrap()), "{worker}");
        for key in one.as_object().unwrap().keys() {
            assert_eq!(one[key], other[key], "game {}: {key}", one["game"]);
        }
        assert_eq!(*one, other);
    }
}

#[test]
fn each_game_counts_once_whatever_is_killed() {
    const GAMES: u64 = 60;

    let (mut server, folder) = (NatsServer::start(), TempDir::new().unwrap());
    let at = |name: &str| folder.path().join(name);
    let event = at("event");
    let mut workers =
        ["one", "two"].map(|name| WorkerProcess::start(&server.url(), name, &at(name)));
    let mut run = begun(tournament(&event, 20).args(["--workers", &server.url()]));
    wait_for(&mut run, &event, |told| games(told) >= 5);
    workers[0].kill();
    server.restart();
    wait_for(&mut run, &event, |told| games(told) >= 15);
    run.kill().unwrap();
    run.wait().unwrap();
    workers[0] = WorkerProcess::start(&server.url(), "one", &at("one"));
    let event = event.to_str().unwrap();
    let told = json(["tournament", "resume", event, "--json", "--workers", &server.url()]);
    assert_eq!(games(&told), GAMES);
    assert_whole(Path::new(event), GAMES);
}

/// A run of an event, which goes on in the background.
fn begun(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

fn send(signal: &str, to: &Child) {
    let done = Command::new("kill").args([signal, &to.id().to_string()]).status();
    assert!(done.unwrap().success());
}

#[test]
fn a_copy_of_an_event_that_is_resumed_takes_it_over() {
    let (server, folder) = (NatsServer::start(), TempDir::new().unwrap());
    let at = |name: &str| folder.path().join(name);
    let (event, copy, url) = (at("event"), at("copy"), server.url());
    let _worker = WorkerProcess::start(&url, "one", &at("one"));
    let mut first = begun(tournament(&event, 20).args(["--workers", &url]));
    wait_for(&mut first, &event, |told| games(told) >= 5);
    let resume = |event: &Path| {
        let mut resume = tengen(["tournament", "resume", "--json", "--workers", &url]);
        resume.arg(event);
        resume
    };
    ProgramRun::of(&mut resume(&event)).refused(1, &["is playing this event"]);
    // Its database does not change while it is copied.
    send("-STOP", &first);
    assert!(Command::new("cp").arg("-r").arg(&event).arg(&copy).status().unwrap().success());
    let mut second = begun(&mut resume(&copy));
    wait_for(&mut second, &copy, |told| games(told) >= 15);
    send("-CONT", &first);
    let first = first.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&first.stderr);
    assert!(told.contains("another process runs this event"), "{told}");
    assert_eq!(first.status.code(), Some(1));
    assert!(second.wait().unwrap().success());
    assert_whole(&copy, 60);
}

#[test]
fn a_run_whose_server_has_lost_everything_stops_and_can_be_resumed() {
    let (mut server, folder) = (NatsServer::start(), TempDir::new().unwrap());
    let at = |name: &str| folder.path().join(name);
    let (event, url) = (at("event"), server.url());
    let _worker = WorkerProcess::start(&url, "one", &at("one"));
    let mut run = begun(tournament(&event, 20).args(["--workers", &url]));
    wait_for(&mut run, &event, |told| games(told) >= 5);
    server.restart_empty();
    let run = run.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&run.stderr);
    assert!(told.contains("the server has lost the event; resume it"), "{told}");
    let event = event.to_str().unwrap();
    let told = json(["tournament", "resume", event, "--json", "--workers", &url]);
    assert_eq!(games(&told), 60);
    assert_whole(Path::new(event), 60);
}

#[test]
fn what_cannot_be_is_said_before_the_first_game() {
    let (server, folder) = (NatsServer::start(), TempDir::new().unwrap());
    let event = folder.path().join("event");
    let mut unreached = tournament(&event, 2);
    ProgramRun::of(unreached.args(["--workers", "nats://127.0.0.1:1"]))
        .refused(1, &["nats://127.0.0.1:1: no server answers"]);
    let mut command = tengen(["match", "cmd:./pbrain-mine", "builtin:alphabeta", "--workers"]);
    command.arg(server.url()).arg("--out").arg(folder.path().join("other"));
    ProgramRun::of(&mut command).refused(2, &["cmd:./pbrain-mine"]);
    // The command can be typed once more.
    assert!(!event.exists() && !folder.path().join("other").exists());
}

/// The configuration that the program prints for these users, and the folder with their keys.
fn printed(users: &[&str], folder: &Path) -> (String, PathBuf) {
    let keys = folder.join("keys");
    let mut command = tengen(["worker", "--print-server-config", "--keys"]);
    command.arg(&keys);
    command.args(users.iter().flat_map(|user| ["--user", user]));
    (ProgramRun::of(&mut command).done(), keys)
}

fn seed(keys: &Path, user: &str) -> String {
    fs::read_to_string(keys.join(format!("{user}.nkey"))).unwrap().trim().to_owned()
}

#[test]
fn users_of_a_printed_configuration_play_an_event() {
    let folder = TempDir::new().unwrap();
    let (config, keys) = printed(&["ann", "bob"], folder.path());
    let server = NatsServer::printed(&config);
    let url = server.url();
    let with_key = |mut command: Command, user: &str| {
        command.arg("--nkey").arg(keys.join(format!("{user}.nkey")));
        command
    };
    // Those who come first wait for an event, and say it.
    let [mut ann, bob] = ["ann", "bob"].map(|user| {
        let worker = worker(&url, "pc", &folder.path().join(user));
        RunningProgram::start(&mut with_key(worker, user))
    });
    ann.told("worker ann.pc waits for games");
    ann.told("no event was begun at this server yet");
    let event = folder.path().join("event");
    let mut run = with_key(tournament(&event, 4), "coordinator");
    let run = ProgramRun::of(run.args(["--workers", &url]));
    for user in ["ann", "bob"] {
        assert!(run.stderr.contains(&format!("worker {user}.pc is there")), "{}", run.stderr);
    }
    run.done();
    assert_whole(&event, 12);
    ann.told("plays games of event");
    drop(bob);
    // A worker's key runs no event.
    let mut run = with_key(tournament(&folder.path().join("other"), 2), "bob");
    ProgramRun::of(run.args(["--workers", &url])).refused(1, &["the key of worker bob", "--nkey"]);
}

/// What the server answers to a request, or that it does not.
async fn asked(client: &Client, subject: &str, body: &str) -> Result<String, String> {
    let answer = client.request(subject.to_owned(), body.to_owned().into()).await;
    let answer = answer.map_err(|error| error.to_string())?;
    let text = String::from_utf8(answer.payload.to_vec()).unwrap();
    if text.contains("\"error\"") { Err(text) } else { Ok(text) }
}

#[test]
fn a_worker_s_user_can_do_what_a_worker_does_and_nothing_else() {
    const STREAMS: [&str; 5] = [
        "TENGEN_JOBS",
        "TENGEN_RESULTS",
        "KV_tengen_events",
        "KV_tengen_workers",
        "OBJ_tengen_files",
    ];

    let folder = TempDir::new().unwrap();
    let (config, keys) = printed(&["ann", "bob"], folder.path());
    let server = NatsServer::printed(&config);
    let url = server.url();
    let event = folder.path().join("event");
    let mut run = tournament(&event, 4);
    run.args(["--workers", &url, "--nkey"]).arg(keys.join("coordinator.nkey"));
    // It has sent jobs when it looks for workers.
    let mut run = RunningProgram::start(&mut run);
    run.told("there is no worker");
    run.kill();
    let name = fs::read_to_string(event.join("workers.id")).unwrap().trim().to_owned();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let connect = async |user: &str, inbox: &str| {
            let options = ConnectOptions::with_nkey(seed(&keys, user));
            let options = options.request_timeout(Some(Duration::from_millis(400)));
            options.custom_inbox_prefix(inbox).connect(&url).await.unwrap()
        };
        let inbox = |user: &str| {
            let (_, rest) = config.split_once(&format!("# {user}\n")).unwrap();
            let (_, rest) = rest.split_once("_INBOX.").unwrap();
            format!("_INBOX.{}", rest.split_once('.').unwrap().0)
        };
        let coordinator = connect("coordinator", &inbox("coordinator")).await;
        let bob = connect("bob", &inbox("bob")).await;
        let ann = connect("ann", &inbox("ann")).await;
        let state = async || {
            let mut states = Vec::new();
            for stream in STREAMS {
                let info = format!("$JS.API.STREAM.INFO.{stream}");
                let info = asked(&coordinator, &info, "").await.unwrap();
                let info: serde_json::Value = serde_json::from_str(&info).unwrap();
                let state = &info["state"];
                states.push((stream, state["messages"].clone(), state["last_seq"].clone()));
            }
            states
        };
        asked(&bob, "$KV.tengen_workers.bob.x", "here").await.unwrap();
        asked(&ann, "$KV.tengen_workers.ann.x", "here").await.unwrap();
        let before = state().await;
        let jobs = before[0].1.as_u64().unwrap();
        assert!(jobs >= 6, "{before:?}");

        let forbidden = [
            (format!("jobs.{name}.99"), "{}"),
            (format!("jobs.{name}.quick.99"), "{}"),
            (format!("$KV.tengen_events.{name}"), "{}"),
            ("$KV.tengen_events.aside.bob.x".to_owned(), "gone"),
            ("$KV.tengen_workers.bob.x".to_owned(), "gone"),
            (format!("results.{name}.1.bob"), "{}"),
            (format!("results.{name}.1.-"), "{}"),
            (format!("results.{name}.1"), "{}"),
            ("$O.tengen_files.M.x".to_owned(), "{}"),
            ("$O.tengen_files.C.x".to_owned(), "x"),
            ("$JS.API.STREAM.MSG.DELETE.TENGEN_JOBS".to_owned(), r#"{"seq":1}"#),
            ("$JS.API.STREAM.MSG.DELETE.TENGEN_RESULTS".to_owned(), r#"{"seq":1}"#),
            ("$JS.API.STREAM.MSG.GET.TENGEN_RESULTS".to_owned(), r#"{"seq":1}"#),
            ("$JS.API.STREAM.CREATE.MINE".to_owned(), r#"{"name":"MINE"}"#),
            ("$JS.API.CONSUMER.CREATE.TENGEN_RESULTS".to_owned(), "{}"),
            (format!("$JS.API.CONSUMER.DELETE.TENGEN_JOBS.workers-{name}-0"), ""),
        ];
        let of_streams = STREAMS.iter().flat_map(|stream| {
            ["PURGE", "DELETE", "UPDATE"]
                .map(|verb| (format!("$JS.API.STREAM.{verb}.{stream}"), ""))
        });
        for (subject, body) in forbidden.into_iter().chain(of_streams) {
            let answer = asked(&ann, &subject, body).await;
            assert!(answer.is_err(), "{subject}: {answer:?}");
        }
        // The answers to what it may ask for do not come where it may not write.
        let mut heard = ann.subscribe(format!("{}.>", inbox("bob"))).await.unwrap();
        for kept in [&format!("jobs.{name}.99"), "$KV.tengen_events.aside.bob.x"] {
            let next = format!("$JS.API.CONSUMER.MSG.NEXT.TENGEN_JOBS.workers-{name}-0");
            for (ask, body) in [("$JS.API.INFO", ""), (&next, r#"{"batch":1,"no_wait":true}"#)] {
                ann.publish_with_reply(ask.to_owned(), kept.to_owned(), body.into()).await.unwrap();
            }
        }
        // It does not remove the keys of others with its own.
        let mut all = HeaderMap::new();
        all.insert("Nats-Rollup", "all");
        let own = "$KV.tengen_workers.ann.x";
        let rolled = ann.request_with_headers(own, all, "here".into()).await.unwrap();
        let rolled = String::from_utf8_lossy(&rolled.payload).into_owned();
        assert!(rolled.contains("error"), "{rolled}");
        asked(&bob, "$JS.API.INFO", "").await.unwrap();
        let unheard = tokio::time::timeout(Duration::from_millis(300), heard.next()).await;
        assert!(!matches!(unheard, Ok(Some(_))), "it heard what was for another one");
        assert_eq!(state().await, before);

        // A worker's own business.
        let next = format!("$JS.API.CONSUMER.INFO.TENGEN_JOBS.workers-{name}-0");
        asked(&ann, &next, "").await.unwrap();
        asked(&ann, &format!("results.{name}.1.ann"), "{}").await.unwrap();
    });
}

#[test]
fn wrong_credentials_and_missing_rights_are_named() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let server = NatsServer::configured(
        r#"authorization { users: [
            { user: ann, password: "p w:1" }
            { user: bob, password: bob, permissions: { publish: ["$JS.API.INFO"] } }
        ] }"#,
    );
    let with_user = |user: &str| format!("nats://{user}@127.0.0.1:{}", server.port);
    let mut known = RunningProgram::start(&mut worker(&with_user("ann:p%20w%3A1"), "pc", &at("a")));
    known.told("worker pc waits for games");
    for user in ["ann:wrong", "nobody:x", "token"] {
        let words = ["the server refuses the credentials", "--nkey"];
        ProgramRun::of(&mut worker(&with_user(user), "pc", &at("a"))).refused(1, &words);
    }
    ProgramRun::of(&mut worker(&server.url(), "pc", &at("a")))
        .refused(1, &["refuses the credentials"]);
    let words = ["does not let this user", "$JS.API.STREAM.INFO", "--print-server-config"];
    ProgramRun::of(&mut worker(&with_user("bob:bob"), "pc", &at("b"))).refused(1, &words);
    let mut run = tournament(&at("event"), 2);
    ProgramRun::of(run.args(["--workers", &with_user("bob:bob")])).refused(1, &words);

    let (config, keys) = printed(&["ann"], folder.path());
    let mut server = NatsServer::printed(&config);
    let strangers = printed(&["eve"], &at("others")).1;
    let url = server.url();
    let with_key = |key: PathBuf| {
        let mut worker = worker(&url, "pc", &at("c"));
        worker.arg("--nkey").arg(key);
        worker
    };
    let words = ["the server refuses the credentials"];
    ProgramRun::of(&mut with_key(strangers.join("eve.nkey"))).refused(1, &words);
    fs::write(at("no.nkey"), "something").unwrap();
    ProgramRun::of(&mut with_key(at("no.nkey"))).refused(1, &["no.nkey", "begins with SU"]);
    // The key of the machine that runs events plays nothing.
    let words = ["its key is that of the machine that runs events"];
    ProgramRun::of(&mut with_key(keys.join("coordinator.nkey"))).refused(1, &words);
    // One whose user is removed does not try for ever.
    let mut known = RunningProgram::start(&mut with_key(keys.join("ann.nkey")));
    known.told("worker ann.pc waits for games");
    let (config, _) = printed(&["bob"], folder.path());
    server.reload(&config);
    let (code, told) = known.end();
    assert!(code == Some(1) && told.contains("refuses the credentials"), "{code:?}: {told}");
}

#[test]
fn a_server_with_a_certificate_is_trusted_for_a_reason() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut wanted = rcgen::CertificateParams::new(Vec::new()).unwrap();
    wanted.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let key = rcgen::KeyPair::generate().unwrap();
    let authority = rcgen::CertifiedIssuer::self_signed(wanted, key).unwrap();
    fs::write(at("authority.pem"), authority.pem()).unwrap();
    let (config, keys) = printed(&["ann"], folder.path());
    let secured = |host: &str| {
        let key = rcgen::KeyPair::generate().unwrap();
        let wanted = rcgen::CertificateParams::new([host.to_owned()]).unwrap();
        let certificate = wanted.signed_by(&key, &authority).unwrap();
        let (cert_file, key_file) = (at(&format!("{host}.pem")), at(&format!("{host}-key.pem")));
        fs::write(&cert_file, certificate.pem()).unwrap();
        fs::write(&key_file, key.serialize_pem()).unwrap();
        let (before, block) = config.split_once("# tls {").unwrap();
        let (block, after) = block.split_once("# }").unwrap();
        let block = block.replace("\n#", "\n");
        let block = block.replace("/etc/nats/server.pem", cert_file.to_str().unwrap());
        let block = block.replace("/etc/nats/server-key.pem", key_file.to_str().unwrap());
        NatsServer::printed(&format!("{before}tls {{{block}}}{after}"))
    };
    let (server, other) = (secured("127.0.0.1"), secured("lab.example"));
    let ann = |scheme: &str, server: &NatsServer, authority: Option<&str>| {
        let mut worker = worker(&format!("{scheme}://127.0.0.1:{}", server.port), "pc", &at("ann"));
        worker.arg("--nkey").arg(keys.join("ann.nkey"));
        if let Some(file) = authority {
            worker.arg("--nats-ca").arg(at(file));
        }
        worker
    };
    // A plain address is no way around the certificate.
    for scheme in ["tls", "nats"] {
        let mut known = RunningProgram::start(&mut ann(scheme, &server, Some("authority.pem")));
        known.told("worker ann.pc waits for games");
        let words = ["certificate is not trusted", "--nats-ca"];
        ProgramRun::of(&mut ann(scheme, &server, None)).refused(1, &words);
    }
    ProgramRun::of(&mut ann("tls", &other, Some("authority.pem")))
        .refused(1, &["it is for another name"]);
    ProgramRun::of(&mut ann("tls", &server, Some("ann.txt"))).refused(1, &["ann.txt"]);
    fs::write(at("ann.txt"), "").unwrap();
    ProgramRun::of(&mut ann("tls", &server, Some("ann.txt")))
        .refused(1, &["it has no certificate"]);
    let plain = NatsServer::printed(&config);
    ProgramRun::of(&mut ann("tls", &plain, None))
        .refused(1, &["does not speak TLS", "nats://HOST"]);
}
