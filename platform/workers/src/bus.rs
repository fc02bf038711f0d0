//! The connection to the server, and what is kept there.

use std::path::PathBuf;
use std::time::Duration;

use async_nats::jetstream::stream::{DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{self, Context, kv, object_store, stream};
use async_nats::{ConnectOptions, ServerAddr};

/// The oldest server that loses nothing of what it has acknowledged, also when its machine loses
/// power: earlier ones cannot be told to.
const OLDEST: (u64, u64) = (2, 12);
const JOBS: &str = "TENGEN_JOBS";
const RESULTS: &str = "TENGEN_RESULTS";
const EVENTS: &str = "tengen_events";
const WORKERS: &str = "tengen_workers";
const FILES: &str = "tengen_files";
/// What a worker tells of itself is gone after this time, if it does not tell it again.
pub(crate) const WORKER_AGE: Duration = Duration::from_secs(20);
/// What an event keeps at the server is gone when its coordinator has not been there for so long.
const KEPT: Duration = Duration::from_secs(14 * 24 * 3600);
/// How long a try to reach the server takes at most.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where the server is, and what it asks for.
#[derive(Clone, Debug, Default)]
pub struct NatsOptions {
    /// `nats://HOST:4222`, `tls://HOST`; also with a user and a password before the host.
    pub url: String,
    /// The file with the seed of an nkey.
    pub nkey: Option<PathBuf>,
    /// A certificate authority beside those that the system trusts.
    pub authority: Option<PathBuf>,
}

/// Why there is nothing to send and receive by.
#[derive(Debug, thiserror::Error)]
pub enum BusError {
    #[error("{url}: {problem}; an address is as nats://lab:4222")]
    Address { url: String, problem: String },
    #[error("{}: {source}", path.display())]
    Nkey { path: PathBuf, source: std::io::Error },
    #[error(
        "{url}: no server answers: {problem}; start one, or check the address and the firewall"
    )]
    Unreached { url: String, problem: String },
    #[error(
        "{url}: the server refuses the credentials; give the user and the password in the address, \
         or the key with --nkey"
    )]
    Credentials { url: String },
    #[error(
        "{url}: the server is nats-server {version}; {}.{} or newer is needed, since older \
         ones may lose what they have acknowledged",
        OLDEST.0, OLDEST.1
    )]
    TooOld { url: String, version: String },
    #[error(
        "{url}: the server has no JetStream: {problem}; docs/workers.md has a configuration with it"
    )]
    NoJetStream { url: String, problem: String },
    #[error("{url}: {what}: {problem}")]
    Refused { url: String, what: &'static str, problem: String },
}

/// A server with all that is kept there.
#[derive(Clone)]
pub(crate) struct Bus {
    pub context: Context,
    pub jobs: stream::Stream,
    pub results: stream::Stream,
    pub events: kv::Store,
    pub workers: kv::Store,
    pub files: object_store::ObjectStore,
    url: String,
}

