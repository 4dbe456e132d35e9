// The page: what is pressed, dragged and dropped goes to the worker; its pictures come on the canvas.
"use strict";

const element = (id) => document.getElementById(id);
const canvas = element("canvas");
const SCALES = [1, 0.75, 0.5, 0.35, 0.25];
let module = null;
let worker = null;
let isPlaying = false;
let isWaiting = false;
let isReady = false;
let scale = 1;
let unhurried = 0;
/** The model that is shown: { kind: "built_in" | "load", name }. */
let shown = null;
/** Dropped files, for a worker that begins again. */
let dropped = [];

const ask = (task, moved = []) => worker.postMessage(task, moved);

/** Text as a number of options of a list. */
function fill(list, labels, values) {
  list.replaceChildren(...labels.map((label, number) => new Option(label, values[number])));
}

function trouble(words) {
  element("trouble").textContent = words;
  element("trouble").hidden = words === "";
}

function play(isOn) {
  isPlaying = isOn;
  element("play").textContent = isOn ? "Pause" : "Play";
  ask({ kind: "play", isPlaying });
}

/** Begins with a new worker; what the old one did is lost. */
function restart() {
  if (worker) worker.terminate();
  isReady = false;
  isWaiting = false;
  const source = new Blob([element("zip_script").textContent, element("worker_script").textContent], { type: "text/javascript" });
  worker = new Worker(URL.createObjectURL(source));
  worker.onmessage = ({ data }) => answers[data.kind](data);
  worker.onerror = (event) => trouble(`the worker stopped: ${event.message}`);
  ask({ kind: "start", module });
}

function show(model) {
  trouble("");
  shown = model;
  if (isPlaying) play(false);
  ask(model);
}

