/* The queue by keyboard. Everything here has a form that works without it. A module, so that its names are its own. */

const queue = document.getElementById("queue");
const dialog = document.getElementById("keys");
const FIRST_KEYS = {
  correct: "1", incorrect: "2", stale: "3", cant_tell: "0", skip: "s",
  note: "n", suggest: "e", context: "c", undo: "u", keys: "?",
};
const KEYS_AT = "assay.keys";
const NOTE_AT = "assay.note.";
const FIELDS = ["note", "suggestion", "as_of"];
const HEARTBEAT = 60_000;
const IDLE = 10 * 60_000; // whoever has left keeps nothing in hand

let keys = storedKeys();
let pressed = null; // the button whose answer is on its way, or has not arrived
let isSaving = false; // an answer, which can be undone once it has arrived
let isUndoNext = false; // asked for while an answer was on its way: it takes back that answer
let active = Date.now();

/* What is being written is kept until it is saved: a sign-in may expire, a tab may close. */

const item = () => document.getElementById("item");
const noteKey = () => NOTE_AT + item().dataset.item;
const fields = () => FIELDS.map((name) => document.getElementById(name)).filter(Boolean);

function keepNote() {
  const written = Object.fromEntries(fields().map((field) => [field.id, field.value]));
  if (Object.values(written).some(Boolean)) {
    sessionStorage.setItem(noteKey(), JSON.stringify(written));
  } else {
    sessionStorage.removeItem(noteKey());
  }
}

function restoreNote() {
  const kept = JSON.parse(sessionStorage.getItem(noteKey()) ?? "{}");
  for (const field of fields()) {
    field.value ||= kept[field.id] ?? "";
  }
  if (fields().some((field) => field.value)) {
    document.querySelector(".remark").open = true;
  }
}

/* Keys */

function storedKeys() {
  try {
    return { ...FIRST_KEYS, ...JSON.parse(localStorage.getItem(KEYS_AT) ?? "{}") };
  } catch {
    return { ...FIRST_KEYS };
  }
}

function showKeys() {
  for (const hint of document.querySelectorAll("[data-key]")) {
    hint.textContent = keys[hint.dataset.key].toUpperCase();
  }
  for (const input of dialog.querySelectorAll("[data-for]")) {
    input.value = keys[input.dataset.for];
  }
}

function setKey(input) {
  const wanted = input.value.trim().toLowerCase();
  const owner = Object.keys(keys).find((act) => keys[act] === wanted);
  const told = document.getElementById("key-taken");
  const isTaken = owner !== undefined && owner !== input.dataset.for;
  told.textContent = isTaken ? told.dataset.text : "";
  if (wanted && !isTaken) {
    keys[input.dataset.for] = wanted;
    localStorage.setItem(KEYS_AT, JSON.stringify(keys));
  }
  showKeys();
}

function actOf(event) {
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1]; // where digits want the shift key
  const typed = event.key.toLowerCase();
  return Object.keys(keys).find((act) => keys[act] === typed) ?? Object.keys(keys).find((act) => keys[act] === digit);
}

const isWriting = (target) => target.matches("input, textarea, select, [contenteditable]");

function onKey(event) {
  const isOurs = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
  if (event.key === "Escape" && isWriting(event.target) && event.target.closest("#answer")) {
    document.getElementById("question").focus();
  }
  if (!isOurs || isWriting(event.target) || document.querySelector("dialog[open]")) {
    return;
  }
  const act = actOf(event);
  if (act && perform(act)) {
    event.preventDefault();
  }
}

function perform(act) {
  const acts = { note: () => write("note"), suggest: suggest, context: showContext, keys: openKeys };
  if (isSaving && act === "undo") {
    return undoNext(); // there may be no button yet
  }
  if (acts[act]) {
    return acts[act]();
  }
  const button = document.querySelector(`#item [data-act="${act}"]`);
  button?.click();
  return Boolean(button);
}

function openKeys() {
  showKeys();
  dialog.showModal();
  return true;
}

function write(name) {
  const field = document.getElementById(name);
  if (field) {
    field.closest("details").open = true;
    field.focus();
  }
  return Boolean(field);
}

function suggest() {
  const field = document.getElementById("suggestion");
  if (field) {
    field.value ||= field.dataset.text;
  }
  return write("suggestion");
}

