// @ts-check
/* Moves: how they are read, and how clicks become one. A move is entered point by point; while the next landing of a chain may follow, the
   last one chosen again ends it. */

import { $, state, t } from "./state.js";
import { engine } from "./engine.js";
import { board, carry, draw, spot } from "./board.js";
import { isPerson, play } from "./play.js";
import { capital, note, noteMaterial, outcomeText, say } from "./panel.js";
import { editPoint } from "./editor.js";
/** @import { Geometry, Move, Side } from "./state.js" */

export const pointsOf = text => text.match(/[a-z][0-9]+/g) || [];
const KINDS = { "-": "step", "x": "jump", ":": "take", "~": "free_jump", "@": "drop", "p": "pass" };
const kindOf = move => KINDS[move.replace(/[a-z][0-9]+/, "")[0]] || "step";
/** @param {Side} side
   @returns {Side} */
export const other = side => side === "general" ? "rebels" : "general";
/** @param {string} status
   @returns {any} */
export const sideOf = status => status.split(" ")[0];
/** The winner of a status, or `draw`. */
export const winnerOf = status => sideOf(status).replace(":", "");
export const isOn = status => status.endsWith("to move");

/** A line of `legal_moves verbose`: a move with the points to click for it, and its captures. A pass is the General's point.
   @param {string} line
   @param {string} fen
   @param {Geometry["points"]} points
   @returns {Move} */
export function readMove(line, fen, points) {
  const [text, , ...takes] = line.split(" "), path = text === "pass" ? generalIn(fen, points) : pointsOf(text);
  // A take without moving: a click on either Rebel of the pair.
  const ways = text.includes(":") ? path.slice(1).map(taken => [path[0], taken]) : [path];
  return { text, ways, takes, kind: kindOf(text) };
}

const generalIn = (fen, points) => [...readPieces(fen, points)].filter(([, piece]) => piece === "G").map(([name]) => name);

/** What is in hand in a position text: `[Gr8]`. */
export const handOf = fen => fen.split(" ")[0].match(/\[.*\]/)?.[0] || "";

