//! The connection to a server: with which credentials, how securely, and what it denies.

use std::error::Error;
use std::fs;
use std::future::ready;
use std::io;
use std::path::Path;
use std::time::Duration;

use async_nats::jetstream::{self, Context};
use async_nats::rustls::{self, CertificateError};
use async_nats::{
    Client, ClientError, ConnectError, ConnectErrorKind, ConnectOptions, Event, Request,
    ServerAddr, ServerError,
};
use percent_encoding::percent_decode_str;
use serde_json::Value;
use tokio::sync::watch;

use crate::bus::{BusError, NatsOptions, is_new_enough};
use crate::rights::{self, USER_INFO, is_token, worker_of};

/// How long a try to reach the server takes at most.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often the server is asked whether it is still there.
const PING: Duration = Duration::from_secs(5);
/// How long the server may take to say which rights a user has; some do not say it.
const RIGHTS: Duration = Duration::from_secs(2);

/// A connection to a server with JetStream.
#[derive(Clone)]
pub(crate) struct ServerLink {
    pub context: Context,
    /// The address without its password.
    pub url: String,
    client: Client,
    /// The first thing that the server has denied.
    denials: watch::Receiver<Option<DeniedRequest>>,
}

#[derive(Clone)]
enum DeniedRequest {
    Credentials,
    /// In the server's words.
    Right(String),
}

impl ServerLink {
    pub async fn connect(options: &NatsOptions, name: &str) -> Result<ServerLink, BusError> {
        let url = shown(&options.url);
        let address: ServerAddr = options.url.parse().map_err(|error: io::Error| {
            BusError::Address { url: url.clone(), problem: error.to_string() }
        })?;
        let (denied, denials) = watch::channel(None);
        let hear = move |event| {
            if let Some(denial) = denial(event) {
                denied.send_if_modified(|first| first.is_none() && first.replace(denial).is_none());
            }
            ready(())
        };
        let connect = ConnectOptions::new().name(name).connection_timeout(PATIENCE);
        // A server that is frozen is missed after two of them.
        let connect = connect.ping_interval(PING);
        let mut connect = with_credentials(connect.event_callback(hear), options, &address)?;
        if let Some(path) = &options.authority {
            check_authority(path)
                .map_err(|source| BusError::Authority { path: path.clone(), source })?;
            connect = connect.add_root_certificates(path.clone()).require_tls(true);
        }
        let client = connect.connect(address).await.map_err(|error| unconnected(&url, &error))?;
        let version = client.server_info().version;
        if !is_new_enough(&version) {
            return Err(BusError::TooOld { url, version });
        }
        let context = jetstream::new(client.clone());
        let link = ServerLink { context, url, client, denials };
        let asked = link.allowed(async {
            let asked = link.context.query_account().await;
            asked.map(drop).map_err(|error| BusError::NoJetStream {
                url: link.url.clone(),
                problem: error.to_string(),
            })
        });
        asked.await?;
        Ok(link)
    }

    /// What the server has denied, if it has.
    pub fn denial(&self) -> Option<BusError> {
        let url = self.url.clone();
        self.denials.borrow().clone().map(|denial| match denial {
            DeniedRequest::Credentials => BusError::Credentials { url },
            DeniedRequest::Right(problem) => BusError::Right { url, problem },
        })
    }

    /// Does something at the server, until that is done or denied. A request that is denied has no
    /// answer: one would wait for it in vain.
    pub async fn allowed<T>(
        &self,
        doing: impl Future<Output = Result<T, BusError>>,
    ) -> Result<T, BusError> {
        let mut denials = self.denials.clone();
        let denied = async { denials.wait_for(Option::is_some).await.is_ok() };
        tokio::select! {
            done = doing => done.map_err(|error| self.denial().unwrap_or(error)),
            true = denied => Err(self.denial().expect("the first denial stays")),
        }
    }

    /// The user whose workers alone this connection may speak for, if its rights say so.
    pub async fn worker_user(&self) -> Option<String> {
        let allowed = self.allowed_subjects().await?;
        allowed.iter().find_map(|subject| worker_of(subject)).map(str::to_owned)
    }

    /// The same for a worker.
    ///
    /// # Errors
    /// When the rights are those of the machine that runs events, or of another program.
    pub async fn own_worker_user(&self) -> Result<Option<String>, BusError> {
        let allowed = self.allowed_subjects().await.unwrap_or_default();
        if let Some(user) = allowed.iter().find_map(|subject| worker_of(subject)) {
            return Ok(Some(user.to_owned()));
        }
        let is_for_workers = |subject: &String| {
            subject.split('.').next().is_some_and(|first| ["$KV", "*", ">"].contains(&first))
                && !subject.starts_with("$KV.tengen_events")
        };
        match allowed.is_empty() || allowed.iter().any(is_for_workers) {
            true => Ok(None),
            false => Err(BusError::NoWorkerUser { url: self.url.clone() }),
        }
    }

