// @ts-check
/* What outlives the page: the last games and custom files in the browser's storage, a game or position in the
   address. */

import { $, onlyPerson, state } from "./state.js";
import { movesTo, packed, pathTo } from "./tree.js";
/** @import { Rules } from "./state.js" */

export const PREFIX = "privy.";

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

/** True if a file of one's own is told by its path: the text of one has several lines. */
export const isPath = own => /^[^\n]*(\/[^\n]*|\.toml)$/.test(own);

/* Each game has its own key: "game" and its id. The page that opened a game last writes there; another one that goes on
   with it takes a new id. */

const MOST_GAMES = 20;

/** Letters of a custom game in a link. */
const LONGEST_FILE = 8000;

export const randomWord = () => Math.random().toString(36).slice(2);
const thisPage = randomWord();
export const isMine = id => stored(`game${id}`)?.page === thisPage;

/** The kept games, the latest first. */
export function keptGames() {
  const keys = Object.keys(localStorage).filter(key => key.startsWith(`${PREFIX}game`))
    .map(key => key.slice(PREFIX.length));
  return keys.map(key => ({ ...stored(key), kept: key.slice(4) })).filter(one => one.tree)
    .sort((a, b) => (b.when || 0) - (a.when || 0));
}

/** Keeps the game that is shown. */
export function keep() {
  if (state.exercise || !state.root) return;
  const { root, variant } = state, where = pathTo(state.at).map(node => node.parent.children.indexOf(node));
  if (root.isKept && stored(`game${root.kept}`) && !isMine(root.kept)) root.kept = randomWord();
  const isNew = !stored(`game${root.kept}`);
  root.isKept = true;
  store(`game${root.kept}`, { page: thisPage, when: Date.now(), id: variant.id, title: variant.title, own: variant.own,
    first: state.first, tree: packed(root), where, seats: state.seats, seed: root.seed, clock: root.clock,
    limit: root.limit, time: $("time").value });
  try {
    sessionStorage.setItem(`${PREFIX}game`, root.kept);
    if (isNew) keptGames().slice(MOST_GAMES).forEach(({ kept }) => localStorage.removeItem(`${PREFIX}game${kept}`));
  } catch { /* as in `store` */ }
  const file = variant.own && !isPath(variant.own) && variant.own.length <= LONGEST_FILE ? variant.own : "";
  const position = state.first === variant.fen ? "" : state.first;
  setLink({ game: variant.id, file, position, moves: movesTo(state.at).join(",") });
}

/** The end of an address, from keys and values; empty ones are left out. */
export const linkOf = values => {
  const text = new URLSearchParams(Object.entries(values).filter(([, value]) => value)).toString();
  return `#${text.replace(/%2C/g, ",").replace(/%2F/g, "/")}`;
};

export const setLink = values => history.replaceState(null, "", linkOf(values));

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
