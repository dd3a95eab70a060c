// @ts-check
/* The game: a tree of positions, the one that is shown, and the engine's moves. Everything that depends on the rules comes from the engine. */

import { $, state, t } from "./state.js";
import { LONGEST_LINE, ask, askAll, engine, failed, stopSearch, warn } from "./engine.js";
import { animate, draw, readGeometry, setBoard } from "./board.js";
import { dropPicked, isOn, other, pointsOf, readMove, readPieces, sideOf, winnerOf } from "./moves.js";
import { analyse, moveText, note, noteMaterial, outcomeText, question, reveal, say, sideName, told } from "./panel.js";
import { hideStory, percent } from "./review.js";
import { inline } from "./files.js";
import { nameSeats } from "./newgame.js";
import { answerExercise } from "./learn.js";
import { countResult, isMine, keep, ownFiles, randomWord, unpack } from "./store.js";
import { addIncrement, sound, timeOf } from "./clock.js";
/** @import { Clock, Exercise, GameNode, KeptNode, RecordedMove, Rules, Seats, Side } from "./state.js"
   @param {Side} side */
export const isPerson = side => state.seats[side] === 0;
/** @param {string | null} move
   @param {GameNode | null} parent
   @returns {GameNode} */
export const newNode = (move, parent) => ({ move, parent, children: [], ply: parent ? parent.ply + 1 : 0 });
/** @param {GameNode} node
   @returns {GameNode[]}  From the first move on. */
export function pathTo(node) {
  const path = [];
  for (; node.parent; node = node.parent) path.push(node);
  return path.reverse();
}
/** How the game stands at a node: by the rules, or as it was ended there.
   @param {GameNode} node */
export const statusOf = node => node.ended || node.status;
export const movesTo = node => pathTo(node).map(one => one.move);
/** @param {GameNode} node */
export function lastOf(node) {
  while (node.children.length) [node] = node.children;
  return node;
}
export const mainLine = () => pathTo(lastOf(state.root));
/** @param {GameNode} node */
function rootOf(node) {
  while (node.parent) node = node.parent;
  return node;
}
const position = node => `position fen ${rootOf(node).first}` + (node.parent ? ` moves ${movesTo(node).join(" ")}` : "");

/** Lines that bring the engine to a node. A game of one's own is unknown after another one has been looked at.
   @param {GameNode} node */
export function towards(node) {
  const { rules: { id, spec }, limit = 0 } = rootOf(node), lines = spec !== id && engine.variant !== spec ? [`variant ${spec}`, position(node)] : [position(node)];
  if (limit || engine.limit) lines.unshift(`set_option move_limit ${limit}`);
  engine.limit = limit;
  return lines;
}

/** Asks for what is not known of a node; returns the refusal, if there is one.
   @param {GameNode} node
   @returns {Promise<string | null>} */
export async function fill(node) {
  if (node.fen) return null;
  const { rules } = rootOf(node), answers = await askAll([...towards(node), "fen", "legal_moves verbose", "status"]);
  if (failed(answers)) return failed(answers).text;
  engine.variant = rules.spec;
  const [fen, legal, status] = answers.slice(-3).map(answer => answer.text);
  Object.assign(node, { fen, status, legal: legal ? legal.split("\n").map(line => readMove(line, fen, rules.board.points)) : [] });
  if (node.move && !node.takes) {
    const known = node.parent.legal?.find(move => move.text === node.move);
    node.takes = known ? known.takes : node.parent.fen ? fallen(rules, node.parent.fen, fen, node.move) : [];
  }
  return null;
}

/** Rebels that a move took, by the positions around it. */
function fallen({ board: { points } }, before, after, move) {
  const pieces = readPieces(after, points);
  return [...readPieces(before, points)].filter(([point, piece]) => piece === "r" && pieces.get(point) === "." && pointsOf(move)[0] !== point).map(([point]) => point);
}

/** Shows a node, then lets the side to move play. Returns the refusal, if the engine refuses it.
   @param {GameNode} node
   @param {boolean} moves
   @returns {Promise<string | null>} */
