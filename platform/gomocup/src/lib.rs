//! The text protocols that five-in-a-row engines speak over their standard input and output,
//! without I/O: lines in, lines out. No process, no pipe, no clock.
//!
//! [`TextDialogue`] is what the arbiter needs of a protocol, and [`DialogueKind::ALL`] lists them:
//! [`GomocupDialogue`] is the manager's side of one Gomocup brain, and [`sau`] has the protocol of
//! the Chinese university contest. [`Brain`] is the brain's side of any Gomocup manager.
//! [`LineBuffer`] cuts what pipes deliver into lines, [`ManagerCommand`] and [`BrainReply`] are the
//! lines as types.
//!
//! # The Gomocup protocol as it is used here
//!
//! The protocol itself: <https://plastovicka.github.io/protocl2en.htm>.
//!
//! Lines of text. The manager ends its lines with CR LF (or LF, if asked to); lines that are read
//! may end with LF, CR LF or CR, and empty ones are ignored. Words are read in either case and
//! written in capitals, keys of INFO in small letters. A point is `X,Y`, column and row from 0 with
//! the origin at the top left. Text is UTF-8; bytes that are not are shown as U+FFFD.
//!
//! | manager | brain | |
//! |---|---|---|
//! | `START n` | `OK`, or `ERROR` and why not | a new game on n×n |
//! | `RECTSTART w,h` | the same | where the sides differ |
//! | `RESTART` | `OK`, or `UNKNOWN` | a new game; answered here, never sent: START does the same |
//! | `INFO key value` | nothing | see [`Info`] |
//! | `BEGIN` | `x,y` | the first move |
//! | `TURN x,y` | `x,y` | the opponent's move |
//! | `BOARD`, lines `x,y,f`, `DONE` | `x,y` | the position: f is 1 own, 2 opponent's, 3 barred |
//! | `SWAP2BOARD`, lines `x,y`, `DONE` | three points, `SWAP`, two points, or one | see below |
//! | `TAKEBACK x,y` | `OK` | answered here, never sent: BOARD does the same for every brain |
//! | `PLAY x,y` | `x,y` | the answer to `SUGGEST x,y` |
//! | `ABOUT` | [`About`], a free text, or nothing | |
//! | `END` | nothing | |
//! | `YXBOARD` … `DONE` | nothing | BOARD without a move (Yixin) |
//! | `YXSHOWFORBID` | `FORBID xxyyxxyy.` | the points forbidden to Black (Yixin) |
//! | `YXSTOP` | the move | at once (Yixin) |
//!
//! A brain may send `MESSAGE text`, `DEBUG text` and `INFO text` at any time; [`SearchReport`]
//! reads what they report of a search. `UNKNOWN` and `ERROR` answer a command.
//!
//! **Which line brings a brain to the position.** BEGIN where both boards are empty, TURN where the
//! brain lacks only the opponent's last stone, BOARD in playing order otherwise: after an opening,
//! a swap, moves taken back, a move played in the brain's place, and whenever it is not certain
//! what the brain's board holds. To empty a board that has stones, START and BEGIN.
//!
//! **INFO.** All values are sent with the first question of a game, `time_left` with every
//! question, and the others when they change. Yixin's keys are sent only if the event asks for
//! them, and a brain need not know them.
//!
//! **Swap2.** On an empty board SWAP2BOARD asks for three stones. After three stones `SWAP` takes
//! Black, one move stays White and is the fourth stone, two moves leave the choice of colours to
//! the opponent. After five stones `SWAP` takes Black, and one move stays White and is the sixth.
//! It is not known what a brain keeps on its board of all this, so BOARD follows. The lines are
//! `x,y`, as in the protocol's description and from Gomocup's judge. A brain that answers them with
//! something impossible is asked again with `x,y,f`, and gets that form from then on
//! ([`Swap2Lines`]).
//!
//! **What is an answer.** A point; a point with text behind it, the way Piskvork reads it. Whether
//! a move is legal is not judged here: a point off the board becomes [`OFF_BOARD`], and the arbiter
//! refuses it. A line that repeats the brain's last move counts as that answer, sent twice.
//!
//! **What is a fault.** ERROR or UNKNOWN to START. In place of an answer, ERROR, UNKNOWN and lines
//! of no known form are [noted](LogKind::Unexpected), as is an answer to no question, and the
//! answer is still waited for, as c-gomoku-cli and Gomocup's judge do. Piskvork does not wait, and
//! a caller can [ask for that](GomocupDialogue::strict): then each is a [`BrainFault`]. Such lines
//! while nothing is asked are banners, and logged.
//!
//! Both sides together:
//! ```
//! use tengen_arbiter::Limits;
//! use tengen_gomocup::*;
//! use tengen_rules::{Answer, Ask, Move, Rule, Size, Zone};
//!
//! let mut manager = GomocupDialogue::new(LineEnd::CrLf);
//! let mut brain = Brain::new(About::default());
//! let mut pipe = LineBuffer::new(1000);
//! let send = |manager: &mut GomocupDialogue, brain: &mut Brain, pipe: &mut LineBuffer| {
//!     pipe.push(manager.output());
//!     manager.written(manager.output().len());
//!     while let Some(line) = pipe.pop() {
//!         brain.receive(line);
//!     }
//!     brain.poll()
//! };
//!
//! manager.new_game(&GameTerms::new(Rule::Renju, Size::STANDARD));
//! let demand = send(&mut manager, &mut brain, &mut pipe);
//! assert_eq!(demand, Some(Instruction::NewGame { size: Size::STANDARD }));
//! brain.ready();
//! assert_eq!(manager.receive(b"OK"), Response::Ready);
//!
//! let moves = ["h8", "h9", "j10"].map(|point| Move::Stone(point.parse().unwrap()));
//! let ask = Ask::Move { zone: Zone::Anywhere };
//! manager.ask(&DialogueQuestion { moves: &moves, ask, limits: Limits::default() });
//! let instruction = send(&mut manager, &mut brain, &mut pipe);
//! let Some(Instruction::Think(task)) = instruction else { panic!() };
//! assert_eq!(task.moves, ["h8", "h9", "j10"].map(|point| point.parse().unwrap()));
//! assert_eq!(task.rule, Rule::Renju);
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod about;
mod coords;
mod dialogue;
mod gomocup;
mod line_buffer;
mod line_end;
mod report;
pub mod sau;
mod scan;
mod terms;

pub use about::About;
pub use coords::{Coords, OFF_BOARD};
pub use dialogue::{
    AskResult, BrainFault, Dialect, DialogueKind, DialogueQuestion, LogKind, NewGameResult,
    Response, Swap2Lines, TextDialogue,
};
pub use gomocup::{
    Allowance, Brain, BrainReply, GomocupDialogue, Info, Instruction, ManagerCommand,
    ParseCommandError, SearchTask, StoneField, UNLIMITED, UnsupportedAnswer, rule_mask,
};
pub use line_buffer::LineBuffer;
pub use line_end::LineEnd;
pub use report::{PvMove, Rows, SearchReport};
pub use terms::{GameTerms, GameType};