impl Bus {
    /// Connects, and makes what is not there yet.
    pub async fn connect(options: &NatsOptions, name: &str) -> Result<Bus, BusError> {
        let url = shown(&options.url);
        let address: ServerAddr = options.url.parse().map_err(|error: std::io::Error| {
            BusError::Address { url: url.clone(), problem: error.to_string() }
        })?;
        let mut connect = ConnectOptions::new().name(name).connection_timeout(PATIENCE);
        if let Some(path) = &options.nkey {
            let seed = std::fs::read_to_string(path)
                .map_err(|source| BusError::Nkey { path: path.clone(), source })?;
            connect = connect.nkey(seed.trim().to_owned());
        }
        if let Some(authority) = &options.authority {
            connect = connect.add_root_certificates(authority.clone()).require_tls(true);
        }
        let client = connect.connect(address).await.map_err(|error| {
            use async_nats::ConnectErrorKind as Kind;
            match error.kind() {
                Kind::Authentication | Kind::AuthorizationViolation => {
                    BusError::Credentials { url: url.clone() }
                }
                _ => BusError::Unreached { url: url.clone(), problem: error.to_string() },
            }
        })?;
        let version = client.server_info().version;
        if !is_new_enough(&version) {
            return Err(BusError::TooOld { url, version });
        }
        let context = jetstream::new(client);
        context.query_account().await.map_err(|error| {
            let problem = error.to_string();
            BusError::NoJetStream { url: url.clone(), problem }
        })?;
        let stream = |name: &str, subject: &str, retention, max_age| stream::Config {
            name: name.to_owned(),
            subjects: vec![subject.to_owned()],
            retention,
            storage: StorageType::File,
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            max_age,
            ..stream::Config::default()
        };
        let refused = |what| {
            let url = url.clone();
            move |problem: String| BusError::Refused { url, what, problem }
        };
        let made = stream(JOBS, "jobs.>", RetentionPolicy::WorkQueue, KEPT);
        let jobs = context.get_or_create_stream(made).await;
        let made = stream(RESULTS, "results.>", RetentionPolicy::Limits, KEPT);
        let results = context.get_or_create_stream(made).await;
        let bucket = |bucket: &str, max_age| kv::Config {
            bucket: bucket.to_owned(),
            history: 1,
            max_age,
            ..kv::Config::default()
        };
        let events = context.create_or_update_key_value(bucket(EVENTS, KEPT)).await;
        let workers = context.create_or_update_key_value(bucket(WORKERS, WORKER_AGE)).await;
        let files = match context.get_object_store(FILES).await {
            Ok(files) => Ok(files),
            Err(_) => {
                let bucket = FILES.to_owned();
                let config = object_store::Config { bucket, max_age: KEPT, ..Default::default() };
                context.create_object_store(config).await
            }
        };
        Ok(Bus {
            jobs: jobs.map_err(|error| refused("the stream of jobs")(error.to_string()))?,
            results: results
                .map_err(|error| refused("the stream of results")(error.to_string()))?,
            events: events.map_err(|error| refused("the bucket of events")(error.to_string()))?,
            workers: workers
                .map_err(|error| refused("the bucket of workers")(error.to_string()))?,
            files: files.map_err(|error| refused("the store of files")(error.to_string()))?,
            context,
            url,
        })
    }

    pub fn is_connected(&self) -> bool {
        let state = self.context.client().connection_state();
        state == async_nats::connection::State::Connected
    }

    /// An error of the server while it does something.
    pub fn refused(&self, what: &'static str, problem: impl ToString) -> BusError {
        BusError::Refused { url: self.url.clone(), what, problem: problem.to_string() }
    }
}

/// The subject of a job of an event, by the number of its first game. Workers choose by the class.
pub(crate) fn job_subject(event: &str, class: usize, job: u64) -> String {
    format!("jobs.{event}.{class}.{job}")
}

pub(crate) fn result_subject(event: &str, job: u64) -> String {
    format!("results.{event}.{job}")
}

/// The number at the end of a subject.
pub(crate) fn job_of(subject: &str) -> Option<u64> {
    subject.rsplit('.').next()?.parse().ok()
}

/// The consumer of a class of an event's jobs, which the workers share.
pub(crate) fn consumer(event: &str, class: usize) -> String {
    format!("workers-{event}-{class}")
}

/// Where in the bucket of events it is said that a worker plays no more games of an event.
pub(crate) fn aside_key(event: &str, worker: &str) -> String {
    format!("aside.{event}.{worker}")
}

/// An address without its password.
fn shown(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("nats", url));
    let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    format!("{scheme}://{host}")
}

fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.split(['.', '-']).map_while(|part| part.parse().ok());
    (numbers.next(), numbers.next()) >= (Some(OLDEST.0), Some(OLDEST.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_that_may_lose_what_they_acknowledged_are_too_old() {
        let old = ["2.9.10", "2.11.99", "1.4.0", "", "dev"];
        let new = ["2.12.0", "2.12.0-RC.1", "2.15.1", "3.0.0"];
        assert_eq!(old.map(is_new_enough), [false; 5]);
        assert_eq!(new.map(is_new_enough), [true; 4]);
    }

    #[test]
    fn a_password_is_not_shown() {
        assert_eq!(shown("nats://ann:secret@lab:4222"), "nats://lab:4222");
        assert_eq!(shown("lab"), "nats://lab");
    }

    #[test]
    fn a_subject_names_its_job() {
        assert_eq!(job_of(&job_subject("3f", 0, 17)), Some(17));
        assert_eq!(job_of("jobs.3f.x"), None);
    }
}