export async function show(node, moves = false) {
  const mine = ++state.turn;
  if (state.thinking) stopSearch();
  // Nothing can be chosen until the position is there.
  Object.assign(state, { thinking: false, picked: [], legal: [], over: null });
  const refusal = await fill(node);
  if (mine !== state.turn) return null;
  if (refusal) { state.drawn = mine; return refusal; }
  if (moves && node.move) {
    await animate(node.move);
    if (mine !== state.turn) return null;
  }
  // A move in place of one that was taken back comes before it.
  if (node.parent && !node.parent.children.includes(node)) node.parent.children[node.parent === state.at && state.takenBack ? "unshift" : "push"](node);
  Object.assign(state, { at: node, fen: node.fen, status: statusOf(node), legal: node.ended ? [] : node.legal, pieces: readPieces(node.fen), takenBack: null, editing: null, picked: [], values: new Map(), arrows: [] });
  state.drawn = mine;
  draw();
  if (!state.exercise) noteMaterial();
  if (moves && !isOn(state.status) && !state.exercise) { countResult(winnerOf(state.status)); draw(); }
  if (moves) sound(node.takes?.length ? "take" : "step");
  say((node.move ? `${moveText(node)}. ` : "") + outcomeText(state.status));
  keep();
  if (isOn(state.status) && !isPerson(sideOf(state.status)) && !node.children.length && !state.exercise) engineMove(mine);
  else if (state.legal[0]?.kind === "pass" && !node.children.length && !state.exercise) { note(t("passes", { side: sideName(sideOf(state.status)) })); setTimeout(() => mine === state.turn && play("pass"), 900); }
  else if (state.analysing) analyse(mine);
  return null;
}

/** Plays a move from the position that is shown. What the engine refuses never stays. */
export async function play(text) {
  if (state.exercise) return answerExercise(text);
  const from = state.at, known = from.children.find(child => child.move === text);
  if (!known && $("really").checked && onlyPerson() === sideOf(state.status) && !await isMeant(text)) return;
  const node = known || newNode(text, from), side = sideOf(state.status);
  const isLast = !from.children.length, refusal = await show(node, true);
  if (refusal) { await show(from); note(refusal); } else if (isLast) addIncrement(rootOf(node).clock, side);
}

/** The loss of chances that is a blunder, and the engine's time to see it in ms. */
const BLUNDER = .25;
const LOOK = 200;

/** Asks whether a move is meant that loses much of the chances. True if it is, or loses nothing. */
async function isMeant(text) {
  const mine = state.turn, from = towards(state.at);
  const rateOf = answers => Number([...answers.at(-1).text.matchAll(/ winrate (\S+)/g)].pop()?.[1] ?? NaN);
  const before = rateOf(await ask(...from, "set_option level 10", `go time ${LOOK}`)), after = 1 - rateOf(await ask(...from, `play ${text}`, `go time ${LOOK}`));
  if (mine !== state.turn) return false;
  if (!(before - after > BLUNDER)) return true;
  const answer = await question(t("really_text", { move: text, before: percent(before), after: percent(after) }));
  if (!answer) dropPicked();
  return answer;
}

async function engineMove(mine) {
  state.thinking = true;
  const node = state.at, side = sideOf(state.status);
  draw();
  note(t("thinking"));
  const level = state.seats[side];
  const answers = await ask(...towards(node), `set_option level ${level}`, `set_option seed ${rootOf(node).seed}`, `go time ${timeOf(side)}`);
  if (mine !== state.turn) return;
  state.thinking = false;
  draw();
  if (failed(answers)) return note(failed(answers).text);
  engine.variant = rootOf(node).rules.spec;
  const best = answers.at(-1).text.match(/bestmove (\S+)/);
  if (best) await play(best[1]);
}

/** The side of the only person, if the engine has the other one. */
export const onlyPerson = () => isPerson("general") === isPerson("rebels") ? null : isPerson("general") ? "general" : "rebels";

/** A status: the winner, or `draw`, and why. */
const endOf = (winner, reason) => `${winner}${{ general: " wins", rebels: " win" }[winner] || ""}: ${reason}`;

/** Ends the game where it is shown, by time, resignation or agreement. */
export function endGame(winner, reason) {
  state.at.ended = endOf(winner, reason);
  countResult(winner);
  return show(state.at);
}

