// @ts-check
/* Drawing: the board once for a game, pieces and marks at each change. */

import { $, state, t } from "./state.js";
import { canMove, handOf, isOn, other, pointsOf, sideOf, targets, winnerOf } from "./moves.js";
import { colour, short, takesText, worth } from "./words.js";
/** @import { Place, Geometry } from "./state.js" */

export const NS = "http://www.w3.org/2000/svg";

const UNIT = 100;
export const board = { points: new Map(), lines: [], edges: [], apex: [], exits: [], labels: [], piece: 32, focus: "",
  drawing: null, droppedOn: null };

/** @param {Geometry} geometry */
export function setBoard(geometry) {
  Object.assign(board, geometry);
  board.focus = [...board.points.keys()][0];
  drawBoard();
}

/** Points, lines, labels, and what is special, as `geometry` tells them. Pieces are as large as the nearest two points
    allow.
   @param {string} text
   @returns {Geometry} */
export function readGeometry(text) {
  const read = { points: new Map(), lines: [], edges: [], apex: [], exits: [], labels: [], piece: 32 };
  for (const [kind, ...words] of text.split("\n").map(line => line.split(" "))) {
    if (kind === "point")
      read.points.set(words[0], { x: +words[1] * UNIT, y: -words[2] * UNIT, privy: words[3] === "privy" });
    if (kind === "line") read.lines.push(words);
    if (kind === "edge") read.edges.push(words);
    if (kind === "apex" || kind === "goal") read.apex.push(...words);
    if (kind === "exit") read.exits.push(...words);
    if (kind === "label") {
      const [x, y, size, ...ends] = words.slice(1).map((word, at) => +word * UNIT * [1, -1, 1, 1, -1, 1, -1][at]);
      const places = ends.length ? [{ x: ends[0], y: ends[1] }, { x: ends[2], y: ends[3] }] : [];
      read.labels.push({ text: words[0], x, y, size, ends: places });
    }
  }
  const all = [...read.points.values()];
  const nearest = all.flatMap((a, i) => all.slice(i + 1).map(b => Math.hypot(a.x - b.x, a.y - b.y)));
  read.piece = Math.min(read.piece, .42 * Math.min(...nearest));
  return read;
}

export function make(parent, tag, attributes, text) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

/** The convex hull of points (A. M. Andrew, 1979). */
function hull(points) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = list => list.reduce((chain, p) => {
    const turns = (a, b) => (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    while (chain.length > 1 && turns(chain.at(-2), chain.at(-1)) <= 0) chain.pop();
    return [...chain, p];
  }, []);
  return points.length < 2 ? points : [...half(sorted).slice(0, -1), ...half(sorted.reverse()).slice(0, -1)];
}

/** Shades each part of the privy with its exits; where that would also shade other points, only the lines to the
    exits. */
