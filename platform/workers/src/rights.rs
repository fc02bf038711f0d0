//! Who may do what at a server: the configuration of one, and the keys of its users.
//!
//! Permissions alone do not hold a worker. A request names the subject that its answer goes to, and
//! permissions do not look at that: the answer to a request that is allowed could be sent to a
//! subject that is not, and be kept by the server as a job. So workers have an account of their own
//! (<https://docs.nats.io/running-a-nats-service/configuration/securing_nats/accounts>): what they
//! ask for is passed to the account of the events where that offers it, and answers come back to
//! theirs, in which nothing is kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use nkeys::KeyPair;

use crate::bus::{EVENTS, FILES, JOBS, RESULTS, WORKERS};

/// Tells a user its rights.
pub(crate) const USER_INFO: &str = "$SYS.REQ.USER.INFO";
/// The user of machines that run events.
const COORDINATOR: &str = "coordinator";
/// How the seed of a user's key begins.
const SEED: &str = "SU";

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum RightsError {
    #[error(
        "user `{0}`: a name has letters and digits of ASCII, - and _, each user has its own, and \
         `{COORDINATOR}` is the one that runs events"
    )]
    Name(String),
    #[error("{}: {source}", path.display())]
    Key { path: PathBuf, source: io::Error },
}

/// A user of a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerUser {
    pub name: String,
    /// The file with its key, for its machine alone.
    pub key: PathBuf,
    /// What the server knows it by.
    pub public: String,
}

/// The users of a server: one that runs events, and workers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerUsers {
    pub coordinator: ServerUser,
    pub workers: Vec<ServerUser>,
}

impl ServerUsers {
    /// Names the users, whose keys are in a folder. Those that it does not have yet are made.
    ///
    /// # Errors
    /// When a name cannot be one, or a key cannot be read or written.
    pub fn with_keys(workers: &[String], folder: &Path) -> Result<ServerUsers, RightsError> {
        for (place, name) in workers.iter().enumerate() {
            if !is_token(name) || name == COORDINATOR || workers[..place].contains(name) {
                return Err(RightsError::Name(name.clone()));
            }
        }
        fs::create_dir_all(folder)
            .map_err(|source| RightsError::Key { path: folder.to_owned(), source })?;
        let user = |name: &str| {
            let key = folder.join(format!("{name}.nkey"));
            match provide_key(&key) {
                Ok(public) => Ok(ServerUser { name: name.to_owned(), key, public }),
                Err(source) => Err(RightsError::Key { path: key, source }),
            }
        };
        let coordinator = user(COORDINATOR)?;
        let workers = workers.iter().map(|name| user(name)).collect::<Result<_, _>>()?;
        Ok(ServerUsers { coordinator, workers })
    }

    /// The configuration of a server with these users, as `nats-server --config` reads it.
    pub fn configuration(&self, program: &str) -> String {
        let coordinator = of_user(&self.coordinator, &COORDINATES);
        let of_worker = |worker: &ServerUser| {
            let own = format!("$KV.{WORKERS}.{}.*", worker.name);
            let results = format!("results.*.*.{}", worker.name);
            of_user(worker, &[USER_INFO, "$JS.>", &results, &own])
        };
        let workers: String = self.workers.iter().map(of_worker).collect();
        let (mut exports, mut imports) = (String::new(), String::new());
        for (subject, is_stream) in offered() {
            let response = if is_stream { ", response: stream" } else { "" };
            exports += &format!("      {{ service: \"{subject}\"{response} }}\n");
            let service = format!("{{ account: TENGEN, subject: \"{subject}\" }}");
            imports += &format!("      {{ service: {service} }}\n");
        }
        format!(
            r##"# A nats-server for events of Tengen, by {program}. docs/workers.md tells more.
# Of each user's key only the public part is here.
listen: "0.0.0.0:4222"
max_payload: 1MB

jetstream {{
  # A folder that the server may write to.
  store_dir: "/var/lib/nats"
  max_file_store: 10GB
  # What is acknowledged is on the disk.
  sync_interval: always
}}

# Keys are never sent, but without TLS others in the network can read and change what is sent. With
# the server's certificate and its key, remove the # here, restart the server, and write addresses
# as tls://HOST. Where a machine does not know the certificate's authority: --nats-ca FILE.
# tls {{
#   cert_file: "/etc/nats/server.pem"
#   key_file: "/etc/nats/server-key.pem"
# }}

accounts {{
  # Machines that run events.
  TENGEN {{
    jetstream: enabled
    users: [
{coordinator}    ]
    # What workers may ask for.
    exports: [
{exports}    ]
  }}

  # Workers. Nothing is kept for them, and they may ask for this alone.
  WORKERS {{
    imports: [
{imports}    ]
    users: [
{workers}    ]
  }}
}}
"##
        )
    }
}

/// What a machine that runs events may publish: it makes what the server keeps, and writes all of
/// it but results and what workers tell. It does not remove streams.
const COORDINATES: [&str; 14] = [
    USER_INFO,
    "$JS.API.INFO",
    "$JS.API.STREAM.INFO.*",
    "$JS.API.STREAM.CREATE.*",
    "$JS.API.STREAM.UPDATE.*",
    "$JS.API.STREAM.PURGE.*",
    "$JS.API.STREAM.MSG.*.*",
    "$JS.API.CONSUMER.>",
    "$JS.API.DIRECT.GET.>",
    "$JS.ACK.>",
    "$JS.FC.>",
    "jobs.>",
    "$KV.tengen_events.>",
    "$O.tengen_files.>",
];