/** Plies without a capture after which the engine takes a draw, and how far from even the chances may be. */
const QUIET_PLIES = 40;
const NEARLY_EVEN = .1;

/** Offers a draw. Two people at the board have agreed; the engine does when nothing has happened for a while and the chances are even. */
export async function offerDraw() {
  if (isPerson("general") && isPerson("rebels")) return endGame("draw", "agreement");
  const last = pathTo(state.at).slice(-QUIET_PLIES), mine = state.turn;
  if (last.length < QUIET_PLIES || last.some(node => node.takes?.length)) return note(t("draw_early", { plies: QUIET_PLIES }));
  note(t("looking"));
  const answers = await ask(...towards(state.at), "set_option level 10", "go time 300");
  if (mine !== state.turn) return;
  const rate = [...answers.at(-1).text.matchAll(/ winrate (\S+)/g)].pop();
  if (rate && Math.abs(rate[1] - .5) <= NEARLY_EVEN) return endGame("draw", "agreement");
  note(t("draw_refused"));
  if (state.analysing) analyse(mine);
}

/** The person gives the game up: the one whose turn it is, if there are two. */
export function resign() {
  return endGame(other(onlyPerson() || sideOf(state.status)), "resignation");
}

/** The side to move at a node: the sides alternate. */
const moverOf = node => /** @type {Side[]} */ (["general", "rebels"])[Number(rootOf(node).fen.split(" ")[1] === "r") ^ node.ply % 2];

/** Steps back to the last position in which a person is to move. What follows stays, as a branch once another move is played. */
export async function takeBack() {
  const from = state.at;
  if (/resignation|agreement/.test(from.ended)) { from.ended = null; return show(from); }
  let node = from.parent;
  while (node && !isPerson(moverOf(node)) && (isPerson("general") || isPerson("rebels"))) node = node.parent;
  if (!node) return note(t("no_take_back"));
  if (await show(node)) return;
  Object.assign(state, { takenBack: from });
  draw();
  note(t("taken_back"));
}

export function undoTakeBack() {
  show(state.takenBack);
}

export async function hint() {
  const mine = state.turn, answers = await ask(...towards(state.at), "set_option level 10", "go time 1000");
  if (mine !== state.turn) return;
  const text = answers.at(-1).text, best = text.match(/bestmove (\S+)/);
  if (!best) return note(text);
  const score = [...text.matchAll(/score (\S+)(?: bound \S+)?(?: winrate (\S+))?/g)].pop();
  state.arrows = [best[1]];
  draw();
  if (state.analysing) analyse(mine);
  note(t("hint_is", { move: best[1], score: score ? told(score[1], score[2]) : "" }));
  say($("note").textContent);
}

/** Who is winning and why, in the engine's words. */
export async function why() {
  const mine = state.turn;
  note(t("looking"));
  const answers = await ask(...towards(state.at), "set_option level 10", "explain");
  if (mine !== state.turn) return;
  $("explained").textContent = answers.at(-1).text;
  reveal($("explanation"));
  if (state.analysing) analyse(mine);
  note("");
  say(answers.at(-1).text);
}

/* ---- A new game ---- */

/** @returns {Promise<Rules>} Reads a game: the lines that tell it, or the refusal. `own` is the text or the path of a file of one's own. */
export async function readGame(spec, own) {
  const known = state.listed.find(one => one.id === spec);
  const answers = await ask(`variant ${spec}`, "show_variant words", "fen", "geometry", "variant", ...(known ? [] : ["list_variants verbose"]));
  engine.variant = spec;
  if (failed(answers)) { engine.variant = ""; return /** @type {Rules} */ ({ refusal: failed(answers).text }); }
  const [, words, fen, geometry, id, all] = answers.map(answer => answer.text), [title, ...sentences] = words.split("\n");
  const { general, rebels, rebel, solvable } = known || JSON.parse(all.split("\n").at(-1));
  return { spec, own, id, title, sentences, fen, board: readGeometry(geometry), general, rebels, rebel, solvable };
}

