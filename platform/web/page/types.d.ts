// Made by a test of `platform/web/src/server/page_types.rs`; see there.

/** An engine that plays no games, or no more, and why. */
export type AbsentView = {
  engine: string;
  reason: string;
};

export type Action = {
  accept_draw?: true;
  choose?: "black" | "white";
  claim?: true;
  declare?: number;
  move?: Point;
  offer?: Points;
  offer_draw?: true;
  pass?: true;
  pick?: Point;
  place?: Points;
  resign?: true;
  swap?: boolean;
};

export type AllSettings = {
  absence: number | null;
  chat: boolean;
  draws: boolean;
  engines: boolean;
  late: "loss" | "substitute";
  margin: number;
  move_limit: number | null;
  opening: Procedure;
  passing: boolean;
  pause: boolean;
  public: boolean;
  rule: Rule;
  size: Size;
  swap: boolean;
  time: string;
  title: string;
  undo: boolean;
};

export type AnyMillis = number | null;

export type AnySeat = "first" | "second" | null;

export type Ask = {
  ask: "place"
    | "choose"
    | "choose_or_place"
    | "swap"
    | "declare"
    | "offer"
    | "pick"
    | "move"
    | "move_or_offer";
  canonical?: boolean;
  count?: number;
  max?: number;
  min?: number;
  zone?: Zone;
};

export type Asked = Ask & {
  seat: Seat;
};

export type BySeat = Record<Seat, unknown>;

export type ChangedEvent = {
  state: number;
};

export type ChatLine = {
  at: Millis;
  from: string;
  seat: AnySeat;
  text: string;
};

export type Circumstances = {
  ask?: Asked;
  forbidden?: Record<Point, "overline" | "double_four" | "double_three">;
  offered?: Points;
};

export type ClientMessage = ({
  agent?: string;
  kind?: "person" | "engine";
  name?: string;
  password?: string;
  type: "hello";
  version: number;
}
  | {
  on: boolean;
  type: "list";
}
  | {
  seat?: AnySeat;
  table: TableSettings;
  type: "host";
}
  | {
  key?: Key;
  room: RoomId;
  type: "enter";
}
  | {
  key?: Key;
  room: RoomId;
  seat?: AnySeat;
  type: "sit";
}
  | {
  room: RoomId;
  type: "stand" | "leave" | "resume" | "close" | "ready";
}
  | Action & {
  draw?: boolean;
  info?: SearchInfo;
  offer_draw?: never;
  question?: Id;
  room: RoomId;
  said?: string[];
  took?: Millis;
  type: "act";
}
  | {
  room: RoomId;
  type: "request" | "withdraw";
  what: TableRequest;
}
  | {
  accept: boolean;
  room: RoomId;
  type: "reply";
  what: TableRequest;
}
  | {
  engine?: string | null;
  room: RoomId;
  type: "engine";
}
  | {
  room: RoomId;
  text: string;
  type: "chat";
}
  | {
  name: string;
  type: "name";
}
  | {
  format: RecordFormat;
  game?: number | null;
  room: RoomId;
  type: "record";
}
  | {
  room: RoomId;
  seat: Seat;
  type: "remove";
}
  | {
  agent?: string;
  key: Key;
  name?: string;
  tables?: number;
  type: "join";
  version: number;
}
  | {
  reason?: string;
  room: RoomId;
  type: "failed";
}) & {
  id?: Id;
};

export type Clocks = Record<Seat, AnyMillis>;

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
  games: number[][];
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

export type GameEvent = {
  live: LiveGame;
  table: number;
};

export type GameVariant = {
  opening: Procedure;
  rule: Rule;
  size: Size;
};

export type GameView = {
  began?: number;
  black: Seat;
  book?: Points;
  clocks: Clocks;
  first: Circumstances;
  number: number;
  opening?: OpeningName;
  result: null | ResultView;
  round: number;
  row?: Points;
  seats: Record<Seat, number>;
  spoiled?: true;
  steps: StepView[];
  void?: true;
};

