//! Clients in a test, which check every message against the schema of the protocol.

use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tengen_link::messages::{ClientKind, PROTOCOL_VERSION, ServerAnswer, ServerMessage};
use tengen_link::{RemoteEngine, RemotePlace, TableAddress, TableEngines};
use tengen_players::{EngineInstance, GameVariant, ListedEngine, RandomLegal};
use tengen_testkit::{RawClient, engine_instance};
use tengen_web::play::{PlayOptions, Tables};
use tengen_web::{HttpListener, Server};

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

pub const SCHEMA_TEXT: &str = include_str!("../../../../docs/protocol.schema.json");
pub static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    jsonschema::validator_for(&serde_json::from_str(SCHEMA_TEXT).unwrap()).unwrap()
});

/// The same without any key that it does not name. A later server may send more; this one does not.
static SERVER: LazyLock<jsonschema::Validator> = LazyLock::new(|| closed("serverMessage"));
static GAME: LazyLock<jsonschema::Validator> = LazyLock::new(|| closed("gameView"));

fn closed(name: &str) -> jsonschema::Validator {
    let mut schema: Value = serde_json::from_str(SCHEMA_TEXT).unwrap();
    schema["anyOf"] = json!([{ "$ref": format!("#/$defs/{name}") }]);
    close(&mut schema, true);
    jsonschema::validator_for(&schema).unwrap()
}

/// Closes a schema of a whole value, or of a part of the keys of one.
fn close(schema: &mut Value, is_whole: bool) {
    let Value::Object(keys) = schema else { return };
    for (key, inner) in keys.iter_mut() {
        match (key.as_str(), inner) {
            ("$defs", Value::Object(parts)) => parts.values_mut().for_each(|one| close(one, false)),
            ("properties", Value::Object(all)) => all.values_mut().for_each(|one| close(one, true)),
            ("items" | "additionalProperties", inner) => close(inner, true),
            (_, Value::Array(parts)) => parts.iter_mut().for_each(|one| close(one, false)),
            _ => {}
        }
    }
    if is_whole {
        keys.insert("unevaluatedProperties".to_owned(), json!(false));
    }
}

/// Panics with what is wrong with a message.
pub fn check(message: &Value) {
    check_by(&SCHEMA, message);
}

/// Panics where a game is not as the schema has it.
pub fn check_game(game: &Value) {
    check_by(&GAME, game);
}

fn check_by(schema: &jsonschema::Validator, message: &Value) {
    if !schema.is_valid(message) {
        let errors: Vec<String> =
            schema.iter_errors(message).map(|error| error.to_string()).collect();
        panic!("not a message of the protocol: {message}\n{}", errors.join("\n"));
    }
}

/// Panics where a server's message is not one of the schema, or is not read as it was written.
pub fn check_server(message: &Value) -> ServerAnswer<'static> {
    check_by(&SERVER, message);
    let answer = ServerMessage::read(&message.to_string()).unwrap();
    assert_eq!(serde_json::to_value(&answer).unwrap(), *message);
    answer
}

/// A server of tables in this process.
pub struct Host {
    pub address: String,
    _server: Server,
    /// What goes with it.
    _folder: Option<TempDir>,
}

pub fn options(folder: &Path) -> PlayOptions {
    PlayOptions {
        folder: folder.to_owned(),
        engines: Arc::new(()),
        most_engines: 2,
        most_tables: 4,
        most_tables_of_one: 4,
        password: Some("sesame street".to_owned()),
        only_owner_hosts: false,
        origins: vec!["https://example.org".to_owned()],
    }
}

impl Host {
    /// In a folder of its own.
    pub fn new() -> Host {
        Host::with_engines(())
    }

    pub fn with_engines(engines: impl TableEngines + 'static) -> Host {
        let folder = tempfile::tempdir().unwrap();
        let options = PlayOptions { engines: Arc::new(engines), ..options(folder.path()) };
        Host { _folder: Some(folder), ..Host::start(options) }
    }

    pub fn start(options: PlayOptions) -> Host {
        let listener = HttpListener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Host::start_on(listener, options)
    }

    pub fn start_on(listener: HttpListener, options: PlayOptions) -> Host {
        let address = format!("{}://{}/", listener.scheme(), listener.address());
        let tables = Tables::open(options).unwrap();
        let server =
            Server::start_with_tables(listener, Duration::ZERO, Vec::new(), Some(tables)).unwrap();
        Host { address, _server: server, _folder: None }
    }
}

/// Engines of this machine that play by chance.
pub struct Dice;

impl TableEngines for Dice {
    fn list(&self) -> Vec<ListedEngine> {
        vec![ListedEngine { id: "dice".to_owned(), name: "Dice".to_owned() }]
    }

    fn start(&self, _id: &str, _variant: &GameVariant) -> Result<EngineInstance, String> {
        Ok(engine_instance("Dice", RandomLegal::new()))
    }
}

