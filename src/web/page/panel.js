// @ts-check
/* Beside the board: what is going on, the list of moves with its branches, the analysis. */

import { $, state, t } from "./state.js";
import { engine, stopSearch, stream } from "./engine.js";
import { draw } from "./board.js";
import { handOf, isOn, other, sideOf, winnerOf } from "./moves.js";
import { isPerson, mainLine, onlyPerson, pathTo, show, towards } from "./play.js";
import { judgementText, showReviewed, valueText } from "./review.js";
import { lineOf, othersOf } from "./files.js";
import { keep, scoreOfToday } from "./store.js";
import { showClocks } from "./clock.js";
/** @import { GameNode } from "./state.js" */

export const say = text => { $("spoken").textContent = text; };
export const note = text => { $("note").textContent = text; };
export const capital = text => text && text[0].toUpperCase() + text.slice(1);

export const sideName = side => state.variant[side];
export const ends = { general: "general_wins", rebels: "rebels_win", draw: "draw_by" };

/** The status in the words of the game. */
export function outcomeText(status) {
  if (isOn(status)) return t("to_move", { side: sideName(sideOf(status)) });
  const first = winnerOf(status), word = status.split(": ")[1] || "", person = onlyPerson();
  const reason = state.text[`end_${word}`] ? t(`end_${word}`, state.variant) : word;
  return t(person && first !== "draw" ? person === first ? "you_won" : "you_lost" : ends[first] || "draw_by", { side: sideName(first), reason });
}

export const GLYPHS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
/** The number of a move in the two columns. */
export const numberOf = node => `${Math.ceil(node.ply / 2)}${node.ply % 2 ? "." : "…"}`;
export const moveText = node => node.move + (node.takes?.length ? ` ×${node.takes.join(" ")}` : "");

/** What is left on the board. */
export function noteMaterial() {
  const flags = state.fen.split(" ")[2] || "-", left = flags.match(/\d/);
  const count = [...state.pieces.values()].filter(piece => piece === "r").length, extra = [t("count_of", { count, rebels: sideName("rebels") })];
  const inHand = handOf(state.fen).match(/\d+/);
  if (inHand) extra.push(t("in_hand", { count: inHand[0] }));
  if (left) extra.push(t("jumps_left", { count: left[0] }));
  if (flags.includes("a")) extra.push(t("apex_visited"));
  note(extra.join(", "));
}

export function panel() {
  $("status").textContent = outcomeText(state.status);
  $("over").hidden = isOn(state.status) || Boolean(state.exercise);
  $("swap").hidden = !onlyPerson();
  $("score").textContent = onlyPerson() ? t("score", scoreOfToday()) : "";
  $("players").hidden = $("files").hidden = Boolean(state.exercise);
  $("edit").setAttribute("aria-pressed", Boolean(state.editing));
  $("editor").hidden = !state.editing;
  if (document.activeElement !== $("fen") && !state.editing) $("fen").value = state.fen;
  if (document.activeElement !== $("comment")) $("comment").value = state.at.comment || "";
  $("analysis").hidden = !state.values.size;
  if (!state.values.size) $("lines").replaceChildren();
  listMoves();
  showReviewed();
  showClocks();
  buttons();
  const { status, at } = state, general = isOn(status) ? at.chances : status.startsWith("draw") ? .5 : +status.startsWith("general");
  if (general !== undefined || !state.analysing) showChances(general ?? null);
}

const elements = new WeakMap();

/** The element of a node in a role, made once: what is redrawn keeps focus and a pressed button.
   @param {GameNode} node
   @returns {any} */
function elementOf(node, role, tag, className = "") {
  if (!elements.has(node)) elements.set(node, {});
  return elements.get(node)[role] ??= Object.assign(document.createElement(tag), { className });
}

/** Gives an element these children; those that are there stay where they are.
   @param {Element} parent
   @param {Element[]} children */
function arrange(parent, children) {
  for (const child of /** @type {any[]} */ ([...parent.childNodes])) if (!children.includes(child)) child.remove();
  children.forEach((child, at) => { if (parent.childNodes[at] !== child) parent.insertBefore(child, parent.childNodes[at] ?? null); });
  return parent;
}

function numberText(node, text) {
  return Object.assign(elementOf(node, text.endsWith("…") ? "second" : "number", "span", "number"), { textContent: text });
}

