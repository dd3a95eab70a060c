// @ts-check
/* The tree of a game: its lines and branches, packed and unpacked. */

import { state } from "./state.js";
/** @import { Side, GameNode, RecordedMove, KeptNode } from "./state.js" */

/** @param {string | null} move
   @param {GameNode | null} parent
   @returns {GameNode} */
export const newNode = (move, parent) => ({ move, parent, children: [], ply: parent ? parent.ply + 1 : 0 });

/** The position after a move, known or new.
   @param {GameNode} node
   @param {string} move */
export const after = (node, move) => node.children.find(child => child.move === move) || newNode(move, node);

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
export function rootOf(node) {
  while (node.parent) node = node.parent;
  return node;
}

/** The side to move at a node: the sides alternate. */
export const moverOf = node =>
  /** @type {Side[]} */ (["general", "rebels"])[Number(rootOf(node).fen.split(" ")[1] === "r") ^ node.ply % 2];

/** The moves of a line from a node on.
   @param {GameNode} node
   @returns {Generator<GameNode>} */
export function* lineOf(node) {
  for (; node; [node] = node.children) yield node;
}

/** The other moves in place of one that continues its line.
   @param {GameNode} node */
export const othersOf = node => node.parent.children[0] === node ? node.parent.children.slice(1) : [];

/** The number of a move in the two columns. */
export const numberOf = node => `${Math.ceil(node.ply / 2)}${node.ply % 2 ? "." : "…"}`;

export const moveText = node => node.move + (node.takes?.length ? ` ×${node.takes.join(" ")}` : "");

/** Adds a line behind a node: moves as texts, or with glyph, comment and variations. Returns the last nodes of all its
    lines, its own first.
   @param {GameNode} node
   @param {(string | RecordedMove)[]} line
   @returns {GameNode[]} */
export function grow(node, line) {
  const ends = [];
  for (const one of line) {
    const { move, glyph, comment, variations = [] } = typeof one === "string"
      ? /** @type {RecordedMove} */ ({ move: one }) : one;
    const next = Object.assign(newNode(move, node), { glyph, comment });
    node.children.push(next);
    variations.forEach(other => ends.push(...grow(node, other)));
    node = next;
  }
  return [node, ...ends];
}

/** A game as it is kept: with its branches and comments.
   @param {GameNode} node
   @returns {KeptNode} */
export function packed(node) {
  return { m: node.move || undefined, c: node.comment || undefined, g: node.glyph || undefined,
    e: node.ended || undefined, n: node.children.length ? node.children.map(packed) : undefined };
}

/** @param {GameNode} node
   @param {KeptNode} tree */
export function unpack(node, tree) {
  [node.comment, node.glyph, node.ended] = [tree.c, tree.g, tree.e];
  node.children = (tree.n || []).map(one => newNode(one.m, node));
  node.children.forEach((child, at) => unpack(child, tree.n[at]));
}

export function keptMoves({ tree, where }) {
  const moves = [];
  for (const at of where || []) {
    tree = tree?.n?.[at];
    if (!tree) return [];
    moves.push(tree.m);
  }
  return moves;
}
