// Made by a test of `web/src/server/page_types.rs`; see there.

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
  lag?: number;
  late: "loss" | "substitute";
  margin: number;
  move_limit: number | null;
  opening: Procedure;
  passing: boolean;
  pause: boolean;
  public: boolean;
  ready?: boolean;
  rule: Rule;
  size: Size;
  swap: boolean;
  time: string;
  title: string;
  undo: boolean;
  undo_limit?: number | null;
};

export type AnswersLeft = Record<Seat, null | Count>;

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
  max?: Count;
  min?: Count;
  zone?: Zone;
};

export type Asked = Ask & { seat: Seat };

export type BySeat = Record<Seat, unknown>;

export type ByoYomi = null | { in_period: boolean; periods: Count; span: Millis };

export type ByoYomis = Record<Seat, ByoYomi>;

export type ChatLine = {
  at: Millis;
  from: string;
  picture?: { data: string; height: number; type: "png" | "jpeg"; width: number };
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
  | { on: boolean; type: "list" }
  | { type: "beat" }
  | {
  engine?: string | null;
  seat?: AnySeat;
  table: TableSettings;
  type: "host";
}
  | { on: boolean; table?: TableSettings; type: "seek" }
  | { table: TableId; type: "claim"; what: "win" | "draw" }
  | { key?: Key; table: TableId; type: "enter" }
  | { key?: Key; seat?: AnySeat; table: TableId; type: "sit" }
  | { table: TableId; type: "stand" | "leave" | "resume" | "close" | "ready" }
  | Action & {
  draw?: boolean;
  info?: SearchInfo;
  offer_draw?: never;
  question?: Id;
  said?: string[];
  table: TableId;
  took?: Millis;
  type: "act";
}
  | { table: TableId; type: "request" | "withdraw"; what: TableRequest }
  | { accept: boolean; table: TableId; type: "reply"; what: TableRequest }
  | { engine?: string | null; table: TableId; type: "engine" }
  | { picture?: string; table: TableId; text: string; type: "chat" }
  | { name: string; type: "name" }
  | {
  format: RecordFormat;
  game?: number | null;
  table: TableId;
  type: "record";
}
  | { seat: Seat; table: TableId; type: "remove" }
  | {
  agent?: string;
  key: Key;
  name?: string;
  tables?: number;
  type: "join";
  version: number;
}
  | { reason?: string; table: TableId; type: "failed" }) & { id?: Id };

export type Clocks = Record<Seat, AnyMillis>;

export type Count = number;

export type FaceView = { in_period: boolean; left: Millis; periods: Count; span: Millis };

export type GameVariant = { opening: Procedure; rule: Rule; size: Size };

export type GameView = {
  began?: Count;
  black: Seat;
  book?: Points;
  clocks: Clocks;
  first: Circumstances;
  number: Count;
  opening?: OpeningName;
  result: null | ResultView;
  round: Count;
  row?: Points;
  seats: Record<Seat, Count>;
  spoiled?: true;
  steps: StepView[];
  void?: true;
};

export type Id = number;

export type Key = string;

export type LiveGame = TurnView & { game: GameView };

export type Millis = number;

export type Moves = (Point | "pass")[];

export type Nanos = number;

export type OpenRequest = { seat: Seat; what: TableRequest };

export type OpeningName = { code: string; en: string; zh: string };

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

export type RecordFormat = "json" | "sgf" | "psq" | "view";

export type Requests = OpenRequest[];

export type ResultView = {
  detail?: string;
  foul?: Points[];
  termination: Termination;
  winner: AnySeat;
};

export type Rule = "freestyle" | "standard" | "renju" | "caro";

export type SearchInfo = {
  depth?: Count;
  eval?: number;
  nodes?: Count;
  pv?: Moves;
  seldepth?: Count;
  win_in?: number;
};

export type Seat = "first" | "second";

