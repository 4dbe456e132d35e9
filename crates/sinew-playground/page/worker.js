// The worker: it has the module, loads, steps and draws, and answers the page. What the page asks for is in `tasks`.
"use strict";

let wasm = null;
let isPlaying = false;
let isChanged = true;
let last = null;

/** Writes bytes where the module can see them. */
function give(...parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  let at = wasm.room(length);
  if (at === 0 && length > 0) throw new Error(`there is no memory for ${length} bytes`);
  for (const part of parts) {
    new Uint8Array(wasm.memory.buffer, at, part.length).set(part);
    at += part.length;
  }
}

/** The words of the last call. */
function told() {
  return new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, wasm.told(), wasm.told_length()));
}

const bytesOf = (text) => new TextEncoder().encode(text);

/** Words of a call that must not fail; throws them if it did. */
function checked(failed) {
  const words = told();
  if (failed) throw new Error(words);
  return words;
}

function loaded(summary) {
  isChanged = true;
  last = null;
  return { kind: "loaded", summary };
}

const tasks = {
  async start({ module }) {
    const { instance } = await WebAssembly.instantiate(module, {});
    wasm = instance.exports;
    return { kind: "started", models: checked(wasm.built_in()) };
  },

  async files({ files }) {
    wasm.forget_files();
    for (const file of files) {
      const parts = isZip(file.bytes) ? await unzip(file.bytes) : [file];
      for (const part of parts) {
        const name = bytesOf(part.name);
        give(name, part.bytes);
        checked(wasm.add_file(name.length));
      }
    }
    const names = checked(wasm.candidates());
    if (names === "") throw new Error("no model is among these files: it would be an .xml, .mjcf or .urdf file with <mujoco> or <robot>");
    return { kind: "candidates", names };
  },

  load({ name }) {
    give(bytesOf(name));
    return loaded(checked(wasm.load()));
  },

  built_in({ name }) {
    give(bytesOf(name));
    return loaded(checked(wasm.load_built_in()));
  },

  play(task) {
    isPlaying = task.isPlaying;
    last = null;
  },

  step() {
    if (wasm.advance(1e-12, 1) < 0) throw new Error(told());
    isChanged = true;
  },

  reset({ key }) {
    checked(wasm.reset(key));
    isChanged = true;
  },

  turn({ azimuth, elevation }) {
    wasm.turn(azimuth, elevation);
    isChanged = true;
  },

  zoom({ factor }) {
    wasm.zoom(factor);
    isChanged = true;
  },

  shift({ right, up }) {
    wasm.shift(right, up);
    isChanged = true;
  },

  look({ camera }) {
    wasm.look_through(camera);
    isChanged = true;
  },

  contacts({ isShown }) {
    wasm.show_contacts(isShown ? 1 : 0);
    isChanged = true;
  },

  control({ number, value }) {
    checked(wasm.set_control(number, value));
  },

  /** Simulates what has passed since the last picture, as far as 30 ms suffice, and draws. */
  frame({ width, height, speed }) {
    const begin = performance.now();
    if (isPlaying) {
      let left = last === null ? 0 : Math.min((begin - last) / 1000, 0.1) * speed;
      const end = wasm.time() + left;
      last = begin;
      while (left > 0 && performance.now() - begin < 30) {
        if (wasm.advance(left, 5) < 0) throw new Error(told());
        left = end - wasm.time();
      }
      isChanged = true;
    }
    if (!isChanged) return { kind: "same" };
    const start = performance.now();
    const at = wasm.draw(width, height);
    if (at === 0) throw new Error(told());
    isChanged = false;
    const pixels = new Uint8ClampedArray(wasm.memory.buffer, at, 4 * width * height).slice();
    return { kind: "picture", pixels, width, height, time: wasm.time(), took: performance.now() - start };
  },
};

// One task after the other, also those that wait.
let queue = Promise.resolve();
onmessage = ({ data }) => {
  queue = queue.then(async () => {
    try {
      const answer = await tasks[data.kind](data);
      if (answer) postMessage(answer, answer.pixels ? [answer.pixels.buffer] : []);
    } catch (error) {
      isPlaying = false;
      // A trap leaves the module in a state of which nothing is known.
      const isBroken = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
      postMessage({ kind: "trouble", task: data.kind, isBroken, words: error.message });
    }
  });
};
