/* What htmx leaves to the page: telling people when a request failed, what a new list holds and what was done; going to
   a page by the keyboard. Everything works without this, only with more steps. */

document.documentElement.classList.add("has-scripts");

const problem = document.getElementById("problem");
const announced = document.getElementById("announced");

function complain() {
  problem.textContent = problem.dataset.text;
  problem.hidden = false;
}

for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.body.addEventListener(failure, complain);
}

document.body.addEventListener("htmx:beforeRequest", () => {
  problem.hidden = true;
});

document.body.addEventListener("htmx:afterSettle", (event) => {
  const told = event.detail.elt.closest("[data-announce]");
  if (told) {
    announced.textContent = told.dataset.announce;
  }
});

/* Toasts: said aloud as they come, gone after a while unless somebody is at them. */

const toasts = document.getElementById("toasts");

function furnish(toast) {
  const close = document.createElement("button");
  close.type = "button";
  close.className = "plain";
  close.textContent = "×";
  close.setAttribute("aria-label", toasts.dataset.close);
  close.addEventListener("click", () => toast.remove());
  toast.append(close);
  setTimeout(() => toast.matches(":hover, :focus-within") || toast.remove(), 8000);
}

new MutationObserver((changes) => {
  for (const node of changes.flatMap((change) => [...change.addedNodes])) {
    if (node.nodeType === Node.ELEMENT_NODE) {
      furnish(node);
    }
  }
}).observe(toasts, { childList: true });

document.body.addEventListener("toast", (event) => {
  const toast = document.createElement("p");
  toast.className = `toast ${event.detail.level ?? ""}`;
  toast.textContent = event.detail.value ?? event.detail.text;
  toasts.append(toast);
});

/* Going somewhere: Ctrl-K or Cmd-K opens, the arrows walk through what was found, Enter goes there. */

const jump = document.getElementById("jump");

function openJump(event) {
  event.preventDefault();
  if (!jump.open) {
    jump.showModal();
    jump.querySelector("input").select();
    htmx.trigger(jump.querySelector("form"), "open");
  }
}

if (jump) {
  const asked = jump.querySelector("input");
  const links = () => [...jump.querySelectorAll("a")];

  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") {
      openJump(event);
    }
  });
  document.querySelector("[data-jump]").addEventListener("click", openJump);
  jump.addEventListener("click", (event) => event.target === jump && jump.close());
  jump.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    links()[0]?.click();
  });
  jump.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const all = [asked, ...links()];
      all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
    }
  });
}

/* Links that open a dialog where there are scripts: what they lead to is put into it. */

const dialog = document.getElementById("dialog");

if (dialog) {
  document.body.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target === dialog) {
      dialog.showModal();
    }
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) {
      event.preventDefault();
      dialog.close();
    }
  });
  dialog.addEventListener("close", () => dialog.replaceChildren());
}
