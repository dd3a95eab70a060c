// @ts-check
/* What outlives the page: the last games and custom files in the browser's storage, a game or position in the address. */

import { $, state, t } from "./state.js";
import { begin, isPath, movesTo, newNode, onlyPerson, pathTo, readGame, readKnown, specOfOwn } from "./play.js";
import { note } from "./panel.js";
import { failWith, inline, offerGames } from "./files.js";
import { setSeats } from "./newgame.js";
/** @import { GameNode, KeptNode, Rules } from "./state.js" */

const PREFIX = "privy.";

export function stored(key) {
  try { return JSON.parse(localStorage.getItem(PREFIX + key)); } catch { return null; }
}

export function store(key, value) {
  try { localStorage.setItem(PREFIX + key, JSON.stringify(value)); } catch { /* a browser may forbid it */ }
}

/** Texts or paths, by the id of the game. */
export const ownFiles = () => stored("files") || {};
/** @param {Rules} game */
export const keepOwn = ({ id, own }) => store("files", { ...ownFiles(), [id]: own });

/** A game as it is kept: with its branches and comments.
   @param {GameNode} node
   @returns {KeptNode} */
function packed(node) {
  return { m: node.move || undefined, c: node.comment || undefined, g: node.glyph || undefined, e: node.ended || undefined, n: node.children.length ? node.children.map(packed) : undefined };
}

/** @param {GameNode} node
   @param {KeptNode} tree */
export function unpack(node, tree) {
  [node.comment, node.glyph, node.ended] = [tree.c, tree.g, tree.e];
  node.children = (tree.n || []).map(one => newNode(one.m, node));
  node.children.forEach((child, at) => unpack(child, tree.n[at]));
}

/* Each game has its own key: "game" and its id. The page that opened a game last writes there; another one that goes on with it takes a new id. */

const MOST_GAMES = 20;
/** Letters of a custom game in a link. */
const LONGEST_FILE = 8000;
export const randomWord = () => Math.random().toString(36).slice(2);
const thisPage = randomWord();
export const isMine = id => stored(`game${id}`)?.page === thisPage;

/** The kept games, the latest first. */
function keptGames() {
  const keys = Object.keys(localStorage).filter(key => key.startsWith(`${PREFIX}game`)).map(key => key.slice(PREFIX.length));
  return keys.map(key => ({ ...stored(key), kept: key.slice(4) })).filter(one => one.tree).sort((a, b) => (b.when || 0) - (a.when || 0));
}

/** Keeps the game that is shown. */
export function keep() {
  if (state.exercise || !state.root) return;
  const { root, variant } = state, where = pathTo(state.at).map(node => node.parent.children.indexOf(node));
  if (root.isKept && stored(`game${root.kept}`) && !isMine(root.kept)) root.kept = randomWord();
  const isNew = !stored(`game${root.kept}`);
  root.isKept = true;
  store(`game${root.kept}`, { page: thisPage, when: Date.now(), id: variant.id, title: variant.title, own: variant.own, first: state.first, tree: packed(root), where, seats: state.seats, seed: root.seed, clock: root.clock, limit: root.limit, time: $("time").value });
  try {
    sessionStorage.setItem(`${PREFIX}game`, root.kept);
    if (isNew) keptGames().slice(MOST_GAMES).forEach(({ kept }) => localStorage.removeItem(`${PREFIX}game${kept}`));
  } catch { /* as in `store` */ }
  const file = variant.own && !isPath(variant.own) && variant.own.length <= LONGEST_FILE ? variant.own : "";
  setLink({ game: variant.id, file, position: state.first === variant.fen ? "" : state.first, moves: movesTo(state.at).join(",") });
}

/** The end of an address, from keys and values; empty ones are left out. */
export const linkOf = values => `#${new URLSearchParams(Object.entries(values).filter(([, value]) => value)).toString().replace(/%2C/g, ",").replace(/%2F/g, "/")}`;
export const setLink = values => history.replaceState(null, "", linkOf(values));

/** Opens the game of the address, else the one that this tab had, else the last one. Returns null, or why there is none: "" if there is nothing to open. */
export async function restore() {
  const link = new URLSearchParams(location.hash.slice(1));
  let games = [], last = null;
  try { [games, last] = [keptGames(), sessionStorage.getItem(`${PREFIX}game`)]; } catch { /* as in `store` */ }
  const fits = kept => !link.has("game") || (link.get("game") === kept.id && (!link.has("file") || link.get("file") === kept.own) && (link.get("moves") || "") === keptMoves(kept).join(",") && (link.get("position") || kept.first) === kept.first);
  const kept = [...games.filter(one => one.kept === last), ...games].find(fits);
  if (kept) return openKept(kept);
  if (!link.has("game")) return "";
  const file = link.get("file"), game = await (file ? readGame(inline(file), file) : readKnown(link.get("game")));
  if (file && !game.refusal && !ownFiles()[game.id]) keepOwn(game);
  const moves = (link.get("moves") || "").split(",").filter(Boolean);
  const refusal = game.refusal || await begin(game, { fen: link.get("position") || undefined, moves, seats: { general: 0, rebels: 0 } });
  if (!refusal) setSeats(state.seats);
  return refusal || null;
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

/** Goes on with a game that was kept. Returns the refusal, if there is one. */
async function openKept({ id, own, first, kept, tree, where, seats, seed, clock, limit, time }) {
  try {
    const game = await readGame(own ? specOfOwn(own) : id, own);
    if (time) $("time").value = time;
    const refusal = await begin(game, { fen: first, kept, tree, where, seats, seed, clock, limit });
    if (!refusal) setSeats(seats);
    return refusal;
  } catch (error) {
    return String(error);  // storage of another version
  }
}

/** The games that were kept, to open one. */
export function openMine() {
  const games = keptGames().filter(one => one.tree.n && one.kept !== state.root.kept);
  offerGames(t("my_games"), games.map(one => {
    let plies = 0;
    for (let node = one.tree.n?.[0]; node; node = node.n?.[0]) plies += 1;
    return { text: t("my_game", { title: one.title || one.id, plies, when: one.when ? new Date(one.when).toLocaleString() : "" }), open: async () => { const refusal = await openKept(one); if (refusal) failWith(refusal); } };
  }));
}

/** Copies what opens the game elsewhere: the address of a page on the web, else the end of it, which fits behind the address of any page of Privy. */
export function copyLink(end = location.hash) {
  const isPublic = location.protocol.startsWith("http") && !/^(localhost|127\.|\[::1\])/.test(location.host), link = isPublic ? location.href.split("#")[0] + end : end;
  const copy = navigator.clipboard?.writeText(link) ?? Promise.reject();
  copy.then(() => note(t(isPublic ? "copied" : "copied_part")), () => note(link));
}

/** The results of today's games against the engine. */
export function scoreOfToday() {
  const today = new Date().toDateString(), score = stored("score");
  return score?.today === today ? score : { today, won: 0, lost: 0, drawn: 0 };
}

/** Counts a result once, if one person has played against the engine. */
export function countResult(winner) {
  const person = onlyPerson(), { root } = state;
  if (!person || root.isCounted) return;
  root.isCounted = true;
  const score = scoreOfToday();
  score[winner === "draw" ? "drawn" : winner === person ? "won" : "lost"] += 1;
  store("score", score);
}
