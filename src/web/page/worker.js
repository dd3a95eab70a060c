"use strict";
/* The engine in a worker: lines in, lines out; files of tables and proofs come as bytes, and a table that has been made
   goes so. The module for WebAssembly imports the functions of `privy`. */

let engine = null;  // what the module exports
let written = "";
const decoder = new TextDecoder(), encoder = new TextEncoder();

const privy = {
  now: () => performance.now(),
  write(at, length) {
    written += decoder.decode(new Uint8Array(engine.memory.buffer, at, length), { stream: true });
    const lines = written.split("\n");
    written = lines.pop();
    if (lines.length) postMessage({ lines });
  },
};

function answer(line) {
  const bytes = encoder.encode(line), at = engine.line_buffer(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  engine.answer(bytes.length);
  if (/^\d+ solve\b/.test(line)) giveTable();
  postMessage({ answered: true });
}

function giveTable() {
  const length = engine.table_bytes();
  if (!length) return;
  const table = new Uint8Array(engine.memory.buffer, engine.file(), length).slice();
  engine.file_buffer(0);
  postMessage({ table }, [table.buffer]);
}

function load_file(file) {
  const at = engine.file_buffer(file.length);
  new Uint8Array(engine.memory.buffer, at, file.length).set(file);
  engine.load_file();
}

/* The module comes first. Lines that come while it is being made wait for it. */
let ready = null;
onmessage = async ({ data }) => {
  if (data instanceof WebAssembly.Module)
    ready = WebAssembly.instantiate(data, { privy }).then(instance => { engine = instance.exports; });
  await ready;
  if (typeof data === "string") answer(data);
  else if (data instanceof Uint8Array) load_file(data);
};
