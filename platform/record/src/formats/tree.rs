//! A tree of moves with variations.

use tengen_arbiter::{Nanos, SearchInfo};
use tengen_rules::{Color, Move, Point};

use super::{Property, remark};

/// Moves and the variations from them, with what was written to each.
///
/// The nodes of a tree hang together by numbers, so that however deep it is, nothing recurs.
///
/// ```
/// use tengen_record::formats::{Node, Tree};
/// use tengen_rules::{Color, Point};
/// let stone = |point, color| Node::stone(point, color);
/// let mut tree = Tree::new();
/// let first = tree.add(tree.root(), stone(Point::new(7, 7), Color::Black));
/// let played = tree.add(first, stone(Point::new(7, 8), Color::White));
/// let variation = tree.add(first, stone(Point::new(8, 8), Color::White));
/// assert_eq!(tree.children(first), [played, variation]);
/// assert_eq!(tree.main_line().collect::<Vec<_>>(), [first, played]);
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    links: Vec<Links>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

#[derive(Clone, Default, Debug)]
struct Links {
    parent: Option<NodeId>,
    children: Vec<NodeId>,
}

/// One step of a game, or a place for a remark.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Node {
    /// The move, and its colour; none where only something is remarked.
    pub played: Option<(Color, Move)>,
    pub spent: Option<Nanos>,
    /// The clock of the player, afterwards.
    pub clock: Option<Nanos>,
    /// What there is to say of it.
    pub comment: String,
    /// What else was written to it, kept as it was.
    pub properties: Vec<Property>,
}

impl Node {
    /// A stone of that colour, and no more.
    pub fn stone(point: Point, color: Color) -> Node {
        Node { played: Some((color, Move::Stone(point))), ..Node::default() }
    }

    /// What the player said of its search, where the comment begins with it as those of games
    /// out of records do.
    pub fn search(&self) -> Option<SearchInfo> {
        remark::read(&self.comment).map(|(info, _)| info)
    }

    /// The principal variation of that search; empty where there was none.
    pub fn pv(&self) -> Vec<Move> {
        remark::read(&self.comment).map(|(_, pv)| pv).unwrap_or_default()
    }
}

impl Tree {
    pub const MOST_NODES: usize = 1_000_000;

    /// A root with nothing on it.
    pub fn new() -> Tree {
        Tree { nodes: vec![Node::default()], links: vec![Links::default()] }
    }

    /// Where every line begins. Nothing is played there.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// The number of nodes, the root among them.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but an empty root.
    pub fn is_empty(&self) -> bool {
        self.nodes == [Node::default()]
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// The node before; none for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.links[id.index()].parent
    }

    /// What may follow: the main line first, then the variations.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        &self.links[id.index()].children
    }

    /// Adds a node behind all others that follow `parent`.
    ///
    /// # Panics
    /// When there are [`Tree::MOST_NODES`] already.
    pub fn add(&mut self, parent: NodeId, node: Node) -> NodeId {
        assert!(self.len() < Tree::MOST_NODES, "a tree has a million nodes at most");
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.links.push(Links { parent: Some(parent), children: Vec::new() });
        self.links[parent.index()].children.push(id);
        id
    }

    /// The nodes of the main line behind the root.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        let first = |id: &NodeId| self.children(*id).first().copied();
        std::iter::successors(first(&self.root()), first)
    }

    /// Whether some move has more than one that may follow it.
    pub fn has_variations(&self) -> bool {
        self.links.iter().any(|links| links.children.len() > 1)
    }

    /// Every node before those that follow it, the main line before the variations.
    pub fn preorder(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut open = vec![self.root()];
        std::iter::from_fn(move || {
            let id = open.pop()?;
            open.extend(self.children(id).iter().rev());
            Some(id)
        })
    }
}

impl Default for Tree {
    fn default() -> Tree {
        Tree::new()
    }
}

/// Two trees are equal when they hold the same, in whatever order it was added.
impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        self.len() == other.len()
            && self.preorder().zip(other.preorder()).all(|(mine, theirs)| {
                self.node(mine) == other.node(theirs)
                    && self.children(mine).len() == other.children(theirs).len()
            })
    }
}

impl Eq for Tree {}

impl NodeId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stone(x: u8, ply: usize) -> Node {
        Node::stone(Point::new(x, 0), Color::of_ply(ply))
    }

    #[test]
    fn trees_are_equal_however_they_grew() {
        let mut one = Tree::new();
        let a = one.add(one.root(), stone(0, 0));
        let b = one.add(one.root(), stone(1, 0));
        one.add(a, stone(2, 1));
        one.add(b, stone(3, 1));
        let mut other = Tree::new();
        let a = other.add(other.root(), stone(0, 0));
        other.add(a, stone(2, 1));
        let b = other.add(other.root(), stone(1, 0));
        assert_ne!(one, other);
        let c = other.add(b, stone(3, 1));
        assert_eq!(one, other);
        other.node_mut(c).comment.push('!');
        assert_ne!(one, other);
    }

    #[test]
    fn a_deep_tree_breaks_no_stack() {
        let mut tree = Tree::new();
        let mut last = tree.root();
        for ply in 0..300_000 {
            tree.add(last, stone(1, ply));
            last = tree.add(last, stone(0, ply));
        }
        assert_eq!(tree.clone(), tree);
        assert_eq!(tree.preorder().count(), 600_001);
        assert_eq!(tree.main_line().count(), 1);
    }
}
