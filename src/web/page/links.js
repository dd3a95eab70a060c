// @ts-check
/* Games that the browser has kept, and links. */

import { $, state, t } from "./state.js";
import { keptMoves } from "./tree.js";
import { PREFIX, keepOwn, keptGames, ownFiles } from "./store.js";
import { inline, readGame, readKnown, specOfOwn } from "./game.js";
import { note, offerGames } from "./panel.js";
import { begin, failWith } from "./play.js";

/** Opens the game of the address, else the one that this tab had, else the last one. Returns null, or why there is
    none: "" if there is nothing to open. */
export async function restore() {
  const link = new URLSearchParams(location.hash.slice(1));
  let games = [], last = null;
  try { [games, last] = [keptGames(), sessionStorage.getItem(`${PREFIX}game`)]; } catch { /* as in `store` */ }
  const fits = kept => !link.has("game") || (link.get("game") === kept.id
    && (!link.has("file") || link.get("file") === kept.own) && (link.get("moves") || "") === keptMoves(kept).join(",")
    && (link.get("position") || kept.first) === kept.first);
  const kept = [...games.filter(one => one.kept === last), ...games].find(fits);
  if (kept) return openKept(kept);
  if (!link.has("game")) return "";
  const file = link.get("file"), game = await (file ? readGame(inline(file), file) : readKnown(link.get("game")));
  if (file && !game.refusal && !ownFiles()[game.id]) keepOwn(game);
  const moves = (link.get("moves") || "").split(",").filter(Boolean);
  return begin(game, { fen: link.get("position") || undefined, moves, seats: { general: 0, rebels: 0 } });
}

/** Goes on with a game that was kept. Returns the refusal, if there is one. */
async function openKept({ id, own, first, kept, tree, where, seats, seed, clock, limit, time }) {
  try {
    const game = await readGame(own ? specOfOwn(own) : id, own);
    if (time) $("time").value = time;
    return await begin(game, { fen: first, kept, tree, where, seats, seed, clock, limit });
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
    const form = /** @type {const} */ ({ dateStyle: "medium", timeStyle: "short" });
    const when = one.when ? new Date(one.when).toLocaleString([], form) : "";
    return { text: t("my_game", { title: one.title || one.id, plies, when }),
      open: async () => { const refusal = await openKept(one); if (refusal) failWith(refusal); } };
  }));
}

/** Copies what opens the game elsewhere: the address of a page on the web, else the end of it, which fits behind the
    address of any page of Privy. */
export function copyLink(end = location.hash) {
  const isPublic = location.protocol.startsWith("http") && !/^(localhost|127\.|\[::1\])/.test(location.host),
    link = isPublic ? location.href.split("#")[0] + end : end;
  const copy = navigator.clipboard?.writeText(link) ?? Promise.reject();
  copy.then(() => note(t(isPublic ? "copied" : "copied_part")), () => note(link));
}