/** @param {GameNode} node */
function moveButton(node) {
  const button = elementOf(node, "button", "button"), glyph = GLYPHS[node.judged?.judgement] || node.glyph || "";
  const text = moveText(node) + glyph + (node.comment ? " ✎" : "");
  if (button.textContent !== text) button.textContent = text;
  if (node.judged) button.dataset.judgement = node.judged.judgement; else delete button.dataset.judgement;
  button.title = [node.judged && judgementText(node.judged), node.comment].filter(Boolean).join("; ");
  if (node === state.at) button.setAttribute("aria-current", "step"); else button.removeAttribute("aria-current");
  button.onclick = () => show(node);
  return button;
}

let listedAt = null;  // the node to which the list has been scrolled

/** The main line in two columns; branches stand under the row that they leave. */
function listMoves() {
  const rows = [], line = mainLine(), second = other(sideOf(state.root.status || "general to move"));
  for (const node of line) {
    // The sides alternate from the root on.
    const isFirst = node.ply % 2 === 1, branches = node.parent.children.slice(1), number = Math.ceil(node.ply / 2);
    if (isFirst) rows.push([elementOf(node, "row", "li"), numberText(node, `${number}.`)]);
    rows.at(-1).push(moveButton(node));
    if (!branches.length) continue;
    rows.at(-1).push(arrange(elementOf(node.parent, "branches", "div", "branches"), branches.map(branchText)));
    if (isFirst && node.children.length) rows.push([elementOf(node, "rest", "li"), numberText(node, `${number}…`), elementOf(node, "gap", "span")]);
  }
  $("sides").textContent = line.length ? t("columns", { first: sideName(other(second)), second: sideName(second) }) : "";
  arrange($("moves"), rows.map(([row, ...parts]) => arrange(row, parts)));
  if (listedAt === state.at) return;
  listedAt = state.at;
  const current = $("moves").querySelector("[aria-current]");
  if (current) $("moves").scrollTop = Math.max(0, current.offsetTop - $("moves").clientHeight / 2);
}

/** @param {GameNode} first */
function branchText(first) {
  const parts = [];
  for (const node of lineOf(first)) {
    parts.push(numberText(node, (node === first ? "( " : "") + numberOf(node)), moveButton(node));
    if (node !== first) parts.push(...othersOf(node).map(branchText));
  }
  return arrange(elementOf(first, "branch", "span"), [...parts, Object.assign(elementOf(first, "end", "span"), { textContent: ") " })]);
}

function buttons() {
  const busy = state.thinking || Boolean(engine.solving), node = state.at;
  $("resign").disabled = $("draw").disabled = !isOn(state.status) || node.children.length > 0 || Boolean(state.editing) || !(isPerson("general") || isPerson("rebels"));
  $("undo").disabled = !(node.parent || node.ended) || Boolean(engine.solving);
  $("first").disabled = $("back").disabled = !node.parent || Boolean(engine.solving);
  $("forth").disabled = $("end").disabled = !node.children.length;
  $("hint").disabled = busy || !isOn(state.status) || Boolean(state.exercise);
  $("why").disabled = busy || !isOn(state.status) || Boolean(state.exercise && !state.exercise.isOver);
  $("solve").disabled = state.thinking || Boolean(state.exercise) || !state.variant.solvable;
  $("solve").setAttribute("aria-pressed", String(Boolean(engine.solving)));
  $("solve").title = state.variant.solvable ? "s" : t("unsolvable");
  $("redo").hidden = !state.takenBack;
  $("now").hidden = !state.thinking;
  $("review").disabled = !state.root.children.length || busy || Boolean(state.exercise);
  $("promote").hidden = !pathTo(node).some(one => one.parent.children[0] !== one);
}

/** Makes the branch that is shown the main line. */
export function promote() {
  for (const node of pathTo(state.at)) node.parent.children = [node, ...node.parent.children.filter(one => one !== node)];
  draw();
  keep();
}

/* ---- Analysis ---- */

export async function analyse(mine) {
  if (!isOn(state.status)) return;
  await stream([...towards(state.at), "set_option level 10"], "analyze 30", line => { if (mine === state.turn && state.analysing) report(line); });
}