/// A client of such an engine, in a place that a link names.
pub fn dice(link: &str, name: &str, place: RemotePlace) -> RemoteEngine {
    RemoteEngine {
        address: link.parse().unwrap(),
        name: name.to_owned(),
        authority: None,
        engine: ListedEngine { id: "dice".to_owned(), name: name.to_owned() },
        engines: Arc::new(Dice),
        place,
        reserve: 1_000_000,
    }
}

/// A client that says and hears anything that is a message.
pub struct CheckedClient(RawClient);

impl CheckedClient {
    /// A client of tables that has said nothing yet, with these headers.
    pub fn connect(host: &Host, headers: &[(&str, &str)]) -> CheckedClient {
        CheckedClient::connect_to(&host.address, "/play", headers)
    }

    pub fn connect_to(address: &str, path: &str, headers: &[(&str, &str)]) -> CheckedClient {
        let address: TableAddress = address.parse().unwrap();
        CheckedClient(RawClient::connect_with(&address.host, path, headers, PATIENCE))
    }

    /// Sends a message of the protocol.
    pub fn say(&mut self, message: &Value) {
        check(message);
        self.send(message);
    }

    /// Sends anything.
    pub fn send(&mut self, message: &Value) {
        self.0.send(message);
    }

    /// The next message.
    pub fn hear(&mut self) -> Value {
        let message = self.0.hear().expect("the line holds");
        check_server(&message);
        message
    }

    /// Everything until the connection ends.
    pub fn hear_the_end(&mut self) {
        while self.0.hear().is_some() {}
    }
}

/// A client at a table.
pub struct Peer {
    pub name: String,
    client: CheckedClient,
    pub table: String,
    /// The newest number of a question.
    pub question: u64,
}

impl Peer {
    pub fn connect(host: &Host, name: &str, kind: ClientKind) -> Peer {
        let mut client = CheckedClient::connect(host, &[]);
        client.say(&json!({
            "type": "hello", "version": PROTOCOL_VERSION, "name": name, "kind": kind,
        }));
        assert_eq!(client.hear()["type"], "welcome");
        Peer { name: name.to_owned(), client, table: String::new(), question: 0 }
    }

    pub fn person(host: &Host, name: &str) -> Peer {
        Peer::connect(host, name, ClientKind::Person)
    }

    /// Sends a message of the protocol.
    pub fn say(&mut self, message: Value) {
        check(&message);
        self.send(&message);
    }

    /// Sends anything.
    pub fn send(&mut self, message: &Value) {
        if std::env::var_os("TRANSCRIPT").is_some() {
            println!("{}> {message}", self.name);
        }
        self.client.send(message);
    }

    /// Says something to the table that it is at.
    pub fn say_here(&mut self, mut message: Value) {
        message["table"] = json!(self.table);
        self.say(message);
    }

    /// The next message.
    pub fn hear(&mut self) -> Value {
        let message = self.client.hear();
        if std::env::var_os("TRANSCRIPT").is_some() {
            println!(">{} {message}", self.name);
        }
        if let Some(question) = message["question"].as_u64() {
            self.question = question;
        }
        message
    }

    /// Everything until the connection ends.
    pub fn hear_the_end(&mut self) {
        self.client.hear_the_end();
    }

    /// The next message of that type.
    pub fn hear_a(&mut self, kind: &str) -> Value {
        self.hear_until(|message| message["type"] == kind)
    }

    pub fn hear_until(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.hear();
            if is_wanted(&message) {
                return message;
            }
        }
    }

    /// Opens a table and sits there; gives its `table` message.
    pub fn host(&mut self, table: Value, seat: &str) -> Value {
        self.say(json!({ "type": "host", "id": 1, "table": table, "seat": seat }));
        let table = self.hear_until(|message| message["id"] == 1);
        assert_eq!(table["type"], "table", "{table}");
        self.table = table["table"].as_str().unwrap().to_owned();
        table
    }

    /// Enters a table; gives its `table` message.
    pub fn enter(&mut self, table: &str, key: Option<&str>) -> Value {
        self.table = table.to_owned();
        let mut enter = json!({ "type": "enter", "id": 2, "table": table });
        if let Some(key) = key {
            enter["key"] = json!(key);
        }
        self.say(enter);
        let table = self.hear_until(|message| message["id"] == 2);
        assert_eq!(table["type"], "table", "{table}");
        table
    }

    /// Plays, and waits until that is shown.
    pub fn play(&mut self, other: &mut Peer, act: Value) -> Value {
        let mut act = act;
        act["type"] = json!("act");
        act["question"] = json!(self.question);
        self.say_here(act);
        let step = self.hear_a("step");
        assert_eq!(other.hear_a("step")["place"], step["place"]);
        step
    }

    /// Asks for something at the table that is refused; gives the code.
    pub fn refused(&mut self, mut message: Value) -> String {
        message["id"] = json!(77);
        self.send(&message);
        let error = self.hear_until(|message| message["id"] == 77);
        assert_eq!(error["type"], "error", "{error}");
        error["code"].as_str().unwrap().to_owned()
    }
}
