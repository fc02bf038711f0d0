//! The lines of a text engine, in any protocol of [`tengen_gomocup`].

use std::sync::Arc;
use std::time::Duration;

use tengen_arbiter::{Limits, SearchInfo};
use tengen_gomocup::{
    About, AskResult, DialogueKind, DialogueQuestion, LineBuffer, LogKind, OFF_BOARD, Response,
    SearchReport, TextDialogue,
};
use tengen_packages::{EngineSpec, RestartPolicy};
use tengen_players::{Reply, SearchProgress};
use tengen_rules::{Answer, Ask, Move};

use super::dialects::Dialects;
use super::record_lines::RecordLines;
use super::{MessageTarget, Protocol, ProtocolError};
use crate::engine_log::EngineLog;
use crate::{HostSettings, LogTap};

/// The longest line that is read; of a longer one the rest is dropped.
const MAX_LINE: usize = 16 << 10;
/// How much is read at a time.
const CHUNK: usize = 16 << 10;
/// How much is shown of a line that has no end.
const UNFINISHED: usize = 200;

/// The arbiter's side of a conversation in lines.
pub(crate) struct TextProtocol {
    pub kind: &'static DialogueKind,
    pub dialogue: Box<dyn TextDialogue>,
    /// What the engine said that the game record is to have.
    pub record_lines: RecordLines,
    /// How long the engine took to get ready for its first game.
    pub ready_time: Duration,
    about: Option<About>,
    lines: LineBuffer,
    chunk: Vec<u8>,
    message_bytes: u64,
    tap: Option<Arc<dyn LogTap>>,
    spec: EngineSpec,
    dialects: Dialects,
}

/// What a text engine said that is no line for the log.
#[derive(Debug)]
pub(crate) enum TextEvent {
    Ready,
    StartAgain,
    Answer(Answer),
    /// It has told its name, where that was waited for.
    Introduced,
}

impl TextProtocol {
    pub(crate) fn new(spec: EngineSpec, settings: &HostSettings) -> TextProtocol {
        let (dialects, tap) = (settings.dialects.clone(), settings.tap.clone());
        let kind = DialogueKind::of(spec.kind.name()).expect("a protocol of text engines");
        let mut dialogue = (kind.open)(dialects.of(&spec), settings.strict_protocol);
        if settings.restart_of(&spec) == RestartPolicy::Off {
            dialogue.clears_board();
        }
        TextProtocol {
            kind,
            dialogue,
            record_lines: RecordLines::default(),
            ready_time: Duration::ZERO,
            about: None,
            lines: LineBuffer::new(MAX_LINE),
            chunk: vec![0; CHUNK],
            message_bytes: 0,
            tap,
            spec,
            dialects,
        }
    }

    /// Takes over that another process of the engine has not cleared its board since.
    pub(crate) fn heed_others(&mut self) {
        let known = self.dialects.of(&self.spec);
        let own = self.dialogue.dialect().and_then(|own| own.starts_again);
        if own == Some(true) && known.starts_again == Some(false) {
            self.dialogue.needs_new_process();
        }
    }

    pub(crate) fn ask(&mut self, moves: &[Move], ask: Ask, limits: Limits) -> AskResult {
        self.dialogue.ask(&DialogueQuestion { moves, ask, limits })
    }

    /// What the engine has reported of the search behind its answer, and its best line.
    pub(crate) fn reported(&self) -> (Option<SearchInfo>, Vec<Move>) {
        let Some(report) = self.dialogue.report() else { return (None, Vec::new()) };
        let info = Some(report.info).filter(|info| *info != SearchInfo::default());
        let line = self.dialogue.line_of(report).into_iter().take(Reply::MOST_PV);
        (info, line.map(Move::Stone).collect())
    }

    /// How the search stands that the engine reports, its best line as points of the board.
    fn progress(&self, report: &SearchReport) -> SearchProgress {
        let elapsed = report.time_ms.unwrap_or(0).saturating_mul(1_000_000);
        let pv = self.dialogue.line_of(report).into_iter().map(Move::Stone).collect();
        SearchProgress { line: 0, info: report.info, elapsed, pv }
    }

    /// What the engine says of itself.
    pub(crate) fn about(&self) -> Option<&About> {
        self.about.as_ref()
    }
}

impl Protocol for TextProtocol {
    const RUNS_PROGRAM: bool = true;

