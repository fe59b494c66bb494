// The page put together: what is chosen, hidden and searched, and the keys.

const byId = (id) => document.getElementById(id);

function isDark() {
  return (document.documentElement.dataset.theme
    ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
}

/** A kind has the same colour in every picture, unless a commoner kind of this one has it. */
function coloursOf(kinds) {
  const colours = new Map();
  const free = [...PALETTE];
  for (const [kind] of kinds.slice(0, PALETTE.length)) {
    const wanted = [...kind].reduce((sum, letter) => (31 * sum + letter.codePointAt(0)) % 65521, 7);
    const colour = free.includes(PALETTE[wanted % PALETTE.length])
      ? PALETTE[wanted % PALETTE.length] : free[0];
    free.splice(free.indexOf(colour), 1);
    colours.set(kind, colour);
  }
  return (kind) => colours.get(kind) ?? OTHER_KINDS;
}

function kindsOf(nodes) {
  const counts = new Map();
  for (const node of nodes) counts.set(node.kind, (counts.get(node.kind) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

function summaryOf(picture) {
  const size = picture.nodes.length;
  const links = counted(picture.links.length, "relation", "relations");
  if (picture.about === "entity") {
    return `${counted(size - 1, "neighbour", "neighbours")} and ${links} in ${picture.project}`;
  }
  const places = picture.nodes.filter((node) => node.place);
  const shown = picture.total > places.length ? `${grouped(places.length)} of ` : "";
  const [one, many] = places.some((node) => node.score !== undefined)
    ? ["hit", "hits"] : ["entity", "entities"];
  const hits = picture.total_exact
    ? counted(picture.total, one, many) : `${grouped(picture.total)} or more ${many}`;
  return `${shown}${hits} and ${links} in ${picture.project}`;
}

/** Show a picture; what was shown before is taken away. */
function show(picture) {
  for (const id of ["list", "kinds", "signs", "notes", "canvas", "details"]) byId(id).replaceChildren();
  const keys = new Map(picture.nodes.map((node) => [node.key, node]));
  const kinds = kindsOf(picture.nodes);
  const hidden = new Set();
  const words = new Map(picture.nodes.map((node) => [node, [node.name, node.title, node.kind,
    ...(node.tags ?? []), ...(node.texts ?? [])].join("\n").toLowerCase()]));
  const view = {
    about: picture.about, kinds, chosen: null, pointed: null, words: "",
    node: (key) => keys.get(key),
    colour: coloursOf(kinds),
    hides: (node) => hidden.has(node.kind),
    dims: (node) => view.words !== "" && !words.get(node).includes(view.words),
    hideKind(kind, hide) {
      hidden[hide ? "add" : "delete"](kind);
      if (view.chosen && view.hides(view.chosen)) view.chosen = null;
      update();
    },
    choose(node) {
      view.chosen = node ?? null;
      if (node) drawing.reveal(node);
      update();
      tell(node ? nodeDetails(node, picture, view) : noDetails(picture));
    },
    chooseLink(link) {
      view.chosen = null;
      update();
      tell(linkDetails(link, view));
    },
    search(typed) {
      view.words = typed.trim().toLowerCase();
      update();
    },
    refresh: () => drawing.refresh(),
  };
  const tell = (children) => { byId("details").replaceChildren(...children); byId("details").scrollTop = 0; };
  const update = () => {
    const shown = list.refresh();
    const size = picture.nodes.length;
    byId("status").textContent = shown === size ? counted(size, "entity", "entities")
      : `${grouped(shown)} of ${counted(size, "entity", "entities")} shown`;
    drawing.refresh();
  };
  byId("title").textContent = picture.title;
  byId("summary").textContent = summaryOf(picture);
  byId("notes").append(...picture.notes.map((note) => make("p", { text: `Note: ${note}` })));
  byId("canvas").setAttribute("aria-label", `Picture of ${counted(picture.nodes.length, "entity",
    "entities")} and ${counted(picture.links.length, "relation", "relations")}; the list has the same.`);
  const list = makeList(byId("list"), picture.nodes, view);
  makeLegend(byId("kinds"), byId("signs"), picture, view);
  const drawing = makeDrawing(byId("canvas"), byId("legend"), picture, view);
  connect(picture, view, list, drawing);
  view.choose(picture.about === "entity" ? picture.nodes[0] : null);
  window.graphmem = { picture, view, drawing };
}

/** The field, the buttons and the keys. */
function connect(picture, view, list, drawing) {
  const search = byId("search");
  search.value = "";
  search.oninput = () => view.search(search.value);
  search.onkeydown = (event) => {
    if (event.key === "ArrowDown" || event.key === "Enter") { event.preventDefault(); list.focus(null); }
    if (event.key === "Enter") document.activeElement.click();
  };
  byId("closer").onclick = () => drawing.zoom(1.4);
  byId("wider").onclick = () => drawing.zoom(1 / 1.4);
  byId("fit").onclick = () => drawing.fit();
  byId("canvas").onkeydown = (event) => {
    const step = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] }[event.key];
    if (step) { event.preventDefault(); drawing.pan(...step); }
  };
  document.onkeydown = (event) => {
    const typing = event.target.matches?.("input[type=search]");
    if (event.key === "Escape") {
      if (typing || view.words) { search.value = ""; view.search(""); } else { view.choose(null); }
      if (typing) list.focus(null);
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = { "/": () => search.focus(), "+": () => drawing.zoom(1.4), "=": () => drawing.zoom(1.4),
      "-": () => drawing.zoom(1 / 1.4), 0: () => drawing.fit() }[event.key];
    if (act) { event.preventDefault(); act(); }
  };
  const named = () => {
    byId("theme").textContent = isDark() ? "Light" : "Dark";
    byId("theme").setAttribute("aria-label", `Use the ${isDark() ? "light" : "dark"} theme`);
    drawing.refresh();
  };
  byId("theme").onclick = () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    named();
  };
  matchMedia("(prefers-color-scheme: dark)").onchange = named;
  window.addEventListener("graphmem-theme", named);
  named();
}

const given = JSON.parse(byId("picture").textContent);
if (given !== null) show(given);
else awaitHost(show);
