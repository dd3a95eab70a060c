// @ts-check
/* The review, drawn: the curve of the game, the moments that decided it. */

import { $, element, state, t } from "./state.js";
import { GLYPHS, judgementText, sideName } from "./words.js";
import { moveText, numberOf } from "./tree.js";
import { make } from "./board.js";
/** @import { GameNode } from "./state.js" */

export const review = { turning: [], accuracy: null, line: [] };

/** The position that a button of a list leads to. */
export const nodeOf = /** @type {WeakMap<EventTarget, GameNode>} */ (new WeakMap());

/** Forgets the review: the game is another one. */
export function hideStory() {
  Object.assign(review, { turning: [], accuracy: null, line: [] });
  $("reviewed").hidden = $("explanation").hidden = true;
}

export function showReviewed() {
  const judged = review.line.filter(node => node.judged);
  if ($("reviewed").hidden) return;
  drawCurve(judged);
  const { accuracy } = review;
  $("accuracy").textContent = accuracy ? ["general", "rebels"]
    .map(side => t("accuracy_of", { side: sideName(side), percent: Math.round(100 * accuracy[side]) })).join(" · ")
    : t("judged_so_far", { count: judged.length, of: review.line.length });
}

/** The moments that decided the game. */
export function listTurning() {
  $("turning").replaceChildren(...review.turning.map(node => {
    const go = element("button",
      { textContent: `${numberOf(node)} ${moveText(node)}${GLYPHS[node.judged.judgement] || ""}` });
    const retry = element("button", { textContent: t("try_again"), className: "retry" });
    [go, retry].forEach(button => nodeOf.set(button, node));
    return element("li", {}, go, ` ${judgementText(node.judged)} `, retry);
  }));
  if (!review.turning.length) $("turning").replaceChildren(element("li", { textContent: t("no_turning") }));
}

/** The chances of the General after each move. */
function drawCurve(judged) {
  const svg = $("curve"), width = svg.clientWidth, height = svg.clientHeight,
    step = width / Math.max(1, review.line.length);
  svg.replaceChildren();
  svg.setAttribute("aria-label", t("curve", { side: sideName("general") }));
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  make(svg, "line", { class: "middle", x1: 0, x2: width, y1: height / 2, y2: height / 2 });
  const at = node => [(node.ply - .5) * step, height - (height - 8) * node.chances - 4];
  if (judged.length) {
    const points = judged.map(at);
    const curve = points.map(point => point.join(" ")).join("L");
    make(svg, "path", { class: "area", d: `M${points[0][0]} ${height}L${curve}L${points.at(-1)[0]} ${height}Z` });
    make(svg, "polyline", { class: "curve", points: points.map(point => point.join(",")).join(" ") });
  }
  for (const node of judged.filter(node => GLYPHS[node.judged.judgement])) {
    make(svg, "circle", { class: `turn ${node.judged.side}`, cx: at(node)[0], cy: at(node)[1],
      r: node.judged.judgement === "inaccuracy" ? 4 : 6 });
  }
  if (state.at.parent && review.line.includes(state.at))
    make(svg, "line",
      { class: "here", x1: (state.at.ply - .5) * step, x2: (state.at.ply - .5) * step, y1: 0, y2: height });
}

/** The node at a place of the curve. */
export const nodeAt = event => review.line[Math.ceil(event.offsetX / $("curve").clientWidth * review.line.length) - 1];
