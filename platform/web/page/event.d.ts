// Made by a test of `web/src/server/page_types.rs`; see there.

import type {
  AnswersLeft,
  AnySeat,
  ByoYomis,
  Clocks,
  LiveGame,
  Millis,
  OpeningName,
  Points,
  ResultView,
  SearchInfo,
  StepView,
} from "./protocol.d.ts";

/** An engine that plays no games, or no more, and why. */
export type AbsentView = { engine: string; reason: string };

/** A change of an event. */
export type ChangeView = {
  /** The referee that made it. */
  by: string | null;
  date: string;
  number: number;
  text: string;
};

export type ChangedEvent = { state: number };

export type ColumnView = {
  /** Where its cell is in a line. */
  name: StandingColumn;
  /** Whether it stands on the right. */
  number: boolean;
  /** In English and in Chinese. */
  titles: [string, string];
};

export type EngineFiguresView = {
  black: [number, number, number];
  depth: number | null;
  engine: number;
  max: number;
  /** Times in milliseconds. */
  mean: number;
  moves: number;
  p50: number;
  p95: number;
  /** Nodes a second. */
  speed: number | null;
  stage: number;
  stages: (number | null)[];
  white: [number, number, number];
};

export type EngineView = {
  /** What the event calls it. */
  label: string;
  name: string;
  version: string;
};

/** What the page reads of an event first. */
export type EventData = {
  /** How many games each block of a report has, in order. */
  blocks?: number[];
  event: EventView;
  figures: FiguresView;
  format: number;
  /** The games that can be replayed in a report; a server has the [list](GameRow) elsewhere. */
  games?: number[][];
  /** In seconds since the beginning of 1970. */
  made: number;
  program: string;
  ratings: RatingCurveView;
  /** Which state of the event it is, where a server has it. */
  state?: number;
  terminations: string[];
};

/** The events, as the page reads them. */
export type EventList = {
  events: ListedEvent[];
  /** Whether there are tables to play at. */
  play: boolean;
};

/** What is known of an event beside its games. */
export type EventView = {
  /** What was changed since it was made, the last changes alone where there are many. */
  changes: ChangeView[];
  /** What the standings have, from the left. */
  columns: ColumnView[];
  counted: number;
  /** Wins, draws and losses of each engine of the standings against each; left out where there
   * are too many. */
  cross: [number, number, number][][];
  engines: EngineView[];
  finished: number;
  latency: Latency | null;
  losers: SpoiledLoser[];
  /** Where and when it is played; empty where that is not told. */
  occasion: string;
  pairs: PairStats | null;
  /** The engines that were removed, and those that did not start. */
  removed: AbsentView[];
  repeated: RepeatedGames;
  set_aside: AbsentView[];
  settings: SettingsView;
  spoiled: number;
  sprt: TestState | null;
  standings: StandingView[];
  terminations: Record<string, number>;
  /** The tests of several candidates. */
  tests: PairTest[];
  title: string;
  /** The games of the schedule, those that are finished, and those of them that count. */
  total: number;
  void: number;
  /** What each worker of another process played. */
  workers: WorkerSummary[];
};

/** The figures as the page reads them. */
export type FiguresView = {
  black: [number, number, number];
  engines: EngineFiguresView[];
  lengths: LengthsView;
  /** How many openings are not shown, and the results of their games. */
  more_openings: number;
  more_results: [number, number, number];
  openings: OpeningView[];
};

export type GameEvent = { live: LiveGame; table: number };

/** A part of the list of finished games. */
export type GameList = {
  after: number | null;
  /** The game before the one whose neighbours are asked for, and the one after it: in the order
   * of the list, and of the numbers where it goes by them. */
  before: number | null;
  /** How many games fit. */
  found: number;
  /** How many of them stand before the first of these. */
  from: number;
  /** As in the data of a report. */
  games: number[][];
};

/** How long the way to an engine in its process and back took, in nanoseconds: the arbiter's time
 * less the engine's own. */
export type Latency = {
  /** The answers it is known of. */
  answers: number;
  /** The longest. */
  max_ns: number;
  /** Half of them took no longer. */
  p50_ns: number;
  /** All but a thousandth. */
  p999_ns: number;
  /** All but a hundredth. */
  p99_ns: number;
};

export type LengthsView = {
  classes: [number, number, number][];
  /** How many lengths make a class. */
  width: number;
};

/** How far an event has come, as it stands in a list of events. */
export type ListedEvent = {
  finished: number;
  id: string;
  /** Whether its games are played by the program that serves it. */
  live: boolean;
  /** Whether all is played that is to be. */
  over: boolean;
  /** Wins, draws and losses of the first of two engines. */
  score: [number, number, number] | null;
  /** How its test stands. */
  sprt: TestState | null;
  title: string;
  total: number;
};

export type OpeningView = {
  name?: OpeningName;
  results: [number, number, number];
  stones: { black: Points; white: Points };
};

export type OverEvent = { number: number; result: ResultView; row: Points; table: number };

/** What the pairs of games of a match say of its first engine. */
export type PairStats = {
  /** How many pairs gave it 0, ½, 1, 1½ and 2 points, each counted once. */
  counts: [number, number, number, number, number];
  /** The share of pairs that gave each engine one point, 0 to 1. */
  draw_ratio: number;
  engine: string;
  /** The likelihood of superiority, 0 to 1. */
  los: number;
  /** The normalized Elo difference; none when it is infinite. */
  nelo: number | null;
  /** Half of its 95 % interval as fastchess prints it; none when that is unknown or infinite. */
  nelo_error: number | null;
  /** The upper end. */
  nelo_high: number | null;
  /** The lower end of its 95 % interval; none where that is open. */
  nelo_low: number | null;
  /** Pairs won over pairs lost; none when no pair was lost. */
  pairs_ratio: number | null;
  /** How many more were played that repeat a game of a pair with a lower number. */
  repeated: number;
};

