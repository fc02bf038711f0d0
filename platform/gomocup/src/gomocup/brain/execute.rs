//! What a brain does at each command.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use tengen_rules::{Ask, Color, Rule, Size, Zone};

use super::block::{Block, BlockKind};
use super::stones::{Owner, Stones};
use super::{Brain, BrainState, Instruction, SearchTask};
use crate::gomocup::rule_mask;
use crate::{BrainReply, Coords, Info, ManagerCommand, ParseCommandError};

const NO_GAME: &str = "no game has been started";

impl Brain {
    /// Whether the line is END or YXSTOP, which a thinking engine gets at once.
    pub(super) fn interrupts(&mut self, line: &[u8]) -> bool {
        match ManagerCommand::parse(line) {
            Ok(ManagerCommand::End) => {
                self.urgent = Some(Instruction::End);
                self.state = BrainState::Ended;
                self.queue.clear();
                true
            }
            Ok(ManagerCommand::YxStop) => {
                let thinks =
                    matches!(self.state, BrainState::Thinking(_) | BrainState::Deciding(_));
                if thinks && self.urgent.is_none() {
                    self.urgent = Some(Instruction::Stop);
                }
                // Before the engine thinks, a question may wait that this is about.
                thinks || self.state == BrainState::Ended
            }
            _ => self.state == BrainState::Ended,
        }
    }

    pub(super) fn execute(&mut self, line: &[u8]) -> Option<Instruction> {
        let command = match ManagerCommand::parse(line) {
            Ok(command) => command,
            Err(error) => {
                self.reply_to_parse_error(&error);
                return None;
            }
        };
        if let Some(block) = self.block.take() {
            return match command {
                ManagerCommand::Stone(coords, field) => self.go_on(block, coords, Some(field)),
                ManagerCommand::Point(coords) => self.go_on(block, coords, None),
                ManagerCommand::Done => self.done(block),
                other => {
                    self.write(&BrainReply::Error("a block without DONE".into()));
                    self.command(&other)
                }
            };
        }
        self.command(&command)
    }

    fn reply_to_parse_error(&mut self, error: &ParseCommandError) {
        match (&mut self.block, error) {
            (Some(block), _) => block.fail(error.to_string()),
            (None, ParseCommandError::Unknown(text)) if text.is_empty() => {}
            (None, ParseCommandError::Unknown(_)) => {
                self.write(&BrainReply::Unknown(error.to_string().into()));
            }
            (None, ParseCommandError::Malformed { .. }) => {
                self.write(&BrainReply::Error(error.to_string().into()));
            }
        }
    }

    fn command(&mut self, command: &ManagerCommand<'_>) -> Option<Instruction> {
        match command {
            ManagerCommand::Start(side) => self.start(*side, *side),
            ManagerCommand::RectStart { width, height } => self.start(*width, *height),
            ManagerCommand::Restart => {
                let size = self.game()?;
                self.new_game(size)
            }
            ManagerCommand::Begin => self.begin(),
            ManagerCommand::Turn(coords) => self.turn(*coords),
            ManagerCommand::Board => self.open(BlockKind::Board),
            ManagerCommand::YxBoard => self.open(BlockKind::YxBoard),
            ManagerCommand::Swap2Board => self.open(BlockKind::Swap2),
            ManagerCommand::Info(info) => self.inform(info),
            ManagerCommand::TakeBack(coords) => self.take_back(*coords),
            ManagerCommand::Play(coords) => self.play(*coords),
            ManagerCommand::About => {
                let about = self.about.to_string();
                self.write(&BrainReply::Text(about.into()));
                None
            }
            ManagerCommand::End => {
                self.state = BrainState::Ended;
                self.queue.clear();
                Some(Instruction::End)
            }
            ManagerCommand::YxShowForbid => self.show_forbidden(),
            // Nothing is being thought about.
            ManagerCommand::YxStop => None,
            ManagerCommand::Stone(..) | ManagerCommand::Point(_) | ManagerCommand::Done => {
                self.error(&format!("{command} outside a block"))
            }
        }
    }

    fn error(&mut self, text: &str) -> Option<Instruction> {
        self.write(&BrainReply::Error(text.into()));
        None
    }

    /// The board's size, if a game has begun; ERROR was sent if not.
    fn game(&mut self) -> Option<Size> {
        if self.size.is_none() {
            self.error(NO_GAME);
        }
        self.size
    }

