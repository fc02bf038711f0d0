//! What is sent: questions, boards and what is true of the game.

use tengen_arbiter::Limits;
use tengen_rules::{Color, Move, Point};

use super::board::BoardUpdate;
use super::question::{PendingQuestion, QuestionKind};
use super::{ExpectedReply, GomocupDialogue};
use crate::line_end::write_line;
use crate::{Coords, Info, ManagerCommand, StoneField, Swap2Lines, TextDialogue};

impl GomocupDialogue {
    pub(super) fn send_question(
        &mut self,
        moves: &[Move],
        question_kind: QuestionKind,
        limits: &Limits,
    ) {
        self.inform(limits);
        self.expected = ExpectedReply::Answer(question_kind);
        (self.repeat, self.has_erred) = (None, false);
        if question_kind != QuestionKind::Move {
            (self.swap2, self.swap2_limits) = (moves.to_vec(), *limits);
            self.swap2_board(moves);
            return;
        }
        self.repeat = self.answered.take().filter(|answered| {
            moves.len() >= 2 && moves[moves.len() - 2] == Move::Stone(*answered)
        });
        let own = Color::of_ply(moves.len());
        let is_whole = self.terms.as_ref().is_some_and(|terms| terms.send_board);
        let update_to = match self.board.update_to(moves, own) {
            BoardUpdate::Turn(_) if is_whole => BoardUpdate::Board,
            cheapest => cheapest,
        };
        match update_to {
            BoardUpdate::Begin => self.write(&ManagerCommand::Begin),
            BoardUpdate::Turn(point) => {
                let coords = self.coords(point);
                self.write(&ManagerCommand::Turn(coords));
            }
            BoardUpdate::Board => self.whole_board(moves, own),
            BoardUpdate::Clear => {
                self.pending =
                    Some(PendingQuestion { moves: moves.to_vec(), question_kind, limits: *limits });
                self.expected = ExpectedReply::Clear;
                // The brain may then forget what it was sent.
                self.write_start();
                self.terms_sent = false;
                return;
            }
        }
        self.board.set(moves, own);
    }

    /// Sends by INFO what has changed. Nothing is read meanwhile: INFO has no answer.
    fn inform(&mut self, limits: &Limits) {
        self.send_terms();
        let (out, line_end) = (&mut self.out, self.line_end);
        let send = |info: Info<'_>| write_line(out, line_end, &ManagerCommand::Info(info));
        self.optional += self.sent_info.limits(limits, send);
    }

    pub(super) fn whole_board(&mut self, moves: &[Move], own: Color) {
        self.write(&ManagerCommand::Board);
        for (ply, mv) in moves.iter().enumerate() {
            if let Move::Stone(point) = mv {
                let coords = self.coords(*point);
                self.write(&ManagerCommand::Stone(coords, owner(ply, own)));
            }
        }
        self.write(&ManagerCommand::Done);
    }

    fn swap2_board(&mut self, moves: &[Move]) {
        self.write(&ManagerCommand::Swap2Board);
        let own = Color::of_ply(moves.len());
        for (ply, mv) in moves.iter().enumerate() {
            let Some(point) = mv.point() else { continue };
            let coords = self.coords(point);
            self.write(&match self.dialect.swap2 {
                Some(Swap2Lines::Owners) => ManagerCommand::Stone(coords, owner(ply, own)),
                Some(Swap2Lines::Points) | None => ManagerCommand::Point(coords),
            });
        }
        self.write(&ManagerCommand::Done);
        // Some brains keep these stones and some do not; the next question brings BOARD.
        self.board.forget();
    }

    pub(super) fn coords(&self, point: Point) -> Coords {
        let size = self.terms.as_ref().map(|terms| terms.size).expect("a game has begun");
        Coords::of(point, size)
    }

    pub(super) fn write(&mut self, command: &ManagerCommand<'_>) {
        write_line(&mut self.out, self.line_end, command);
    }
}

/// The owner of the stone of that ply, for a brain of this colour.
fn owner(ply: usize, own: Color) -> StoneField {
    if Color::of_ply(ply) == own { StoneField::Own } else { StoneField::Opponent }
}
