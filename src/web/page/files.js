// @ts-check
/* Files: records of games, which the session reads and writes, pictures, and files of custom games. */

import { $, isPerson, state, t } from "./state.js";
import { ask, engine, failed } from "./engine.js";
import { isOn, sideOf } from "./moves.js";
import { lastOf, lineOf, othersOf, statusOf } from "./tree.js";
import { keepOwn, ownFiles } from "./store.js";
import { NS } from "./board.js";
import { fill, inline, readGame, readKnown, specOfOwn, towards } from "./game.js";
import { note, offerGames } from "./panel.js";
import { begin, endGame, failWith, openGame } from "./play.js";
/** @import { GameNode, RecordedMove } from "./state.js" */

/** A line of moves as a record has it.
   @param {GameNode} first
   @returns {RecordedMove[]} */
function lineRecord(first) {
  return [...lineOf(first)].map(node => {
    const others = othersOf(node);
    return { move: node.move, glyph: node.glyph || undefined, comment: node.comment || undefined,
      variations: others.length ? others.map(lineRecord) : undefined };
  });
}

/** The game as a record, the keys as in FORMATS.md. */
function gameRecord() {
  const { root, variant } = state, last = lastOf(root), status = statusOf(last), isOver = !isOn(status);
  const player = side => isPerson(side) ? t("you") : t("engine_of_level", { level: state.seats[side] });
  return {
    general: player("general"), rebels: player("rebels"), variant: variant.id, opening: state.first,
    seed: isPerson("general") && isPerson("rebels") ? undefined : root.seed, move_limit: root.limit || undefined,
    result: isOver ? sideOf(status).replace(":", "") : "*",
    termination: isOver ? last.ended ? last.ended.split(": ")[1] : status : undefined,
    comment: root.comment || undefined, moves: lineRecord(root.children[0]),
  };
}

/** The games of a text in a form, as the session writes them, which knows the given game. Throws its refusal. */
async function converted(form, text, prepare = []) {
  const parts = text.match(/[^]{1,8000}/gu) || [""];
  const line = (part, at) => `convert ${at + 1 < parts.length ? "more" : form} ${inline(part)}`;
  const answers = await ask(...prepare, ...parts.map(line));
  if (failed(answers)) throw failed(answers).text;
  return answers.at(-1).text;
}

/** The game as text in a form. Throws the refusal. */
async function recordAs(form) {
  const refusal = await fill(lastOf(state.root));
  if (refusal) throw refusal;
  return `${await converted(form, JSON.stringify(gameRecord()), towards(state.root))}\n`;
}

function download(name, content, type = "text/plain") {
  const link = Object.assign(document.createElement("a"),
    { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export async function save(kind) {
  if (kind === "svg") return download(`${state.variant.id}.svg`, picture(), "image/svg+xml");
  try {
    const type = kind === "json" ? "application/json" : "text/plain";
    download(`${state.variant.id}.${kind}`, await recordAs(kind === "txt" ? "text" : kind), type);
  } catch (refusal) {
    note(refusal);
  }
}

/** The board as a picture of its own: what the style sheet says is written into it. */
function picture() {
  const copy = $("board").cloneNode(true), from = $("board").querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, at) => {
    const style = getComputedStyle(from[at]);
    for (const key of ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray",
      "opacity", "font-size", "text-anchor"]) element.style[key] = style[key];
  });
  copy.style.background = getComputedStyle($("board")).backgroundColor;
  copy.setAttribute("xmlns", NS);
  copy.querySelectorAll(".hit, .focus").forEach(one => one.remove());
  return copy.outerHTML;
}

