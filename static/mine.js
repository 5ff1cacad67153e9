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

/* A file that is fetched leaves the page as it is, which says then that it was fetched. */
document.body.addEventListener("submit", (event) => {
  const list = event.target.closest(".fetching") && document.getElementById("transfers");
  if (list) {
    setTimeout(() => htmx.trigger(list, "fetched"), 1500);
  }
});
