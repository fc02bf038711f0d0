//! `tengen doctor`: what it says can be read by a machine and by people.

mod common;

use common::{done, json};
use serde_json::Value;

#[test]
fn what_is_measured_is_in_order_and_a_margin_follows() {
    let found = json(["doctor", "--json"]);
    for what in ["timer", "pipe", "child", "child_apart"] {
        let of = |key: &str| found[what][key].as_u64().unwrap();
        assert!(of("answers") > 0, "{what}: {found}");
        let told = ["p50_ns", "p99_ns", "p999_ns", "max_ns"].map(of);
        assert!(told.is_sorted() && told[3] > 0, "{what}: {found}");
    }
    let margin = found["margin"].as_f64().unwrap();
    let worst =
        ["timer", "child", "child_apart"].map(|what| found[what]["p999_ns"].as_u64().unwrap());
    assert!(
        margin >= 0.001 && margin * 1e9 >= 2.0 * worst.into_iter().max().unwrap() as f64,
        "{found}"
    );
    assert!(found["machine"]["cores"].as_u64().unwrap() > 0);
    assert!(found["warnings"].is_array());
    let layers = |key: &str| found["sandbox"][key].as_array().unwrap().clone();
    assert!(!layers("held").is_empty() || !layers("missing").is_empty());
    assert!(
        layers("missing").iter().all(|gap| gap["layer"].is_string() && gap["reason"].is_string())
    );
    if cfg!(target_os = "linux") {
        assert!(layers("held").contains(&Value::from("no_new_privs")), "{found}");
        let cpus = found["machine"]["allowed_cpus"].as_array().unwrap();
        assert!(!cpus.is_empty() && found["machine"]["load"].is_array(), "{found}");
    }
}

#[test]
fn people_get_tables_a_picture_and_the_option_to_use() {
    let text = done(["doctor"]);
    for words in ["Cores:", "99.9%", "engine's process", "CPUs: ", "Sandbox: ", "--margin "] {
        assert!(text.contains(words), "no `{words}` in:\n{text}");
    }
    let bars = text.lines().filter(|line| line.contains(['█', '▇', '▆', '▅']));
    assert!(bars.count() >= 3, "{text}");
}
