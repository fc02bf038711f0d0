//! Writes games as SGF.

use tengen_arbiter::TimeControl;
use tengen_rules::{Color, Move, Point};

use super::{ScoreSheet, value, words};
use crate::formats::{Node, NodeId, Property, seconds};

/// Lines are broken before a node that would begin beyond this column.
const WIDTH: usize = 76;

/// Writes a game, with a line end behind it.
pub fn write(sheet: &ScoreSheet) -> String {
    let mut writer = SgfWriter { text: String::new(), line: 0, sheet };
    writer.game();
    writer.text
}

struct SgfWriter<'a> {
    text: String,
    /// Where the current line begins.
    line: usize,
    sheet: &'a ScoreSheet,
}

/// What is still to be written.
enum WriteStep {
    Node(NodeId),
    Open(NodeId),
    Close,
}

impl SgfWriter<'_> {
    fn game(&mut self) {
        let tree = &self.sheet.tree;
        self.text.push_str("(;FF[4]GM[4]CA[UTF-8]AP[Tengen]");
        self.root();
        self.node_body(tree.node(tree.root()));
        self.break_line();
        let mut tasks = Vec::new();
        self.follow(tree.root(), &mut tasks);
        while let Some(task) = tasks.pop() {
            match task {
                WriteStep::Close => self.text.push(')'),
                WriteStep::Open(id) => {
                    self.break_line();
                    self.text.push('(');
                    tasks.push(WriteStep::Close);
                    tasks.push(WriteStep::Node(id));
                }
                WriteStep::Node(id) => {
                    if self.text.len() - self.line > WIDTH {
                        self.break_line();
                    }
                    self.text.push(';');
                    self.node_body(tree.node(id));
                    self.follow(id, &mut tasks);
                }
            }
        }
        self.text.push_str(")\n");
    }

    /// Puts the nodes that follow on the stack.
    fn follow(&self, id: NodeId, tasks: &mut Vec<WriteStep>) {
        match self.sheet.tree.children(id) {
            [only] => tasks.push(WriteStep::Node(*only)),
            several => tasks.extend(several.iter().rev().map(|id| WriteStep::Open(*id))),
        }
    }

    fn break_line(&mut self) {
        if self.text.len() > self.line {
            self.text.push('\n');
        }
        self.line = self.text.len();
    }

    fn property(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        self.text.push('[');
        self.text.push_str(value);
        self.text.push(']');
    }

    /// Writes a text of one line, unless it is empty.
    fn told(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.property(name, &value::escape(&text.replace(['\n', '\r'], " ")));
        }
    }

    fn root(&mut self) {
        let sheet = self.sheet;
        self.property("SZ", &value::write_size(sheet.size));
        if let Some(rules) = words::write_rules(sheet.rule, sheet.opening) {
            self.property("RU", &rules);
        }
        self.told("EV", &sheet.event);
        self.told("DT", &sheet.date);
        self.told("RO", &sheet.round);
        self.told("GN", &sheet.name);
        self.told("PB", &sheet.players.black);
        self.told("PW", &sheet.players.white);
        self.time();
        if let Some(outcome) = sheet.outcome {
            self.property("RE", &words::write_outcome(outcome));
            if let Some(termination) = outcome.termination {
                self.property("END", termination.name());
            }
        }
        self.points("AB", &sheet.set_up.black);
        self.points("AW", &sheet.set_up.white);
        // A result that was not understood stays, unless there is one by now.
        let stays =
            |one: &&Property| sheet.outcome.is_none() || !["RE", "END"].contains(&&*one.name);
        self.properties(sheet.properties.iter().filter(stays));
    }

    fn time(&mut self) {
        let Some(time) = self.sheet.time else { return };
        if let Some(main) = time.main {
            self.property("TM", &seconds::write(main));
        }
        let whole = TimeControl { main: time.main, ..TimeControl::default() };
        if time != whole || time.main.is_none() {
            self.property("OT", &time.to_string());
        }
    }

    fn points(&mut self, name: &str, points: &[Point]) {
        if points.is_empty() {
            return;
        }
        self.text.push_str(name);
        for &point in points {
            self.property("", &value::write_point(point, self.sheet.size));
        }
    }

    fn properties<'p>(&mut self, properties: impl IntoIterator<Item = &'p Property>) {
        for Property { name, values } in properties {
            self.text.push_str(name);
            for value in values {
                self.property("", &value::raw(value));
            }
        }
    }

    fn node_body(&mut self, node: &Node) {
        if let Some((color, mv)) = node.played {
            let point = match mv {
                Move::Pass => String::new(),
                Move::Stone(point) => value::write_point(point, self.sheet.size),
            };
            let (name, clock) = match color {
                Color::Black => ("B", "BL"),
                Color::White => ("W", "WL"),
            };
            self.property(name, &point);
            if let Some(left) = node.clock {
                self.property(clock, &seconds::write(left));
            }
        }
        if let Some(spent) = node.spent {
            self.property("SPENT", &seconds::write(spent));
        }
        if !node.comment.is_empty() {
            self.property("C", &value::escape(&node.comment));
        }
        self.properties(&node.properties);
    }
}
