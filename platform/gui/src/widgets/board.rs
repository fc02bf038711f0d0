//! The board widget.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use eframe::egui::{Rect, Sense, Shape, Ui};
use tengen_rules::{Answer, Color, Point};

use super::Scene;
use super::textures::Textures;
use crate::app::{
    Advice, AnalysisSession, BoardQuestion, BoardStyle, CoordinateLabels, Diagram, Hint,
    MoveNumbers, Picture, Settings, Snapshot, UserFile, View,
};

mod drawing;
mod grid;
mod overlay;
mod points;

use drawing::BoardLabel;
pub(crate) use grid::Grid;

/// The board, as large as possible. Its shapes are cached until they change; a running clock draws
/// the same shapes again.
#[derive(Default)]
pub(crate) struct BoardWidget {
    textures: Textures,
    known: Option<(DiagramKey, Diagram)>,
    shapes: Option<(BoardLayout, Vec<Shape>, Vec<BoardLabel>)>,
}

/// What a diagram depends on.
#[derive(Clone, PartialEq, Debug)]
struct DiagramKey {
    number: u64,
    rows: usize,
    last: Option<Point>,
    shown: usize,
    over: bool,
    offered: usize,
    /// Distinguishes lines of the same length.
    line: u64,
}

/// What else the shapes of a diagram depend on.
#[derive(Clone, PartialEq, Debug)]
struct BoardLayout {
    drawn: DiagramKey,
    grid: Grid,
    style: BoardStyle,
    picture: Option<Arc<Picture>>,
    numbers: (MoveNumbers, u32),
    edges: CoordinateLabels,
    forbidden: bool,
}

/// A stone that is selected or suggested, not on the board.
struct PreviewStone {
    point: Point,
    color: Color,
    label: String,
    faint: bool,
}

impl BoardWidget {
    /// The margin around it, in points.
    pub(crate) const MARGIN: i8 = 14;

    /// Draws the board and adds the commands of clicks. Every point with something to say is a
    /// widget of its own, labelled for screen readers and with details on hover.
    pub(crate) fn show(&mut self, ui: &mut Ui, scene: &Scene<'_>) {
        let Scene { snapshot, view, settings, .. } = *scene;
        let (room, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
        let scale = ui.pixels_per_point();
        let grid = Grid::new(room, snapshot.size, settings.edges != CoordinateLabels::Off, scale);
        let shown = view.shown(snapshot);
        let drawn = DiagramKey {
            number: snapshot.number,
            rows: snapshot.rows.len(),
            last: snapshot.rows.last().and_then(|row| row.mv.point()),
            shown,
            over: snapshot.result.is_some(),
            offered: snapshot.offered.len(),
            line: fingerprint(snapshot),
        };
        if self.known.as_ref().is_none_or(|(known, _)| *known != drawn) {
            self.known = Some((drawn.clone(), Diagram::new(snapshot, shown)));
        }
        let diagram = &self.known.as_ref().expect("it was just made").1;
        let layout = BoardLayout {
            drawn,
            grid,
            style: settings.style,
            picture: scene.look.app.picture(UserFile::BoardPicture).cloned(),
            numbers: (settings.numbers, settings.last_numbers),
            edges: settings.edges,
            forbidden: settings.forbidden,
        };
        if self.shapes.as_ref().is_none_or(|(known, ..)| *known != layout) {
            let (shapes, labels) = drawing::draw(ui, &mut self.textures, &layout, diagram);
            self.shapes = Some((layout, shapes, labels));
        }
        let (layout, shapes, labels) = self.shapes.as_ref().expect("they were just made");
        let whole = room.expand(f32::from(Self::MARGIN));
        drawing::around(&ui.painter_at(whole), whole, &layout.grid, scene.palette.surround);
        let painter = ui.painter_at(room);
        painter.extend(shapes.iter().cloned());
        let question = match scene.analysis() {
            Some(analysis) => {
                AnalysisSession::question(snapshot, shown).filter(|_| analysis.is_open(shown))
            }
            None if view.follows_game(snapshot) => BoardQuestion::of(snapshot, &view.selected),
            None => None,
        };
        if let Some(question) = &question {
            drawing::zone(&painter, layout, question);
        }
        for label in labels {
            label.paint(&painter);
        }
        let mut previews = previews(snapshot, view, question.as_ref());
        let overlay = overlay::of(scene);
        previews.extend(overlay::previews(&overlay, shown));
        drawing::previews(ui, &painter, &mut self.textures, layout, &previews);
        overlay::candidates(&painter, layout, &overlay, scene);
        let marks = points::PointMarks { question: question.as_ref(), overlay: &overlay };
        points::show(ui, &painter, layout, diagram, marks, scene);
    }
}

/// A board without interaction, with the same shapes. Returns where its points are.
pub(crate) fn static_board(
    ui: &Ui,
    textures: &mut Textures,
    room: Rect,
    diagram: &Diagram,
    settings: &Settings,
    picture: Option<Arc<Picture>>,
) -> Grid {
    let Settings { style, numbers, last_numbers, edges, forbidden, .. } = *settings;
    let shown = diagram.stones.len();
    let last = diagram.stones.last().map(|stone| stone.point);
    let over = !diagram.row.is_empty();
    let offered = diagram.offered.len();
    let drawn = DiagramKey { number: 0, rows: shown, last, shown, over, offered, line: 0 };
    let grid = Grid::new(room, diagram.size, edges != CoordinateLabels::Off, ui.pixels_per_point());
    let numbers = (numbers, last_numbers);
    let layout = BoardLayout { drawn, grid, style, picture, numbers, edges, forbidden };
    let (shapes, labels) = drawing::draw(ui, textures, &layout, diagram);
    let painter = ui.painter_at(room);
    painter.extend(shapes);
    for label in &labels {
        label.paint(&painter);
    }
    grid
}

/// A number that differs where the moves do.
fn fingerprint(snapshot: &Snapshot) -> u64 {
    let mut hasher = DefaultHasher::new();
    snapshot.rows.iter().for_each(|row| row.mv.hash(&mut hasher));
    hasher.finish()
}

/// The selected stones, and those of a hint.
fn previews(
    snapshot: &Snapshot,
    view: &View,
    question: Option<&BoardQuestion>,
) -> Vec<PreviewStone> {
    let Some(question) = question else { return Vec::new() };
    let selected = view.points(snapshot);
    let stones = selected.iter().enumerate().map(|(index, &point)| PreviewStone {
        point,
        color: question.color(index),
        label: (index + 1).to_string(),
        faint: false,
    });
    let advised = match &snapshot.hint {
        Some(Hint { advice: Advice::Answer(answer, _), .. }) => points_of(answer),
        _ => Vec::new(),
    };
    let several = advised.len() > 1;
    let advised = advised.into_iter().enumerate().map(|(index, point)| PreviewStone {
        point,
        color: question.color(index),
        label: if several { (index + 1).to_string() } else { "?".to_owned() },
        faint: true,
    });
    stones.chain(advised).collect()
}

fn points_of(answer: &Answer) -> Vec<Point> {
    match answer {
        Answer::Place(points) | Answer::Offer(points) => points.clone(),
        Answer::Pick(point) => vec![*point],
        Answer::Move(mv) => mv.point().into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The square for the texture of a stone.
fn stone_rect(grid: &Grid, point: Point, side: f32) -> Rect {
    Rect::from_center_size(grid.at(point), eframe::egui::Vec2::splat(side))
}