/** The pieces of a position text, by point: r, G or a dot. */
export function readPieces(fen, points = board.points) {
  const cells = fen.split(" ")[0].replace(/\[.*/, "").replace(/[0-9]+/g, run => ".".repeat(+run)).replaceAll("/", "");
  const order = [...points.keys()].sort((a, b) => b.slice(1) - a.slice(1) || (a < b ? -1 : 1));
  return new Map(order.map((name, at) => [name, cells[at]]));
}

/** The first field of a position text, from pieces in the order of `readPieces`, with the hand of another one. */
export function writePieces(pieces, fen) {
  const rows = new Map();
  for (const [name, piece] of pieces) rows.set(name.slice(1), (rows.get(name.slice(1)) || "") + piece);
  const hand = [...pieces.values()].includes("G") ? handOf(fen).replace("G", "").replace("[]", "") : handOf(fen);
  return [...rows.values()].map(row => row.replace(/\.+/g, run => run.length)).join("/") + hand;
}

const begins = (way, path) => path.every((point, at) => way[at] === point);
const fitting = path => state.legal.filter(move => move.ways.some(way => begins(way, path)));
export const takesText = moves => moves.map(move => t(move.kind) + (move.takes.length ? ` ${t("takes", { points: move.takes.join(" ") })}` : "")).join(` ${t("or")} `);

/** True if a person is to move, and the position is there. */
export const canMove = () => isOn(state.status) && !state.thinking && !engine.solving && !state.editing && isPerson(sideOf(state.status));

/** Points of the next click, each with the moves that go through it. */
export function targets() {
  const next = new Map();
  if (!state.picked.length) return next;
  for (const move of fitting(state.picked)) {
    for (const way of move.ways.filter(way => begins(way, state.picked) && way.length > state.picked.length)) {
      const point = way[state.picked.length];
      next.set(point, [...(next.get(point) || []), move]);
    }
  }
  return next;
}

export function choose(point) {
  if (state.editing) return editPoint(point);
  if (!canMove()) return note(engine.solving ? t("solving") : isOn(state.status) ? t("engines_turn") : outcomeText(state.status));
  if (!state.legal.length) return;
  const ends = way => way.length === state.picked.length && begins(way, state.picked);
  const stops = state.picked.length > 1 && state.picked.at(-1) === point ? state.legal.filter(move => move.ways.some(ends)) : [];
  if (stops.length === 1) return play(stops[0].text);
  if (state.picked.length === 1 && state.picked[0] === point && !fitting([point, point]).length) state.picked = [];
  else state.picked = [[...state.picked, point], [point], []].find(path => fitting(path).length || !path.length);
  state.over = null;
  const path = state.picked, meant = path.length ? fitting(path).filter(move => move.ways.some(ends)) : [], goesOn = targets().size > 0;
  const complete = meant.filter(move => move.ways.some(way => way.length === path.length && begins(way, path)));
  if (complete.length === 1 && !goesOn) return play(complete[0].text);
  if (complete.length > 1 && !goesOn) return offer(complete);
  if (!path.length) state.pieces.get(point) === "." ? noteMaterial() : note(t("cannot_move", { point }));
  else note(t(path.length === 1 ? "choose_target" : complete.length ? "choose_landing_or_stop" : "choose_landing"));
  say(path.length ? t("chosen_targets", { path: path.join(" "), targets: [...targets().keys()].join(" ") }) : t("dropped"));
  draw();
}

export function dropPicked() {
  state.picked = [];
  draw();
  noteMaterial();
}

/** Several moves have the same clicks: the person says which one.
   @param {Move[]} moves */
function offer(moves) {
  $("choices").replaceChildren(...moves.map(move => {
    const button = Object.assign(document.createElement("button"), { textContent: `${capital(t(move.kind))} ${move.text}` });
    button.onclick = () => { $("choose").close(); play(move.text); };
    return button;
  }));
  $("choose").showModal();
}

/** Shows what a click on a point would do. */
export function preview(name) {
  const shown = name && targets().has(name) ? name : null;
  if (shown === state.over) return;
  state.over = shown;
  if (shown) note(takesText(targets().get(shown)));
  draw();
}

/* ---- Pointer and keys ---- */

const placeOf = event => new DOMPoint(event.clientX, event.clientY).matrixTransform($("board").getScreenCTM().inverse());

function pointAt(event) {
  const place = placeOf(event);
  const far = ([, p]) => Math.hypot(p.x - place.x, p.y - place.y);
  const nearest = [...board.drawing.points].reduce((a, b) => far(a) <= far(b) ? a : b);
  return far(nearest) < Math.max(30, 1.6 * board.piece) ? nearest[0] : null;
}

export function setFocus(name, moves) {
  board.focus = name;
  for (const group of $("points").children) {
    group.setAttribute("tabindex", group.dataset.point === name ? 0 : -1);
    if (moves && group.dataset.point === name) group.focus();
  }
}

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The point that an arrow key leads to. */
function neighbour(key) {
  const [dx, dy] = DIRECTIONS[key], from = spot(board.focus);
  const ahead = p => (p.x - from.x) * dx + (p.y - from.y) * dy, aside = p => Math.abs((p.x - from.x) * dy) + Math.abs((p.y - from.y) * dx);
  return [...board.drawing.points].filter(([, p]) => ahead(p) > 20 && aside(p) <= ahead(p)).sort(([, a], [, b]) => ahead(a) + 2 * aside(a) - ahead(b) - 2 * aside(b))[0]?.[0];
}

export function listenToBoard() {
  const svg = $("board");
  let pressed = null;
  svg.onpointerdown = event => {
    const point = pointAt(event);
    if (event.button === 2 && point) pressed = { point, draws: true };
    if (!point || event.button) return;
    pressed = { point, fresh: !state.picked.includes(point), x: event.clientX, y: event.clientY };
    board.droppedOn = null;
    if (event.isTrusted) svg.setPointerCapture(event.pointerId);
    setFocus(point, false);
    if (pressed.fresh) choose(point);
  };
  svg.onpointermove = event => {
    if (!pressed || pressed.draws) return;
    preview(pointAt(event));
    pressed.isDragged ||= Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > 5;
    if (pressed.isDragged) carry(placeOf(event));
  };
  // A finger on a piece or a target plays, elsewhere it scrolls the page.
  svg.addEventListener("touchstart", event => { if (event.target.closest(".live")) event.preventDefault(); }, { passive: false });
  svg.onpointercancel = () => { pressed = null; carry(null); };
  svg.onpointerup = event => {
    const point = pointAt(event), begun = pressed;
    pressed = null;
    carry(null);
    if (!begun || !point) return;
    if (begun.draws) return drawByHand(begun.point, point);
    if (point !== begun.point) {
      board.droppedOn = point;
      if (state.picked.length) choose(point);
    }
    else if (!begun.fresh) choose(point);
  };
  svg.oncontextmenu = event => event.preventDefault();
  svg.onkeydown = event => {
    if (event.key === "Enter" || event.key === " ") choose(board.focus);
    else if (event.key === "Escape") { dropPicked(); say(t("dropped")); }
    else if (event.key in DIRECTIONS) { const next = neighbour(event.key); if (next) setFocus(next, true); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  $("choose").onclose = dropPicked;
}

/** An arrow or ring of the person's own, by the right button; the same again takes it away. */
function drawByHand(from, to) {
  const all = state.at.marks || [], rest = all.filter(([a, b]) => a !== from || b !== to);
  state.at.marks = rest.length < all.length ? rest : [...all, [from, to]];
  draw();
}
