// @ts-check
/* The game: the position that is shown, moves of people and of the engine, how a game begins and ends. */

import { $, isPerson, onlyPerson, state, t } from "./state.js";
import { LONGEST_LINE, ask, engine, failed, stopSearch, warn } from "./engine.js";
import { isOn, other, readPieces, sideOf, winnerOf } from "./moves.js";
import { bestIn, outcomeText, percent, rateIn, sideName } from "./words.js";
import { after, grow, lastOf, moveText, moverOf, movesTo, newNode, pathTo, rootOf, statusOf, unpack } from "./tree.js";
import { countResult, isMine, keep, randomWord } from "./store.js";
import { addIncrement, sound, timeOf } from "./clock.js";
import { animate, setBoard } from "./board.js";
import { fill, fillAll, towards } from "./game.js";
import { hideStory } from "./review.js";
import { analyse, asked, describe, draw, dropPicked, nameSeats, note, noteMaterial, question, say } from "./panel.js";
/** @import { Rules, Clock, Seats, GameNode, RecordedMove, KeptNode, Exercise } from "./state.js" */

/** Shows a node, then lets the side to move play. Returns the refusal, if the engine refuses it.
   @param {GameNode} node
   @param {boolean} moves
   @returns {Promise<string | null>} */
export async function show(node, moves = false) {
  const mine = ++state.turn;
  if (state.thinking || state.asking) stopSearch();
  // Nothing can be chosen until the position is there.
  Object.assign(state, { thinking: false, asking: false, picked: [], legal: [], over: null });
  const refusal = await fill(node);
  if (mine !== state.turn) return null;
  if (refusal) { state.drawn = mine; return refusal; }
  if (moves && node.move) {
    await animate(node.move);
    if (mine !== state.turn) return null;
  }
  // A move in place of one that was taken back comes before it.
  if (node.parent && !node.parent.children.includes(node))
    node.parent.children[node.parent === state.at && state.takenBack ? "unshift" : "push"](node);
  Object.assign(state, { at: node, fen: node.fen, status: statusOf(node), legal: node.ended ? [] : node.legal,
    pieces: readPieces(node.fen), takenBack: null, editing: null, picked: [], values: new Map(), arrows: [] });
  state.drawn = mine;
  draw();
  if (!state.exercise) noteMaterial();
  if (moves && !isOn(state.status) && !state.exercise) { countResult(winnerOf(state.status)); draw(); }
  if (moves) sound(node.takes?.length ? "take" : "step");
  say((node.move ? `${moveText(node)}. ` : "") + outcomeText(state.status));
  keep();
  const goesOn = !node.children.length && !state.exercise;
  if (goesOn && isOn(state.status) && !isPerson(sideOf(state.status))) engineMove(mine);
  else if (goesOn && state.legal[0]?.kind === "pass") {
    note(t("passes", { side: sideName(sideOf(state.status)) }));
    setTimeout(() => mine === state.turn && play("pass"), 900);
  }
  else if (state.analysing) analyse(mine);
  return null;
}

/** Plays a move from the position that is shown. What the engine refuses never stays. */
export async function play(text) {
  if (state.exercise) return state.exercise.answer(text);
  const from = state.at, node = after(from, text), side = sideOf(state.status);
  if (!from.children.includes(node) && $("really").checked && onlyPerson() === side && !await isMeant(text)) return;
  const isLast = !from.children.length, refusal = await show(node, true);
  if (refusal) { await show(from); note(refusal); } else if (isLast) addIncrement(rootOf(node).clock, side);
}

/** The loss of chances that is a blunder, and the engine's time to see it in ms. */
const BLUNDER = .25, LOOK = 200;

/** Asks whether a move is meant that loses much of the chances. True if it is, or loses nothing. */
async function isMeant(text) {
  const mine = state.turn, look = `go time ${LOOK}`;
  const before = rateIn(await asked(look)), answers = await ask(...towards(state.at), `play ${text}`, look),
    after = 1 - rateIn(answers.at(-1).text);
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
  const answers = await ask(...towards(node), `set_option level ${state.seats[side]}`,
    `set_option seed ${rootOf(node).seed}`, `go time ${timeOf(side)}`);
  if (mine !== state.turn) return;
  state.thinking = false;
  draw();
  if (failed(answers)) return note(failed(answers).text);
  engine.variant = rootOf(node).rules.spec;
  const best = bestIn(answers.at(-1).text);
  if (best) await play(best);
}