function showContext() {
  const beside = [...document.querySelectorAll(".beside")];
  const isOpen = beside.some((each) => each.open);
  for (const each of beside) {
    each.open = !isOpen;
  }
  return beside.length > 0;
}

/* What has been saved, and what has not */

function say(text, { act, onAct, isWrong = true } = {}) {
  const saved = document.getElementById("saved");
  saved.classList.toggle("wrong", isWrong);
  saved.textContent = text;
  if (act) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: act });
    button.className = "plain";
    button.addEventListener("click", onAct);
    saved.append(" ", button);
  }
}

function retry() {
  pressed?.click();
}

function fail(event) {
  isUndoNext = false;
  event.stopPropagation(); // told here, where it happened
  const status = event.detail.xhr?.status ?? 0;
  if (status === 403) {
    say(queue.dataset.changed, { act: queue.dataset.reload, onAct: () => location.reload() });
  } else {
    const why = navigator.onLine ? queue.dataset.failed : queue.dataset.offline;
    say(why, { act: queue.dataset.retry, onAct: retry });
  }
}

function arrive() {
  pressed = null;
  showKeys();
  if (item().dataset.item) {
    restoreNote();
  }
  document.getElementById("question")?.focus({ preventScroll: true });
  window.scrollTo({ top: 0 });
  if (isUndoNext) {
    isUndoNext = false;
    setTimeout(undoSaved); // once htmx is done with what it brought
  }
}

function undoNext() {
  isUndoNext = true;
  say(queue.dataset.undoing, { isWrong: false });
  return true;
}

function undoSaved() {
  if ("saved" in item().dataset) {
    document.querySelector("#item [data-act=undo]")?.click();
  }
}

async function beat() {
  const held = item().dataset.hold;
  if (!held || document.hidden || Date.now() - active > IDLE) {
    return;
  }
  const token = document.querySelector("#answer [name=csrfmiddlewaretoken]").value;
  const answer = await fetch(held, { method: "POST", headers: { "X-CSRFToken": token }, redirect: "manual" }).catch(() => null);
  if (item().dataset.hold !== held || !answer) {
    return; // another item by now, or no connection, which saving will tell
  }
  if (answer.status === 410) {
    say(queue.dataset.lost);
  } else if (answer.type === "opaqueredirect" || answer.status === 403) {
    say(queue.dataset.signedOut, { act: queue.dataset.reload, onAct: () => location.reload() });
  }
}

document.addEventListener("keydown", onKey);
for (const sign of ["keydown", "pointerdown", "scroll", "input"]) {
  document.addEventListener(sign, () => { active = Date.now(); }, { passive: true });
}
queue.addEventListener("input", (event) => {
  if (event.target.closest("#answer") && item().dataset.item) {
    keepNote();
  }
});
queue.addEventListener("click", (event) => {
  const button = event.target.closest("[data-act]");
  if (button?.dataset.act === "undo" && isSaving) {
    event.preventDefault();
    undoNext();
  } else if (button?.dataset.act === "keys") {
    openKeys();
  } else if (button?.dataset.act === "reset-keys") {
    keys = { ...FIRST_KEYS };
    localStorage.removeItem(KEYS_AT);
    showKeys();
  } else if (button?.type === "submit" && item().contains(button)) {
    pressed = button;
  }
});
dialog.addEventListener("change", (event) => setKey(event.target));
queue.addEventListener("htmx:beforeRequest", (event) => {
  isSaving = event.detail.elt.id === "answer";
  say(queue.dataset.saving, { isWrong: false });
});
document.addEventListener("htmx:afterRequest", () => { isSaving = false; }); // what asked is gone from the queue by then
for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  queue.addEventListener(failure, fail);
}
queue.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.requestConfig.elt.id === "answer" && /id="item"[^>]*data-saved/.test(event.detail.serverResponse)) {
    sessionStorage.removeItem(noteKey());
  }
});
queue.addEventListener("htmx:afterSettle", arrive);
window.addEventListener("offline", () => say(queue.dataset.offline));
window.addEventListener("online", () => (pressed ? retry() : say("", { isWrong: false })));
setInterval(beat, HEARTBEAT);
showKeys();
if (item().dataset.item) {
  restoreNote();
}
