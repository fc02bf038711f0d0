use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use tengen_rules::{Ask, Color, Size, Zone};

use super::block::{Block, BlockKind};
use super::stones::{Owner, Stones};
use super::{Brain, Busy, Demand, Task};
use crate::{Command, CommandError, Coords, Info, Reply, rule_mask};

const NO_GAME: &str = "no game has been started";

impl Brain {
    /// Whether the line says to end or to stop, which a thinking engine is told at once.
    pub(super) fn interrupts(&mut self, line: &[u8]) -> bool {
        match Command::parse(line) {
            Ok(Command::End) => {
                self.urgent = Some(Demand::End);
                self.busy = Busy::Ended;
                self.queue.clear();
                true
            }
            Ok(Command::YxStop) => {
                let thinks = matches!(self.busy, Busy::Thinking(_) | Busy::Deciding(_));
                if thinks && self.urgent.is_none() {
                    self.urgent = Some(Demand::Stop);
                }
                // Before the engine thinks, a question may wait that this is about.
                thinks || self.busy == Busy::Ended
            }
            _ => self.busy == Busy::Ended,
        }
    }

    /// Acts on a line.
    pub(super) fn obey(&mut self, line: &[u8]) -> Option<Demand> {
        let command = match Command::parse(line) {
            Ok(command) => command,
            Err(error) => {
                self.misread(&error);
                return None;
            }
        };
        if let Some(block) = self.block.take() {
            return match command {
                Command::Stone(coords, field) => self.go_on(block, coords, Some(field)),
                Command::Point(coords) => self.go_on(block, coords, None),
                Command::Done => self.done(block),
                other => {
                    self.say(&Reply::Error("a block without DONE".into()));
                    self.command(&other)
                }
            };
        }
        self.command(&command)
    }

    fn misread(&mut self, error: &CommandError) {
        match (&mut self.block, error) {
            (Some(block), _) => block.fail(error.to_string()),
            (None, CommandError::Unknown(text)) if text.is_empty() => {}
            (None, CommandError::Unknown(_)) => {
                self.say(&Reply::Unknown(error.to_string().into()));
            }
            (None, CommandError::Malformed { .. }) => {
                self.say(&Reply::Error(error.to_string().into()));
            }
        }
    }

    fn command(&mut self, command: &Command<'_>) -> Option<Demand> {
        match command {
            Command::Start(side) => self.start(*side, *side),
            Command::RectStart { width, height } => self.start(*width, *height),
            Command::Restart => {
                let size = self.game()?;
                self.new_game(size)
            }
            Command::Begin => self.begin(),
            Command::Turn(coords) => self.turn(*coords),
            Command::Board => self.open(BlockKind::Board),
            Command::YxBoard => self.open(BlockKind::YxBoard),
            Command::Swap2Board => self.open(BlockKind::Swap2),
            Command::Info(info) => self.inform(info),
            Command::TakeBack(coords) => self.take_back(*coords),
            Command::Play(coords) => self.play(*coords),
            Command::About => {
                let about = self.about.to_string();
                self.say(&Reply::Text(about.into()));
                None
            }
            Command::End => {
                self.busy = Busy::Ended;
                self.queue.clear();
                Some(Demand::End)
            }
            Command::YxShowForbid => self.show_forbidden(),
            // Nothing is being thought about.
            Command::YxStop => None,
            Command::Stone(..) | Command::Point(_) | Command::Done => {
                self.error(&format!("{command} outside a block"))
            }
        }
    }

    fn error(&mut self, text: &str) -> Option<Demand> {
        self.say(&Reply::Error(text.into()));
        None
    }

    /// The board's size, if a game has begun; ERROR has been said if not.
    fn game(&mut self) -> Option<Size> {
        if self.size.is_none() {
            self.error(NO_GAME);
        }
        self.size
    }

    fn start(&mut self, width: u32, height: u32) -> Option<Demand> {
        let side = |side: u32| u8::try_from(side).unwrap_or(u8::MAX);
        match Size::new(side(width), side(height)) {
            Ok(size) => self.new_game(size),
            Err(_) => {
                let (min, max) = (Size::MIN, Size::MAX);
                self.error(&format!("unsupported size: each side is {min} to {max}"))
            }
        }
    }

    fn new_game(&mut self, size: Size) -> Option<Demand> {
        self.block = None;
        self.busy = Busy::Starting(size);
        Some(Demand::NewGame { size })
    }

    fn begin(&mut self) -> Option<Demand> {
        self.game()?;
        if !self.stones.is_empty() {
            return self.error("the board is not empty");
        }
        self.think(Ask::Move { zone: Zone::Anywhere })
    }

