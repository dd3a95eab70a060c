// @ts-check
/* What the page shows, in one place: everything that is drawn follows from it. Types of what the engine tells. */

/** @typedef {"general" | "rebels"} Side */
/** @typedef {{ x: number, y: number }} Place */
/** @typedef {Place & { text: string, size: number, ends: Place[] }} Label */
/** @typedef {{ points: Map<string, Place & { privy: boolean }>, lines: string[][], edges: string[][], apex: string[],
    exits: string[], labels: Label[], piece: number }} Geometry
   A board as it is drawn; `piece` is the radius of a piece. */
/** @typedef {{ spec: string, own?: string, id: string, title: string, sentences: string[], fen: string, board:
    Geometry, general: string, rebels: string, rebel: string, solvable: boolean, refusal?: string }} Rules
   A game: `spec` is what `variant` takes for it, `own` the text or the path of a custom one, `refusal` why it cannot be
   read. */
/** @typedef {{ text: string, ways: string[][], takes: string[], kind: string }} Move  A legal move with the points to
    click for it. */
/** @typedef {{ minutes: number, increment: number, side: Side | "both", general: number | null, rebels: number | null
    }} Clock  What each side has left, in ms. */
/** @typedef {Record<Side, number>} Seats  0 for a person, else the level of the engine. */
/** @typedef {{ ply: number, side: Side, judgement: string, only: boolean, exact: boolean, lost_plies: number, best:
    string, score: string, best_score: string, winrate: number, best_winrate: number, line: string[] }} Judged  A move
    as `review` judges it. */
/** @typedef {object} GameNode  A position in the tree of a game.
   @property {string | null} move  None at the root.
   @property {GameNode | null} parent
   @property {GameNode[]} children  The first one is the main line.
   @property {number} ply
   @property {string[]} [takes]  The points of the Rebels taken.
   @property {string} [glyph]
   @property {string} [comment]
   @property {Judged | null} [judged]
   @property {number} [chances]  Those of the General.
   @property {[string, string][]} [marks]  Arrows and rings of the person.
   @property {string | null} [ended]  The status where time, resignation or agreement ended the game.
   @property {string} [fen]  Known once it has been shown, like the next two.
   @property {string} [status]
   @property {Move[]} [legal]
   @property {Rules} [rules]  Of the root, like all that follow.
   @property {string} [first]  The text of its position.
   @property {Clock | null} [clock]
   @property {number} [limit]  Plies after which the game is a draw.
   @property {number} [seed]
   @property {string} [kept]  The key under which the game is kept.
   @property {boolean} [isKept]
   @property {boolean} [isCounted]  Its result is in the score of the day. */
/** @typedef {{ move: string, glyph?: string, comment?: string, variations?: RecordedMove[][] }} RecordedMove  As in the
    JSON of a record. */
/** @typedef {{ m?: string, c?: string, g?: string, e?: string, n?: KeptNode[] }} KeptNode  A node as the browser keeps
    it: move, comment, glyph, end, children. */
/** @typedef {{ position: string, line: string[], also?: string[], text?: string, then?: string, wrong?: string, goal?:
    string, side?: Side, plies?: number, grade?: number, game?: string }} Step */
/** @typedef {{ kind: "lesson" | "puzzles", game: string, name?: string, steps: Step[], at: number, variant?: Rules,
    line?: string[], done?: number, missed?: boolean, isOver?: boolean, text?: string, tone?: "" | "right" | "wrong",
    answer?: (move: string) => Promise<void> }} Exercise */

export const state = {
  variant: /** @type {Rules} */ ({ spec: "", id: "", title: "", general: "General", rebels: "Rebels", rebel: "Rebel",
    sentences: [] }),
  seats: /** @type {Seats} */ ({ general: 0, rebels: 3 }),
  root: /** @type {GameNode} */ (null),
  at: /** @type {GameNode} */ (null),
  first: "", fen: "", status: "",
  legal: /** @type {Move[]} */ ([]),
  pieces: /** @type {Map<string, string>} */ (new Map()),
  picked: /** @type {string[]} */ ([]),
  over: /** @type {string | null} */ (null),
  values: /** @type {Map<string, string>} */ (new Map()),
  arrows: /** @type {string[]} */ ([]),
  takenBack: /** @type {GameNode | null} */ (null),  // what was shown before Take back, until something else is shown
  thinking: false, asking: false, analysing: false, flipped: false,
  editing: /** @type {{ fields: string[] } | null} */ (null),
  exercise: /** @type {Exercise | null} */ (null),
  // the game kept during an exercise
  paused: /** @type {{ variant: Rules, root: GameNode, at: GameNode, first: string, seats: Seats } | null} */ (null),
  turn: 0,   // counts what has been asked to be shown: late answers to earlier wishes are dropped
  drawn: 0,  // the last of them that is there
  seed: /** @type {number | undefined} */ (undefined),  // of the next game, if the program was started with one
  text: /** @type {Record<string, string>} */ ({}),
  listed: /** @type {any[]} */ ([]),  // the games of `list_variants verbose`
  puzzles: /** @type {Step[] | undefined} */ (undefined),
  lessons: /** @type {Record<string, any> | undefined} */ (undefined),
};

/** An element of the page. Which kind it is the page says.
   @returns {any} */
export const $ = id => document.getElementById(id);

/** A new element with properties and children.
   @param {string} tag */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** A button that closes its dialog and does something. */
export const choice = (dialog, textContent, action) => element("button",
  { textContent, onclick: () => { $(dialog).close(); action(); } });

/** A text of the page, with values in place of {names}.
   @param {string} key
   @param {Record<string, any>} values */
export function t(key, values = {}) {
  return (state.text[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** @param {Side} side */
export const isPerson = side => state.seats[side] === 0;

/** The side of the only person, if the engine has the other one. */
export const onlyPerson = () =>
  isPerson("general") === isPerson("rebels") ? null : isPerson("general") ? "general" : "rebels";

export const LEVEL = 3, EASIEST = 1, LEVELS = 10;