/** Ends the game where it is shown, by time, resignation or agreement. */
export function endGame(winner, reason) {
  state.at.ended = `${winner}${{ general: " wins", rebels: " win" }[winner] || ""}: ${reason}`;
  countResult(winner);
  return show(state.at);
}

/** Plies without a capture after which the engine takes a draw, and how far from even the chances may be. */
const QUIET_PLIES = 40, NEARLY_EVEN = .1;

/** Offers a draw. Two people at the board have agreed; the engine does when nothing has happened for a while and the
    chances are even. */
export async function offerDraw() {
  if (isPerson("general") && isPerson("rebels")) return endGame("draw", "agreement");
  const last = pathTo(state.at).slice(-QUIET_PLIES);
  if (last.length < QUIET_PLIES || last.some(node => node.takes?.length))
    return note(t("draw_early", { plies: QUIET_PLIES }));
  note(t("looking"));
  const answer = await asked("go time 300");
  if (!answer) return;
  if (Math.abs(rateIn(answer) - .5) <= NEARLY_EVEN) return endGame("draw", "agreement");
  note(t("draw_refused"));
}

/** The person gives the game up: the one whose turn it is, if there are two. */
export const resign = () => endGame(other(onlyPerson() || sideOf(state.status)), "resignation");

/** Steps back to the last position in which a person is to move. What follows stays, as a branch once another move is
    played. */
export async function takeBack() {
  const from = state.at;
  if (/resignation|agreement/.test(from.ended)) { from.ended = null; return show(from); }
  let node = from.parent;
  while (node && !isPerson(moverOf(node)) && (isPerson("general") || isPerson("rebels"))) node = node.parent;
  if (!node) return note(t("no_take_back"));
  if (await show(node)) return;
  state.takenBack = from;
  draw();
  note(t("taken_back"));
}

export const undoTakeBack = () => show(state.takenBack);

/** The seed of the engine's choices in a new game: random, or those from the one that the program was started with
    on. */
const newSeed = () => state.seed === undefined ? crypto.getRandomValues(new Uint32Array(1))[0] || 1 : state.seed++;

/** Begins a game, or continues one: a position and moves from there, or what was kept of it. Returns the refusal, if
    there is one. Nothing is shown or kept before all is read.
   @param {Rules} game
   @param {{ fen?: string, moves?: (string | RecordedMove)[], comment?: string, seats?: Seats,
     exercise?: Exercise | null, kept?: string, tree?: KeptNode, where?: number[], seed?: number,
     clock?: Clock | null, limit?: number }} options
   @returns {Promise<string | null>} */
export async function begin(game, { fen, moves = [], comment, seats, exercise = null, kept, tree, where = [], seed,
  clock = null, limit = 0 } = {}) {
  if (game.refusal) return game.refusal;
  const root = Object.assign(newNode(null, null),
    { rules: game, first: fen || game.fen, comment, clock, limit, seed: seed ?? newSeed() });
  if (tree) unpack(root, tree);
  const ends = tree ? [lastOf(root)] : grow(root, moves), nodes = [root, ...pathTo(ends[0])];
  for (const end of [...ends, root]) {
    if (movesTo(end).join(" ").length > LONGEST_LINE) return t("too_long");
    const refusal = await fill(end);
    if (refusal) return refusal;
  }
  root.first = root.fen;
  if (nodes.length > 1) await fillAll(nodes);
  const at = tree ? where.reduce((node, place) => node.children[place] || node, root) : nodes.at(-1),
    refusal = await fill(at);
  if (refusal) return refusal;
  // A game without moves gives its place to the next one.
  const isEmpty = state.root && !state.root.children.length && isMine(state.root.kept);
  root.kept = kept ?? (isEmpty ? state.root.kept : randomWord());
  Object.assign(state, { root, at: root, variant: game, first: root.first, editing: null, exercise });
  if (seats) state.seats = seats;
  if (!exercise) state.paused = null;
  hideStory();
  warn("");
  present(game);
  await show(at);
  return null;
}

/** Shows which game it is: title, rules, names and board.
   @param {Rules} game */
export function present(game) {
  $("title").textContent = game.title;
  document.title = `${game.title} · Privy`;
  describe($("rules"), game);
  nameSeats($("you"), game);
  setBoard(game.board);
}

/** Shows a refusal; the game in progress stays. */
export async function failWith(reason) {
  await show(state.at);
  note(reason);
}

/** Begins a game, or shows why not. True if it has begun. */
export async function openGame(game, options) {
  const refusal = await begin(game, options);
  if (refusal) await failWith(refusal);
  return !refusal;
}
