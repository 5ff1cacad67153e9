/* Keys on pages where something is decided: what has data-key="x" is pressed by x, unless somebody is typing. */

const TYPING = "input, textarea, select, [contenteditable]";

function isTyping(event) {
  return event.target instanceof Element && event.target.closest(TYPING) !== null;
}

function press(target) {
  target.scrollIntoView({ block: "nearest" });
  if (target.matches("textarea, input")) {
    target.focus();
    return;
  }
  target.click();
  if (target.matches("summary")) {
    target.parentElement.querySelector("input")?.focus();
  }
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && isTyping(event)) {
    event.target.blur();
    return;
  }
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat && !event.isComposing;
  if (!isPlain || isTyping(event) || document.querySelector("dialog[open]")) {
    return;
  }
  const target = document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]:not(:disabled)`);
  if (target) {
    event.preventDefault();
    press(target);
  }
});
