// The texts of the page, in each of its languages.

import { PLAY_TEXTS } from "./play_texts.js";

/** @import { Procedure, Rule, Termination } from "./protocol.d.ts" */

/** @typedef {"en" | "zh"} Language */

/**
 * The words of the protocol that are shown: each has its text, and so has a rule that stands alone.
 * @typedef {Rule | `rule.${Rule}` | Procedure | "opening.none" | Termination} ShownWord
 */

/** @type {Record<string, [string, string]> & Record<ShownWord, [string, string]>} */
const TEXTS = {
  ...PLAY_TEXTS,
  skip: ["Skip to the content", "跳到正文"],
  overview: ["Overview", "总览"],
  games: ["Games", "对局"],
  live: ["Live", "直播"],
  events: ["Events", "赛事"],
  eventsHint: [
    "How far each event has come; of a match with a test, the score and the LLR of its first engine",
    "各赛事的进度；带检验的对抗赛另列首个引擎的战绩与 LLR",
  ],
  event: ["Event", "赛事"],
  noEvents: ["No event is shown here yet.", "尚无赛事。"],
  winsDrawsLosses: ["Wins – draws – losses", "胜–和–负"],
  state: ["State", "状态"],
  standings: ["Standings", "积分榜"],
  crossTable: ["Cross table", "交叉表"],
  crossHint: ["Points of the engine of the row against that of the column", "行引擎对列引擎的得分"],
  terminations: ["How games ended", "终局方式"],
  lostBy: ["Games lost, by cause", "各原因负局数"],
  eloHint: [
    "Elo difference to the opponents met; the bar is the 95 % interval",
    "与所遇对手的 Elo 差；横条为 95 % 区间",
  ],
  score: ["Score", "得分率"],
  ratings: ["Rating over time", "等级分走势"],
  ratingsHint: [
    "Elo after so many games, with the 95 % interval of the line pointed at",
    "若干局后的 Elo；指向某线可见其 95 % 区间",
  ],
  beforeByoYomi: ["byo-yomi follows: {0} × {1}", "之后有读秒：{0} 次，每次 {1}"],
  inByoYomi: ["in byo-yomi, then {0} × {1} more", "读秒中，之后还有 {0} 次，每次 {1}"],
  lastPeriod: ["in the last period of byo-yomi", "最后一次读秒"],
  sessionMoves: ["moves until more time: {0}", "再走 {0} 步加时"],
  moveTimes: ["Time per move", "每步用时"],
  moveTimesHint: ["Mean time of a move, by the stones on the board", "按盘上棋子数的平均每步用时"],
  lengths: ["Game lengths", "对局长度"],
  lengthsHint: ["Games by the stones on the board at the end", "按终局时棋子数的局数"],
  byOpening: ["Results by opening", "按开局的结果"],
  byColor: ["Results by colour", "按颜色的结果"],
  opponent: ["Opponent", "对手"],
  opening: ["Opening", "开局"],
  mean: ["Mean", "平均"],
  median: ["Median", "中位"],
  p95: ["95 %", "95 %"],
  longest: ["Longest", "最长"],
  moves: ["Moves", "步数"],
  depth: ["Depth", "深度"],
  timeUsed: ["used {0}", "共用 {0}"],
  nodes: ["Nodes", "节点"],
  speed: ["Nodes/s", "节点/秒"],
  asBlack: ["With Black", "执黑"],
  asWhite: ["With White", "执白"],
  black: ["Black", "黑"],
  white: ["White", "白"],
  blackWins: ["Black wins", "黑胜"],
  whiteWins: ["White wins", "白胜"],
  draw: ["Draw", "和棋"],
  draws2: ["Draws", "和棋"],
  all: ["All", "全部"],
  allEngines: ["All engines", "所有引擎"],
  anyResult: ["Any result", "任何结果"],
  anyEnd: ["Any ending", "任何终局"],
  game: ["Game", "对局"],
  round: ["Round {0}", "第 {0} 轮"],
  gameNumber: ["Game {0}", "第 {0} 局"],
  result: ["Result", "结果"],
  ending: ["Ending", "终局"],
  stones: ["Stones", "棋子"],
  duration: ["Time used", "用时"],
  number: ["Number", "编号"],
  goTo: ["Go to game", "跳到对局"],
  first: ["First", "首"],
  previous: ["Previous", "上一个"],
  next: ["Next", "下一个"],
  last: ["Last", "末"],
  page: ["Page {0} of {1}", "第 {0} / {1} 页"],
  found: ["{0} games", "{0} 局"],
  noGames: ["No game fits.", "没有符合的对局。"],
  start: ["Start of the game", "对局开始"],
  back: ["Back one move", "后退一步"],
  forward: ["Forward one move", "前进一步"],
  end: ["End of the game", "对局结束"],
  play: ["Replay", "播放"],
  pause: ["Pause", "暂停"],
  flip: ["Flip the board", "翻转棋盘"],
  numbers: ["Move numbers", "手数"],
  coordinates: ["Coordinates", "坐标"],
  forbidden: ["Forbidden points", "禁手点"],
  variation: ["Principal variation", "主要变化"],
  previousGame: ["Previous game", "上一局"],
  nextGame: ["Next game", "下一局"],
  nextIn: ["Next game in {0} s", "{0} 秒后显示下一局"],
  stay: ["Stay here", "留在此局"],
  chosenGames: ["one of {0} chosen games", "所选 {0} 局之一"],
  backToLive: ["Back to live", "回到直播"],
  keys: ["Keys", "按键"],
  keysTitle: ["Keyboard", "键盘"],
  close: ["Close", "关闭"],
  theme: ["Light or dark", "浅色或深色"],
  language: ["中文", "English"],
  board: ["Board", "棋盘"],
  moveList: ["Moves", "着法"],
  move: ["Move", "着法"],
  eval: ["Eval", "评分"],
  time: ["Time", "时间"],
  clock: ["Clock", "剩余"],
  timeline: ["Evaluation and time", "评分与用时"],
  timelineHint: [
    "Evaluation for Black above the line; bars are the time of each move. Click to go there.",
    "线上方为黑优；柱为每步用时。点击可跳转。",
  ],
  evalOfBlack: ["Evaluation for Black", "黑方评分"],
  noEval: ["The engines told no evaluation.", "引擎没有给出评分。"],
  winIn: ["win in {0}", "{0} 步胜"],
  lossIn: ["loss in {0}", "{0} 步负"],
  said: ["Said", "输出"],
  download: ["Download", "下载"],
  copyLink: ["Copy link", "复制链接"],
  copied: ["Copied", "已复制"],
  toMove: ["to move", "行棋"],
  waiting: ["No game is being played.", "没有正在进行的对局。"],
  wall: ["Live games", "正在进行"],
  finishedGames: ["Finished games", "已结束的对局"],
  connected: ["live", "已连接"],
  connecting: ["connecting …", "连接中……"],
  disconnected: ["connection lost; trying again", "连接断开，正在重试"],
  delayed: ["{0} s delay", "延迟 {0} 秒"],
  done: ["finished", "已结束"],
  ended: ["stopped", "已停止"],
  running: ["running", "进行中"],
  notRunning: ["live boards are shown where the event is played", "直播棋盘由运行赛事的程序提供"],
  gamesOf: ["{0} of {1} games", "{0} / {1} 局"],
  gamesDone: ["{0} games", "{0} 局"],
  sampled: [
    "{0} of {1} games can be replayed here: every so many pairs, spread over the whole event. All figures are of all games.",
    "此文件可回放 {1} 局中的 {0} 局：均匀取自整个赛事。所有统计均为全部对局。",
  ],
  notInFile: [
    "Game {0} is not among those that can be replayed in this file.",
    "第 {0} 局不在此文件可回放的对局之中。",
  ],
  notPlayed: ["Game {0} has not been played yet.", "第 {0} 局尚未进行。"],
  noGame: ["There is no game {0}.", "没有第 {0} 局。"],
  loading: ["Loading …", "载入中……"],
  failed: ["This could not be loaded: {0}", "无法载入：{0}"],
  voidGame: ["does not count", "不计分"],
  spoiledGame: ["spoiled by the machine", "受机器干扰"],
  removedNote: ["{0} was removed ({1}), and plays no more games.", "{0} 已被移除（{1}），不再参赛。"],
  asideNote: ["{0} does not play: {1}", "{0} 未参赛：{1}"],
  voidNote: [
    "{0} games do not count: the machine spoiled them again and again.",
    "{0} 局不计分：多次受机器干扰。",
  ],
  spoiledNote: ["{0} games count though the machine spoiled them.", "{0} 局虽受机器干扰仍计分。"],
  spoiledLoser: [
    "{0} would have lost {1} games that the machine spoiled, its opponents {2} against it.",
    "受机器干扰的对局中，{0} 本应负 {1} 局，其对手本应负 {2} 局。",
  ],
  spoiledMore: [
    " This is more than by chance (sign test, p = {0}).",
    "这已超出偶然（符号检验，p = {0}）。",
  ],
  repeatedNote: [
    "{0} of {1} games are different from each other, and Elo and tests count each once.",
    "{1} 局中有 {0} 局互不相同；Elo 与检验只计每局一次。",
  ],
  pairsNote: [
    "Pairs of games of {0}: 0, ½, 1, 1½ and 2 points",
    "{0} 的成对对局：0、½、1、1½、2 分",
  ],
  los: ["LOS", "LOS"],
  changes: ["Changes of the event", "赛事变更"],
  changeNumber: ["No.", "编号"],
  changeDate: ["When", "时间"],
  referee: ["Referee", "裁判"],
  changeText: ["What was done", "内容"],
  workers: ["Workers", "工作节点"],
  workersAbout: [
    "What each machine played, and how likely results as odd as its own are by chance",
    "各节点所下对局，及其结果偏离他处的偶然概率",
  ],
  worker: ["Worker", "节点"],
  machine: ["Machine", "机器"],
  spoiledGames: ["Spoiled", "受干扰"],
  times: ["Times", "用时倍率"],
  fit: ["Fit", "吻合度"],
  workerOdd: [
    "The results of worker {0} do not fit those of the others (p = {1}): {2} made {3} points more there than in such games elsewhere.",
    "节点 {0} 的结果与其他节点不符（p = {1}）：{2} 在该节点多得 {3} 分。",
  ],
  nelo: ["nElo", "nElo"],
  sprtOpen: ["not decided yet", "尚未判定"],
  sprtUsedUp: ["inconclusive: openings are used up", "无结论：开局已用完"],
  sprtAccepted: ["{0} is accepted", "接受 {0}"],
  rule: ["Rule", "规则"],
  size: ["Board", "棋盘"],
  openingRule: ["Opening", "开局规则"],
  timeControl: ["Time", "时限"],
  format: ["Format", "赛制"],
  seed: ["Seed", "种子"],
  made: ["{0}, {1}", "{0}，{1}"],
  others: ["{0} other openings", "其他 {0} 种开局"],
  averageDepth: ["Depth", "平均深度"],
  more: ["Show all {0}", "显示全部 {0}"],
  seeGames: ["Games of {0}", "{0} 的对局"],
  illegal: ["refused", "被拒"],
  substituted: ["by the arbiter", "裁判代行"],
  place: ["places {0}", "摆 {0}"],
  declare: ["declares {0} fifth moves", "宣布 {0} 个五手打点"],
  swapYes: ["swaps", "交换"],
  swapNo: ["does not swap", "不交换"],
  choose: ["takes {0}", "选{0}"],
  offer: ["offers {0}", "提出 {0}"],
  pick: ["keeps {0}", "选定 {0}"],
  pass: ["passes", "停一手"],
  resign: ["resigns", "认输"],
  claim: ["claims a foul", "指认禁手"],
  offerDraw: ["offers a draw", "提和"],
  acceptDraw: ["accepts the draw", "同意和棋"],
  before: ["before the first move", "第一手之前"],
  bookStones: ["{0} stones from the book", "开局库 {0} 子"],
  announce: ["Move {0}: {1} {2}", "第 {0} 手：{1} {2}"],
  over: ["Game over: {0}", "对局结束：{0}"],
  winsBy: ["{0} wins: {1}", "{0} 胜：{1}"],
  drawBy: ["Draw: {0}", "和棋：{0}"],
  aborted: ["Aborted", "中止"],
  zoneNote: ["only within the marked zone", "仅限标记区域"],
  offeredNote: ["offered fifth moves", "提出的五手打点"],
  five: ["five in a row", "五连"],
  board_full: ["board full", "棋盘已满"],
  passes: ["two passes", "双方停一手"],
  overline: ["overline", "长连"],
  double_four: ["double four", "四四"],
  double_three: ["double three", "三三"],
  illegal_answer: ["illegal answer", "应答违规"],
  timeout: ["timeout", "超时"],
  resignation: ["resignation", "认输"],
  agreement: ["agreement", "议和"],
  adjudication: ["adjudication", "裁定"],
  proof: ["proved win", "证明必胜"],
  ruling: ["referee's ruling", "裁判判定"],
  crash: ["crash", "崩溃"],
  stall: ["stall", "无应答"],
  protocol_error: ["protocol error", "协议错误"],
  resource_limit: ["resource limit", "超出资源限制"],
  unasked: ["computed while paused", "暂停时计算"],
  "round-robin": ["round-robin", "循环赛"],
  gauntlet: ["gauntlet", "擂台赛"],
  swiss: ["Swiss", "瑞士制"],
  knockout: ["knockout", "单淘汰"],
  "double-elimination": ["double elimination", "双败淘汰"],
  ladder: ["ladder", "阶梯赛"],
  groups: ["groups", "分组循环"],
  freestyle: ["freestyle", "无禁手"],
  standard: ["standard", "标准"],
  renju: ["renju", "连珠"],
  caro: ["caro", "卡罗"],
  none: ["none", "无"],
  book: ["book", "开局库"],
  keyLeft: ["one move back", "后退一步"],
  keyRight: ["one move on", "前进一步"],
  keyHome: ["to the start", "到开始"],
  keyEnd: ["to the end", "到结束"],
  keyUp: ["previous game", "上一局"],
  keyDown: ["next game", "下一局"],
  keySpace: ["replay, pause", "播放、暂停"],
  keyF: ["flip the board", "翻转棋盘"],
  keyN: ["move numbers", "手数"],
  keyV: ["principal variation", "主要变化"],
  keyL: ["back to live", "回到直播"],
  keyT: ["light or dark", "浅色或深色"],
  keyHelp: ["these keys", "显示按键"],
};

/** @type {Language} */
let language = "en";

/**
 * Chooses the language of every text from now on.
 * @param {Language} wanted
 */
export function setLanguage(wanted) {
  language = wanted;
  document.documentElement.lang = wanted === "zh" ? "zh-Hans" : "en";
}

/** @returns {Language} */
export function getLanguage() {
  return language;
}

/**
 * Of a text in each language, the one in the language that was chosen.
 * @param {[string, string]} texts
 */
export function inLanguage([english, chinese]) {
  return language === "zh" ? chinese : english;
}

/**
 * The text of that key, with what it is about in the places {0}, {1}.
 * @param {string} key
 * @param {...(string | number)} parts
 */
export function text(key, ...parts) {
  const known = Object.hasOwn(TEXTS, key) ? TEXTS[key] : null;
  const found = known ? inLanguage(known) : key;
  return found.replace(/\{(\d)\}/g, (_, place) => String(parts[Number(place)] ?? ""));
}
