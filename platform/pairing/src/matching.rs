//! The perfect matching of least cost in a complete graph (J. Edmonds 1965, in the O(n³) form of
//! H. Gabow 1974).
//!
//! Vertices and blossoms are numbered from 1; 0 is none. Every vertex has a dual value, as has
//! every blossom. An edge's slack is the sum of the duals of its ends less twice its weight; it is
//! never negative, and edges of the matching and of the search trees have none. The search grows
//! alternating trees from all single vertices at once, shrinks odd circles into blossoms, changes
//! the duals when no edge is left without slack, and ends when all vertices are matched. It begins
//! with duals as small as each vertex alone allows, and with the edges that these match already;
//! and it looks at few of the edges, as D. Applegate and W. Cook do (1993).

use std::collections::VecDeque;
use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};
use std::rc::Rc;

/// What an edge costs. Of two matchings the sums of `first` decide, where they are equal those of
/// `second`, and then those of `third`: together they have room for more criteria than one number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Cost {
    /// What decides.
    pub first: i128,
    /// What decides where that is equal.
    pub second: i128,
    /// What decides where both are equal.
    pub third: i128,
}

impl Cost {
    const NOTHING: Cost = Cost { first: 0, second: 0, third: 0 };

    /// Each of the numbers, changed.
    fn map(self, change: impl Fn(i128) -> i128) -> Cost {
        Cost { first: change(self.first), second: change(self.second), third: change(self.third) }
    }

    /// Half of it, where all numbers are even.
    fn half(self) -> Cost {
        self.map(|number| {
            debug_assert!(number % 2 == 0, "{self:?} is not even");
            number / 2
        })
    }
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost {
            first: self.first + other.first,
            second: self.second + other.second,
            third: self.third + other.third,
        }
    }
}

impl Sub for Cost {
    type Output = Cost;

    fn sub(self, other: Cost) -> Cost {
        Cost {
            first: self.first - other.first,
            second: self.second - other.second,
            third: self.third - other.third,
        }
    }
}

impl Mul<i128> for Cost {
    type Output = Cost;

    fn mul(self, factor: i128) -> Cost {
        self.map(|number| number * factor)
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        *self = *self + other;
    }
}

impl SubAssign for Cost {
    fn sub_assign(&mut self, other: Cost) {
        *self = *self - other;
    }
}

const NOBODY: usize = 0;

/// Where a vertex or blossom is in the search trees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Label {
    /// In none.
    Free,
    /// At an even distance from a root.
    Outer,
    /// At an odd distance.
    Inner,
}

/// The perfect matching of least cost of `count` vertices, an even number, as each vertex's
/// partner. Costs are symmetric, and each of their numbers is from 0 to 2¹²¹ in sum over any
/// matching.
///
/// # Panics
/// When the number is odd.
pub fn least_cost_matching(count: usize, cost: impl Fn(usize, usize) -> Cost) -> Vec<usize> {
    let search = solve(Matcher::new(count, cost), KEPT);
    (1..=count).map(|vertex| search.mate[vertex] - 1).collect()
}

/// How many edges of each vertex are looked at first: those with the least slack at the beginning.
const KEPT: usize = 16;
/// How many of the missing edges are added each time.
const ADDED: usize = 12;
/// How often edges are added before all are looked at.
const ATTEMPTS: usize = 16;

/// Matches all vertices. Nearly all edges of a large graph are of no use. So only some are looked
/// at first; the resulting duals prove that the matching is also the best with all edges, or show
/// by a negative slack which edges are missing.
fn solve(begun: Matcher, kept: usize) -> Matcher {
    let mut lacking = Vec::new();
    for _ in 0..ATTEMPTS {
        if begun.count <= 2 * kept {
            break;
        }
        let mut search = begun.clone();
        search.keep_best(kept, &lacking);
        search.run();
        let before = lacking.len();
        lacking.extend(search.lacking_edges());
        if lacking.len() == before {
            return search;
        }
    }
    let mut search = begun;
    search.run();
    search
}