export type Id = number;

export type Key = string;

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

export type ListedEvent = {
  id: string;
  title: string;
};

export type LiveGame = TurnView & {
  game: GameView;
};

export type Millis = number;

export type Moves = (Point | "pass")[];

export type Nanos = number;

export type OpenRequest = {
  seat: Seat;
  what: TableRequest;
};

export type OpeningName = {
  code: string;
  en: string;
  zh: string;
};

export type OpeningView = {
  name?: OpeningName;
  results: [number, number, number];
  stones: {
    black: Points;
    white: Points;
  };
};

export type OverEvent = {
  number: number;
  result: ResultView;
  row: Points;
  table: number;
};

/** What the pairs of games of a match say of its first engine. */
export type PairStats = {
  /** How many pairs gave it 0, ½, 1, 1½ and 2 points, each counted once. */
  counts: [number, number, number, number, number];
  /** The share of pairs that gave each engine one point, 0 to 1. */
  draw_ratio: number;
  /** The engine's label. */
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
  /** How many more were played, of which a game is one of a pair of a lower number. */
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
  /** The engine that is tested. */
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

export type Point = string;

export type Points = Point[];

export type Procedure = "none"
  | "book"
  | "pro"
  | "long-pro"
  | "swap"
  | "swap2"
  | "rif"
  | "contest"
  | "yamaguchi"
  | "soosorv8"
  | "taraguchi10";

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

export type RecordFormat = "json" | "sgf" | "psq";

/** How many of an event's games are evidence: engines that always answer alike play the same game
 * from the same position. Points count what was played, and all other figures each game once. */
export type RepeatedGames = {
  /** Those of them that are evidence: games without one that is the same, of pairs without any. */
  distinct: number;
  /** The games that count. */
  games: number;
};

export type Requests = OpenRequest[];

export type ResultView = {
  detail?: string;
  termination: Termination;
  winner: AnySeat;
};

export type RoomId = string;

export type Rule = "freestyle" | "standard" | "renju" | "caro";

export type SearchInfo = {
  depth?: number;
  eval?: number;
  nodes?: number;
  pv?: Moves;
  seldepth?: number;
  win_in?: number;
};

export type Seat = "first" | "second";

export type ServerMessage = {
  engines: {
    id: string;
    name: string;
  }[];
  limits: Record<string, number>;
  now: Millis;
  owner: boolean;
  rooms: number;
  server: string;
  type: "welcome";
  version: 2;
}
  | {
  code: "version"
    | "message"
    | "hello"
    | "join"
    | "room"
    | "key"
    | "seat"
    | "not_now"
    | "illegal"
    | "settings"
    | "engine"
    | "too_fast"
    | "too_many"
    | "password"
    | "replaced"
    | "over"
    | "server";
  id?: Id;
  message: string;
  room?: RoomId;
  type: "error";
}
  | {
  rooms: TableListing[];
  type: "lobby";
}
  | {
  room: TableListing;
  type: "listed";
}
  | {
  room: RoomId;
  type: "unlisted";
}
  | {
  chat: ChatLine[];
  id?: Id;
  keys: {
    invite: string | null;
    watch: string | null;
  };
  live: null | LiveGame;
  now: Millis;
  question: Id;
  room: RoomId;
  settings: AllSettings;
  state: TableState;
  type: "table";
  waiting: AnySeat;
  you: {
    host: boolean;
    host_key: string | null;
    key: string | null;
    seat: AnySeat;
  };
}
  | {
  room: RoomId;
  state: TableState;
  type: "state";
}
  | {
  asked: AnySeat;
  left: Clocks;
  now: Millis;
  number: number;
  opening?: OpeningName;
  place: number;
  question: Id;
  room: RoomId;
  since: Millis;
  step: StepView;
  type: "step";
  waiting: AnySeat;
}
  | {
  left?: Clocks;
  number: number;
  result: ResultView;
  room: RoomId;
  row?: Points;
  type: "over";
}
  | {
  ask: Ask;
  fifth?: [number, number];
  limits: {
    depth?: number;
    draw_offered: boolean;
    hard?: Millis;
    margin?: Millis;
    nodes?: number;
    opponent?: Millis;
    own?: Millis;
    retry: boolean;
  };
  moves: Moves;
  offered?: Points;
  question: Id;
  room: RoomId;
  seat: Seat;
  type: "ask";
}
  | {
  line: ChatLine;
  room: RoomId;
  type: "chat";
}
  | {
  format: RecordFormat;
  game: number;
  id?: Id;
  room: RoomId;
  text: string;
  type: "record";
}
  | {
  reason: string;
  room: RoomId;
  type: "closed";
}
  | {
  event: string;
  id?: Id;
  limits: Record<string, number>;
  name: string;
  rooms: RoomId[];
  server: string;
  settings: GameVariant;
  type: "joined";
  version: 2;
}
  | {
  number: number;
  room: RoomId;
  seat: Seat;
  settings: GameVariant & ({
    alike?: "shape" | "board";
    draws?: boolean;
    reproducible?: boolean;
    seed?: Id;
    time: string;
  });
  startup: Millis;
  type: "game";
}
  | {
  reason: string;
  type: "end";
};

export type SettingsView = {
  concurrency: number;
  format: string;
  games: number;
  height: number;
  opening: string;
  rule: string;
  /** As text: JavaScript has no integers so great. */
  seed: string;
  time: string;
  width: number;
};

export type Sitter = {
  here: boolean;
  kind: "person" | "engine" | "remote";
  lag: AnyMillis;
  name: string;
};

export type Size = number | string;

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
  /** How likely as many or more are where a spoiled game hits either side with the same chance:
   * the p-value of the [sign test](sign_test), times the number of engines that were looked at
   * (Bonferroni), at most 1. */
  p: number;
  /** How many its opponents would have lost against it. */
  won: number;
};