    fn start(&mut self, width: u32, height: u32) -> Option<Instruction> {
        let side = |side: u32| u8::try_from(side).unwrap_or(u8::MAX);
        match Size::new(side(width), side(height)) {
            Ok(size) => self.new_game(size),
            Err(_) => {
                let (min, max) = (Size::MIN, Size::MAX);
                self.error(&format!("unsupported size: each side is {min} to {max}"))
            }
        }
    }

    fn new_game(&mut self, size: Size) -> Option<Instruction> {
        self.block = None;
        self.state = BrainState::Starting(size);
        Some(Instruction::NewGame { size })
    }

    fn begin(&mut self) -> Option<Instruction> {
        self.game()?;
        if !self.stones.is_empty() {
            return self.error("the board is not empty");
        }
        self.think(Ask::Move { zone: Zone::Anywhere })
    }

    fn turn(&mut self, coords: Coords) -> Option<Instruction> {
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

    fn open(&mut self, kind: BlockKind) -> Option<Instruction> {
        self.block = Some(Block::new(kind));
        None
    }

    fn go_on(
        &mut self,
        mut block: Block,
        coords: Coords,
        field: Option<crate::StoneField>,
    ) -> Option<Instruction> {
        match self.size {
            Some(size) => block.take(coords, field, size),
            None => block.fail(NO_GAME.to_string()),
        }
        self.block = Some(block);
        None
    }

    fn done(&mut self, block: Block) -> Option<Instruction> {
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
                // White is to move, and so is the brain until it has decided.
                self.stones.take_color(&block.points, Color::of_ply(block.points.len()));
                self.think(ask)
            }
        }
    }

    fn think(&mut self, ask: Ask) -> Option<Instruction> {
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
        let task = Box::new(SearchTask {
            rule,
            size,
            moves,
            barred: self.stones.barred().to_vec(),
            ask,
            limits: self.allowance.limits(),
            allowance: self.allowance.clone(),
        });
        self.state = BrainState::Thinking(task.clone());
        self.take_waiting_stop();
        Some(Instruction::Think(task))
    }

    /// Stops a question right away behind which YXSTOP waits already.
    fn take_waiting_stop(&mut self) {
        let is_stop =
            |line: &Vec<u8>| matches!(ManagerCommand::parse(line), Ok(ManagerCommand::YxStop));
        if let Some(place) = self.queue.iter().position(is_stop) {
            self.queue.remove(place);
            self.urgent = Some(Instruction::Stop);
        }
    }

    fn inform(&mut self, info: &Info<'_>) -> Option<Instruction> {
        if let Info::Rule(mask) = info {
            self.rule = rule_mask::rule(*mask).ok_or(*mask);
            if self.rule.is_err() {
                return self.refuse_rule(*mask);
            }
        }
        self.allowance.take(info);
        None
    }

    fn refuse_rule(&mut self, mask: i64) -> Option<Instruction> {
        let [others @ .., last] = Rule::ALL.map(|rule| format!("{} {rule}", rule_mask::of(rule)));
        let others = others.join(", ");
        self.error(&format!("rule {mask} is not played here: expected {others} or {last}"))
    }

    fn take_back(&mut self, coords: Coords) -> Option<Instruction> {
        let size = self.game()?;
        if coords.on(size).is_some_and(|point| self.stones.remove(point)) {
            self.write(&BrainReply::Ok);
            return None;
        }
        self.error(&format!("no stone on {coords}"))
    }

    /// The manager decides the brain's move.
    fn play(&mut self, coords: Coords) -> Option<Instruction> {
        let size = self.game()?;
        match coords.on(size).filter(|point| !self.stones.has(*point)) {
            Some(point) => {
                self.stones.push(point, Owner::Own);
                self.write(&BrainReply::Point(coords));
                None
            }
            None => self.error(&format!("no stone can be laid on {coords}")),
        }
    }

    fn show_forbidden(&mut self) -> Option<Instruction> {
        let size = self.game()?;
        let has_fouls = self.rule.is_ok_and(|rule| rule.has_fouls(Color::Black));
        let points = if has_fouls { self.stones.forbidden(size) } else { [].into() };
        let points = points.into_iter().map(|point| Coords::of(point, size)).collect();
        self.write(&BrainReply::Forbid(points));
        None
    }
}
