// The script of all pages: it puts what the server drew in its place, and knows which squares were
// clicked. It evaluates nothing that comes from rulesheets.
"use strict";

const byId = (id) => document.getElementById(id);

// --- Every page ---------------------------------------------------------------------------------

// Lists that can be searched.
for (const input of document.querySelectorAll("[data-filter]")) {
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    for (const item of byId(input.dataset.filter).querySelectorAll("[data-name]")) {
      item.hidden = !item.dataset.name.includes(wanted);
    }
  });
}

// Text fields that take files.
for (const field of document.querySelectorAll("[data-drop]")) {
  field.addEventListener("dragover", (event) => event.preventDefault());
  field.addEventListener("drop", async (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    field.value = await file.text();
    const name = field.form.elements.namedItem("name");
    if (name && !name.value) name.value = file.name.replace(/\.[^.]*$/, "");
  });
}

// Sections that are asked for again and again.
async function again(section) {
  await new Promise((resolve) => setTimeout(resolve, Number(section.dataset.again)));
  try {
    const answer = await fetch(location.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-again]");
    if (!fresh) return location.reload();
    section.replaceWith(fresh);
    again(fresh);
  } catch {
    again(section); // The server may be back in a moment.
  }
}
document.querySelectorAll("[data-again]").forEach(again);

// --- A table ------------------------------------------------------------------------------------

