// @ts-check
/* What the engine knows of games and positions. Everything that depends on the rules comes from it. */

import { state } from "./state.js";
import { ask, askAll, engine, failed } from "./engine.js";
import { pointsOf, readMove, readPieces } from "./moves.js";
import { movesTo, rootOf } from "./tree.js";
import { isPath, ownFiles } from "./store.js";
import { readGeometry } from "./board.js";
/** @import { Rules, GameNode } from "./state.js" */

export const inline = text => JSON.stringify(text.replace(/\r/g, "")).replace(/#/g, "\\u0023");
const position = node => `position fen ${rootOf(node).first}`
  + (node.parent ? ` moves ${movesTo(node).join(" ")}` : "");

/** Lines that bring the engine to a node. A game of one's own is unknown after another one has been looked at.
   @param {GameNode} node */
export function towards(node) {
  const { rules: { id, spec }, limit = 0 } = rootOf(node), isChange = spec !== id && engine.variant !== spec;
  const lines = isChange ? [`variant ${spec}`, position(node)] : [position(node)];
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
  const moves = legal ? legal.split("\n").map(line => readMove(line, fen, rules.board.points)) : [];
  Object.assign(node, { fen, status, legal: moves });
  if (node.move && !node.takes) {
    const known = node.parent.legal?.find(move => move.text === node.move);
    node.takes = known ? known.takes : node.parent.fen ? fallen(rules, node.parent.fen, fen, node.move) : [];
  }
  return null;
}

/** Rebels that a move took, by the positions around it. */
function fallen({ board: { points } }, before, after, move) {
  const pieces = readPieces(after, points);
  return [...readPieces(before, points)]
    .filter(([point, piece]) => piece === "r" && pieces.get(point) === "." && pointsOf(move)[0] !== point)
    .map(([point]) => point);
}

/** Positions and captures of a line, with requests that are sent at once. */
export async function fillAll(nodes) {
  const lines = nodes.slice(1).flatMap(node => [`play ${node.move}`, "fen"]);
  const answers = await askAll([...towards(nodes[0]), ...lines]),
    fens = answers.slice(-lines.length).filter((_, at) => at % 2).map(answer => answer.text);
  nodes.slice(1).forEach((node, at) => {
    node.takes = fallen(nodes[0].rules, at ? fens[at - 1] : nodes[0].fen, fens[at], node.move);
  });
}

/** @returns {Promise<Rules>} Reads a game: the lines that tell it, or the refusal. `own` is the text or the path of a
    file of one's own. */
export async function readGame(spec, own) {
  const known = state.listed.find(one => one.id === spec);
  const answers = await ask(`variant ${spec}`, "show_variant words", "fen", "geometry", "variant",
    ...(known ? [] : ["list_variants verbose"]));
  engine.variant = spec;
  if (failed(answers)) { engine.variant = ""; return /** @type {Rules} */ ({ refusal: failed(answers).text }); }
  const [, words, fen, geometry, id, all] = answers.map(answer => answer.text),
    [title, ...sentences] = words.split("\n");
  const { general, rebels, rebel, solvable } = known || JSON.parse(all.split("\n").at(-1));
  return { spec, own, id, title, sentences, fen, board: readGeometry(geometry), general, rebels, rebel, solvable };
}

/** What `variant` takes for a file of one's own, and for the id of a game, one's own among them. */
export const specOfOwn = own => isPath(own) ? own : inline(own);

export const specOf = id => ownFiles()[id] ? specOfOwn(ownFiles()[id]) : id;
export const readKnown = id => readGame(specOf(id), ownFiles()[id]);
