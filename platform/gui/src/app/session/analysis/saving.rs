//! How an analysis is saved.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use tengen_arbiter::GameResult;
use tengen_record::formats::{Format, FormatLoss, Node, NodeId, Property, ScoreSheet, Tree};

use super::AnalysisSession;
use crate::app::storage::files::format_of;
use crate::app::storage::files::holds_work;

/// What makes a game more than a single line.
const MORE: [FormatLoss; 2] = [FormatLoss::Variations, FormatLoss::Comments];

impl AnalysisSession {
    /// The game and its variations.
    pub fn sheet(&self) -> &Arc<ScoreSheet> {
        &self.sheet
    }

    /// The result of the game, if known.
    pub fn result(&self) -> Option<GameResult> {
        self.result
    }

    /// The path to the position after so many plies of the line shown: which branch at each move.
    pub(in crate::app) fn trail(&self, plies: usize) -> Vec<usize> {
        let moves = plies.saturating_sub(self.set_up.len()).min(self.line.len());
        let (mut trail, mut at) = (Vec::new(), self.tree().root());
        for &id in &self.line[..moves] {
            trail.extend(self.tree().children(at).iter().position(|child| *child == id));
            at = id;
        }
        trail
    }

    /// Shows the position at the end of such a path. Returns how many plies that is.
    pub(in crate::app) fn follow(&mut self, trail: &[usize]) -> usize {
        let (mut at, mut moves) = (self.tree().root(), 0);
        for &index in trail {
            let Some(child) = self.tree().children(at).get(index).copied() else { break };
            (at, moves) = (child, moves + 1);
        }
        self.show(at);
        self.set_up.len() + moves
    }

    /// The file it is saved in, unless the file's format cannot hold what was added since.
    pub(in crate::app) fn fits_in(&self) -> Option<&Path> {
        let fits = |path: &&Path| {
            format_of(path).is_ok_and(|format| holds_work(format, &format.lost(&self.sheet)))
        };
        self.saved.path().filter(fits)
    }

    /// Whether a sheet has variations or comments: it then opens as an analysis.
    pub(in crate::app) fn has_variations(sheet: &ScoreSheet) -> bool {
        MORE.iter().any(|what| Format::Pos.lost(sheet).contains(what))
    }
}

/// The tree with a move at every node but the root. Comments without a move go to the node before.
pub(super) fn without_empty_nodes(tree: &Tree) -> Tree {
    let mut moves = Tree::new();
    let mut places: HashMap<NodeId, NodeId> = HashMap::new();
    for id in tree.preorder() {
        let node = tree.node(id);
        let before = tree.parent(id).map_or(moves.root(), |parent| places[&parent]);
        let place = if node.played.is_some() {
            moves.add(before, node.clone())
        } else {
            append_notes(moves.node_mut(before), node);
            before
        };
        places.insert(id, place);
    }
    moves
}

/// Appends the comment and properties of another node.
fn append_notes(node: &mut Node, other: &Node) {
    if !node.comment.is_empty() && !other.comment.is_empty() {
        node.comment.push('\n');
    }
    node.comment.push_str(&other.comment);
    for Property { name, values } in &other.properties {
        match node.properties.iter_mut().find(|known| known.name == *name) {
            Some(known) => known.values.extend(values.iter().cloned()),
            None => node.properties.push(Property { name: name.clone(), values: values.clone() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use tengen_record::formats::sgf;

    use super::*;

    #[test]
    fn remarks_without_a_move_go_to_the_move_before() {
        let text = "(;GM[4]SZ[15]C[root];C[and more](;B[hh]C[one];LB[hh:A]C[two](;W[ih])(;W[gh]))\
                    (;C[aside];B[gg]))";
        let sheet = sgf::read(text).next().unwrap().unwrap();
        let tree = without_empty_nodes(&sheet.tree);
        let expected = "(;GM[4]SZ[15]C[root\nand more\naside](;B[hh]C[one\ntwo]LB[hh:A](;W[ih])\
                        (;W[gh]))(;B[gg]))";
        assert_eq!(tree, sgf::read(expected).next().unwrap().unwrap().tree);
        assert_eq!(without_empty_nodes(&tree), tree);
    }
}