function openTable(id) {
  const LISTED = 150; // Moves that are listed at once; searching shows the others.
  const seat = new URLSearchParams(location.search).get("seat");
  let state = null; // What the server said last.
  let ply = null; // The position that is shown; null is the last one.
  let role = null; // The role that the page moves for.
  let picked = []; // The squares that were clicked so far.
  let asking = false;
  let stale = false;
  let shown = 0; // When that was, for clocks.
  let held = null; // Thoughts that wait while the mouse is on those that are shown.

  const say = (text) => {
    byId("status").textContent = text;
  };

  async function refresh() {
    if (asking) {
      stale = true;
      return;
    }
    asking = true;
    try {
      do {
        stale = false;
        const query = ply === null ? "" : `?ply=${ply}`;
        const answer = await fetch(`/table/${id}/state${query}`);
        if (answer.ok) show(await answer.json());
        else say("The server has lost this table.");
      } while (stale);
    } catch {
      say("The server does not answer.");
    } finally {
      asking = false;
    }
  }

  async function post(action, fields = {}) {
    const answer = await fetch(`/table/${id}/${action}`, {
      method: "POST",
      body: new URLSearchParams({ ply: state ? state.ply : 0, ...fields }),
    });
    if (!answer.ok) return say(await answer.text());
    const address = await answer.json();
    if (address) location.assign(address);
    else await refresh();
  }

  function show(fresh) {
    const moved = !state || state.plies !== fresh.plies || state.ply !== fresh.ply;
    state = fresh;
    if (state.ply === state.plies) ply = null;
    const board = byId("board");
    const focused = board.contains(document.activeElement) && document.activeElement.dataset.square;
    board.innerHTML = state.board;
    size(board);
    for (const name of ["facts", "status", "history"]) byId(name).innerHTML = state[name];
    if (!byId("seats").contains(document.activeElement)) byId("seats").innerHTML = state.seats;
    think(state.thoughts);
    byId("where").textContent = `${state.ply} / ${state.plies}`;
    byId("here").hidden = state.ply === state.plies;
    byId("pause").textContent = state.paused ? "Go on" : "Pause";
    for (const one of document.querySelectorAll("[data-position]")) {
      one.href = `/table/${id}/position.${one.dataset.position}?ply=${state.ply}`;
    }
    shown = performance.now();
    const current = byId("history").querySelector(".current");
    // The list scrolls, not the page.
    const list = current && current.closest("ol");
    if (list) {
      const place = current.getBoundingClientRect(), box = list.getBoundingClientRect();
      if (place.bottom > box.bottom) list.scrollTop += place.bottom - box.bottom;
      if (place.top < box.top) list.scrollTop -= box.top - place.top;
    }
    if (moved) picked = [];
    offer();
    if (focused) board.querySelector(`[data-square="${focused}"]`)?.focus();
  }

  // Clocks of people run on the page; the server has the last word.
  setInterval(() => {
    for (const clock of document.querySelectorAll("#status [data-left]")) {
      const left = Number(clock.dataset.left) - (performance.now() - shown);
      clock.textContent = `${Math.max(0, Math.ceil(left / 1000))} s`;
      clock.classList.toggle("alert", left < 5000);
    }
  }, 250);

  function size(board) {
    for (const picture of board.querySelectorAll("svg.board")) {
      picture.style.maxWidth = `${Math.max(260, 1.7 * Number(picture.dataset.width))}px`;
    }
  }

  function think(html) {
    const place = byId("thoughts");
    if (place.matches(":hover")) {
      held = html;
      return;
    }
    held = null;
    const open = [...place.querySelectorAll("details")].map((one) => one.open);
    place.innerHTML = html;
    place.querySelectorAll("details").forEach((one, at) => {
      one.open = open[at] || false;
    });
  }

  // --- Moves ------------------------------------------------------------------------------------

  const mine = () => state.roles.filter((one) => seat === null || String(one.role) === seat);
  const choice = () => mine().find((one) => one.role === role);
  const fits = (move) => picked.every((square, at) => move.squares[at] === square);

  function offer() {
    const roles = mine();
    const open = roles.find((one) => !one.chosen);
    if (!choice() || (choice().chosen && open)) role = (open || roles[0] || { role: null }).role;
    byId("moves").hidden = roles.length === 0;
    const tabs = byId("roles");
    tabs.replaceChildren(
      ...roles.map((one) => {
        const tab = document.createElement("button");
        tab.type = "button";
        tab.textContent = one.chosen ? `${one.name} ✓` : one.name;
        tab.setAttribute("role", "tab");
        tab.setAttribute("aria-selected", String(one.role === role));
        tab.dataset.as = one.role;
        return tab;
      }),
    );
    mark();
    list();
  }

  function mark() {
    const squares = new Map();
    for (const one of byId("board").querySelectorAll("[data-square]")) {
      one.classList.remove("can", "picked", "hint");
      one.removeAttribute("tabindex");
      squares.set(one.dataset.square, one);
    }
    const own = choice();
    if (!own || own.chosen) return;
    const can = (address) => {
      const square = squares.get(address);
      if (!square || square.classList.contains("can")) return;
      square.classList.add("can");
      square.setAttribute("tabindex", "0");
      square.setAttribute("role", "button");
    };
    for (const move of own.moves) {
      if (move.squares.length > picked.length && fits(move)) can(move.squares[picked.length]);
    }
    picked.forEach((address) => squares.get(address)?.classList.add("picked"));
  }

  function list() {
    const own = choice();
    const place = byId("list");
    if (!own) return place.replaceChildren();
    const wanted = byId("find").value.trim().toLowerCase();
    const moves = own.moves.filter((move) => fits(move) && move.text.toLowerCase().includes(wanted));
    const items = moves.slice(0, LISTED).map((move) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = move.text;
      button.dataset.move = move.text;
      button.disabled = own.chosen;
      item.append(button);
      return item;
    });
    const hidden = moves.length - items.length + (own.count - own.moves.length);
    if (hidden > 0) {
      const more = document.createElement("li");
      more.textContent = `and ${hidden} more; search for them`;
      items.push(more);
    }
    place.replaceChildren(...items);
    byId("find").hidden = own.count <= 8;
  }

  function play(move) {
    picked = [];
    byId("find").value = "";
    post("move", { ply: state.plies, role, mv: move.text });
  }

  const column = (address) => {
    const [grid, board, x] = address.split(".");
    return `${grid}.${board}.${x}`;
  };

  function click(address) {
    const own = choice();
    if (!own || own.chosen) return;
    const at = picked.length;
    // A second click on the last square plays the move that ends there.
    if (at > 0 && picked[at - 1] === address) {
      const ends = own.moves.filter((move) => move.squares.length === at && fits(move));
      if (ends.length === 1) return play(ends[0]);
    }
    let next = own.moves.filter((move) => fits(move) && move.squares[at] === address);
    if (next.length === 0 && at === 0) {
      next = own.moves.filter((move) => move.column && column(move.squares[0]) === column(address));
    }
    if (next.length === 0) {
      const before = at > 0;
      picked = [];
      // A click elsewhere begins anew, one on the same square gives up.
      if (before && own.moves.some((move) => move.squares[0] === address)) return click(address);
      mark();
      return list();
    }
    const ends = next.filter((move) => move.squares.length <= at + 1);
    if (ends.length === 1 && next.length === 1) return play(ends[0]);
    picked = next[0].squares.slice(0, at + 1);
    mark();
    list();
    if (ends.length > 1) byId("list").querySelector("button")?.focus();
  }

  // Shows on the board what a move or a square is about.
  function hint(moves) {
    for (const one of byId("board").querySelectorAll(".hint")) one.classList.remove("hint");
    for (const move of moves) {
      for (const address of move.squares) {
        byId("board").querySelector(`[data-square="${address}"]`)?.classList.add("hint");
      }
    }
  }

  // --- Positions --------------------------------------------------------------------------------

  function go(to) {
    const last = state.plies;
    const target = Math.min(Math.max(to, 0), last);
    ply = target === last ? null : target;
    refresh();
  }

  const steps = { first: () => 0, back: () => state.ply - 1, on: () => state.ply + 1, last: () => state.plies };

  async function line(key) {
    const [whose, count] = key.split(".");
    const answer = await fetch(`/table/${id}/line?role=${whose}&steps=${count}`);
    if (!answer.ok) return;
    byId("board").innerHTML = await answer.text();
    size(byId("board"));
    byId("board").classList.add("expected");
  }

  function lineOver() {
    byId("board").classList.remove("expected");
    byId("board").innerHTML = state.board;
    size(byId("board"));
    mark();
  }

  // --- Events -----------------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    const hit = (name) => event.target.closest(`[data-${name}]`)?.dataset[name];
    const square = event.target.closest("#board [data-square]")?.dataset.square;
    if (!state) return;
    if (square) return click(square);
    if (hit("move")) return play({ text: hit("move") });
    if (hit("as")) {
      role = Number(hit("as"));
      picked = [];
      return offer();
    }
    if (hit("go")) return go(steps[hit("go")]());
    if (hit("ply")) return go(Number(hit("ply")));
    if (hit("post") === "pause") return post(state.paused ? "go" : "pause");
    if (hit("post")) return post(hit("post"));
  });

  document.addEventListener("change", (event) => {
    const place = event.target.closest("#seats [data-role]");
    if (place) {
      event.target.blur();
      post("seat", { role: place.dataset.role, who: event.target.value });
    }
  });

  document.addEventListener("mouseover", (event) => {
    if (!state) return;
    const own = choice();
    const move = event.target.closest("[data-move]")?.dataset.move;
    const square = event.target.closest("#board [data-square]")?.dataset.square;
    const key = event.target.closest("[data-line]")?.dataset.line;
    if (key) return line(key);
    if (!own || own.chosen) return;
    if (move) return hint(own.moves.filter((one) => one.text === move));
    if (square && picked.length === 0) {
      return hint(own.moves.filter((one) => one.squares[0] === square && one.squares.length > 1));
    }
    if (picked.length === 0) hint([]);
  });

  document.addEventListener("mouseout", (event) => {
    if (event.target.closest("[data-line]")) lineOver();
  });
  byId("thoughts").addEventListener("mouseleave", () => {
    if (held !== null) think(held);
  });
  byId("thoughts").addEventListener("focusin", (event) => {
    const key = event.target.closest("[data-line]")?.dataset.line;
    if (key) line(key);
  });

  byId("find").addEventListener("input", list);

  document.addEventListener("keydown", (event) => {
    if (!state || event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches("input, select, textarea");
    const square = event.target.closest?.("[data-square]");
    if (event.key === "Escape") {
      picked = [];
      byId("find").value = "";
      offer();
    } else if (event.key === "Enter" && event.target.id === "find") {
      const only = byId("list").querySelectorAll("[data-move]");
      if (only.length === 1) only[0].click();
    } else if ((event.key === "Enter" || event.key === " ") && square) {
      event.preventDefault();
      click(square.dataset.square);
    } else if (typing) {
      return;
    } else if (event.key === "ArrowLeft") {
      go(state.ply - 1);
    } else if (event.key === "ArrowRight") {
      go(state.ply + 1);
    } else if (event.key === "u") {
      post("undo");
    } else if (event.key === "/") {
      event.preventDefault();
      byId("find").focus();
    }
  });

  const events = new EventSource(`/table/${id}/events`);
  events.addEventListener("change", refresh);
  events.addEventListener("open", refresh);
  events.addEventListener("thought", (event) => {
    if (ply === null) think(event.data);
  });
  events.addEventListener("error", () => say("The server does not answer."));
  refresh();
}

const table = byId("table");
if (table) openTable(table.dataset.table);
