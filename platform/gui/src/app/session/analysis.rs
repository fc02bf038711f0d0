//! An analysis: the user tries variations on a tree while an engine thinks about the position
//! shown. The original game does not change.

mod command;
mod full_analysis;
mod saving;
mod worker;

use std::collections::HashMap;
use std::sync::Arc;

use tengen_arbiter::GameResult;
use tengen_lineup::EngineProvider;
use tengen_players::Time;
use tengen_record::SearchInfo;
use tengen_record::formats::{Node, NodeId, ScoreSheet, Tree};
use tengen_rules::{Color, Move, Point, Position, Seat};

use super::EngineOutput;
use crate::app::model::{BoardQuestion, MoveRow, OpenQuestion, SavedState, Snapshot};
use full_analysis::FullAnalysis;
use worker::AnalysisWorker;

pub use command::AnalysisCommand;
pub use worker::{AnalysisPosition, AnalysisStatus};

/// A tree of variations and the engine that analyses it.
pub struct AnalysisSession {
    /// The game and its variations, as they are saved.
    sheet: Arc<ScoreSheet>,
    /// The stones set up before the first move. They have no nodes.
    set_up: Vec<MoveRow>,
    /// The line shown, from the first move to its end.
    line: Vec<NodeId>,
    /// The moves of the original game, with times and evaluations.
    played: HashMap<NodeId, MoveRow>,
    /// The last engine evaluation of each analysed position, for the side that just moved.
    evaluations: HashMap<NodeId, SearchInfo>,
    snapshot: Arc<Snapshot>,
    worker: AnalysisWorker,
    full_analysis: Option<FullAnalysis>,
    time: Arc<dyn Time + Send + Sync>,
    /// How the game ended.
    result: Option<GameResult>,
    /// Which changes are saved.
    pub saved: SavedState,
}

impl AnalysisSession {
    /// The most lines an engine is asked for.
    pub const MOST_LINES: u32 = 8;
    /// The most moves shown of a side line; one more means that it goes on.
    pub const MAX_SIDE_LINE: usize = 6;

    /// An analysis of a game, given as a sheet and as the snapshot of its main line.
    pub(in crate::app) fn new(
        mut sheet: ScoreSheet,
        game: &Snapshot,
        provider: Arc<dyn EngineProvider>,
        time: Arc<dyn Time + Send + Sync>,
    ) -> AnalysisSession {
        sheet.tree = saving::without_empty_nodes(&sheet.tree);
        let line: Vec<NodeId> = sheet.tree.main_line().collect();
        let stones = sheet.set_up.black.len() + sheet.set_up.white.len();
        let (set_up, rows) = game.rows.split_at(stones.min(game.rows.len()));
        let played = line.iter().copied().zip(rows.iter().cloned()).collect();
        let snapshot = Snapshot {
            rule: game.rule,
            opening: game.opening,
            seats: game.seats.clone(),
            rows: Arc::clone(&game.rows),
            fifth_moves: game.fifth_moves,
            answered: game.answered,
            draw_declined: game.draw_declined,
            is_reason_known: game.is_reason_known,
            start_failure: game.start_failure.clone(),
            ..Snapshot::blank(game.size)
        };
        let mut analysis = AnalysisSession {
            sheet: Arc::new(sheet),
            set_up: set_up.to_vec(),
            line,
            played,
            evaluations: HashMap::new(),
            snapshot: Arc::new(snapshot),
            worker: AnalysisWorker::start(provider, Arc::clone(&time)),
            full_analysis: None,
            time,
            result: game.result,
            saved: SavedState::default(),
        };
        analysis.publish();
        analysis
    }