#[derive(Clone)]
struct Matcher {
    count: usize,
    /// The greatest number in use.
    most: usize,
    /// The room in each dimension of the tables.
    room: usize,
    /// What every edge weighs; less cost is more weight.
    weights: Rc<Vec<Cost>>,
    /// For every two vertices or blossoms, the two vertices of their best edge; 0 where none is
    /// looked at.
    edges: Vec<(u16, u16)>,
    /// The other ends of each vertex's edges that are looked at.
    neighbours: Vec<Vec<u16>>,
    duals: Vec<Cost>,
    mate: Vec<usize>,
    /// For each outside the trees or outer, the vertex of a tree with the least slack to it.
    nearest: Vec<usize>,
    /// The outermost blossom that holds it; itself where none does.
    top: Vec<usize>,
    /// The vertex by which a tree reached it.
    parent: Vec<usize>,
    labels: Vec<Label>,
    /// For each blossom and vertex, which of the blossom's petals holds the vertex.
    petal_of: Vec<u16>,
    /// The petals of each blossom in the order of the circle, its base first.
    petals: Vec<Vec<usize>>,
    seen: Vec<u32>,
    turn: u32,
    queue: VecDeque<usize>,
}

impl Matcher {
    fn new(count: usize, cost: impl Fn(usize, usize) -> Cost) -> Matcher {
        assert!(count.is_multiple_of(2), "a perfect matching has an even number of vertices");
        let room = count + count / 2 + 2;
        let mut weights = vec![Cost::NOTHING; (count + 1) * (count + 1)];
        let mut edges = vec![(0, 0); room * room];
        let mut petal_of = vec![0; room * (count + 1)];
        for one in 1..=count {
            petal_of[one * (count + 1) + one] = one as u16;
            for other in (1..=count).filter(|&other| other != one) {
                // Even, so that half a slack between two single vertices is a whole number.
                weights[one * (count + 1) + other] = cost(one - 1, other - 1) * -2;
                edges[one * room + other] = (one as u16, other as u16);
            }
        }
        let top = (0..room).map(|at| if at <= count { at } else { NOBODY }).collect();
        let all =
            |one: usize| (1..=count as u16).filter(|&other| usize::from(other) != one).collect();
        let mut search = Matcher {
            count,
            most: count,
            room,
            weights: Rc::new(weights),
            edges,
            neighbours: (0..=count).map(all).collect(),
            duals: vec![Cost::NOTHING; room],
            mate: vec![NOBODY; room],
            nearest: vec![NOBODY; room],
            top,
            parent: vec![NOBODY; room],
            labels: vec![Label::Free; room],
            petal_of,
            petals: vec![Vec::new(); room],
            seen: vec![0; room],
            turn: 0,
            queue: VecDeque::new(),
        };
        search.begin();
        search
    }

    /// Gives every vertex a dual with which no slack is negative, as small as that of those before
    /// it allows, and matches what has no slack then.
    fn begin(&mut self) {
        for one in 1..=self.count {
            let others = (1..=self.count).filter(|&other| other != one);
            let heaviest = others.map(|other| self.weights[one * (self.count + 1) + other]).max();
            self.duals[one] = heaviest.unwrap_or_default();
        }
        for one in 1..=self.count {
            if self.mate[one] != NOBODY {
                continue;
            }
            let others = (1..=self.count).filter(|&other| other != one);
            let Some(least) = others.clone().map(|other| self.slack((one, other))).min() else {
                continue;
            };
            self.duals[one] -= least;
            let mut free = others.filter(|&other| self.mate[other] == NOBODY);
            if let Some(other) = free.find(|&other| self.slack((one, other)) == Cost::NOTHING) {
                (self.mate[one], self.mate[other]) = (other, one);
            }
        }
    }