async function drop(list) {
  const files = [];
  for (const file of list) files.push({ name: file.webkitRelativePath || file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  if (files.length === 0) return;
  dropped = files;
  trouble("");
  ask({ kind: "files", files });
}

const answers = {
  started({ models }) {
    isReady = true;
    const lines = models.split("\n").map((line) => line.split("\t"));
    const group = document.createElement("optgroup");
    group.label = "built in";
    for (const [name, summary] of lines) {
      const option = new Option(name, `built_in ${name}`);
      option.title = summary;
      group.append(option);
    }
    element("model").replaceChildren(group);
    if (dropped.length > 0) ask({ kind: "files", files: dropped });
    else show({ kind: "built_in", name: lines[0][0] });
  },

  candidates({ names }) {
    const list = element("model");
    for (const old of list.querySelectorAll(".dropped")) old.remove();
    const group = document.createElement("optgroup");
    group.label = "dropped";
    group.className = "dropped";
    for (const name of names.split("\n")) group.append(new Option(name, `load ${name}`));
    list.prepend(group);
    list.value = group.firstChild.value;
    show({ kind: "load", name: names.split("\n")[0] });
  },

  loaded({ summary }) {
    const rows = summary.split("\n").map((line) => line.split("\t"));
    const of = (kind) => rows.filter((row) => row[0] === kind).map((row) => row.slice(1));
    const names = (kind) => of(kind).map((row) => row[0]);
    fill(element("camera"), ["free", ...names("camera")], [-1, ...names("camera").keys()]);
    fill(element("key"), ["beginning", ...names("key")], [-1, ...names("key").keys()]);
    element("controls").replaceChildren(...of("control").map(slider));
    element("contacts").checked = false;
    trouble(names("warning").join("\n"));
    element("state").dataset.model = shown.name;
  },

  picture({ pixels, width, height, time, took }) {
    isWaiting = false;
    canvas.width = width;
    canvas.height = height;
    canvas.getContext("2d").putImageData(new ImageData(pixels, width, height), 0, 0);
    element("state").textContent = `${time.toFixed(2)} s, ${width} × ${height} pixels in ${took.toFixed(0)} ms`;
    element("state").dataset.time = time;
    // Fewer pixels where drawing is slow, more again where it is quick.
    const place = SCALES.indexOf(scale);
    unhurried = took < 15 ? unhurried + 1 : 0;
    if (took > 50 && place + 1 < SCALES.length) scale = SCALES[place + 1];
    if (unhurried > 30 && place > 0) [scale, unhurried] = [SCALES[place - 1], 0];
  },

  same() {
    isWaiting = false;
  },

  trouble({ task, isBroken, words }) {
    isWaiting = false;
    isPlaying = false;
    element("play").textContent = "Play";
    trouble(isBroken ? `the module stopped (${words}) and begins again` : words);
    if (!isBroken) return;
    // What broke it is not tried again.
    if (task === "files" || task === "load" || (shown && shown.kind === "load")) dropped = [];
    const said = element("trouble").textContent;
    restart();
    trouble(said);
  },
};

function slider([name, low, high], number) {
  const label = document.createElement("label");
  const head = document.createElement("span");
  const value = document.createElement("b");
  head.append(name, value);
  const input = document.createElement("input");
  Object.assign(input, { type: "range", min: low, max: high, step: (high - low) / 200 || 1, value: Math.min(Math.max(0, low), high) });
  input.oninput = () => {
    value.textContent = Number(input.value).toPrecision(3);
    ask({ kind: "control", number, value: Number(input.value) });
  };
  label.append(head, input);
  return label;
}

/** Asks for a picture whenever the browser is about to show one, and the last has come. */
function tick() {
  requestAnimationFrame(tick);
  if (isWaiting || !isReady || !element("state").dataset.model) return;
  const box = canvas.getBoundingClientRect();
  const side = (length) => Math.max(16, Math.min(Math.round(length * scale), 2048));
  isWaiting = true;
  ask({ kind: "frame", width: side(box.width), height: side(box.height), speed: 2 ** Number(element("speed").value) });
}

function lead(event) {
  if (!canvas.hasPointerCapture(event.pointerId)) return;
  const { width, height } = canvas.getBoundingClientRect();
  if (event.shiftKey || event.buttons & 6) {
    ask({ kind: "shift", right: -event.movementX / height, up: event.movementY / height });
  } else {
    ask({ kind: "turn", azimuth: (-event.movementX / width) * 360, elevation: (-event.movementY / height) * 180 });
  }
  element("camera").value = -1;
}

function listen() {
  element("model").onchange = ({ target }) => {
    const [kind, ...name] = target.value.split(" ");
    show({ kind, name: name.join(" ") });
  };
  element("open").onchange = ({ target }) => drop(target.files);
  element("play").onclick = () => play(!isPlaying);
  element("step").onclick = () => ask({ kind: "step" });
  element("reset").onclick = () => ask({ kind: "reset", key: Number(element("key").value) });
  element("key").onchange = ({ target }) => ask({ kind: "reset", key: Number(target.value) });
  element("camera").onchange = ({ target }) => ask({ kind: "look", camera: Number(target.value) });
  element("contacts").onchange = ({ target }) => ask({ kind: "contacts", isShown: target.checked });
  element("speed").oninput = ({ target }) => (element("speed_shown").textContent = `${2 ** Number(target.value)}×`);
  canvas.onpointerdown = (event) => canvas.setPointerCapture(event.pointerId);
  canvas.onpointermove = lead;
  canvas.oncontextmenu = (event) => event.preventDefault();
  canvas.onwheel = (event) => {
    event.preventDefault();
    ask({ kind: "zoom", factor: Math.exp(event.deltaY / 800) });
    element("camera").value = -1;
  };
  document.ondragover = (event) => {
    event.preventDefault();
    element("drop").hidden = false;
  };
  document.ondragleave = () => (element("drop").hidden = true);
  document.ondrop = (event) => {
    event.preventDefault();
    element("drop").hidden = true;
    drop(event.dataTransfer.files);
  };
}

async function begin() {
  const packed = Uint8Array.from(atob(element("module").textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  module = await new Response(stream).arrayBuffer();
  listen();
  restart();
  tick();
}

begin().catch((error) => trouble(`the page cannot begin: ${error.message}`));
