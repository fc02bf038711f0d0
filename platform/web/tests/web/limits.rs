//! How much each client may do, also behind a proxy.

use serde_json::json;
use tengen_web::HttpListener;
use tengen_web::play::PlayOptions;

use crate::peer::{CheckedClient, Host, options};

/// What each of so many tables opened in a row comes to: the type of the answer, or its code.
fn open_tables(host: &Host, from: &str, count: usize) -> Vec<String> {
    let mut client = CheckedClient::connect(host, &[("x-forwarded-for", from)]);
    client.send(&json!({ "type": "hello", "version": 2 }));
    assert_eq!(client.hear()["type"], "welcome");
    let open = |number: usize| {
        client.send(&json!({ "type": "host", "id": number, "table": {} }));
        loop {
            let answer = client.hear();
            if answer["id"] == number {
                let said = answer.get("code").unwrap_or(&answer["type"]);
                return said.as_str().unwrap().to_owned();
            }
        }
    };
    (1..=count).map(open).collect()
}

#[test]
fn tables_are_counted_for_each_client_of_a_proxy() {
    let folder = tempfile::tempdir().unwrap();
    let few = |name: &str| PlayOptions {
        most_tables: 9,
        most_tables_of_one: 2,
        ..options(&folder.path().join(name))
    };
    let listener = || HttpListener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let trusting = listener().behind(["127.0.0.0/8".parse().unwrap()]);
    let host = Host::start_on(trusting, few("proxy"));
    let ada = open_tables(&host, "203.0.113.9, 198.51.100.1", 3);
    assert_eq!(ada[2], "too_many", "{ada:?}");
    assert_ne!(ada[1], "too_many", "{ada:?}");
    // A client's own claim to speak for another address is not believed.
    assert_eq!(open_tables(&host, "203.0.113.8, 198.51.100.1", 1), ["too_many"]);
    assert_ne!(open_tables(&host, "198.51.100.2", 1), ["too_many"]);
    // If no proxy is trusted, all of this machine is one client.
    let host = Host::start_on(listener(), few("alone"));
    assert_eq!(open_tables(&host, "198.51.100.1", 3)[2], "too_many");
    assert_eq!(open_tables(&host, "198.51.100.2", 1), ["too_many"]);
}

#[test]
fn a_client_that_guesses_passwords_is_refused_for_a_while() {
    let folder = tempfile::tempdir().unwrap();
    let listener = HttpListener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = listener.behind(["127.0.0.1".parse().unwrap()]);
    let host = Host::start_on(listener, options(folder.path()));
    let hello = |from: &str, password: &str| {
        let mut client = CheckedClient::connect(&host, &[("x-forwarded-for", from)]);
        client.send(&json!({ "type": "hello", "version": 2, "password": password }));
        client
    };
    let mut wrong: Vec<_> = (0..6).map(|at| hello("198.51.100.1", &format!("{at}"))).collect();
    let codes: Vec<_> = wrong.iter_mut().map(|client| client.hear()["code"].clone()).collect();
    let count = |code: &str| codes.iter().filter(|told| *told == code).count();
    assert_eq!((count("password"), count("too_fast")), (5, 1), "{codes:?}");
    let told = hello("198.51.100.1", "sesame street").hear();
    assert_eq!(told["code"], "too_fast", "not even the right one: {told}");
    assert!(told["message"].as_str().unwrap().contains("try again in"), "{told}");
    assert_eq!(hello("198.51.100.2", "sesame street").hear()["owner"], true, "another is");
}