    /// From here on only so many edges of each vertex are looked at, and these.
    fn keep_best(&mut self, kept: usize, others: &[(u16, u16)]) {
        let mut is_kept = vec![false; self.room * self.room];
        let mut keep = |one: usize, other: usize| {
            is_kept[one * self.room + other] = true;
            is_kept[other * self.room + one] = true;
        };
        for one in 1..=self.count {
            let mut ends: Vec<(Cost, usize)> = self.neighbours[one]
                .iter()
                .map(|&other| (self.slack((one, other.into())), other.into()))
                .collect();
            ends.select_nth_unstable(kept);
            ends.truncate(kept);
            ends.iter().for_each(|&(_, other)| keep(one, other));
            // It may have many without slack.
            let mate = Some(self.mate[one]).filter(|&mate| mate != NOBODY);
            mate.into_iter().for_each(|mate| keep(one, mate));
        }
        others.iter().for_each(|&(one, other)| keep(one.into(), other.into()));
        // With these alone there is a perfect matching.
        (1..self.count).for_each(|one| keep(one, one + 1));
        for one in 1..=self.count {
            let row = &is_kept[one * self.room..][..=self.count];
            self.neighbours[one].retain(|&other| row[usize::from(other)]);
            for (other, _) in row.iter().enumerate().filter(|(_, is_kept)| !**is_kept) {
                self.edges[one * self.room + other] = (0, 0);
            }
        }
    }

    /// For each vertex the edges with the most negative slack under these duals: those missed most.
    fn lacking_edges(&self) -> Vec<(u16, u16)> {
        let mut found = Vec::new();
        let mut worst = Vec::new();
        for one in 1..=self.count {
            worst.clear();
            for other in (1..=self.count).filter(|&other| other != one) {
                let slack = self.slack((one, other));
                if slack < Cost::NOTHING && slack + self.shared_duals(one, other) < Cost::NOTHING {
                    worst.push((slack, one as u16, other as u16));
                }
            }
            if worst.len() > ADDED {
                worst.select_nth_unstable(ADDED);
                worst.truncate(ADDED);
            }
            found.extend(worst.iter().map(|&(_, one, other)| (one, other)));
        }
        found
    }

    /// The duals of the blossoms that hold both vertices.
    fn shared_duals(&self, one: usize, other: usize) -> Cost {
        let mut sum = Cost::NOTHING;
        let mut at = self.top[one];
        if at != self.top[other] {
            return sum;
        }
        // Down from the outermost one, as long as both are in the same petal.
        while at > self.count {
            sum += self.duals[at];
            let petal = self.petal(at, one);
            if petal != self.petal(at, other) {
                break;
            }
            at = petal;
        }
        sum
    }

    /// Matches all vertices.
    fn run(&mut self) {
        while self.augment_once() {}
    }

    fn edge(&self, one: usize, other: usize) -> (usize, usize) {
        let (from, to) = self.edges[one * self.room + other];
        (usize::from(from), usize::from(to))
    }

    fn slack(&self, (from, to): (usize, usize)) -> Cost {
        self.duals[from] + self.duals[to] - self.weights[from * (self.count + 1) + to] * 2
    }

    fn is_top(&self, at: usize) -> bool {
        self.top[at] == at
    }

    fn petal(&self, blossom: usize, vertex: usize) -> usize {
        usize::from(self.petal_of[blossom * (self.count + 1) + vertex])
    }

    /// Notes that this vertex of a tree is near.
    fn note_near(&mut self, vertex: usize, at: usize) {
        let known = self.nearest[at];
        if self.edge(vertex, at).0 == 0 {
            return;
        }
        if known == NOBODY || self.slack(self.edge(vertex, at)) < self.slack(self.edge(known, at)) {
            self.nearest[at] = vertex;
        }
    }

    fn find_near(&mut self, at: usize) {
        self.nearest[at] = NOBODY;
        for vertex in 1..=self.count {
            let top = self.top[vertex];
            if top != at && self.labels[top] == Label::Outer {
                self.note_near(vertex, at);
            }
        }
    }

    /// Lets the search go on from all vertices within.
    fn visit(&mut self, at: usize) {
        if at <= self.count {
            self.queue.push_back(at);
        } else {
            for petal in self.petals[at].clone() {
                self.visit(petal);
            }
        }
    }

    fn set_top(&mut self, at: usize, top: usize) {
        self.top[at] = top;
        if at > self.count {
            for petal in self.petals[at].clone() {
                self.set_top(petal, top);
            }
        }
    }

    /// The place of a petal on the circle, turned so that it is an even number from the base.
    fn even_place(&mut self, blossom: usize, petal: usize) -> usize {
        let petals = &mut self.petals[blossom];
        let place = petals.iter().position(|&at| at == petal).expect("a petal of the blossom");
        if place.is_multiple_of(2) {
            return place;
        }
        petals[1..].reverse();
        petals.len() - place
    }

