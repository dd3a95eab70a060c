// @ts-check
/* Positions put together by hand, checked by the engine's own words. */

import { $, state, t } from "./state.js";
import { ask, stopSearch } from "./engine.js";
import { writePieces } from "./moves.js";
import { sideName } from "./words.js";
import { readKnown } from "./game.js";
import { draw, note } from "./panel.js";
import { openGame, show } from "./play.js";

/** Opens the editor, or leaves it: showing any position does. */
export function toggleEditor(on) {
  if (!on) return show(state.at);
  state.drawn = ++state.turn;  // a move that the engine still finds is dropped
  stopSearch();
  Object.assign(state, { editing: { fields: state.fen.split(" ") }, thinking: false, picked: [], values: new Map(),
    arrows: [] });
  for (const option of $("edit-side").options)
    option.textContent = sideName(option.value === "g" ? "general" : "rebels");
  $("edit-side").value = state.fen.split(" ")[1];
  draw();
  note(t("edit_help", state.variant));
}

/** A click in the editor: empty, Rebel, General, empty. */
export function editPoint(point) {
  const next = { ".": "r", r: "G", G: "." }[state.pieces.get(point)];
  if (next === "G") for (const [name, piece] of state.pieces) if (piece === "G") state.pieces.set(name, ".");
  state.pieces.set(point, next);
  $("fen").value = editedText();
  draw();
  checkEdited();
}

export function editedText() {
  const [, , ...rest] = state.editing.fields;
  return [writePieces(state.pieces, state.fen), $("edit-side").value, ...rest].join(" ");
}

/** Says what the engine has against the position, if anything. */
export async function checkEdited() {
  const text = editedText(), [answer] = await ask(`check_position ${text}`);
  if (state.editing && text === editedText()) note(answer.ok ? t("position_good") : answer.text);
  $("edit-done").disabled = !answer.ok;
}

/** Sets up a position, or opens a link; if the engine refuses, nothing changes and the reason is shown. */
export async function setUp(text) {
  const [, link] = text.match(/#((?:game|puzzle|lesson)=.*)/) || [];
  if (link) { location.hash = link; return; }
  const words = text.trim().split(/\s+/), id = words[5] || "", same = words.length !== 6 || id === state.variant.id;
  await openGame(same ? state.variant : await readKnown(id), { fen: text.trim() });
}
