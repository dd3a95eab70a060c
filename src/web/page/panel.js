// @ts-check
/* Beside the board: what is going on, the list of moves with its branches, the analysis, dialogs. `draw` draws all. */

import { $, choice, element, isPerson, onlyPerson, state, t } from "./state.js";
import { ask, engine, stream } from "./engine.js";
import { handOf, isOn, other, sideOf } from "./moves.js";
import { GLYPHS, generalChance, judgementText, outcomeText, sideName, told } from "./words.js";
import { lineOf, mainLine, moveText, numberOf, othersOf, pathTo } from "./tree.js";
import { scoreOfToday } from "./store.js";
import { showClocks } from "./clock.js";
import { board, drawPosition } from "./board.js";
import { towards } from "./game.js";
import { nodeOf, showReviewed } from "./review.js";
/** @import { Rules, Seats, GameNode } from "./state.js" */

export const say = text => { $("spoken").textContent = text; };

export const note = text => { $("note").textContent = text; };

/** What is left on the board. */
export function noteMaterial() {
  const flags = state.fen.split(" ")[2] || "-", left = flags.match(/\d/);
  const count = [...state.pieces.values()].filter(piece => piece === "r").length,
    extra = [t("count_of", { count, rebels: sideName("rebels") })];
  const inHand = handOf(state.fen).match(/\d+/);
  if (inHand) extra.push(t("in_hand", { count: inHand[0] }));
  if (left) extra.push(t("jumps_left", { count: left[0] }));
  if (flags.includes("a")) extra.push(t("apex_visited"));
  note(extra.join(", "));
}

/** Draws what the state says: the board and what is beside it. Nothing else changes them. */
export function draw() {
  if (!board.drawing) return;
  drawPosition();
  panel();
}

function panel() {
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
  showSeats();
  showExercise();
  buttons();
  const { status, at } = state,
    general = isOn(status) ? at.chances : status.startsWith("draw") ? .5 : +status.startsWith("general");
  if (general !== undefined || !state.analysing) showChances(general ?? null);
}

const elements = new WeakMap();

/** The element of a node in a role, made once: what is redrawn keeps focus and a pressed button.
   @param {GameNode} node
   @returns {any} */
function elementOf(node, role, tag, className = "") {
  if (!elements.has(node)) elements.set(node, {});
  return elements.get(node)[role] ??= element(tag, { className });
}

/** Gives an element these children; those that are there stay where they are.
   @param {Element} parent
   @param {Element[]} children */
function arrange(parent, children) {
  for (const child of /** @type {any[]} */ ([...parent.childNodes])) if (!children.includes(child)) child.remove();
  children.forEach((child, at) => {
    if (parent.childNodes[at] !== child) parent.insertBefore(child, parent.childNodes[at] ?? null);
  });
  return parent;
}

function numberText(node, text) {
  return Object.assign(elementOf(node, text.endsWith("…") ? "second" : "number", "span", "number"),
    { textContent: text });
}

/** @param {GameNode} node */
function moveButton(node) {
  const button = elementOf(node, "button", "button"), glyph = GLYPHS[node.judged?.judgement] || node.glyph || "";
  const text = moveText(node) + glyph + (node.comment ? " ✎" : "");
  if (button.textContent !== text) button.textContent = text;
  if (node.judged) button.dataset.judgement = node.judged.judgement; else delete button.dataset.judgement;
  button.title = [node.judged && judgementText(node.judged), node.comment].filter(Boolean).join("; ");
  if (node === state.at) button.setAttribute("aria-current", "step"); else button.removeAttribute("aria-current");
  nodeOf.set(button, node);
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
    if (isFirst && node.children.length)
      rows.push([elementOf(node, "rest", "li"), numberText(node, `${number}…`), elementOf(node, "gap", "span")]);
  }
  $("sides").textContent = line.length ? t("columns", { first: sideName(other(second)), second: sideName(second) })
    : "";
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
  return arrange(elementOf(first, "branch", "span"),
    [...parts, Object.assign(elementOf(first, "end", "span"), { textContent: ") " })]);
}

function showExercise() {
  const { exercise } = state;
  $("exercise").hidden = !exercise?.text;
  if (!exercise?.text) return;
  $("exercise-title").textContent = t(exercise.kind === "lesson" ? "lesson_of" : "puzzle_of",
    { title: exercise.variant.title, at: exercise.at + 1, of: exercise.steps.length });
  $("exercise-text").textContent = exercise.text;
  $("exercise").dataset.kind = exercise.tone;
  $("exercise-hint").hidden = $("exercise-line").hidden = exercise.isOver || !exercise.line.length;
  $("exercise-next").hidden = exercise.at + 1 >= exercise.steps.length;
  $("exercise-next").textContent = t(exercise.isOver || exercise.kind === "lesson" ? "next" : "skip");
}

