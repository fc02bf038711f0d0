//! Connections that end if the other side does not read what is sent to it.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

/// A connection that fails when its other end reads nothing for too long.
pub(super) struct PatientStream {
    stream: TcpStream,
    patience: Duration,
    /// Runs while something waits to be sent.
    unread: Option<Pin<Box<Sleep>>>,
}

impl PatientStream {
    pub fn new(stream: TcpStream, patience: Duration) -> PatientStream {
        PatientStream { stream, patience, unread: None }
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

impl AsyncRead for PatientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for PatientStream {
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

    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn who_reads_nothing_is_cut_off() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let reader = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let (stream, _) = listener.accept().await.unwrap();
            let mut sender = PatientStream::new(stream, Duration::from_millis(5));
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