/** True if a file of one's own is told by its path: the text of one has several lines. */
export const isPath = own => /^[^\n]*(\/[^\n]*|\.toml)$/.test(own);
/** What `variant` takes for a file of one's own, and for the id of a game, one's own among them. */
export const specOfOwn = own => isPath(own) ? own : inline(own);
export const specOf = id => ownFiles()[id] ? specOfOwn(ownFiles()[id]) : id;
export const readKnown = id => readGame(specOf(id), ownFiles()[id]);

/** Adds a line behind a node: moves as texts, or with glyph, comment and variations. Returns the last nodes of all its lines, its own first.
   @param {GameNode} node
   @param {(string | RecordedMove)[]} line
   @returns {GameNode[]} */
function grow(node, line) {
  const ends = [];
  for (const one of line) {
    const { move, glyph, comment, variations = [] } = typeof one === "string" ? /** @type {RecordedMove} */ ({ move: one }) : one;
    const next = Object.assign(newNode(move, node), { glyph, comment });
    node.children.push(next);
    variations.forEach(other => ends.push(...grow(node, other)));
    node = next;
  }
  return [node, ...ends];
}

/** The seed of the engine's choices in a new game: random, or those from the one that the program was started with on. */
const newSeed = () => state.seed === undefined ? crypto.getRandomValues(new Uint32Array(1))[0] || 1 : state.seed++;

/** Begins a game, or goes on with one: a position and moves from there, or what was kept of it. Returns the refusal, if there is one. Nothing is shown
    or kept before all is read.
   @param {Rules} game
   @param {{ fen?: string, moves?: (string | RecordedMove)[], comment?: string, seats?: Seats, exercise?: Exercise | null, kept?: string, tree?: KeptNode, where?: number[], seed?: number, clock?: Clock | null, limit?: number }} options
   @returns {Promise<string | null>} */
export async function begin(game, { fen, moves = [], comment, seats, exercise = null, kept, tree, where = [], seed, clock = null, limit = 0 } = {}) {
  if (game.refusal) return game.refusal;
  const root = Object.assign(newNode(null, null), { rules: game, first: fen || game.fen, comment, clock, limit, seed: seed ?? newSeed() });
  if (tree) unpack(root, tree);
  const ends = tree ? [lastOf(root)] : grow(root, moves), nodes = [root, ...pathTo(ends[0])];
  for (const end of [...ends, root]) {
    if (movesTo(end).join(" ").length > LONGEST_LINE) return t("too_long");
    const refusal = await fill(end);
    if (refusal) return refusal;
  }
  root.first = root.fen;
  if (nodes.length > 1) await fillAll(nodes);
  const at = tree ? where.reduce((node, place) => node.children[place] || node, root) : nodes.at(-1), refusal = await fill(at);
  if (refusal) return refusal;
  // A game without moves gives its place to the next one.
  const isEmpty = state.root && !state.root.children.length && isMine(state.root.kept);
  root.kept = kept ?? (isEmpty ? state.root.kept : randomWord());
  Object.assign(state, { root, at: root, variant: game, first: root.first, editing: null, exercise, seats: seats || state.seats });
  if (!exercise) { state.paused = null; $("exercise").hidden = true; }
  hideStory();
  warn("");
  $("title").textContent = game.title;
  document.title = `${game.title} · Privy`;
  describe($("rules"), game);
  nameSeats($("you"), game);
  setBoard(game.board);
  await show(at);
  return null;
}

/** Positions and captures of a line, with requests that are sent at once. */
async function fillAll(nodes) {
  const lines = nodes.slice(1).flatMap(node => [`play ${node.move}`, "fen"]);
  const answers = await askAll([...towards(nodes[0]), ...lines]), fens = answers.slice(-lines.length).filter((_, at) => at % 2).map(answer => answer.text);
  nodes.slice(1).forEach((node, at) => { node.takes = fallen(nodes[0].rules, at ? fens[at - 1] : nodes[0].fen, fens[at], node.move); });
}

/** The rules, as the engine says them. */
export function describe(place, { sentences }) {
  const items = document.createElement("ul");
  items.append(...sentences.map(text => Object.assign(document.createElement("li"), { textContent: text })));
  place.replaceChildren(items);
}