function drawPrivy(parent, { points, lines, edges }) {
  const at = name => points.get(name), isPrivy = name => at(name).privy,
    text = names => names.map(at).map(({ x, y }) => `${x},${y}`).join(" ");
  const ways = [...lines, ...edges].flatMap(line => line.slice(1).map((name, i) => [line[i], name]))
    .filter(way => way.some(isPrivy));
  const shade = names => {
    const corners = hull(names.map(at));
    const side = (a, b, p) => (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    const isBetween = (a, b, p) => (p.x - a.x) * (p.x - b.x) + (p.y - a.y) * (p.y - b.y) <= 0;
    const covers = p => corners.every((a, i) => side(a, corners[(i + 1) % corners.length], p) >= 0)
      && (corners.length > 2 || isBetween(corners[0], corners.at(-1), p));
    if ([...points].some(([name, p]) => !names.includes(name) && covers(p))) return false;
    make(parent, "polygon", { points: corners.map(({ x, y }) => `${x},${y}`).join(" "), class: "privy filled" });
    return true;
  };
  const left = new Set([...points.keys()].filter(isPrivy));
  for (const first of left) {
    const part = new Set([first]);
    // A set also visits what is added on the way.
    for (const name of part) if (isPrivy(name))
      ways.filter(way => way.includes(name)).flat().forEach(other => part.add(other));
    part.forEach(name => left.delete(name));
    if (shade([...part])) continue;
    shade([...part].filter(isPrivy));
    for (const way of ways.filter(way => part.has(way[0])))
      make(parent, "polyline", { points: text(way), class: "privy" });
  }
}

/** The path over an edge, or round a ring: from point to point an arc of the circle through three that follow one
    another. */
function arcs(places, isRing) {
  const bend = at => {
    const last = places.length - 1,
      [a, b, c] = [places[at - 1] || isRing && places[last - 1], places[at], places[at + 1] || isRing && places[1]];
    if (!a || !c) return null;
    const sides = [[a, b], [b, c], [c, a]].map(([p, q]) => Math.hypot(p.x - q.x, p.y - q.y))
      .reduce((all, side) => all * side);
    return 2 * ((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)) / (sides || 1);
  };
  return places.slice(1).reduce((path, { x, y }, at) => {
    const bends = [bend(at), bend(at + 1)].filter(value => value !== null),
      mean = bends.reduce((sum, value) => sum + value, 0) / (bends.length || 1);
    return path + (Math.abs(mean) < 1e-6 ? `L${x} ${y}`
      : `A${1 / Math.abs(mean)} ${1 / Math.abs(mean)} 0 0 ${mean > 0 ? 1 : 0} ${x} ${y}`);
  }, `M${places[0].x} ${places[0].y}`);
}

/** The ground: privy, lines, points.
   @param {Element} parent
   @param {Geometry} geometry */
function drawGround(parent, geometry) {
  const { points, lines, edges, apex, exits } = geometry;
  drawPrivy(parent, geometry);
  for (const line of lines) {
    const [a, b] = [line[0], line.at(-1)].map(name => points.get(name));
    const straight = line.every(name =>
      Math.abs((b.x - a.x) * (points.get(name).y - a.y) - (b.y - a.y) * (points.get(name).x - a.x)) < 1);
    const way = straight ? [line[0], line.at(-1)] : line;
    const text = way.map(name => `${points.get(name).x},${points.get(name).y}`).join(" ");
    make(parent, "polyline", { class: "line", points: text });
  }
  for (const edge of edges)
    make(parent, "path", { class: "line", d: arcs(edge.map(name => points.get(name)), edge[0] === edge.at(-1)) });
  for (const [name, { x, y }] of points)
    make(parent, "circle", { class: "spot", cx: x, cy: y, r: exits.includes(name) ? 8 : 5 });
  for (const name of apex)
    make(parent, "circle", { class: "apex", cx: points.get(name).x, cy: points.get(name).y, r: 14 });
}

function bounds(points) {
  const all = [...points.values()], xs = all.map(p => p.x), ys = all.map(p => p.y);
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

function drawPiece(parent, piece, { x, y }, size) {
  const group = make(parent, "g", { class: `piece ${piece === "G" ? "general" : "rebel"}` });
  make(group, "circle", { cx: x, cy: y, r: piece === "G" ? size * 1.04 : size });
  if (piece === "G") {
    const corner = at => [at % 2 ? .26 : .62, Math.PI * at / 5]
      .map((r, i, [far, angle]) => i ? y - far * size * Math.cos(angle) : x + far * size * Math.sin(angle));
    make(group, "polygon", { class: "star", points: [...Array(10).keys()].map(at => corner(at).join(",")).join(" ") });
  }
  return group;
}

/** A picture of a position without anything to click. */
export function drawThumbnail(parent, geometry, pieces) {
  const { left, right, top, bottom } = bounds(geometry.points);
  parent.setAttribute("viewBox", `${left - 50} ${top - 50} ${right - left + 100} ${bottom - top + 100}`);
  drawGround(parent, geometry);
  for (const [name, piece] of pieces) if (piece !== ".")
    drawPiece(parent, piece, geometry.points.get(name), geometry.piece);
}

/** Draws the static part (ground, names) and an empty layer for each dynamic part. */
export function drawBoard() {
  const svg = $("board"), { left, right, top, bottom } = bounds(board.points);
  svg.replaceChildren();
  const turned = one => state.flipped ? { ...one, x: left + right - one.x, y: top + bottom - one.y } : one;
  const shown = new Map([...board.points].map(([name, p]) => [name, turned(p)])),
    labels = board.labels.map(one => ({ ...turned(one), ends: one.ends.map(turned) }));
  const around = [...shown.values()].map(({ x, y }) => ({ x, y, wide: 60, high: 60 }))
    .concat(labels.map(({ text, x, y, size }) =>
      ({ x, y, wide: 20 + .29 * size * text.length, high: 20 + .37 * size })));
  const edges = [one => one.x - one.wide, one => one.y - one.high, one => one.x + one.wide, one => one.y + one.high];
  const [west, north, east, south] = edges.map((edge, at) => Math[at < 2 ? "min" : "max"](...around.map(edge)));
  board.drawing = { ...board, points: shown, south };
  svg.setAttribute("viewBox",
    `${west} ${north} ${east - west} ${south - north + (handOf(state.variant.fen) ? 100 : 0)}`);
  const heads = make(svg, "defs", {});
  for (const kind of ["general", "rebels", "own"]) {
    const head = make(heads, "marker", { id: `head-${kind}`, viewBox: "0 0 10 10", refX: 6, refY: 5, markerWidth: 3.4,
      markerHeight: 3.4, orient: "auto" });
    make(head, "path", { d: "M0 0 10 5 0 10z", fill: `var(--${kind})` });
  }
  drawGround(svg, board.drawing);
  // Digits and capitals are about 0.7 of the size high.
  for (const { text, x, y, size, ends } of labels) {
    if (ends.length) make(svg, "polyline", { class: "lead", points: ends.map(end => `${end.x},${end.y}`).join(" ") });
    make(svg, "text", { class: "name", x, y: y + .35 * size, "font-size": size }, text);
  }
  make(svg, "g", { id: "under" });
  const points = make(svg, "g", { id: "points" });
  for (const [name, { x, y }] of shown) {
    const group = make(points, "g", { class: "point", role: "button", "data-point": name, tabindex: -1 });
    make(group, "circle", { class: "hit", cx: x, cy: y, r: Math.min(46, 1.4 * board.piece) });
    make(group, "g", {});
    make(group, "circle", { class: "focus", cx: x, cy: y, r: board.piece + 9 });
  }
  make(svg, "g", { id: "above", "pointer-events": "none" });
  make(svg, "g", { id: "carried", "pointer-events": "none" });
}

export const spot = name => board.drawing.points.get(name);

function cross(parent, point, size, kind) {
  const { x, y } = spot(point);
  make(parent, "path", { class: `cross ${kind}`,
    d: `M${x - size} ${y - size}l${2 * size} ${2 * size}m0 ${-2 * size}l${-2 * size} ${2 * size}` });
}

export function setFocus(name, moves) {
  board.focus = name;
  for (const group of $("points").children) {
    group.setAttribute("tabindex", group.dataset.point === name ? 0 : -1);
    if (moves && group.dataset.point === name) group.focus();
  }
}

export function drawPosition() {
  const under = $("under"), above = $("above"), next = targets(), size = board.piece;
  under.replaceChildren();
  above.replaceChildren();
  const movable = new Set(canMove() ? state.legal.map(move => move.ways[0][0]) : []);
  for (const group of $("points").children) {
    const name = group.dataset.point, piece = state.pieces.get(name), { x, y } = spot(name), body = group.children[1];
    body.replaceChildren();
    if (piece !== ".") drawPiece(body, piece, { x, y }, size);
    if (state.picked.includes(name)) make(body, "circle", { class: "picked", cx: x, cy: y, r: size + 6 });
    if (next.has(name)) {
      const far = next.get(name).every(move => move.kind === "free_jump") ? " far" : "";
      make(body, "circle", piece === "." ? { class: `target${far}`, cx: x, cy: y, r: 15 }
        : { class: `ring${far}`, cx: x, cy: y, r: size + 8 });
      if (piece === "." && next.get(name).some(move => move.takes.length)) cross(body, name, 6, "");
    }
    group.classList.toggle("live", state.editing || movable.has(name) || next.has(name));
    group.setAttribute("tabindex", name === board.focus ? 0 : -1);
    const what = piece === "." ? t("empty") : piece === "G" ? state.variant.general : state.variant.rebel;
    const does = next.has(name) ? `, ${takesText(next.get(name))}` : movable.has(name) ? `, ${t("can_move")}` : "";
    group.setAttribute("aria-label", `${name}: ${what}${state.picked.includes(name) ? `, ${t("chosen")}` : ""}${does}`);
  }
  if (!isOn(state.status)) for (const [name, piece] of state.pieces) if (piece === "G")
    make(under, "circle", { class: `end ${winnerOf(state.status)}`, cx: spot(name).x, cy: spot(name).y, r: size + 14 });
  drawHand(under);
  const { move, takes } = state.at;
  if (move) {
    for (const name of new Set(pointsOf(move.split(":")[0])))
      make(under, "circle", { class: "last", cx: spot(name).x, cy: spot(name).y, r: size + 9 });
    (takes || []).forEach(name => cross(under, name, 14, "fallen"));
  }
  for (const name of new Set((next.get(state.over) || []).flatMap(move => move.takes))) cross(above, name, 22, "");
  const side = sideOf(state.status);
  state.arrows.forEach((move, at) => drawArrow(above, move, at % 2 ? other(side) : side, 1 - .3 * at));
  for (const [from, to] of state.at.marks || []) drawWay(above, from === to ? [from] : [from, to], "own", .9);
  drawValues(above, next);
}

/** What is in hand, below the board. */
function drawHand(under) {
  const [, general, rebels] = handOf(state.fen).match(/\[(G?)(?:r(\d+))?\]/) || [],
    { left } = bounds(board.drawing.points), y = board.drawing.south + 50;
  if (general) drawPiece(under, "G", { x: left, y }, board.piece);
  for (let at = 0; at < (rebels || 0) && at < 8; at++)
    drawPiece(under, "r", { x: left + (general ? 90 : 0) + at * board.piece * .9, y }, board.piece);
  const right = left + (general ? 90 : 0) + Math.min(7, rebels - 1) * board.piece * .9 + board.piece + 26;
  if (rebels) make(under, "text", { class: "name", x: right, y: y + 8, "font-size": .8 * board.piece }, `× ${rebels}`);
}

/** A move: from point to point, and of a take without moving a way to each Rebel taken. */
function drawArrow(above, move, kind, opacity) {
  const [path, taken] = move.split(":").map(pointsOf);
  if (taken) taken.forEach(name => drawWay(above, [path[0], name], kind, opacity));
  else drawWay(above, path, kind, opacity);
}

function drawWay(above, names, kind, opacity) {
  const path = names.map(spot);
  if (path.length === 1) make(above, "circle", { class: "arrow", cx: path[0].x, cy: path[0].y, r: board.piece + 10,
    stroke: `var(--${kind})`, "stroke-opacity": opacity });
  for (let i = 1; i < path.length; i++) {
    const [a, b] = [path[i - 1], path[i]], long = Math.hypot(b.x - a.x, b.y - a.y) || 1, keep = (long - 26) / long;
    make(above, "path", { class: "arrow", d: `M${a.x} ${a.y}L${a.x + (b.x - a.x) * keep} ${a.y + (b.y - a.y) * keep}`,
      stroke: `var(--${kind})`, "stroke-opacity": opacity, "marker-end": `url(#head-${kind})` });
  }
}

/** Draws values: of the best move of each piece, or, with a chosen piece, of each target. */
function drawValues(above, next) {
  if (!state.values.size) return;
  const best = Math.max(...[...state.values.values()].map(worth)), groups = new Map(state.picked.length ? next : []);
  if (!state.picked.length) for (const move of state.legal.filter(one => one.ways[0].length))
    groups.set(move.ways[0][0], [...(groups.get(move.ways[0][0]) || []), move]);
  for (const [name, moves] of groups) {
    const scores = moves.map(move => state.values.get(move.text)).filter(Boolean);
    if (!scores.length) continue;
    const score = scores.reduce((a, b) => worth(a) >= worth(b) ? a : b), text = short(score), { x, y } = spot(name),
      width = 14 + 11 * text.length;
    make(above, "rect", { class: "badge", x: x - width / 2, y: y + 18, width, height: 26, rx: 8,
      fill: colour(score, best) });
    make(above, "text", { class: "value", x, y: y + 38 }, text);
  }
}

/** Draws the chosen piece under the pointer, or nowhere.
   @param {Place | null} place */
export function carry(place) {
  const layer = $("carried"), from = state.picked[0];
  layer.replaceChildren();
  for (const piece of $("points").querySelectorAll(".carried")) piece.classList.remove("carried");
  if (!place || !from || state.pieces.get(from) === ".") return;
  drawPiece(layer, state.pieces.get(from), place, board.piece);
  $("points").querySelector(`[data-point="${from}"] .piece`)?.classList.add("carried");
}

/** Moves a copy of the piece along its way before the new position is drawn, unless the person has carried it there. */
export async function animate(move) {
  const names = pointsOf(move.split(":")[0]);
  const piece = $("points").querySelector(`[data-point="${names[0]}"] .piece`);
  if (!piece || names.length < 2 || names.at(-1) === board.droppedOn || document.hidden
    || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const from = spot(names[0]), frames = names.map(spot)
    .map(({ x, y }) => ({ transform: `translate(${x - from.x}px, ${y - from.y}px)` }));
  const copy = piece.cloneNode(true);
  $("carried").append(copy);
  piece.style.visibility = "hidden";
  const options = { duration: 110 + 90 * (names.length - 1), easing: "ease-in-out" };
  await copy.animate(frames, options).finished.catch(() => {});
  copy.remove();
}