export type ServerMessage = {
  beat?: Millis;
  engines: { id: string; name: string }[];
  limits: Record<string, Count>;
  now: Millis;
  owner: boolean;
  server: string;
  tables: Count;
  type: "welcome";
  version: 2;
}
  | {
  code: "version"
    | "message"
    | "hello"
    | "join"
    | "table"
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
    | "server"
    | "picture";
  id?: Id;
  message: string;
  table?: TableId;
  type: "error";
}
  | { tables: TableListing[]; type: "lobby" }
  | { table: TableListing; type: "listed" }
  | { table: TableId; type: "unlisted" }
  | {
  chat: ChatLine[];
  id?: Id;
  keys: { invite: string | null; watch: string | null };
  live: null | LiveGame;
  now: Millis;
  question: Id;
  settings: AllSettings;
  state: TableState;
  table: TableId;
  type: "table";
  waiting: AnySeat;
  you: {
    host: boolean;
    host_key: string | null;
    key: string | null;
    seat: AnySeat;
  };
}
  | { state: TableState; table: TableId; type: "state" }
  | {
  answers_left?: AnswersLeft;
  asked: AnySeat;
  byo_yomi?: ByoYomis;
  left: Clocks;
  now: Millis;
  number: number;
  opening?: OpeningName;
  place: Count;
  question: Id;
  since: Millis;
  step: StepView;
  table: TableId;
  type: "step";
  waiting: AnySeat;
}
  | {
  byo_yomi?: ByoYomis;
  left?: Clocks;
  number: Count;
  result: ResultView;
  row?: Points;
  table: TableId;
  type: "over";
}
  | {
  ask: Ask;
  fifth?: [number, number];
  limits: {
    depth?: Count;
    draw_offered: boolean;
    hard?: Millis;
    margin?: Millis;
    nodes?: Count;
    opponent?: Millis;
    own?: Millis;
    retry: boolean;
  };
  moves: Moves;
  offered?: Points;
  question: Id;
  seat: Seat;
  table: TableId;
  type: "ask";
}
  | { line: ChatLine; table: TableId; type: "chat" }
  | {
  format: RecordFormat;
  game: number;
  id?: Id;
  table: TableId;
  text: string;
  type: "record";
}
  | { reason: string; table: TableId; type: "closed" }
  | {
  event: string;
  id?: Id;
  limits: Record<string, Count>;
  name: string;
  server: string;
  settings: GameVariant;
  tables: TableId[];
  type: "joined";
  version: 2;
}
  | {
  number: Count;
  seat: Seat;
  settings: GameVariant & ({
    alike?: "shape" | "board";
    draws?: boolean;
    reproducible?: boolean;
    seed?: Id;
    time: string;
  });
  startup: Millis;
  table: TableId;
  type: "game";
}
  | { reason: string; type: "end" }
  | { id?: Id; seeks: AllSettings[]; type: "seeks" }
  | { key: Key; table: TableId; type: "paired" }
  | { id?: Id; now: Millis; type: "beat" };

export type Sitter = {
  here: boolean;
  kind: "person" | "engine" | "remote";
  lag: AnyMillis;
  name: string;
};

export type Size = number | string;

export type StepView = Action & Circumstances & ({
  black?: Seat;
  clock: number | null;
  face?: FaceView;
  info?: SearchInfo;
  legal?: false;
  ns: Nanos;
  said?: string[];
  seat: Seat;
  substituted?: true;
});

export type TableId = string;

export type TableListing = {
  opened: Millis;
  phase: TablePhase;
  seats: Record<Seat, string | null>;
  settings: AllSettings;
  table: TableId;
  title: string;
  viewers: Count;
};

export type TablePhase = "open" | "playing" | "paused" | "over";

export type TableRequest = "undo" | "draw" | "pause" | "again";

export type TableSettings = {
  absence?: number | null;
  chat?: boolean;
  draws?: boolean;
  engines?: boolean;
  lag?: number;
  late?: "loss" | "substitute";
  margin?: number;
  move_limit?: number | null;
  opening?: Procedure;
  passing?: boolean;
  pause?: boolean;
  public?: boolean;
  ready?: boolean;
  rule?: Rule;
  size?: Size;
  swap?: boolean;
  time?: string;
  title?: string;
  undo?: boolean;
  undo_limit?: number | null;
};

export type TableState = {
  claims?: Clocks;
  declined?: Requests;
  games: Count;
  phase: TablePhase;
  ready?: Record<Seat, boolean>;
  requests: Requests;
  score: Record<Seat, number>;
  seats: Record<Seat, null | Sitter>;
  undo_left?: Record<Seat, null | Count>;
  viewers: Count;
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
  | "ruling"
  | "crash"
  | "stall"
  | "protocol_error"
  | "resource_limit"
  | "unasked"
  | "aborted";

export type TurnView = {
  answers_left?: AnswersLeft;
  asked: AnySeat;
  byo_yomi?: ByoYomis;
  left: Clocks;
  since: Millis;
};

export type Zone = { within: Count } | { beyond: Count };
