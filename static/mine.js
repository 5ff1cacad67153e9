/* What htmx leaves to the page: telling people when a request failed, what has changed and what was fetched. */

const problem = document.getElementById("problem");
const announced = document.getElementById("announced");

for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.body.addEventListener(failure, () => {
    problem.textContent = problem.dataset.text;
    problem.hidden = false;
  });
}

document.body.addEventListener("htmx:beforeRequest", () => {
  problem.hidden = true;
});

document.body.addEventListener("htmx:afterSettle", (event) => {
  const told = event.detail.elt;
  if (told.matches("[data-announce]")) {
    announced.textContent = told.dataset.announce;
  }
});

/* A file that is fetched leaves the page as it is, which asks until it can say that it was fetched. */
const ASKS_AFTER = 1500;
const ASKS = 40;

function askWhetherFetched(form, left) {
  if (form.isConnected && left > 0) {
    htmx.ajax("GET", form.dataset.then, { target: "#transfers", swap: "outerHTML" });
    setTimeout(askWhetherFetched, ASKS_AFTER, form, left - 1);
  }
}

document.body.addEventListener("submit", (event) => {
  const form = event.target.closest(".fetching");
  if (form) {
    setTimeout(askWhetherFetched, ASKS_AFTER, form, ASKS);
  }
});