    type Event = TextEvent;

    fn restart(&mut self) {
        self.dialogue.started_again();
        self.lines = LineBuffer::new(MAX_LINE);
        self.message_bytes = 0;
    }

    fn read_buffer(&mut self) -> &mut [u8] {
        &mut self.chunk
    }

    fn received(&mut self, count: usize) {
        self.lines.push(&self.chunk[..count]);
        self.message_bytes += count as u64;
    }

    fn next_event(
        &mut self,
        target: &MessageTarget<'_>,
    ) -> Result<Option<TextEvent>, ProtocolError> {
        while let Some(line) = self.lines.pop() {
            if let Some(tap) = &self.tap {
                tap.received(line);
            }
            match self.dialogue.receive(line) {
                Response::Ready => return Ok(Some(TextEvent::Ready)),
                Response::StartAgain => {
                    let text = String::from_utf8_lossy(line);
                    write_line(target.log, LogKind::Unexpected, &text);
                    self.record_lines.add(LogKind::Unexpected, &text);
                    return Ok(Some(TextEvent::StartAgain));
                }
                Response::Answer(answer) => {
                    // The arbiter refuses it, and does not know what it was.
                    let is_off = match &answer {
                        Answer::Move(Move::Stone(point)) => *point == OFF_BOARD,
                        Answer::Place(points) | Answer::Offer(points) => {
                            points.contains(&OFF_BOARD)
                        }
                        _ => false,
                    };
                    if is_off {
                        self.record_lines.add_answer(&String::from_utf8_lossy(line));
                    }
                    if let Some(remark) = self.dialogue.take_remark() {
                        target.log.write_line(remark.as_bytes());
                        let line = format!("behind its move: {remark}");
                        self.record_lines.add(LogKind::Unexpected, &line);
                    }
                    return Ok(Some(TextEvent::Answer(answer)));
                }
                Response::Introduced(about) => {
                    self.about = Some(about);
                    return Ok(Some(TextEvent::Ready));
                }
                Response::About(about) => {
                    self.about = Some(about);
                    if self.kind.untold_boards.is_some() {
                        return Ok(Some(TextEvent::Introduced));
                    }
                }
                Response::Fault(fault) => return Err(ProtocolError::Invalid(fault.to_string())),
                Response::Log { kind, text, report } => {
                    write_line(target.log, kind, &text);
                    self.record_lines.add(kind, &text);
                    if let (Some(listener), Some(report)) = (target.listener, report) {
                        listener.progress(self.progress(&report));
                    }
                }
                Response::Ignored => {}
            }
        }
        Ok(None)
    }

    fn is_in_doubt(&mut self) -> bool {
        self.dialogue.doubts_board()
    }

    fn event_of_silence(&mut self) -> Option<TextEvent> {
        if !self.dialogue.doubts_board() {
            return None;
        }
        self.dialogue.needs_new_process();
        Some(TextEvent::StartAgain)
    }

    fn take_message_bytes(&mut self) -> u64 {
        std::mem::take(&mut self.message_bytes)
    }

    fn output(&self) -> &[u8] {
        self.dialogue.output()
    }

    fn output_written(&mut self) {
        if let Some(tap) = &self.tap {
            tap.sent(self.dialogue.output());
        }
        self.dialogue.written(self.dialogue.output().len());
    }

    fn stop(&mut self) {
        if let Some(dialect) = self.dialogue.dialect() {
            self.dialects.learn(&self.spec, dialect);
        }
        self.dialogue.end();
    }

    fn lost(&mut self, log: &EngineLog) {
        if let rest @ [_, ..] = self.lines.rest() {
            let shown = String::from_utf8_lossy(&rest[..rest.len().min(UNFINISHED)]);
            let line = format!("{shown} (without a line end)");
            log.write_line(line.as_bytes());
            self.record_lines.add(LogKind::Unexpected, &line);
        }
        // It is logged once.
        self.lines = LineBuffer::new(MAX_LINE);
    }
}

fn write_line(log: &EngineLog, kind: LogKind, text: &str) {
    let word = match kind {
        LogKind::Message => "MESSAGE ",
        LogKind::Debug => "DEBUG ",
        LogKind::Info => "INFO ",
        LogKind::Other | LogKind::Unexpected => "",
    };
    log.write_line(format!("{word}{text}").as_bytes());
}