/** A column of the standings. */
export type StandingColumn = "place" | "engine" | "points" | "games" | "wins" | "draws" | "losses" | "elo";

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
  asked: AnySeat;
  left: Clocks;
  number: number;
  opening?: OpeningName;
  /** How many steps there were before it. */
  place: number;
  since: Millis;
  step: StepView;
  table: number;
};

export type StepView = Action & Circumstances & ({
  black?: Seat;
  clock: number | null;
  info?: SearchInfo;
  legal?: false;
  ns: Nanos;
  said?: string[];
  seat: Seat;
  substituted?: true;
});

export type TableListing = {
  opened: Millis;
  phase: TablePhase;
  room: RoomId;
  seats: Record<Seat, string | null>;
  settings: AllSettings;
  title: string;
  viewers: number;
};

export type TablePhase = "open" | "playing" | "paused" | "over";

export type TableRequest = "undo" | "draw" | "pause" | "again";

export type TableSettings = {
  absence?: number | null;
  chat?: boolean;
  draws?: boolean;
  engines?: boolean;
  late?: "loss" | "substitute";
  margin?: number;
  move_limit?: number | null;
  opening?: Procedure;
  passing?: boolean;
  pause?: boolean;
  public?: boolean;
  rule?: Rule;
  size?: Size;
  swap?: boolean;
  time?: string;
  title?: string;
  undo?: boolean;
};

export type TableState = {
  declined?: Requests;
  games: number;
  phase: TablePhase;
  requests: Requests;
  score: Record<Seat, number>;
  seats: Record<Seat, null | Sitter>;
  viewers: number;
};

export type Termination = "five"
  | "board_full"
  | "passes"
  | "overline"
  | "double_four"
  | "double_three"
  | "illegal_answer"
  | "timeout"
  | "resignation"
  | "agreement"
  | "adjudication"
  | "proof"
  | "crash"
  | "stall"
  | "protocol_error"
  | "resource_limit"
  | "unasked"
  | "aborted";

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

export type TurnView = {
  asked: AnySeat;
  left: Clocks;
  since: Millis;
};

export type Zone = {
  within: number;
} | {
  beyond: number;
};
