//! The connection to the server, and what is kept there.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::context::GetStreamErrorKind;
use async_nats::jetstream::stream::{
    DirectGetErrorKind, DiscardPolicy, RetentionPolicy, StorageType,
};
use async_nats::jetstream::{Context, ErrorCode, kv, object_store, stream};

use crate::files::FileStore;
use crate::server::ServerLink;

/// The oldest server that loses nothing of what it has acknowledged, also when its machine loses
/// power: earlier ones cannot be told to.
const OLDEST: (u64, u64) = (2, 12);
pub(crate) const JOBS: &str = "TENGEN_JOBS";
pub(crate) const RESULTS: &str = "TENGEN_RESULTS";
pub(crate) const EVENTS: &str = "tengen_events";
pub(crate) const WORKERS: &str = "tengen_workers";
pub(crate) const FILES: &str = "tengen_files";
/// What a worker tells of itself is gone after this time, if it does not tell it again.
pub(crate) const WORKER_AGE: Duration = Duration::from_secs(20);
/// How often it is looked whether the server is reached again.
const LOOK: Duration = Duration::from_millis(100);
/// In the place of a user where there are none.
const NO_USER: &str = "-";
/// What an event keeps at the server is gone when its coordinator has not been there for so long.
const KEPT: Duration = Duration::from_secs(14 * 24 * 3600);

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

impl NatsOptions {
    /// The address without its password.
    pub fn shown(&self) -> String {
        crate::server::shown(&self.url)
    }
}

/// Why there is nothing to send and receive by.
#[derive(Debug, thiserror::Error)]
pub enum BusError {
    #[error("{url}: {problem}; an address is as nats://lab:4222")]
    Address { url: String, problem: String },
    #[error("{}: {source}", path.display())]
    Nkey { path: PathBuf, source: std::io::Error },
    #[error("{}: {source}", path.display())]
    Authority { path: PathBuf, source: std::io::Error },
    #[error(
        "{url}: no server answers: {problem}; start one, or check the address and the firewall"
    )]
    Unreached { url: String, problem: String },
    #[error(
        "{url}: the server refuses the credentials; name the file of a key that it knows with \
         --nkey, or the user and the password in the address"
    )]
    Credentials { url: String },
    #[error(
        "{url}: the server does not let this user do it: {problem}; a configuration with every \
         right that is needed is printed by `tengen worker --print-server-config`"
    )]
    Right { url: String, problem: String },
    #[error(
        "{url}: this is the key of worker {user}; the machine that runs events has its own, named \
         with --nkey"
    )]
    WorkerUser { url: String, user: String },
    #[error(
        "{url}: this user may not play: its key is that of the machine that runs events, or of \
         another program; name the key of a worker with --nkey"
    )]
    NoWorkerUser { url: String },
    #[error("{url}: the server's certificate is not trusted: {problem}")]
    Certificate { url: String, problem: String },
    #[error(
        "{url}: the server does not speak TLS; give it a certificate, or write the address as \
         nats://HOST and leave out --nats-ca"
    )]
    Plain { url: String },
    #[error("{url}: the connection cannot be made secure: {problem}")]
    Tls { url: String, problem: String },
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
    pub files: FileStore,
    link: ServerLink,
    /// Why the server takes no messages, as long as it does not.
    trouble: Arc<Mutex<Option<String>>>,
}

impl Bus {
    /// Connects for one who runs an event, and makes what is not there yet.
    pub async fn connect(options: &NatsOptions, name: &str) -> Result<Bus, BusError> {
        let link = ServerLink::connect(options, name).await?;
        if let Some(user) = link.worker_user().await {
            return Err(BusError::WorkerUser { url: link.url, user });
        }
        link.allowed(Bus::make(&link)).await?;
        let opened = Bus::open(&link).await?;
        opened.ok_or_else(|| refused(&link, "the store of files", "it was just removed"))
    }

    /// Makes what is not there yet.
    async fn make(link: &ServerLink) -> Result<(), BusError> {
        let context = &link.context;
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
        let jobs = stream(JOBS, "jobs.>", RetentionPolicy::WorkQueue, KEPT);
        let made = context.get_or_create_stream(jobs).await;
        made.map_err(|error| refused(link, "the stream of jobs", error))?;
        let results = stream(RESULTS, "results.>", RetentionPolicy::Limits, KEPT);
        let made = context.get_or_create_stream(results).await;
        made.map_err(|error| refused(link, "the stream of results", error))?;
        let (bucket, history) = (EVENTS.to_owned(), 1);
        let events = kv::Config { bucket, history, max_age: KEPT, ..kv::Config::default() };
        let made = context.create_or_update_key_value(events).await;
        made.map_err(|error| refused(link, "the bucket of events", error))?;
        // A bucket as the client makes it lets each who may write one key remove all others.
        let workers = stream::Config {
            discard_new_per_subject: false,
            allow_direct: true,
            deny_delete: true,
            ..stream(
                &format!("KV_{WORKERS}"),
                &format!("$KV.{WORKERS}.>"),
                RetentionPolicy::Limits,
                WORKER_AGE,
            )
        };
        let made = context.create_or_update_stream(workers).await;
        made.map_err(|error| refused(link, "the bucket of workers", error))?;
        if context.get_object_store(FILES).await.is_err() {
            let bucket = FILES.to_owned();
            let files = object_store::Config { bucket, max_age: KEPT, ..Default::default() };
            let made = context.create_object_store(files).await;
            made.map_err(|error| refused(link, "the store of files", error))?;
        }
        Ok(())
    }