/** A sequential test of one engine against another, of several. */
export type PairTest = {
  /** The hypothesis that is accepted, `H0` or `H1`; none while neither is. */
  accepted: string | null;
  /** The one that it is tested against. */
  against: string;
  /** The Elo difference of the hypothesis H0. */
  elo0: number;
  /** That of H1. */
  elo1: number;
  engine: string;
  /** Why it has ended and accepts neither: [`TestState::USED_UP`], or none. */
  inconclusive: string | null;
  /** The logarithm of the likelihood ratio of the pairs that it counts. */
  llr: number;
  /** Where H0 is accepted. */
  lower: number;
  /** The scale of the two differences, `logistic` or `normalized`. */
  model: string;
  /** The pairs that it counts, each once. */
  pairs: number;
  /** The finished pairs. */
  played_pairs: number;
  /** Where H1 is. */
  upper: number;
};

/** The curve as the page reads it. */
export type RatingCurveView = {
  /** After how many games each rating was taken. */
  games: number[];
  lines: RatingLine[];
};

export type RatingLine = {
  engine: number;
  /** The Elo difference and the ends of its interval; null where it is infinite or unknown. */
  ratings: ([number, number, number] | null)[];
};

/** How many of an event's games are evidence: engines that always answer alike play the same game
 * from the same position. Points count what was played, and all other figures each game once. */
export type RepeatedGames = {
  /** Those of them that are evidence: games without one that is the same, of pairs without any. */
  distinct: number;
  /** The games that count. */
  games: number;
};

export type SettingsView = {
  concurrency: number;
  format: string;
  games: number;
  height: number;
  opening: string;
  rule: string;
  /** As text: JavaScript has no integers of that size. */
  seed: string;
  time: string;
  width: number;
};

/** What a viewer sees first, with the tables. */
export type SnapshotEvent = {
  /** In seconds. */
  delay: number;
  /** Whether no more games will be played. */
  ended: boolean;
  /** In milliseconds since the beginning of 1970. */
  now: number;
  /** Whether games can be seen here while they are played. */
  served: boolean;
  /** The event's state that can be read. */
  state: number;
  tables: [number, LiveGame][];
};

/** An engine that would have lost games that the host spoiled. */
export type SpoiledLoser = {
  /** Its label. */
  engine: string;
  /** How many of them it would have lost. */
  lost: number;
  /** How likely as many or more are if a spoiled game hits either side with the same chance: the
   * p-value of the [sign test](sign_test), times the number of engines tested (Bonferroni), at
   * most 1. */
  p: number;
  /** How many its opponents would have lost against it. */
  won: number;
};

export type StandingColumn = "place"
  | "engine"
  | "points"
  | "games"
  | "wins"
  | "draws"
  | "losses"
  | "elo";

export type StandingView = {
  draws: number;
  elo: number | null;
  engine: number;
  games: number;
  high: number | null;
  losses: number;
  /** The games that it lost, by cause. */
  lost: Record<string, number>;
  /** The ends of the interval of its Elo difference. */
  low: number | null;
  points: number;
  spoiled: number;
  wins: number;
};

export type StepEvent = {
  answers_left?: AnswersLeft;
  asked: AnySeat;
  byo_yomi?: ByoYomis;
  left: Clocks;
  number: number;
  opening?: OpeningName;
  /** How many steps there were before it. */
  place: number;
  since: Millis;
  step: StepView;
  table: number;
};

/** How a sequential test of the first engine against the second stands. */
export type TestState = {
  /** The hypothesis that is accepted, `H0` or `H1`; none while neither is. */
  accepted: string | null;
  /** The Elo difference of the hypothesis H0. */
  elo0: number;
  /** That of H1. */
  elo1: number;
  /** Why it has ended and accepts neither: [`TestState::USED_UP`], or none. */
  inconclusive: string | null;
  /** The logarithm of the likelihood ratio of the pairs that it counts. */
  llr: number;
  /** Where H0 is accepted. */
  lower: number;
  /** The scale of the two differences, `logistic` or `normalized`. */
  model: string;
  /** The pairs that it counts, each once. */
  pairs: number;
  /** The finished pairs. */
  played_pairs: number;
  /** Where H1 is. */
  upper: number;
};

/** What an engine says while it thinks. */
export type ThoughtEvent = {
  /** The time that it says to have taken, in milliseconds; 0 where it does not. */
  elapsed: number;
  info: SearchInfo;
  number: number;
  /** How many steps there were before the question. */
  place: number;
  table: number;
};

/** What a worker of another process played of an event. */
export type WorkerSummary = {
  /** The chi² of its wins and losses, of two degrees of freedom. */
  chi2: number;
  /** The engine whose results on this worker fit those on the others least; none where there is
   * nothing to compare with. */
  engine?: string | null;
  /** How many of its games count. */
  games: number;
  /** Its system and processor. */
  machine: string;
  /** How likely results as odd as these or odder are by chance, of any engine on any worker: the
   * p-value of the [test](stratified), times the number of tests (Bonferroni), at most 1. */
  p: number;
  /** By how much it multiplied the times of the event. */
  scale: number;
  /** How many it spoiled, those included that were played again. */
  spoiled: number;
  /** The points that this engine made beyond those that it makes in such games elsewhere. */
  surplus: number;
  /** Its name. */
  worker: string;
};
