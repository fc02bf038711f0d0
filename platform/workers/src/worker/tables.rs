//! The tables of a worker at which one event is played.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use tengen_tournament::{GameJob, JobTable, JobTables, Stop};

use super::ready::ReadyEvent;
use super::{DRY, IDLE, LOOK, MOST_BEGUN, PROGRESS, WAIT, WorkerNews, WorkerRun};
use crate::bus::result_subject;
use crate::coordinator::{ACK_WAIT, AGAIN, publish_first};
use crate::message::{EventNotice, JobResult, ResultKind};
use crate::turns::TableTurn;

/// What the tables of an event share.
pub(super) struct EventTable<'a> {
    pub worker: &'a WorkerRun<'a>,
    pub ready: &'a ReadyEvent,
    pub stop: &'a Stop,
    /// Requested when games are to be given up.
    pub given_up: &'a Stop,
    pub played: AtomicU64,
    /// The tables that may still play. Engines die with the thread that started them, and may play
    /// at other tables: so no thread ends before all have played.
    pub seated: AtomicUsize,
}

/// A table that may still play.
struct TakenSeat<'a>(&'a EventTable<'a>);

impl Drop for TakenSeat<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.given_up.request();
        }
        self.0.seated.fetch_sub(1, Ordering::SeqCst);
    }
}

impl EventTable<'_> {
    pub fn sit(&self, tables: &JobTables<'_>, number: usize) {
        let seat = TakenSeat(self);
        let (mut table, mut latest) = (None, Instant::now());
        let mut next = number;
        while self.goes_on() {
            let turn = self.worker.turns.wait(number, &self.ready.event, || self.goes_on());
            let Some(turn) = turn.filter(|_| !self.is_paused()) else {
                thread::sleep(LOOK);
                continue;
            };
            match self.worker.handle.block_on(self.next(&turn, &mut next)) {
                Some(message) => {
                    turn.charge(self.ready.notice.priority);
                    let time = self.worker.time;
                    let table = table.get_or_insert_with(|| tables.table(number, time));
                    self.play(table, message);
                    latest = Instant::now();
                }
                None => {
                    let is_wanted = turn.is_wanted();
                    drop(turn);
                    if latest.elapsed() > IDLE {
                        table = None;
                    }
                    if is_wanted {
                        thread::sleep(DRY);
                    }
                }
            }
        }
        drop((table, seat));
        while self.seated.load(Ordering::SeqCst) > 0 {
            thread::sleep(LOOK);
        }
    }

    /// The event as the server has it now, if it is still what is ready here. Another run of it may
    /// have begun meanwhile.
    fn notice(&self) -> Option<EventNotice> {
        let notice = self.worker.shared.notice(&self.ready.event);
        notice.filter(|notice| notice.is_same(&self.ready.notice))
    }

    pub fn is_wanted(&self) -> bool {
        self.notice().is_some() && self.worker.aside(&self.ready.event).is_none()
    }

    fn is_paused(&self) -> bool {
        let is_paused = self.notice().is_some_and(|notice| notice.paused);
        is_paused || self.worker.shared.is_silent(&self.ready.event)
    }

    fn goes_on(&self) -> bool {
        self.is_wanted() && !self.stop.is_closing() && !self.given_up.is_requested()
    }

    /// The next job, of any class in turn; none if there is none for a while. Where another event
    /// wants the table, there is no wait.
    async fn next(&self, turn: &TableTurn<'_>, next: &mut usize) -> Option<Message> {
        let consumers = &self.ready.jobs;
        for _ in 0..consumers.len() {
            *next = (*next + 1) % consumers.len();
            let fetch = consumers[*next].fetch().max_messages(1);
            let fetched = async { fetch.messages().await?.next().await.transpose() };
            match tokio::time::timeout(WAIT, fetched).await {
                Ok(Ok(Some(message))) => return Some(message),
                Ok(Ok(None)) => {}
                Ok(Err(error)) => {
                    log::debug!("no jobs are given: {error}");
                    tokio::time::sleep(AGAIN).await;
                }
                Err(_) => log::debug!("no jobs are given: the server does not answer"),
            }
        }
        if turn.is_wanted() {
            return None;
        }
        let wait = if consumers.len() == 1 { WAIT } else { DRY };
        let jobs = consumers[*next].batch().max_messages(1).expires(wait);
        let waited = async { jobs.messages().await.ok()?.next().await?.ok() };
        // A server that is frozen does not end it.
        tokio::time::timeout(wait + WAIT, waited).await.ok()?
    }

    fn play(&self, table: &mut JobTable<'_>, message: Message) {
        let WorkerRun { bus, handle, shared, tell, .. } = self.worker;
        let begun = message.info().map_or(1, |info| info.delivered);
        let job: Result<GameJob, _> = serde_json::from_slice(&message.payload);
        let number = job.as_ref().map_or(0, |job| job.first.number);
        if self.played.fetch_add(1, Ordering::Relaxed) == 0 {
            tell(WorkerNews::Joined { event: self.ready.notice.title.clone() });
        }
        let message = Arc::new(message);
        let progress = handle.spawn({
            let message = Arc::clone(&message);
            async move {
                loop {
                    tokio::time::sleep(PROGRESS).await;
                    let _heard = message.ack_with(AckKind::Progress).await;
                }
            }
        });
        shared.playing.fetch_add(1, Ordering::Relaxed);
        if shared.jobs.load(Ordering::Relaxed) == 0 {
            shared.has_begun.notify_one();
        }
        let played = match job {
            Ok(job) if !table.has_engines(&job) => Some(Err(
                "the event has engines that its workers were not sent; resume it".to_owned(),
            )),
            Ok(job) if begun <= MOST_BEGUN => table.play(&job).map(Ok),
            Ok(_) => {
                Some(Err(format!("it was begun {MOST_BEGUN} times, and no worker came to its end")))
            }
            Err(error) => Some(Err(format!("it cannot be read: {error}"))),
        };
        shared.playing.fetch_sub(1, Ordering::Relaxed);
        progress.abort();
        // One that was given up is sent again by the coordinator: then it is as if it had not been
        // begun.
        let played = match played {
            Some(Ok(played)) => ResultKind::Played(played),
            Some(Err(fault)) => ResultKind::Fault(fault),
            None => ResultKind::GivenUp,
        };
        if played != ResultKind::GivenUp {
            let jobs = shared.jobs.fetch_add(1, Ordering::Relaxed) + 1;
            tell(WorkerNews::Played { jobs });
        }
        let worker = self.ready.worker.clone();
        let subject = result_subject(&self.ready.event, number, &worker.name);
        let (bus, result) = ((*bus).clone(), JobResult { worker, played });
        // The next job does not wait for the server's disk.
        shared.sending.fetch_add(1, Ordering::SeqCst);
        let shared = Arc::clone(shared);
        let event = self.ready.event.clone();
        handle.spawn(async move {
            // What comes after the event is over would stay at the server.
            publish_first(&bus, &subject, result.to_bytes(), Some(&event)).await;
            let _again_where_it_fails = tokio::time::timeout(ACK_WAIT, message.double_ack()).await;
            shared.sending.fetch_sub(1, Ordering::SeqCst);
        });
    }
}