    /// Matches by the best edge between the two, within blossoms too.
    fn set_mate(&mut self, one: usize, other: usize) {
        let (from, to) = self.edge(one, other);
        self.mate[one] = to;
        if one <= self.count {
            return;
        }
        let petal = self.petal(one, from);
        let place = self.even_place(one, petal);
        for at in 0..place {
            let (this, next) = (self.petals[one][at], self.petals[one][at ^ 1]);
            self.set_mate(this, next);
        }
        self.set_mate(petal, other);
        self.petals[one].rotate_left(place);
    }

    /// Swaps matched and other edges from here to the root.
    fn augment(&mut self, mut one: usize, mut other: usize) {
        loop {
            let former = self.top[self.mate[one]];
            self.set_mate(one, other);
            if former == NOBODY {
                return;
            }
            let up = self.top[self.parent[former]];
            self.set_mate(former, up);
            (one, other) = (up, former);
        }
    }

    /// Where the ways of the two to their roots come together, if they do.
    fn meeting_point(&mut self, mut one: usize, mut other: usize) -> Option<usize> {
        self.turn += 1;
        while one != NOBODY || other != NOBODY {
            if one != NOBODY {
                if self.seen[one] == self.turn {
                    return Some(one);
                }
                self.seen[one] = self.turn;
                one = self.top[self.mate[one]];
                if one != NOBODY {
                    one = self.top[self.parent[one]];
                }
            }
            (one, other) = (other, one);
        }
        None
    }

    /// Shrinks the circle through these two and the point where their ways meet.
    fn shrink(&mut self, one: usize, meeting: usize, other: usize) {
        let free = (self.count + 1..=self.most).find(|&at| self.top[at] == NOBODY);
        let blossom = free.unwrap_or(self.most + 1);
        self.most = self.most.max(blossom);
        self.duals[blossom] = Cost::NOTHING;
        self.labels[blossom] = Label::Outer;
        self.mate[blossom] = self.mate[meeting];
        let mut petals = vec![meeting];
        for (end, is_turned) in [(one, true), (other, false)] {
            let mut at = end;
            while at != meeting {
                let inner = self.top[self.mate[at]];
                petals.extend([at, inner]);
                self.visit(inner);
                at = self.top[self.parent[inner]];
            }
            if is_turned {
                petals[1..].reverse();
            }
        }
        self.petals[blossom].clone_from(&petals);
        self.set_top(blossom, blossom);
        for at in 1..=self.most {
            self.edges[blossom * self.room + at] = (0, 0);
            self.edges[at * self.room + blossom] = (0, 0);
        }
        let width = self.count + 1;
        self.petal_of[blossom * width..(blossom + 1) * width].fill(0);
        for petal in petals {
            for at in 1..=self.most {
                let (edge, known) = (self.edge(petal, at), self.edge(blossom, at));
                if edge.0 != 0 && (known.0 == 0 || self.slack(edge) < self.slack(known)) {
                    self.edges[blossom * self.room + at] = self.edges[petal * self.room + at];
                    self.edges[at * self.room + blossom] = self.edges[at * self.room + petal];
                }
            }
            for vertex in 1..=self.count {
                if self.petal(petal, vertex) != 0 {
                    self.petal_of[blossom * width + vertex] = petal as u16;
                }
            }
        }
        self.find_near(blossom);
    }

    /// Takes apart an inner blossom with a dual of zero.
    fn expand(&mut self, blossom: usize) {
        for petal in self.petals[blossom].clone() {
            self.set_top(petal, petal);
        }
        let entered = self.edge(blossom, self.parent[blossom]).0;
        let entry = self.petal(blossom, entered);
        let place = self.even_place(blossom, entry);
        let petals = self.petals[blossom].clone();
        for pair in petals[..place].chunks(2) {
            let [inner, outer] = [pair[0], pair[1]];
            self.parent[inner] = self.edge(outer, inner).0;
            (self.labels[inner], self.labels[outer]) = (Label::Inner, Label::Outer);
            self.nearest[inner] = NOBODY;
            self.find_near(outer);
            self.visit(outer);
        }
        self.labels[entry] = Label::Inner;
        self.parent[entry] = self.parent[blossom];
        for &petal in &petals[place + 1..] {
            self.labels[petal] = Label::Free;
            self.find_near(petal);
        }
        self.top[blossom] = NOBODY;
    }

