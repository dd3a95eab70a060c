// @ts-check
/* Clicks, drags and keys on the board. While the next landing of a chain may follow, the last one chosen again ends
   it. */

import { $, choice, state, t } from "./state.js";
import { engine } from "./engine.js";
import { begins, canMove, fitting, isOn, targets } from "./moves.js";
import { capital, outcomeText, takesText } from "./words.js";
import { board, carry, setFocus, spot } from "./board.js";
import { draw, dropPicked, note, noteMaterial, say } from "./panel.js";
import { play } from "./play.js";
import { editPoint } from "./editor.js";
/** @import { Move } from "./state.js" */

export function choose(point) {
  if (state.editing) return editPoint(point);
  if (!canMove())
    return note(engine.solving ? t("solving") : isOn(state.status) ? t("engines_turn") : outcomeText(state.status));
  if (!state.legal.length) return;
  const ends = way => way.length === state.picked.length && begins(way, state.picked);
  const stops = state.picked.length > 1 && state.picked.at(-1) === point
    ? state.legal.filter(move => move.ways.some(ends)) : [];
  if (stops.length === 1) return play(stops[0].text);
  if (state.picked.length === 1 && state.picked[0] === point && !fitting([point, point]).length) state.picked = [];
  else state.picked = [[...state.picked, point], [point], []].find(path => fitting(path).length || !path.length);
  state.over = null;
  const path = state.picked, complete = path.length ? fitting(path).filter(move => move.ways.some(ends)) : [],
    goesOn = targets().size > 0;
  if (complete.length === 1 && !goesOn) return play(complete[0].text);
  if (complete.length > 1 && !goesOn) return offer(complete);
  if (!path.length) state.pieces.get(point) === "." ? noteMaterial() : note(t("cannot_move", { point }));
  else note(t(path.length === 1 ? "choose_target" : complete.length ? "choose_landing_or_stop" : "choose_landing"));
  say(path.length ? t("chosen_targets", { path: path.join(" "), targets: [...targets().keys()].join(" ") })
    : t("dropped"));
  draw();
}

/** Several moves have the same clicks: the person says which one.
   @param {Move[]} moves */
function offer(moves) {
  $("choices").replaceChildren(...moves.map(move => choice("choose", `${capital(t(move.kind))} ${move.text}`,
    () => play(move.text))));
  $("choose").showModal();
}

/** Shows what a click on a point would do. */
function preview(name) {
  const shown = name && targets().has(name) ? name : null;
  if (shown === state.over) return;
  state.over = shown;
  if (shown) note(takesText(targets().get(shown)));
  draw();
}

const placeOf = event => new DOMPoint(event.clientX, event.clientY)
  .matrixTransform($("board").getScreenCTM().inverse());

function pointAt(event) {
  const place = placeOf(event);
  const far = ([, p]) => Math.hypot(p.x - place.x, p.y - place.y);
  const nearest = [...board.drawing.points].reduce((a, b) => far(a) <= far(b) ? a : b);
  return far(nearest) < Math.max(30, 1.6 * board.piece) ? nearest[0] : null;
}

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The point that an arrow key leads to. */
function neighbour(key) {
  const [dx, dy] = DIRECTIONS[key], from = spot(board.focus);
  const ahead = p => (p.x - from.x) * dx + (p.y - from.y) * dy,
    aside = p => Math.abs((p.x - from.x) * dy) + Math.abs((p.y - from.y) * dx);
  return [...board.drawing.points].filter(([, p]) => ahead(p) > 20 && aside(p) <= ahead(p))
    .sort(([, a], [, b]) => ahead(a) + 2 * aside(a) - ahead(b) - 2 * aside(b))[0]?.[0];
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
  svg.addEventListener("touchstart", event => { if (event.target.closest(".live")) event.preventDefault(); },
    { passive: false });
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
  const nameOf = event => event.target.closest(".point")?.dataset.point ?? null;
  svg.addEventListener("focusin", event => { setFocus(nameOf(event), false); preview(nameOf(event)); });
  svg.onmouseover = event => preview(nameOf(event));
  svg.onmouseleave = () => preview(null);
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
