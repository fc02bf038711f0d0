//! A client in a test, which checks every message against the schema of the protocol.

use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde_json::{Value, json};
use tengen_web::play::protocol::ClientKind;
use tengen_web::play::{Client, ClientEvent, ClientOptions, PlayOptions, TableEngines, Tables};
use tengen_web::{HttpListener, Server};

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

pub static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let schema = include_str!("../../../../docs/protocol.schema.json");
    jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap()
});

/// Panics with what is wrong with a message.
pub fn check(message: &Value) {
    if !SCHEMA.is_valid(message) {
        let errors: Vec<String> =
            SCHEMA.iter_errors(message).map(|error| error.to_string()).collect();
        panic!("not a message of the protocol: {message}\n{}", errors.join("\n"));
    }
}

/// A server of tables in this process.
pub struct Host {
    pub address: String,
    _server: Server,
}

pub fn options(folder: &Path) -> PlayOptions {
    PlayOptions {
        folder: folder.to_owned(),
        engines: Arc::new(()),
        most_engines: 2,
        most_rooms: 4,
        most_rooms_of_one: 4,
        password: Some("sesame street".to_owned()),
        only_owner_hosts: false,
        origins: vec!["https://example.org".to_owned()],
    }
}

impl Host {
    pub fn start(options: PlayOptions) -> Host {
        let listener = HttpListener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Host::start_on(listener, options)
    }

    pub fn start_on(listener: HttpListener, options: PlayOptions) -> Host {
        let address = format!("{}://{}/", listener.scheme(), listener.address());
        let tables = Tables::open(options).unwrap();
        let server =
            Server::start_with_tables(listener, Duration::ZERO, Vec::new(), Some(tables)).unwrap();
        Host { address, _server: server }
    }

    pub fn with_engines(folder: &Path, engines: impl TableEngines + 'static) -> Host {
        Host::start(PlayOptions { engines: Arc::new(engines), ..options(folder) })
    }
}

pub struct Peer {
    pub name: String,
    client: Client,
    pub room: String,
    /// The newest number of a question.
    pub question: u64,
}

impl Peer {
    pub fn connect(host: &Host, name: &str, kind: ClientKind) -> Peer {
        Peer::connect_to(&host.address, name, kind)
    }

    pub fn connect_to(address: &str, name: &str, kind: ClientKind) -> Peer {
        let link = address.parse().unwrap();
        let options =
            ClientOptions { link, name: name.to_owned(), kind, password: None, authority: None };
        let client = Client::connect(options).unwrap();
        check(client.welcome());
        Peer { name: name.to_owned(), client, room: String::new(), question: 0 }
    }

    pub fn person(host: &Host, name: &str) -> Peer {
        Peer::connect(host, name, ClientKind::Person)
    }

    /// Sends a message of the protocol.
    pub fn say(&self, message: Value) {
        check(&message);
        self.send(&message);
    }

    /// Sends anything.
    pub fn send(&self, message: &Value) {
        if std::env::var_os("TRANSCRIPT").is_some() {
            println!("{}> {message}", self.name);
        }
        self.client.send(message);
    }

    /// Says something to the room that it is in.
    pub fn say_here(&self, mut message: Value) {
        message["room"] = json!(self.room);
        self.say(message);
    }

    /// The next message.
    pub fn hear(&mut self) -> Value {
        let heard = self.client.hear(PATIENCE);
        let ClientEvent::Message(message) = heard else { panic!("{}: {heard:?}", self.name) };
        if std::env::var_os("TRANSCRIPT").is_some() {
            println!(">{} {message}", self.name);
        }
        check(&message);
        if let Some(question) = message["question"].as_u64() {
            self.question = question;
        }
        message
    }

    /// Everything until the connection ends.
    pub fn hear_the_end(&mut self) {
        while let ClientEvent::Message(_) = self.client.hear(PATIENCE) {}
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
    pub fn host(&mut self, table: Value, seat: u8) -> Value {
        self.say(json!({ "type": "host", "id": 1, "table": table, "seat": seat }));
        let table = self.hear_until(|message| message["id"] == 1);
        assert_eq!(table["type"], "table", "{table}");
        self.room = table["room"].as_str().unwrap().to_owned();
        table
    }

    /// Enters a table; gives its `table` message.
    pub fn enter(&mut self, room: &str, key: Option<&str>) -> Value {
        self.room = room.to_owned();
        let mut enter = json!({ "type": "enter", "id": 2, "room": room });
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