function showSeats() {
  const persons = ["general", "rebels"].filter(isPerson);
  $("you").value = persons.length === 2 ? "both" : persons[0] || "none";
  $("level").value = state.seats.general || state.seats.rebels || $("level").value;
  $("level-label").hidden = persons.length === 2;
}

function buttons() {
  const busy = state.thinking || Boolean(engine.solving), node = state.at;
  $("resign").disabled = $("draw").disabled = !isOn(state.status) || node.children.length > 0 || Boolean(state.editing)
    || !(isPerson("general") || isPerson("rebels"));
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

/** The bar of chances: those of the General; null where nobody knows. */
function showChances(general) {
  $("bar").classList.toggle("unknown", general === null);
  $("bar").firstElementChild.style.height = `${100 * (general ?? 0)}%`;
  $("bar").setAttribute("aria-label", general === null ? t("chances_unknown")
    : t("chances_of", { side: sideName("general"), percent: Math.round(100 * general) }));
}

/** Who plays which side: 0 a person, else the level of the engine.
   @param {Seats} seats */
export function setSeats(seats) {
  state.seats = seats;
  draw();
}

/** Names the sides to choose from as a game does.
   @param {HTMLSelectElement} select
   @param {Rules} game */
export function nameSeats(select, game) {
  for (const option of select.options)
    option.textContent = t(`you_${option.value}`, { side: game[option.value] || "" });
}

/** @returns {Seats} */
export function seatsOf(you, level) {
  const seat = side => you === "both" || you === side ? 0 : level;
  return { general: seat("general"), rebels: seat("rebels") };
}

/** The rules, as the engine says them. */
export const describe = (place, { sentences }) =>
  place.replaceChildren(element("ul", {}, ...sentences.map(textContent => element("li", { textContent }))));

/** Shows a part of the page, and scrolls to it where it is below the screen. */
export function reveal(part) {
  part.hidden = false;
  part.scrollIntoView({ block: "nearest" });
}

/** Asks a question in a dialog; true for yes. */
export function question(text) {
  $("question-text").textContent = text;
  $("question").returnValue = "";
  $("question").showModal();
  return new Promise(done => { $("question").onclose = () => done($("question").returnValue === "yes"); });
}

/** Lists games, each { text, open }, to open one. */
export function offerGames(title, games) {
  $("which-title").textContent = title;
  $("which").setAttribute("aria-label", title);
  $("no-games").hidden = games.length > 0;
  $("games").replaceChildren(...games.map(({ text, open }) => choice("which", text, open)));
  $("which").showModal();
}

export function dropPicked() {
  state.picked = [];
  draw();
  noteMaterial();
}

/** What the engine at full strength answers to a line in the position that is shown; "" where another one is shown by
    then. */
export async function asked(line) {
  const mine = state.turn;
  state.asking = true;  // who continues does not wait for it
  const answers = await ask(...towards(state.at), "set_option level 10", line);
  if (mine !== state.turn) return "";
  state.asking = false;
  if (state.analysing) analyse(mine);
  return answers.at(-1).text;
}

export async function analyse(mine) {
  const isWanted = () => mine === state.turn && state.analysing;
  if (!isOn(state.status)) return;
  await stream([...towards(state.at), "set_option level 10"], "analyze 30",
    line => { if (isWanted()) report(line); }, isWanted);
}

function report(line) {
  const entries = line.split(/\binfo (?=move )/).filter(Boolean).map(part => {
    const words = part.trim().split(" "), pv = words.indexOf("pv");
    const value = key => words[words.indexOf(key) + 1];
    const within = words.includes("bound") ? { upper: "≤", lower: "≥" }[value("bound")] : "";
    return { move: value("move"), score: value("score"), within, rate: +value("winrate"), order: +value("order"),
      line: words.slice(pv + 1) };
  });
  if (!entries.length || !entries.every(one => one.move && one.score)) return;
  entries.sort((a, b) => a.order - b.order);
  state.values = new Map(entries.map(entry => [entry.move, entry.within + entry.score]));
  state.arrows = entries[0].line.slice(0, 2);
  state.at.chances = generalChance(sideOf(state.status), entries[0].rate);
  const text = entry => `${entry.within}${told(entry.score, entry.rate)}: ${entry.line.slice(0, 8).join(" ")}`;
  $("lines").replaceChildren(...entries.slice(0, 5).map(entry => element("li", { textContent: text(entry) })));
  if ($("analysis").hidden) reveal($("analysis"));
  draw();
}
