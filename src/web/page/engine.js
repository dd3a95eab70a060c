// @ts-check
/* The engine: requests with ids, answers in their order. What carries the lines is a back end: { post(text) }, which
   hands every line of the session to `read` and calls `lost` when the session has ended. */

import { $, t } from "./state.js";

export const engine = { backend: null, lastId: 0, open: null, waiting: new Map(),
  batches: /** @type {Promise<any>} */ (Promise.resolve()), streaming: null, solving: "", limit: 0, isLost: false };
export const LONGEST_LINE = 60000;

/** A line of the session: the head of an answer, one more line of it, or the empty line behind it. */
function read(line) {
  if (!engine.open) {
    const head = line.match(/^([=?])(\d+)(?: (.*))?$/);
    if (head) engine.open = { ok: head[1] === "=", id: +head[2], lines: head[3] ? [head[3]] : [] };
  } else if (line) {
    engine.open.lines.push(line);
    engine.waiting.get(engine.open.id)?.line?.(line);
  } else {
    const { ok, id, lines } = engine.open;
    engine.open = null;
    if (engine.streaming === id) engine.streaming = null;
    engine.waiting.get(id)?.done({ ok, text: lines.join("\n") });
    engine.waiting.delete(id);
  }
}

/** Sends a line; the answer comes as { ok, text }, and what it is made of to `take`, line by line. */
function request(line, take) {
  const clean = line.replace(/[\u0000-\u001f]+/g, " ").split("#")[0];
  if (new TextEncoder().encode(clean).length > LONGEST_LINE) return Promise.resolve({ ok: false, text: t("too_long") });
  const id = ++engine.lastId;
  const answer = new Promise(done => engine.waiting.set(id, { done, line: take }));
  if (engine.streaming) engine.backend.post(`${++engine.lastId} stop\n`);
  if (take) engine.streaming = id;
  engine.backend.post(`${id} ${clean}\n`);
  return answer;
}

function batch(work) {
  const answers = engine.batches.then(work);
  engine.batches = answers.catch(() => {});
  return answers;
}

/** Sends lines one after the other, each when the one before is answered; a failure ends the batch. No other batch
    comes between. */
export function ask(...lines) {
  return batch(async () => {
    const all = [];
    for (const line of lines) {
      all.push(await request(line));
      if (!all.at(-1).ok) break;
    }
    return all;
  });
}

/** Sends lines at once, and waits for all answers. */
export const askAll = lines => batch(() => Promise.all(lines.map(line => request(line))));

/** Sends lines that prepare, then, if it is still wanted, one whose answer is taken line by line until the next request
    or `stopSearch` ends it. */
export async function stream(prepare, line, take, isWanted = () => true) {
  const ready = await ask(...prepare);
  if (failed(ready)) return failed(ready);
  return isWanted() ? request(line, take) : { ok: true, text: "" };
}

export const failed = answers => answers.find(answer => !answer.ok);

export function stopSearch() {
  engine.backend.post(`${++engine.lastId} stop\n`);
}

/** A message above the page, until another game begins. */
export function warn(text) {
  if (engine.isLost) return;
  $("gone").textContent = text;
  $("gone").hidden = !text;
}

export function lost(reason) {
  if (engine.isLost) return;
  warn(typeof reason === "string" ? reason : t("gone"));
  engine.isLost = true;
  document.querySelectorAll("button, select, input, textarea").forEach(one => one.setAttribute("disabled", ""));
}

/** The back end of `privy play`: the page's input is posted, the output of its session is one answer without an end. */
export async function servedEngine() {
  const output = await fetch("lines");
  if (!output.ok) throw output.status === 503 ? t("too_many_pages") : await output.text();
  const reader = output.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  /** The next lines; null at the end. */
  const next = async () => {
    const { done, value } = await reader.read(), lines = (rest + value).split("\n");
    rest = lines.pop();
    return done ? null : lines;
  };
  let lines = [];
  while (lines && !lines.length) lines = await next();
  const session = lines?.shift();
  (async () => { for (; lines; lines = await next()) lines.forEach(read); })().finally(lost);
  let queued = "", posting = Promise.resolve();
  // Lines that come while others are on their way go together.
  const post = text => {
    queued += text;
    posting = posting.then(async () => {
      const body = queued;
      queued = "";
      if (!body) return;
      const sent = await fetch(`lines/${session}`, { method: "POST", body });
      if (!sent.ok) throw new Error(await sent.text());
    });
    posting.catch(lost);
  };
  return { post };
}

/** The back end that needs nothing: the engine inside this file, in a worker. A worker at work hears no message, so to
    end a search ends the worker, and another one continues, with the table that was made. A request for a search sends
    its position first. */
export async function ownEngine() {
  const bytes = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0)),
    proofs = $("engine-proofs").textContent.split(" ").map(bytes);
  const packed = new Blob([bytes($("engine-module").textContent.trim())]).stream();
  const unpacked = packed.pipeThrough(new DecompressionStream("gzip"));
  const headers = { "Content-Type": "application/wasm" };
  const module = await WebAssembly.compileStreaming(new Response(unpacked, { headers }));
  const code = URL.createObjectURL(new Blob([$("engine-worker").textContent], { type: "text/javascript" }));
  const searches = /^(go|analyze|review|explain|perft|divide|genmove|solve)$/;
  let worker = null, running = [], solved = null;
  const start = () => {
    worker = new Worker(code);
    worker.onerror = event => { console.error(event.message); lost(); };
    worker.onmessage = ({ data }) => {
      if (data.answered) { running.shift(); return endStopped(); }
      if (data.table) { solved = { spec: engine.solving || engine.variant, table: data.table }; return; }
      const best = data.lines.at(-1).match(/ pv (\S+)/);
      if (best && running[0]) running[0].best = best[1];
      data.lines.forEach(read);
    };
    worker.postMessage(module);
    send({ line: "set_option hash 64" });
    proofs.forEach(proof => worker.postMessage(proof));
    if (!solved) return;
    send({ line: `variant ${solved.spec}` });
    worker.postMessage(solved.table);
  };
  /* If the first of the lines is a search that has to end: its worker goes, and the lines behind it go to a new one. */
  const endStopped = () => {
    if (!running[0]?.isStopped) return;
    const [{ id, best, name }, ...rest] = running;
    worker.terminate();
    engine.variant = "";
    running = [];
    if (engine.open && best && name === "go") read(`bestmove ${best}`);
    if (!engine.open) read(`?${id} interrupted: stopped before the end`);
    read("");
    start();
    rest.forEach(send);
  };
  const send = one => {
    running.push(one);
    worker.postMessage(one.line);
  };
  const end = one => { if (one) one.isStopped = true; endStopped(); };
  const post = text => {
    for (const line of text.split("\n").filter(Boolean)) {
      const [id, name] = line.split(" ");
      if (running.at(-1)?.name === "analyze") end(running.at(-1));
      if (name === "stop") end(running.find(one => searches.test(one.name) && !one.isStopped));
      send({ id, name, line });
    }
  };
  start();
  return { post };
}