    /// Follows an edge without slack out of a tree. Whether the matching has grown by it.
    fn follow(&mut self, (from, to): (usize, usize)) -> bool {
        let (one, other) = (self.top[from], self.top[to]);
        match self.labels[other] {
            Label::Free => {
                self.parent[other] = from;
                self.labels[other] = Label::Inner;
                let next = self.top[self.mate[other]];
                (self.nearest[other], self.nearest[next]) = (NOBODY, NOBODY);
                self.labels[next] = Label::Outer;
                self.visit(next);
            }
            Label::Outer => match self.meeting_point(one, other) {
                Some(meeting) => self.shrink(one, meeting, other),
                None => {
                    self.augment(one, other);
                    self.augment(other, one);
                    return true;
                }
            },
            Label::Inner => {}
        }
        false
    }

    /// One search from all single vertices. Whether the matching has grown; it has not when there
    /// is none.
    fn augment_once(&mut self) -> bool {
        self.labels.fill(Label::Free);
        self.nearest.fill(NOBODY);
        self.queue.clear();
        for at in 1..=self.most {
            if self.is_top(at) && self.mate[at] == NOBODY {
                self.parent[at] = NOBODY;
                self.labels[at] = Label::Outer;
                self.visit(at);
            }
        }
        if self.queue.is_empty() {
            return false;
        }
        loop {
            while let Some(vertex) = self.queue.pop_front() {
                if self.labels[self.top[vertex]] == Label::Inner {
                    continue;
                }
                for at in 0..self.neighbours[vertex].len() {
                    let other = usize::from(self.neighbours[vertex][at]);
                    if self.top[vertex] == self.top[other] {
                        continue;
                    }
                    let edge = self.edge(vertex, other);
                    if self.slack(edge) > Cost::NOTHING {
                        self.note_near(vertex, self.top[other]);
                    } else if self.follow(edge) {
                        return true;
                    }
                }
            }
            self.change_duals();
            for at in 1..=self.most {
                let near = self.nearest[at];
                if self.is_top(at) && near != NOBODY && self.top[near] != at {
                    let edge = self.edge(near, at);
                    if self.slack(edge) == Cost::NOTHING && self.follow(edge) {
                        return true;
                    }
                }
            }
            for blossom in self.count + 1..=self.most {
                if self.is_top(blossom)
                    && self.labels[blossom] == Label::Inner
                    && self.duals[blossom] == Cost::NOTHING
                {
                    self.expand(blossom);
                }
            }
        }
    }

    /// Changes the duals by as much as no slack and no blossom's dual gets negative, so that there
    /// is an edge to follow or a blossom to take apart.
    fn change_duals(&mut self) {
        let blossoms = (self.count + 1..=self.most)
            .filter(|&at| self.is_top(at) && self.labels[at] == Label::Inner)
            .map(|at| self.duals[at].half());
        let edges = (1..=self.most)
            .filter(|&at| self.is_top(at) && self.nearest[at] != NOBODY)
            .filter_map(|at| {
                let slack = self.slack(self.edge(self.nearest[at], at));
                match self.labels[at] {
                    Label::Free => Some(slack),
                    Label::Outer => Some(slack.half()),
                    Label::Inner => None,
                }
            });
        let change = blossoms.chain(edges).min().expect("two single vertices have a way");
        for vertex in 1..=self.count {
            match self.labels[self.top[vertex]] {
                Label::Outer => self.duals[vertex] -= change,
                Label::Inner => self.duals[vertex] += change,
                Label::Free => {}
            }
        }
        for blossom in self.count + 1..=self.most {
            if self.is_top(blossom) {
                match self.labels[blossom] {
                    Label::Outer => self.duals[blossom] += change * 2,
                    Label::Inner => self.duals[blossom] -= change * 2,
                    Label::Free => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
