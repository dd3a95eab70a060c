// @ts-check
/* Moves and positions: how their texts are read, and where the clicks of a move lead. A move is entered point by
   point. */

import { isPerson, state } from "./state.js";
import { engine } from "./engine.js";
/** @import { Side, Geometry, Move } from "./state.js" */

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

/** A line of `legal_moves verbose`: a move with the points to click for it, and its captures. A pass is the General's
    point.
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

const generalIn = (fen, points) => [...readPieces(fen, points)].filter(([, piece]) => piece === "G")
  .map(([name]) => name);

/** What is in hand in a position text: `[Gr8]`. */
export const handOf = fen => fen.split(" ")[0].match(/\[.*\]/)?.[0] || "";

/** The pieces of a position text, by point: r, G or a dot. */
export function readPieces(fen, points = state.variant.board.points) {
  const cells = fen.split(" ")[0].replace(/\[.*/, "").replace(/[0-9]+/g, run => ".".repeat(+run)).replaceAll("/", "");
  const order = [...points.keys()].sort((a, b) => +b.slice(1) - +a.slice(1) || (a < b ? -1 : 1));
  return new Map(order.map((name, at) => [name, cells[at]]));
}

/** The first field of a position text, from pieces in the order of `readPieces`, with the hand of another one. */
export function writePieces(pieces, fen) {
  const rows = new Map();
  for (const [name, piece] of pieces) rows.set(name.slice(1), (rows.get(name.slice(1)) || "") + piece);
  const hand = [...pieces.values()].includes("G") ? handOf(fen).replace("G", "").replace("[]", "") : handOf(fen);
  return [...rows.values()].map(row => row.replace(/\.+/g, run => run.length)).join("/") + hand;
}

export const begins = (way, path) => path.every((point, at) => way[at] === point);
export const fitting = path => state.legal.filter(move => move.ways.some(way => begins(way, path)));

/** True if a person is to move, and the position is there. */
export const canMove = () => isOn(state.status) && !state.thinking && !engine.solving && !state.editing
  && isPerson(sideOf(state.status));

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