    /// Opens what is there; none where no event was begun at this server yet.
    pub async fn open(link: &ServerLink) -> Result<Option<Bus>, BusError> {
        let context = &link.context;
        let open = async {
            // It is made last.
            let parts = match context.get_stream(format!("OBJ_{FILES}")).await {
                Ok(parts) => parts,
                Err(error) => match error.kind() {
                    GetStreamErrorKind::JetStream(answer)
                        if answer.error_code() == ErrorCode::STREAM_NOT_FOUND =>
                    {
                        return Ok(None);
                    }
                    _ => return Err(refused(link, "the store of files", error)),
                },
            };
            let objects = context.get_object_store(FILES).await;
            let objects = objects.map_err(|error| refused(link, "the store of files", error))?;
            let jobs = context.get_stream(JOBS).await;
            let results = context.get_stream(RESULTS).await;
            let events = context.get_key_value(EVENTS).await;
            let workers = context.get_key_value(WORKERS).await;
            Ok(Some(Bus {
                context: context.clone(),
                jobs: jobs.map_err(|error| refused(link, "the stream of jobs", error))?,
                results: results.map_err(|error| refused(link, "the stream of results", error))?,
                events: events.map_err(|error| refused(link, "the bucket of events", error))?,
                workers: workers.map_err(|error| refused(link, "the bucket of workers", error))?,
                files: FileStore { objects, parts },
                link: link.clone(),
                trouble: Arc::default(),
            }))
        };
        link.allowed(open).await
    }

    pub fn is_connected(&self) -> bool {
        let state = self.context.client().connection_state();
        state == async_nats::connection::State::Connected
    }

    /// Whether the server is there, and has nothing of what it kept.
    pub async fn has_lost_streams(&self) -> bool {
        match self.context.get_stream(JOBS).await {
            Err(error) => matches!(
                error.kind(),
                GetStreamErrorKind::JetStream(answer)
                    if answer.error_code() == ErrorCode::STREAM_NOT_FOUND
            ),
            Ok(_) => false,
        }
    }

    /// Why the server takes no messages, as when its disk is full.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn note_trouble(&self, trouble: Option<String>) {
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = trouble;
    }

    /// Returns when the server is reached again after it was not.
    pub async fn connected_again(&self) {
        let statistics = self.context.client().statistics();
        let connects = || statistics.connects.load(Ordering::Relaxed);
        let before = connects();
        while connects() == before {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Whether an event is there, as far as the server tells.
    pub async fn has_event(&self, event: &str) -> bool {
        let key = format!("{}{event}", self.events.prefix);
        match self.events.stream.direct_get_next_for_subject(key, Some(1)).await {
            // A key that is removed has a last message which says so.
            Ok(message) => message.headers.get("KV-Operation").is_none(),
            Err(error) => error.kind() != DirectGetErrorKind::NotFound,
        }
    }

    /// An error of the server while it does something.
    pub fn refused(&self, what: &'static str, problem: impl ToString) -> BusError {
        self.denial().unwrap_or_else(|| refused(&self.link, what, problem))
    }

    /// What the server has denied, if it has: nothing goes on then.
    pub fn denial(&self) -> Option<BusError> {
        self.link.denial()
    }
}

fn refused(link: &ServerLink, what: &'static str, problem: impl ToString) -> BusError {
    BusError::Refused { url: link.url.clone(), what, problem: problem.to_string() }
}

/// The subject of a job of an event, by the number of its first game. Workers choose by the class.
pub(crate) fn job_subject(event: &str, class: usize, job: u64) -> String {
    format!("jobs.{event}.{class}.{job}")
}

/// The subject of a result. A worker whose user has rights of its own may publish those alone that
/// end with it.
pub(crate) fn result_subject(event: &str, job: u64, worker: &str) -> String {
    let user = worker.split_once('.').map_or(NO_USER, |(user, _)| user);
    format!("results.{event}.{job}.{user}")
}

/// The number of the job that a result is of, and the user who sent it, if it has one.
pub(crate) fn result_of(subject: &str) -> Option<(u64, Option<&str>)> {
    let mut parts = subject.rsplit('.');
    let (user, job) = (parts.next()?, parts.next()?);
    let number = job.parse().ok().filter(|number: &u64| number.to_string() == job)?;
    Some((number, Some(user).filter(|user| *user != NO_USER)))
}

/// The consumer of a class of an event's jobs, which the workers share.
pub(crate) fn consumer(event: &str, class: usize) -> String {
    format!("workers-{event}-{class}")
}

/// Where in the bucket of events it is said that a worker plays no more games of an event.
pub(crate) fn aside_key(event: &str, worker: &str) -> String {
    format!("aside.{event}.{worker}")
}

pub(crate) fn is_new_enough(version: &str) -> bool {
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
    fn the_subject_of_a_result_names_its_job_and_its_user() {
        assert_eq!(result_of(&result_subject("3f", 17, "pc1.lab-3")), Some((17, Some("pc1"))));
        assert_eq!(result_of(&result_subject("3f", 17, "lab-3")), Some((17, None)));
        for wrong in ["results.3f.x.-", "results.3f.017.-", "results.3f.+17.-", "results"] {
            assert_eq!(result_of(wrong), None, "{wrong}");
        }
    }
}