/** True if a text is the file of a game, not a record: it begins with a key or the name of a table. */
const isGameFile = text => /^(\s*(#.*)?\n)*\s*(\w+\s*=|\[\w+\]\s*(#.*)?$)/m.exec(text)?.index === 0;

/** Loads a file: a record, several, or a custom game. */
async function load(name, text) {
  text = text.replace(/^\ufeff/, "");
  if (/\.toml$/i.test(name) || isGameFile(text)) return loadOwn(text);
  try {
    const own = Object.entries(ownFiles()).filter(([id]) => text.includes(id))
      .map(([, file]) => `variant ${specOfOwn(file)}`);
    const games = (await converted("json", text, own)).split("\n").map(line => JSON.parse(line));
    if (games.length === 1) return await openRecord(games[0]);
    offerGames(t("which_game"), games.map((game, at) => ({
      text: `${at + 1}. ${game.general || "?"} – ${game.rebels || "?"}, ${game.variant}, ${game.moves.length}`,
      open: () => openRecord(game),
    })));
  } catch (refusal) {
    if (typeof refusal !== "string") throw refusal;
    note(refusal);
  } finally {
    engine.variant = "";
  }
}

async function openRecord({ variant, opening, comment, moves, seed, result, termination, move_limit: limit }) {
  const begun = await openGame(await readKnown(variant),
    { fen: opening, moves, comment, seed, limit, seats: { general: 0, rebels: 0 } });
  if (begun && result !== "*" && isOn(state.status)) await endGame(result, termination);
}

/** Plays a custom game, and keeps it. Returns the refusal. */
async function playOwn(text) {
  const game = await readGame(inline(text), text);
  if (!game.refusal) keepOwn(game);
  const refusal = await begin(game);
  if (!refusal) note(t("own_loaded", { title: game.title }));
  return refusal;
}

async function loadOwn(text) {
  const refusal = await playOwn(text);
  if (refusal) failWith(refusal);
}

/** The file of a game and that of its board as one. */
function joined(texts) {
  const isBoard = text => /^(lines|edges)\s*=/m.test(text) && !/^opening\s*=/m.test(text);
  const board = texts.find(isBoard), game = texts.find(text => text !== board);
  if (!board || !game) return game || board;
  const inside = board.replace(/^(id|title)\s*=.*$/gm, "").replace(/^\[(\w+)\]/gm, "[board.$1]");
  return `${game.replace(/^board\s*=.*$/m, "")}\n[board]\n${inside}`;
}

/** Loads files that were chosen or dropped: two are a custom game and its board. */
export async function loadFiles(files) {
  if (files.some(file => file.size > 4 << 20)) return note(t("too_large"));
  const texts = await Promise.all(files.map(file => file.text()));
  if (files.length > 1 && files.every(file => /\.toml$/i.test(file.name))) await loadOwn(joined(texts));
  else if (files.length) await load(files[0].name, texts[0]);
}

/** A small game with everything that a file may have, to begin with. */
const TEMPLATE = `id = "my-game"
title = "My game"
names = { general = "General", rebels = "Rebels", rebel = "Rebel" }
# Rows from the top: r a Rebel, G the General, numbers for empty points.
opening = "1/rrr/r1r/1G1"
first = "general"
intervention = true         # the General takes two Rebels between which it arrives
rebels_at_most = 2          # it wins when so few are left
apex = "general"            # it wins on the apex

[board]
field = { files = 3, rows = 3 }
lines = ["a1-a2-a3", "b1-b2-b3-b4", "c1-c2-c3", "a1-b1-c1", "a2-b2-c2", "a3-b3-c3", "a1-b2-c3", "c1-b2-a3"]
apex = ["b4"]

[board.privy]
b4 = [2, 4]
`;

/** Opens the text of a custom game, or of the template. */
export function editOwn(text = TEMPLATE) {
  $("own-text").value = text;
  $("own-note").textContent = "";
  $("own-game").showModal();
  $("own-text").setSelectionRange(0, 0);
}

export async function playEdited() {
  const refusal = await playOwn($("own-text").value);
  $("own-note").textContent = refusal || "";
  if (!refusal) document.querySelectorAll("dialog").forEach(dialog => dialog.close());
}