    /// What this connection may publish, if its rights say so.
    async fn allowed_subjects(&self) -> Option<Vec<String>> {
        let request = Request::new().timeout(Some(RIGHTS));
        let answer = self.client.send_request(USER_INFO, request).await.ok()?;
        let told: Value = serde_json::from_slice(&answer.payload).ok()?;
        let allowed = told.pointer("/data/permissions/publish/allow")?.as_array()?;
        Some(allowed.iter().filter_map(|subject| subject.as_str()).map(str::to_owned).collect())
    }
}

/// Names the user, as the address or a key does. Its answers come to subjects of its own, so that
/// the server can keep users from reading those of others.
fn with_credentials(
    connect: ConnectOptions,
    options: &NatsOptions,
    address: &ServerAddr,
) -> Result<ConnectOptions, BusError> {
    let plain = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let (connect, user) = match (&options.nkey, address.username(), address.password()) {
        (Some(path), ..) => {
            let key = rights::read_key(path)
                .map_err(|source| BusError::Nkey { path: path.clone(), source })?;
            (connect.nkey(key.seed), Some(key.public))
        }
        (None, Some(user), Some(password)) => {
            let user = plain(user);
            (connect.user_and_password(user.clone(), plain(password)), Some(user))
        }
        (None, Some(token), None) => (connect.token(plain(token)), None),
        (None, None, _) => (connect, None),
    };
    Ok(match user.filter(|user| is_token(user)) {
        Some(user) => connect.custom_inbox_prefix(format!("_INBOX.{user}")),
        None => connect,
    })
}

/// An unreadable file of certificates is not to be taken for a server that does not answer.
fn check_authority(path: &Path) -> io::Result<()> {
    match fs::read_to_string(path)?.contains("-----BEGIN CERTIFICATE-----") {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "it has no certificate; one in PEM has the line -----BEGIN CERTIFICATE-----",
        )),
    }
}

fn denial(event: Event) -> Option<DeniedRequest> {
    match event {
        Event::ServerError(ServerError::AuthorizationViolation) => Some(DeniedRequest::Credentials),
        // So it tells of a try to connect again.
        Event::ClientError(ClientError::Other(problem))
            if problem == ConnectErrorKind::AuthorizationViolation.to_string() =>
        {
            Some(DeniedRequest::Credentials)
        }
        Event::ServerError(ServerError::Other(problem))
            if problem.starts_with("Permissions Violation") && !problem.contains(USER_INFO) =>
        {
            Some(DeniedRequest::Right(problem))
        }
        _ => None,
    }
}

/// Why there is no connection.
fn unconnected(url: &str, error: &ConnectError) -> BusError {
    let url = url.to_owned();
    match (error.kind(), of_tls(error)) {
        (ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation, _) => {
            BusError::Credentials { url }
        }
        (_, Some(rustls::Error::InvalidCertificate(problem))) => {
            BusError::Certificate { url, problem: misfit(problem) }
        }
        (_, Some(rustls::Error::InvalidMessage(_))) => BusError::Plain { url },
        (ConnectErrorKind::Tls, _) | (_, Some(_)) => {
            BusError::Tls { url, problem: error.to_string() }
        }
        _ => BusError::Unreached { url, problem: error.to_string() },
    }
}

/// What of an error is about TLS.
fn of_tls<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e rustls::Error> {
    if let Some(found) = error.downcast_ref() {
        return Some(found);
    }
    let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    of_tls(wrapped.map(|wrapped| wrapped as &(dyn Error + 'static)).or_else(|| error.source())?)
}

/// What is wrong with a certificate, and what to do.
fn misfit(problem: &CertificateError) -> String {
    match problem {
        CertificateError::UnknownIssuer => {
            "it is signed by nobody that this machine trusts; name the file of its authority with \
             --nats-ca"
                .to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "it is for another name; write the address with the name that the certificate has"
                .to_owned()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "it is not valid any more; renew it, or set the clock of this machine".to_owned()
        }
        other => other.to_string(),
    }
}

/// An address without its password.
pub(crate) fn shown(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("nats", url));
    let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    format!("{scheme}://{host}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown() {
        assert_eq!(shown("nats://ann:secret@lab:4222"), "nats://lab:4222");
        assert_eq!(shown("lab"), "nats://lab");
    }

    #[test]
    fn what_a_server_denies_is_told_from_what_else_happens() {
        let other = |text: &str| Event::ServerError(ServerError::Other(text.to_owned()));
        let right = r#"Permissions Violation for Publish to "jobs.e.1""#;
        let of = |event| match denial(event) {
            Some(DeniedRequest::Right(problem)) => problem,
            Some(DeniedRequest::Credentials) => "credentials".to_owned(),
            None => String::new(),
        };
        assert_eq!(of(other(right)), right);
        // It is asked without need, and configurations of others may not allow it.
        assert_eq!(of(other(r#"Permissions Violation for Publish to "$SYS.REQ.USER.INFO""#)), "");
        assert_eq!(of(other("Stale Connection")), "");
        assert_eq!(of(Event::ServerError(ServerError::AuthorizationViolation)), "credentials");
        let again = ClientError::Other("authorization violation".to_owned());
        assert_eq!(of(Event::ClientError(again)), "credentials");
        assert_eq!(of(Event::Disconnected), "");
    }
}