    /// The line shown.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot)
    }

    /// The variations.
    pub fn tree(&self) -> &Tree {
        &self.sheet.tree
    }

    /// What the engine prints.
    pub fn output(&self) -> &Arc<EngineOutput> {
        &self.worker.output
    }

    /// Which engine runs, and its status.
    pub fn status(&self) -> AnalysisStatus {
        self.worker.status()
    }

    /// The possible next moves after so many plies of the line shown, main line first, and whether
    /// each is on the line shown.
    pub fn branches(&self, plies: usize) -> Vec<(Move, bool)> {
        let Some(moves) = plies.checked_sub(self.set_up.len()) else { return Vec::new() };
        let children = self.tree().children(self.node(plies)).iter();
        let on_line = |id: &NodeId| self.line.get(moves) == Some(id);
        let played = |id: &NodeId| self.tree().node(*id).played.map(|(_, mv)| (mv, on_line(id)));
        children.filter_map(played).collect()
    }

    /// The side lines after so many plies of the line shown: their index among the branches there,
    /// and their first moves.
    pub fn side_lines(&self, plies: usize) -> Vec<(usize, Vec<Move>)> {
        let Some(moves) = plies.checked_sub(self.set_up.len()) else { return Vec::new() };
        let children = self.tree().children(self.node(plies)).iter().enumerate();
        let off_line = children.filter(|(_, id)| self.line.get(moves) != Some(id));
        off_line.map(|(index, id)| (index, self.continuation(*id).collect())).collect()
    }

    /// The moves from a node on, along the first children.
    fn continuation(&self, node: NodeId) -> impl Iterator<Item = Move> {
        let next = |id: &NodeId| self.tree().children(*id).first().copied();
        let nodes = std::iter::successors(Some(node), next);
        nodes
            .filter_map(|id| self.tree().node(id).played.map(|(_, mv)| mv))
            .take(AnalysisSession::MAX_SIDE_LINE + 1)
    }

    /// The comment on the position after so many plies.
    pub fn comment(&self, plies: usize) -> &str {
        &self.tree().node(self.node(plies)).comment
    }

    /// Whether a ply of the line shown has a comment beside the search info of a player.
    pub fn is_remarked(&self, ply: usize) -> bool {
        let node = self.tree().node(self.node(ply));
        let reported = usize::from(node.search().is_some());
        node.comment.lines().count() > reported
    }

    /// Whether a ply of the line shown is part of the main line.
    pub fn is_main(&self, ply: usize) -> bool {
        let first = |(index, id): (usize, &NodeId)| {
            let before = index.checked_sub(1).map_or(self.tree().root(), |index| self.line[index]);
            self.tree().children(before).first() == Some(id)
        };
        let moves = ply.saturating_sub(self.set_up.len());
        self.line.iter().take(moves).enumerate().all(first)
    }

    /// The question that a click on the board answers: any stone. None after the end of a game.
    pub fn question(snapshot: &Snapshot, plies: usize) -> Option<BoardQuestion> {
        let (position, is_over) = snapshot.position(plies)?;
        (!is_over).then(|| BoardQuestion::free(position))
    }

    /// Whether variations can start after so many plies: not among the stones set up.
    pub fn is_open(&self, plies: usize) -> bool {
        plies >= self.set_up.len()
    }

    /// Runs a command after so many plies of the line shown. Returns how many plies to show next.
    pub(in crate::app) fn apply(&mut self, command: AnalysisCommand, plies: usize) -> usize {
        let shown = match command {
            AnalysisCommand::Engine(engine) => {
                self.worker.seat(engine);
                plies
            }
            AnalysisCommand::Lines(lines) => {
                self.worker.set_lines(lines.clamp(1, AnalysisSession::MOST_LINES));
                plies
            }
            AnalysisCommand::AnalyseAll => self.toggle_full_analysis(plies),
            command if self.is_open(plies) => self.edit(command, plies),
            _ => plies,
        };
        self.set_position(shown);
        shown
    }

    /// Moves along the tree or changes it.
    fn edit(&mut self, command: AnalysisCommand, plies: usize) -> usize {
        let node = self.node(plies);
        match command {
            AnalysisCommand::Play(point) => return self.play(node, plies, point),
            AnalysisCommand::Branch { after, index } => {
                let after = after.clamp(self.set_up.len(), self.snapshot.rows.len());
                if let Some(child) = self.tree().children(self.node(after)).get(index).copied() {
                    self.show(child);
                    return after + 1;
                }
            }
            AnalysisCommand::Promote => self.promote(plies),
            AnalysisCommand::Delete => return self.delete(plies),
            AnalysisCommand::Comment(text) => self.tree_mut().node_mut(node).comment = text,
            AnalysisCommand::Engine(_)
            | AnalysisCommand::Lines(_)
            | AnalysisCommand::AnalyseAll => {}
        }
        plies
    }

    /// Lets the engine analyse the position after so many plies of the line shown.
    pub(in crate::app) fn set_position(&self, plies: usize) {
        let snapshot = &self.snapshot;
        let open = AnalysisSession::question(snapshot, plies).is_some();
        let moves = snapshot.rows.iter().take(plies).map(|row| row.mv).collect();
        let thought = AnalysisPosition { rule: snapshot.rule, size: snapshot.size, moves };
        self.worker.set_position(open.then_some(thought));
    }

    /// Records the engine's evaluation of the position after so many plies of the line shown.
    pub(in crate::app) fn record(&mut self, plies: usize) {
        let best = self.output().lines(plies).into_iter().next().map(|best| best.info);
        let Some(info) = best.filter(|_| plies > self.set_up.len()) else { return };
        // The engine speaks for the side to move; the row belongs to the side that moved.
        let info = SearchInfo {
            eval: info.eval.map(i32::wrapping_neg),
            win_in: info.win_in.map(i32::wrapping_neg),
            ..info
        };
        let node = self.node(plies);
        // An engine that comes back to a position starts again: the deeper result stays.
        let is_news = |known: &SearchInfo| *known != info && known.depth <= info.depth;
        if self.evaluations.get(&node).is_none_or(is_news) {
            self.evaluations.insert(node, info);
            self.publish();
        }
    }

    fn play(&mut self, node: NodeId, plies: usize, point: Point) -> usize {
        let question = AnalysisSession::question(&self.snapshot, plies);
        if question.is_none_or(|question| question.check(&[], point).is_err())
            || self.tree().len() >= Tree::MOST_NODES
        {
            return plies;
        }
        let mv = Move::Stone(point);
        let is_same =
            |id: &&NodeId| self.tree().node(**id).played.is_some_and(|(_, known)| known == mv);
        let known = self.tree().children(node).iter().find(is_same).copied();
        let child = known
            .unwrap_or_else(|| self.tree_mut().add(node, Node::stone(point, Color::of_ply(plies))));
        self.show(child);
        plies + 1
    }

    /// Makes the line up to the position shown the main line.
    fn promote(&mut self, plies: usize) {
        let path = self.line[..plies - self.set_up.len()].to_vec();
        self.rebuild(|_| true, |id| path.contains(&id));
    }

    /// Deletes the last ply shown and everything after it.
    fn delete(&mut self, plies: usize) -> usize {
        let Some(moves) = (plies - self.set_up.len()).checked_sub(1) else { return plies };
        let gone = self.line[moves];
        self.line.truncate(moves);
        self.rebuild(|id| id != gone, |_| false);
        self.show(self.node(plies - 1));
        plies - 1
    }

    /// Rebuilds the tree without the branches for which `kept` is false, and with those first for
    /// which `first` is true.
    fn rebuild(&mut self, kept: impl Fn(NodeId) -> bool, first: impl Fn(NodeId) -> bool) {
        let (old, mut tree) = (self.tree(), Tree::new());
        *tree.node_mut(tree.root()) = old.node(old.root()).clone();
        let mut places = HashMap::from([(old.root(), tree.root())]);
        let mut open = vec![old.root()];
        while let Some(id) = open.pop() {
            let mut children: Vec<NodeId> =
                old.children(id).iter().copied().filter(|child| kept(*child)).collect();
            children.sort_by_key(|child| !first(*child));
            for child in &children {
                let place = tree.add(places[&id], old.node(*child).clone());
                places.insert(*child, place);
            }
            open.extend(children);
        }
        *self.tree_mut() = tree;
        self.line = self.line.iter().filter_map(|id| places.get(id).copied()).collect();
        let played = std::mem::take(&mut self.played);
        let moved = |(id, row)| places.get(&id).map(|place| (*place, row));
        self.played = played.into_iter().filter_map(moved).collect();
        let evaluations = std::mem::take(&mut self.evaluations);
        let moved = |(id, info)| places.get(&id).map(|place| (*place, info));
        self.evaluations = evaluations.into_iter().filter_map(moved).collect();
        self.publish();
    }

    /// The tree, for a change.
    fn tree_mut(&mut self) -> &mut Tree {
        self.saved.change();
        &mut Arc::make_mut(&mut self.sheet).tree
    }

    /// Shows the line through a node, continued along the first children.
    fn show(&mut self, node: NodeId) {
        let tree = self.tree();
        let mut line: Vec<NodeId> =
            std::iter::successors(Some(node), |id| tree.parent(*id)).collect();
        line.pop();
        line.reverse();
        let mut last = node;
        while let Some(next) = tree.children(last).first().copied() {
            line.push(next);
            last = next;
        }
        self.line = line;
        self.publish();
    }

    fn publish(&mut self) {
        let row = |(index, id): (usize, &NodeId)| {
            let ply = self.set_up.len() + index;
            let node = self.tree().node(*id);
            let mv = node.played.map_or(Move::Pass, |(_, mv)| mv);
            let tried = MoveRow {
                ply: ply + 1,
                mv,
                color: Color::of_ply(ply),
                seat: None,
                spent: node.spent,
                info: node.search(),
                is_substitute: false,
            };
            let mut row = self.played.get(id).cloned().unwrap_or(tried);
            if row.info.is_none() {
                row.info = self.evaluations.get(id).copied();
                let seats = &self.snapshot.seats;
                let plays = |seat: &Seat| seats[*seat].color == row.color;
                row.seat = row.seat.or_else(|| Seat::ALL.into_iter().find(plays));
            }
            row
        };
        let moves = self.line.iter().enumerate().map(row);
        let rows = self.set_up.iter().cloned().chain(moves).collect();
        self.snapshot = Arc::new(Snapshot { rows: Arc::new(rows), ..(*self.snapshot).clone() });
    }

    /// The node after so many plies of the line shown; the root for stones set up.
    fn node(&self, plies: usize) -> NodeId {
        let moves = plies.saturating_sub(self.set_up.len()).min(self.line.len());
        let index = moves.checked_sub(1);
        index.map_or(self.tree().root(), |index| self.line[index])
    }
}

impl BoardQuestion {
    /// Any stone on the board, of either side.
    fn free(position: Position) -> BoardQuestion {
        let seat = Seat::ALL[position.ply() % 2];
        let zone = tengen_rules::Zone::Anywhere;
        let ask = tengen_rules::Ask::Move { zone };
        let asked = OpenQuestion { number: 0, seat, ask, since: None, used: 0 };
        BoardQuestion { position, asked, offered: Vec::new(), offering: false }
    }
}