/// What of the events' account workers may use; of each, whether it has more than one answer.
fn offered() -> impl Iterator<Item = (String, bool)> {
    let info = [JOBS, RESULTS].map(str::to_owned).into_iter();
    let info = info.chain([EVENTS, WORKERS].map(|bucket| format!("KV_{bucket}")));
    let info = info.chain([format!("OBJ_{FILES}")]);
    let single = info.map(|stream| format!("$JS.API.STREAM.INFO.{stream}")).chain([
        "$JS.API.INFO".to_owned(),
        format!("$JS.API.DIRECT.GET.KV_{EVENTS}"),
        format!("$JS.API.DIRECT.GET.OBJ_{FILES}"),
        format!("$JS.API.DIRECT.GET.OBJ_{FILES}.>"),
        format!("$JS.API.CONSUMER.INFO.{JOBS}.*"),
        format!("$JS.ACK.{JOBS}.>"),
        // As newer servers may name it.
        format!("$JS.ACK.*.*.{JOBS}.>"),
        "results.>".to_owned(),
        format!("$KV.{WORKERS}.*.*"),
    ]);
    let next = format!("$JS.API.CONSUMER.MSG.NEXT.{JOBS}.*");
    single.map(|subject| (subject, false)).chain([(next, true)])
}

fn of_user(user: &ServerUser, publish: &[&str]) -> String {
    let ServerUser { name, public, .. } = user;
    let publish: String =
        publish.iter().map(|subject| format!("            \"{subject}\"\n")).collect();
    format!(
        r#"      # {name}
      {{ nkey: {public}, permissions: {{
          publish: [
{publish}          ]
          subscribe: ["_INBOX.{public}.>"]
      }} }}
"#
    )
}

/// The user for whose workers alone a right to publish is, if it is one.
pub(crate) fn worker_of(subject: &str) -> Option<&str> {
    let rest = subject.strip_prefix("$KV.")?.strip_prefix(WORKERS)?.strip_prefix('.')?;
    rest.strip_suffix(".*").filter(|user| is_token(user))
}

/// Whether that can be one part of a subject, of a key and of a file name.
pub(crate) fn is_token(name: &str) -> bool {
    let is_fit = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    (1..=64).contains(&name.len()) && name.bytes().all(is_fit)
}

/// A key of which the secret part is known.
pub(crate) struct UserKey {
    pub seed: String,
    pub public: String,
}

/// Reads the key of a user: a line of the file is its seed.
pub(crate) fn read_key(path: &Path) -> io::Result<UserKey> {
    let text = fs::read_to_string(path)?;
    let seed = text.lines().map(str::trim).find(|line| line.starts_with(SEED));
    let pair = seed.and_then(|seed| Some((seed, KeyPair::from_seed(seed).ok()?)));
    let (seed, pair) = pair.ok_or_else(|| {
        let problem = "it has no whole line with the seed of a user's nkey, which begins with SU";
        io::Error::new(io::ErrorKind::InvalidData, problem)
    })?;
    Ok(UserKey { seed: seed.to_owned(), public: pair.public_key() })
}

/// Makes a key where there is none. Gives the public part.
fn provide_key(path: &Path) -> io::Result<String> {
    match read_key(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        read => return read.map(|key| key.public),
    }
    let pair = KeyPair::new_user();
    let seed = pair.seed().expect("a new key has its secret part");
    tengen_files::write_private(path, &format!("{seed}\n"))?;
    Ok(pair.public_key())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_made_once_and_stay_secret() {
        let folder = tempfile::tempdir().unwrap();
        let users = |names: &[&str]| {
            let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
            ServerUsers::with_keys(&names, folder.path())
        };
        let one = users(&["pc1"]).unwrap();
        let two = users(&["pc1", "pc2"]).unwrap();
        assert_eq!((&one.coordinator, &one.workers[0]), (&two.coordinator, &two.workers[0]));
        assert_ne!(two.workers[0].public, two.workers[1].public);
        let text = two.configuration("tengen 1.0");
        for user in two.workers.iter().chain([&two.coordinator]) {
            let seed = fs::read_to_string(&user.key).unwrap();
            assert!(text.contains(&user.public) && !text.contains(seed.trim()));
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                assert_eq!(fs::metadata(&user.key).unwrap().permissions().mode() & 0o777, 0o600);
            }
        }
        for wrong in [&["a.b"][..], &[">"], &[""], &["../x"], &["coordinator"], &["a", "a"]] {
            assert!(matches!(users(wrong), Err(RightsError::Name(_))), "{wrong:?}");
        }
        fs::write(folder.path().join("pc1.nkey"), "SUX").unwrap();
        let spoiled = users(&["pc1"]).unwrap_err().to_string();
        assert!(spoiled.contains("pc1.nkey") && spoiled.contains("SU"), "{spoiled}");
    }

    #[test]
    fn a_right_tells_whose_workers_it_is_for() {
        assert_eq!(worker_of("$KV.tengen_workers.pc1.*"), Some("pc1"));
        for other in ["$KV.tengen_workers.*.*", "$KV.tengen_workers.>", ">", "results.>"] {
            assert_eq!(worker_of(other), None, "{other}");
        }
    }

    #[test]
    fn no_worker_may_change_what_is_kept() {
        for (subject, _) in offered() {
            let verbs = ["CREATE", "DELETE", "UPDATE", "PURGE", "STREAM.MSG", "SNAPSHOT", "NAMES"];
            assert!(!verbs.iter().any(|verb| subject.contains(verb)), "{subject}");
            assert!(!subject.starts_with("jobs") && !subject.starts_with("$O"), "{subject}");
        }
    }
}
