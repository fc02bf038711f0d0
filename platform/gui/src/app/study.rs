//! A game looked into: lines are tried out on a tree of variations while an engine thinks about the
//! position shown. The game it was taken from does not notice.

mod adviser;
mod command;

use std::collections::HashMap;
use std::sync::Arc;

use tengen_players::Time;
use tengen_record::formats::{Node, NodeId, Tree};
use tengen_rules::{Color, Ending, Move, Point, Position};

use super::{Asked, Live, Phase, Question, Row, Shelf, Snapshot};
use adviser::Adviser;

pub use adviser::{Advising, Thought};
pub use command::StudyCommand;

/// A tree of variations and the engine that thinks about it.
pub struct Study {
    tree: Tree,
    /// The line shown, from the first ply to its end.
    line: Vec<NodeId>,
    /// The plies of the game itself, with times and evaluations.
    played: HashMap<NodeId, Row>,
    snapshot: Arc<Snapshot>,
    adviser: Adviser,
}

impl Study {
    /// The most lines that an engine is asked for.
    pub const MOST_LINES: u32 = 8;
    /// How many moves of a line that goes off are told.
    const WAY_ON: usize = 6;

    /// The game of a snapshot, to look into.
    pub(super) fn new(
        game: &Snapshot,
        shelf: Arc<dyn Shelf>,
        time: Arc<dyn Time + Send + Sync>,
    ) -> Study {
        let mut tree = Tree::new();
        let (mut last, mut line, mut played) = (tree.root(), Vec::new(), HashMap::new());
        for row in game.rows.iter() {
            let node = Node { played: Some((row.color, row.mv)), ..Node::default() };
            last = tree.add(last, Node { spent: row.spent, ..node });
            line.push(last);
            played.insert(last, row.clone());
        }
        let snapshot = Snapshot {
            phase: Phase::Stopped,
            number: 1,
            asked: None,
            offered: Vec::new(),
            decision: None,
            draw_offer: None,
            refusal: None,
            hint: None,
            result: None,
            detail: None,
            series: None,
            ..game.clone()
        };
        let adviser = Adviser::start(shelf, time);
        Study { tree, line, played, snapshot: Arc::new(snapshot), adviser }
    }

