//! Takes connections and answers them, each within its limits.

use std::io::{self, IoSlice};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::extract::Extension;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::time::Sleep;

use super::limits::Limits;
use super::routes::Peer;

/// How long the head of a request may take.
const HEAD: Duration = Duration::from_secs(10);
/// How long the head of a request may be, and what waits in this process to be sent to one client.
const MOST_HEAD: usize = 16 * 1024;
/// How long a client may read nothing of what waits for it. A browser reads at once; one that does
/// not is asleep or gone, and comes back by itself.
const UNREAD: Duration = Duration::from_secs(30);
/// How long nothing is taken after the system could give no connection.
const REST: Duration = Duration::from_millis(100);
/// How long what is being sent at the end may take.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Answers until it is over, and lets those who are connected have what was sent to them.
pub(super) async fn serve(
    listener: std::net::TcpListener,
    router: Router,
    mut over: watch::Receiver<bool>,
) {
    let listener = match TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(error) => return log::error!("the server cannot listen: {error}"),
    };
    let limits = Arc::new(Limits::default());
    // Every connection holds a sender: when none is left, nothing comes.
    let (open, mut all_closed) = mpsc::channel::<()>(1);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = until(&mut over) => break,
        };
        let (stream, from) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Too many open files, or a connection that was gone before it was taken.
                log::debug!("no connection: {error}");
                tokio::time::sleep(REST).await;
                continue;
            }
        };
        let Some(admitted) = limits.admit(from.ip()) else { continue };
        // What is new is small, and is to be seen at once.
        let _slow = stream.set_nodelay(true);
        let peer = Peer { address: from.ip(), limits: Arc::clone(&limits) };
        let service = TowerToHyperService::new(router.clone().layer(Extension(peer)));
        let (open, mut over) = (open.clone(), over.clone());
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD)
                .max_buf_size(MOST_HEAD)
                .serve_connection(TokioIo::new(Connection::new(stream, UNREAD)), service);
            let mut connection = pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = until(&mut over) => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                log::debug!("connection from {from}: {error}");
            }
            drop((admitted, open));
        });
    }
    drop((listener, open));
    let _some_are_slow = tokio::time::timeout(LAST_WORDS, all_closed.recv()).await;
}

/// Waits until it is over.
pub(super) async fn until(over: &mut watch::Receiver<bool>) {
    // A server that is gone is over.
    let _over = over.wait_for(|over| *over).await;
}

/// A connection that fails when its other end reads nothing for too long.
struct Connection {
    stream: TcpStream,
    patience: Duration,
    /// Runs while something waits to be sent.
    unread: Option<Pin<Box<Sleep>>>,
}

impl Connection {
    fn new(stream: TcpStream, patience: Duration) -> Connection {
        Connection { stream, patience, unread: None }
    }

    /// What came of trying to send, or that it has waited too long.
    fn sent<T>(
        &mut self,
        sent: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if sent.is_ready() {
            self.unread = None;
            return sent;
        }
        let patience = self.patience;
        let unread = self.unread.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        ready!(unread.as_mut().poll(context));
        let told = format!("nothing of what waits was read for {} s", patience.as_secs());
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, told)))
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.sent(sent, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.sent(sent, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    #[test]
    fn who_reads_nothing_is_cut_off() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let reader = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let (stream, _) = listener.accept().await.unwrap();
            let mut sender = Connection::new(stream, Duration::from_millis(5));
            let bytes = vec![0; 1 << 16];
            let error = loop {
                let sent = poll_fn(|context| Pin::new(&mut sender).poll_write(context, &bytes));
                if let Err(error) = sent.await {
                    break error;
                }
            };
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
            drop(reader);
        });
    }
}