    fn turn(&mut self, coords: Coords) -> Option<Demand> {
        let size = self.game()?;
        let Some(point) = coords.on(size) else {
            return self.error(&format!("{coords} is not on the board"));
        };
        if self.stones.has(point) {
            return self.error(&format!("{coords} is occupied"));
        }
        self.stones.push(point, Owner::Opponent);
        self.think(Ask::Move { zone: Zone::Anywhere })
    }

    fn open(&mut self, kind: BlockKind) -> Option<Demand> {
        self.block = Some(Block::new(kind));
        None
    }

    fn go_on(
        &mut self,
        mut block: Block,
        coords: Coords,
        field: Option<crate::Field>,
    ) -> Option<Demand> {
        match self.size {
            Some(size) => block.take(coords, field, size),
            None => block.fail(NO_GAME.to_string()),
        }
        self.block = Some(block);
        None
    }

    fn done(&mut self, block: Block) -> Option<Demand> {
        self.game()?;
        if let Some(fault) = block.fault {
            return self.error(&fault);
        }
        match block.kind {
            BlockKind::Board => {
                self.stones = block.stones;
                self.think(Ask::Move { zone: Zone::Anywhere })
            }
            BlockKind::YxBoard => {
                self.stones = block.stones;
                None
            }
            BlockKind::Swap2 => {
                let ask = match block.points.len() {
                    0 => Ask::Place { count: 3, zone: Zone::Anywhere, canonical: false },
                    3 => Ask::ChooseOrPlace { count: 2 },
                    5 => Ask::Choose,
                    count => return self.error(&format!("swap2 asks nothing of {count} stones")),
                };
                self.stones = Stones::default();
                // White, who is to move, and so the brain for as long as it has not decided.
                self.stones.take_color(&block.points, Color::of_ply(block.points.len()));
                self.think(ask)
            }
        }
    }

    fn think(&mut self, ask: Ask) -> Option<Demand> {
        let size = self.game()?;
        let rule = match self.rule {
            Ok(rule) => rule,
            Err(mask) => return self.refuse_rule(mask),
        };
        let Ok(moves) = self.stones.moves() else {
            return self.error("with these stones it is not the brain's turn");
        };
        if moves.len() + self.stones.barred().len() >= size.area() {
            return self.error("the board is full");
        }
        let task = Box::new(Task {
            rule,
            size,
            moves,
            barred: self.stones.barred().to_vec(),
            ask,
            limits: self.allowance.limits(),
            allowance: self.allowance.clone(),
        });
        self.busy = Busy::Thinking(task.clone());
        self.hear_stops();
        Some(Demand::Think(task))
    }

    /// Stops a question right away behind which YXSTOP waits already.
    fn hear_stops(&mut self) {
        let is_stop = |line: &Vec<u8>| matches!(Command::parse(line), Ok(Command::YxStop));
        if let Some(place) = self.queue.iter().position(is_stop) {
            self.queue.remove(place);
            self.urgent = Some(Demand::Stop);
        }
    }

    fn inform(&mut self, info: &Info<'_>) -> Option<Demand> {
        if let Info::Rule(mask) = info {
            self.rule = rule_mask::rule(*mask).ok_or(*mask);
            if self.rule.is_err() {
                return self.refuse_rule(*mask);
            }
        }
        self.allowance.take(info);
        None
    }

    fn refuse_rule(&mut self, mask: i64) -> Option<Demand> {
        let known = "expected 0 freestyle, 1 standard, 4 renju or 8 caro";
        self.error(&format!("rule {mask} is not played here: {known}"))
    }

    fn take_back(&mut self, coords: Coords) -> Option<Demand> {
        let size = self.game()?;
        if coords.on(size).is_some_and(|point| self.stones.remove(point)) {
            self.say(&Reply::Ok);
            return None;
        }
        self.error(&format!("no stone on {coords}"))
    }

    /// The manager decides the brain's move.
    fn play(&mut self, coords: Coords) -> Option<Demand> {
        let size = self.game()?;
        match coords.on(size).filter(|point| !self.stones.has(*point)) {
            Some(point) => {
                self.stones.push(point, Owner::Own);
                self.say(&Reply::Point(coords));
                None
            }
            None => self.error(&format!("no stone can be laid on {coords}")),
        }
    }

    fn show_forbidden(&mut self) -> Option<Demand> {
        let size = self.game()?;
        let is_renju = self.rule == Ok(tengen_rules::Rule::Renju);
        let points = if is_renju { self.stones.forbidden(size) } else { [].into() };
        let points = points.into_iter().map(|point| Coords::of(point, size)).collect();
        self.say(&Reply::Forbid(points));
        None
    }
}