    /// The line shown.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot)
    }

    /// The variations.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// What the engine says.
    pub fn live(&self) -> &Arc<Live> {
        &self.adviser.live
    }

    /// Who thinks, and how it goes.
    pub fn advising(&self) -> Advising {
        self.adviser.advising()
    }

    /// What may follow after so many plies of the line shown, the main line first, and whether it
    /// is on the line shown.
    pub fn branches(&self, plies: usize) -> Vec<(Move, bool)> {
        let children = self.tree.children(self.node(plies)).iter();
        let on_line = |id: &NodeId| self.line.get(plies) == Some(id);
        let played = |id: &NodeId| self.tree.node(*id).played.map(|(_, mv)| (mv, on_line(id)));
        children.filter_map(played).collect()
    }

    /// The lines that go off after so many plies of the line shown, with how each goes on by what
    /// comes first, and their numbers among what may follow there.
    pub fn side_lines(&self, plies: usize) -> Vec<(usize, Vec<Move>)> {
        let children = self.tree.children(self.node(plies)).iter().enumerate();
        let off_line = children.filter(|(_, id)| self.line.get(plies) != Some(id));
        off_line.map(|(index, id)| (index, self.way_on(*id).collect())).collect()
    }

    /// The moves from a node on, by what comes first.
    fn way_on(&self, node: NodeId) -> impl Iterator<Item = Move> {
        let next = |id: &NodeId| self.tree.children(*id).first().copied();
        let nodes = std::iter::successors(Some(node), next);
        nodes.filter_map(|id| self.tree.node(id).played.map(|(_, mv)| mv)).take(Study::WAY_ON)
    }

    /// What is written to the position after so many plies.
    pub fn comment(&self, plies: usize) -> &str {
        &self.tree.node(self.node(plies)).comment
    }

    /// Whether another line goes off before that ply of the line shown.
    pub fn is_branch(&self, ply: usize) -> bool {
        ply > 0 && self.tree.children(self.node(ply - 1)).len() > 1
    }

    /// The question that a click on the board answers: any stone. None after the end of a line.
    pub fn question(snapshot: &Snapshot, plies: usize) -> Option<Question> {
        let mut position = Position::new(snapshot.rule, snapshot.size);
        for row in snapshot.rows.iter().take(plies) {
            let ending = match row.mv {
                Move::Stone(point) => position.play(point).ok()?,
                Move::Pass => position.pass(),
            };
            if matches!(ending, Some(Ending::Five(_) | Ending::BoardFull)) {
                return None;
            }
        }
        Some(Question::free(position))
    }

    /// Does something after so many plies of the line shown, and says how many to show then.
    pub(super) fn apply(&mut self, command: StudyCommand, plies: usize) -> usize {
        let node = self.node(plies);
        let shown = match command {
            StudyCommand::Play(point) => self.play(node, plies, point),
            StudyCommand::Branch { after, index } => {
                match self.tree.children(self.node(after)).get(index).copied() {
                    Some(child) => {
                        self.show(child);
                        after.min(self.line.len()) + 1
                    }
                    None => plies,
                }
            }
            StudyCommand::Promote => {
                self.promote(plies);
                plies
            }
            StudyCommand::Delete => self.delete(plies),
            StudyCommand::Comment(text) => {
                self.tree.node_mut(node).comment = text;
                plies
            }
            StudyCommand::Engine(engine) => {
                self.adviser.seat(engine);
                plies
            }
            StudyCommand::Lines(lines) => {
                self.adviser.tell(lines.clamp(1, Study::MOST_LINES));
                plies
            }
        };
        self.attend(shown);
        shown
    }

    /// Lets the engine think about the position after so many plies of the line shown.
    pub(super) fn attend(&self, plies: usize) {
        let snapshot = &self.snapshot;
        let open = Study::question(snapshot, plies).is_some();
        let moves = snapshot.rows.iter().take(plies).map(|row| row.mv).collect();
        let thought = Thought { rule: snapshot.rule, size: snapshot.size, moves };
        self.adviser.attend(open.then_some(thought));
    }

    fn play(&mut self, node: NodeId, plies: usize, point: Point) -> usize {
        let question = Study::question(&self.snapshot, plies);
        if question.is_none_or(|question| question.check(&[], point).is_err())
            || self.tree.len() >= Tree::MOST_NODES
        {
            return plies;
        }
        let mv = Move::Stone(point);
        let is_it =
            |id: &&NodeId| self.tree.node(**id).played.is_some_and(|(_, known)| known == mv);
        let known = self.tree.children(node).iter().find(is_it).copied();
        let child =
            known.unwrap_or_else(|| self.tree.add(node, Node::stone(point, Color::of_ply(plies))));
        self.show(child);
        plies + 1
    }

    /// Makes what leads to the position shown the main line.
    fn promote(&mut self, plies: usize) {
        let path = self.line[..plies].to_vec();
        self.rebuild(|_| true, |id| path.contains(&id));
    }

    /// Takes the last ply shown out of the tree, and all that follows it.
    fn delete(&mut self, plies: usize) -> usize {
        let Some(gone) = plies.checked_sub(1).map(|index| self.line[index]) else { return 0 };
        let before = self.node(plies - 1);
        self.line.truncate(plies - 1);
        self.rebuild(|id| id != gone, |_| false);
        let before = if before == self.tree.root() { before } else { self.node(plies - 1) };
        self.show(before);
        plies - 1
    }

    /// Grows the tree anew, without the branches that are not kept, those first that go first.
    fn rebuild(&mut self, kept: impl Fn(NodeId) -> bool, first: impl Fn(NodeId) -> bool) {
        let mut tree = Tree::new();
        *tree.node_mut(tree.root()) = self.tree.node(self.tree.root()).clone();
        let mut places = HashMap::from([(self.tree.root(), tree.root())]);
        let mut open = vec![self.tree.root()];
        while let Some(id) = open.pop() {
            let mut children: Vec<NodeId> =
                self.tree.children(id).iter().copied().filter(|child| kept(*child)).collect();
            children.sort_by_key(|child| !first(*child));
            for child in &children {
                let place = tree.add(places[&id], self.tree.node(*child).clone());
                places.insert(*child, place);
            }
            open.extend(children);
        }
        self.tree = tree;
        self.line = self.line.iter().filter_map(|id| places.get(id).copied()).collect();
        let played = std::mem::take(&mut self.played);
        let moved = |(id, row)| places.get(&id).map(|place| (*place, row));
        self.played = played.into_iter().filter_map(moved).collect();
        self.publish();
    }

    /// Shows the line through a node: on to its end by what comes first.
    fn show(&mut self, node: NodeId) {
        let mut line: Vec<NodeId> =
            std::iter::successors(Some(node), |id| self.tree.parent(*id)).collect();
        line.retain(|id| *id != self.tree.root());
        line.reverse();
        let mut last = node;
        while let Some(next) = self.tree.children(last).first().copied() {
            line.push(next);
            last = next;
        }
        self.line = line;
        self.publish();
    }

    fn publish(&mut self) {
        let row = |(index, id): (usize, &NodeId)| {
            let node = self.tree.node(*id);
            let mv = node.played.map_or(Move::Pass, |(_, mv)| mv);
            let tried = Row {
                ply: index + 1,
                mv,
                color: Color::of_ply(index),
                seat: None,
                spent: None,
                info: None,
            };
            self.played.get(id).cloned().unwrap_or(tried)
        };
        let rows = self.line.iter().enumerate().map(row).collect();
        self.snapshot = Arc::new(Snapshot { rows: Arc::new(rows), ..(*self.snapshot).clone() });
    }

    /// The node after so many plies of the line shown.
    fn node(&self, plies: usize) -> NodeId {
        let index = plies.min(self.line.len()).checked_sub(1);
        index.map_or(self.tree.root(), |index| self.line[index])
    }
}

impl Question {
    /// Any stone on a board, whoever is to move.
    fn free(position: Position) -> Question {
        let seat = tengen_rules::Seat::ALL[position.ply() % 2];
        let zone = tengen_rules::Zone::Anywhere;
        let ask = tengen_rules::Ask::Move { zone };
        let asked = Asked { number: 0, seat, ask, since: None, used: 0 };
        Question { position, asked, offered: Vec::new(), offering: false }
    }
}
