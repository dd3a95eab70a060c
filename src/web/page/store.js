/* What outlives the page: the last game and one's own files in the browser's storage, a game or position in the address. */

const PREFIX = "privy.";

function stored(key) {
  try { return JSON.parse(localStorage.getItem(PREFIX + key)); } catch { return null; }
}

function store(key, value) {
  try { localStorage.setItem(PREFIX + key, JSON.stringify(value)); } catch { /* a browser may forbid it */ }
}

/** Texts or paths, by the id of the game. */
const ownFiles = () => stored("files") || {};
const keepOwn = ({ id, own }) => store("files", { ...ownFiles(), [id]: own });

/** A game as it is kept: with its branches and comments. */
function packed(node) {
  return { m: node.move || undefined, c: node.comment || undefined, g: node.glyph || undefined, n: node.children.length ? node.children.map(packed) : undefined };
}

/** Keeps the game that is shown. */
function keep() {
  if (state.exercise || !state.root) return;
  const where = pathTo(state.at).map(node => node.parent.children.indexOf(node));
  store("game", { id: state.variant.id, own: state.variant.own, first: state.first, tree: packed(state.root), where, seats: state.seats, time: $("time").value });
  const link = new URLSearchParams();
  link.set("game", state.variant.id);
  if (state.first !== state.variant.fen) link.set("position", state.first);
  if (state.at.parent) link.set("moves", movesTo(state.at).join(","));
  history.replaceState(null, "", `#${link.toString().replace(/%2C/g, ",").replace(/%2F/g, "/")}`);
}

/** The game of the address, else of the storage; false if there is none. */
async function restore() {
  const link = new URLSearchParams(location.hash.slice(1)), kept = stored("game");
  const isKept = kept && (!link.has("game") || (link.get("game") === kept.id && (link.get("moves") || "") === keptMoves(kept).join(",") && (link.get("position") || kept.first) === kept.first));
  if (isKept) return restoreKept(kept);
  if (!link.has("game")) return false;
  const game = await readKnown(link.get("game"));
  const moves = (link.get("moves") || "").split(",").filter(Boolean);
  const refusal = game.refusal || await begin(game, { fen: link.get("position") || undefined, moves, seats: { general: 0, rebels: 0 } });
  if (refusal) { note(refusal); return false; }
  setSeats(state.seats);
  return true;
}

function keptMoves({ tree, where }) {
  const moves = [];
  for (const at of where || []) {
    tree = tree?.n?.[at];
    if (!tree) return [];
    moves.push(tree.m);
  }
  return moves;
}

async function restoreKept(kept) {
  try {
    const game = await readGame(kept.own ? specOfOwn(kept.own) : kept.id, kept.own);
    if (game.refusal || await begin(game, { fen: kept.first, seats: { general: 0, rebels: 0 } })) return false;
    const unpack = (node, tree) => {
      [node.comment, node.glyph] = [tree.c, tree.g];
      node.children = (tree.n || []).map(one => newNode(one.m, node));
      node.children.forEach((child, at) => unpack(child, tree.n[at]));
    };
    unpack(state.root, kept.tree);
    await fillAll([state.root, ...mainLine()]);
    let node = state.root;
    for (const at of kept.where) node = node.children[at] || node;
    if (kept.time) $("time").value = kept.time;
    setSeats(kept.seats);
    return !await show(node);
  } catch {
    return false;  // storage of another version
  }
}