/** Perfect play of the game, for as long as this page is open. Nothing else goes on meanwhile; the same button stops it. */
export async function solve() {
  if (engine.solving) return stopSearch();
  const mine = state.turn, setSolving = spec => {
    engine.solving = spec;
    draw();
  };
  setSolving(state.variant.spec);
  note(t("solving"));
  const answer = await stream(towards(state.at), "solve verbose", line => {
    const [, ply, , decided, , all] = line.split(" ");
    if (all) note(t("solving_ply", { ply, percent: Math.round(100 * decided / all) }));
  });
  engine.variant = engine.solving;
  setSolving("");
  if (mine !== state.turn) return;
  const table = answer.text.split("\n").at(-1).match(/^\S+ [0-9a-f]{16} (\d+) /);
  if (!answer.ok || !table) return note(answer.ok || answer.text.startsWith("interrupted") ? t("solve_stopped") : t("unsolvable"));
  if (state.analysing) analyse(mine);
  note(t("solved", { plies: table[1] }));
  say($("note").textContent);
}

export function toggleAnalysis() {
  state.analysing = !state.analysing;
  if (state.exercise && !state.exercise.isOver) state.exercise.missed = true;  // help, like a hint
  $("analyse").setAttribute("aria-pressed", state.analysing);
  show(state.at);
  if (!state.analysing && engine.streaming) stopSearch();
}

/** Shows a part of the page, and scrolls to it where it is below the screen. */
export function reveal(part) {
  part.hidden = false;
  part.scrollIntoView({ block: "nearest" });
}

function report(line) {
  const entries = line.split(/\binfo (?=move )/).filter(Boolean).map(part => {
    const words = part.trim().split(" "), pv = words.indexOf("pv");
    const value = key => words[words.indexOf(key) + 1];
    const within = words.includes("bound") ? { upper: "≤", lower: "≥" }[value("bound")] : "";
    return { move: value("move"), score: value("score"), within, rate: +value("winrate"), order: +value("order"), line: words.slice(pv + 1) };
  });
  if (!entries.length || !entries.every(one => one.move && one.score)) return;
  entries.sort((a, b) => a.order - b.order);
  state.values = new Map(entries.map(entry => [entry.move, entry.within + entry.score]));
  state.arrows = entries[0].line.slice(0, 2);
  state.at.chances = generalChance(sideOf(state.status), entries[0].rate);
  $("lines").replaceChildren(...entries.slice(0, 5).map(entry =>
    Object.assign(document.createElement("li"), { textContent: `${entry.within}${told(entry.score, entry.rate)}: ${entry.line.slice(0, 8).join(" ")}` })));
  if ($("analysis").hidden) reveal($("analysis"));
  draw();
}

/** The chance of the General, from that of a side. */
export const generalChance = (side, rate) => side === "general" ? rate : 1 - rate;

/** Asks a question in a dialog; true for yes. */
export function question(text) {
  $("question-text").textContent = text;
  $("question").returnValue = "";
  $("question").showModal();
  return new Promise(done => { $("question").onclose = () => done($("question").returnValue === "yes"); });
}

/** The bar of chances: those of the General; null where nobody knows. */
function showChances(general) {
  $("bar").classList.toggle("unknown", general === null);
  $("bar").firstElementChild.style.height = `${100 * (general ?? 0)}%`;
  $("bar").setAttribute("aria-label", general === null ? t("chances_unknown") : t("chances_of", { side: sideName("general"), percent: Math.round(100 * general) }));
}

/** A score in words: what is proved, or an evaluation and the chance of winning. */
export const told = (score, rate) => /^[+-]?\d/.test(score) ? rate ? `${Math.round(100 * rate)} % (${score})` : score : valueText(score);

/** A score as a number, for order and colour. */
export function worth(text) {
  const score = text.replace(/^[≤≥]/, ""), won = score.match(/^([+-])W(\d*)(\??)$/);
  if (won) return (won[1] === "+" ? 1 : -1) * ((won[3] ? 5e5 : 1e6) - (won[2] ? +won[2] : 1000));
  return parseFloat(score) || 0;
}

export function colour(score, best) {
  const value = worth(score);
  if (Math.abs(value) > 1e5) return value > 0 ? "#1f7a45" : "#a8322a";
  if (score.endsWith("=")) return "#6d5f18";
  return `hsl(${130 * (1 - Math.min(1, Math.max(0, (best - value) / 6)))} 45% 30%)`;
}

export const short = score => score.replace("+W", "W").replace("-W", "L");
