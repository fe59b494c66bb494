// What stands beside the canvas: the list of entities, the legend and the details. Texts enter the
// page as text only, by `textContent`.

function make(tag, options = {}, ...children) {
  const { text, class: name, attributes = {}, ...rest } = options;
  const element = Object.assign(document.createElement(tag), rest);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A name, which a narrow column may break after `/`, `::` and `_`. */
const breakable = (name) => name.split(/(?<=\/|::|_)/)
  .flatMap((part, at) => (at ? [make("wbr"), part] : [part]));
const grouped = (number) => number.toLocaleString("en");
const counted = (number, one, many) => `${grouped(number)} ${number === 1 ? one : many}`;
const numbered = (node) => (node.place ? `${node.place}. ${node.name}` : node.name);
const ROLES = {
  hit: "", neighbour: "found by a link", seed: "leads to a hit", centre: "asked for",
};

function dot(node, view) {
  const hollow = node.role === "hit" || node.role === "centre" ? "" : " hollow";
  const circle = make("span", { class: `dot${hollow}`, attributes: { "aria-hidden": "true" } });
  circle.style.setProperty("--kind", view.colour(node.kind));
  return circle;
}

/** The list of entities; one of them is in the order of the Tab key, the arrows go to the others. */
function makeList(element, nodes, view) {
  const buttons = new Map(nodes.map((node) => {
    const label = numbered(node);
    const score = node.score === undefined ? "" : node.score.toFixed(3);
    const under = [node.kind, view.about === "search" ? ROLES[node.role] : ""].filter(Boolean);
    const spoken = [label, ...under, score && `score ${score}`].filter(Boolean).join(", ");
    const button = make("button", {
      type: "button", tabIndex: -1, attributes: { "aria-label": spoken, "data-key": node.key },
      onclick: () => view.choose(node),
    }, dot(node, view), make("span", { class: "name", dir: "auto", title: node.name }, ...breakable(label)),
    make("span", { class: "score", text: score }),
    make("span", { class: "kind", text: under.join(" · ") }));
    return [node.key, button];
  }));
  element.append(...[...buttons.values()].map((button) => make("li", {}, button)));
  const open = () => [...buttons.values()].filter((button) => !button.parentElement.hidden);
  const reachable = (target) => {
    for (const button of buttons.values()) button.tabIndex = button === target ? 0 : -1;
  };
  element.addEventListener("keydown", (event) => {
    const shown = open();
    const at = shown.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1 }[event.key];
    if (next === undefined || at < 0) return;
    event.preventDefault();
    const target = shown[Math.max(0, Math.min(shown.length - 1, next))];
    reachable(target);
    target.focus();
  });
  element.addEventListener("focusin", (event) => {
    if (event.target.matches("button")) reachable(event.target);
    view.pointed = view.node(event.target.dataset.key) ?? null;
    view.refresh();
  });
  element.addEventListener("focusout", () => { view.pointed = null; view.refresh(); });
  return {
    /** Show the nodes that the search and the legend leave, and mark the chosen one. */
    refresh() {
      for (const [key, button] of buttons) {
        const node = view.node(key);
        button.parentElement.hidden = view.hides(node) || view.dims(node);
        button.setAttribute("aria-current", String(node === view.chosen));
      }
      const chosen = view.chosen && buttons.get(view.chosen.key);
      reachable(chosen && !chosen.parentElement.hidden ? chosen : open()[0]);
      chosen?.scrollIntoView({ block: "nearest" });
      return open().length;
    },
    focus(node) { (buttons.get(node?.key) ?? open()[0])?.focus(); },
  };
}

/** The kinds with their colours, each with a box that hides them; and what lines and circles mean. */
function makeLegend(kinds, signs, picture, view) {
  for (const [kind, count] of view.kinds) {
    const circle = make("span", { class: "dot", attributes: { "aria-hidden": "true" } });
    circle.style.setProperty("--kind", view.colour(kind));
    const box = make("input", {
      type: "checkbox", checked: true, onchange: () => view.hideKind(kind, !box.checked),
    });
    kinds.append(make("label", {}, box, circle, make("span", { text: `${kind || "no kind"} ${count}` })));
  }
  const sign = (shape, words) => signs.append(make("li", {},
    make("span", { class: shape, attributes: { "aria-hidden": "true" } }), make("span", { text: words })));
  if (picture.nodes.some((node) => node.score !== undefined)) {
    sign("dot", "hit of an index");
    sign("dot hollow", "found by a link");
  }
  if (picture.links.some((link) => link.evidence > 0)) {
    sign("line", "led to a hit; thicker by evidence");
  }
  if (picture.links.some((link) => link.evidence === 0)) {
    sign("line thin", picture.about === "search" ? "other relation" : "relation; thicker by weight");
  }
}

/** Why a node has its score: a bar for each part. */
function scoreParts(node) {
  const bars = make("div", { class: "bars" });
  const add = (name, value, why = "", total = false) => {
    const bar = make("i");
    bar.style.width = `${Math.round(1000 * Math.min(1, value)) / 10}%`;
    bars.append(make("span", { text: name, class: total ? "total" : "" }),
      make("span", { class: "bar", attributes: { "aria-hidden": "true" } }, bar),
      make("span", { class: total ? "number total" : "number", text: value.toFixed(total ? 3 : 2) }));
    if (why) bars.append(make("span", { class: "why", text: why, dir: "auto" }));
  };
  const because = node.explain;
  const raw = { text: "BM25 score", vector: "cosine" };
  for (const leg of ["text", "vector", "name"]) {
    const part = because?.legs.find((one) => one.leg === leg);
    const value = node.matched[leg];
    if (!part && value === 0) continue;
    add(leg, value, part && (leg === "name" ? `“${part.excerpt}” is in the query`
      : `place ${part.rank} by ${raw[leg]} ${Number(part.raw.toPrecision(3))}`));
  }
  if (node.matched.link > 0) {
    const best = because?.link;
    const way = best?.direction === "out" ? "from" : "to";
    const others = (best?.shares.length ?? 1) - 1;
    const more = others > 0 ? `, and ${counted(others, "other entity", "other entities")}` : "";
    add("link", node.matched.link, best ? `${best.relation} ${way} ${best.from}${more}` : "");
  }
  add("score", node.score, "", true);
  return bars;
}

function relations(node, picture, view) {
  const other = (link) => view.node(link.from === node.key ? link.to : link.from);
  const mine = picture.links.filter((link) => link.from === node.key || link.to === node.key)
    .sort((a, b) => b.evidence - a.evidence || b.weight - a.weight);
  return make("ul", {}, ...mine.map((link) => {
    const arrow = link.from === node.key ? `${link.relation} → ` : `${link.relation} ← `;
    const led = link.led_to === node.key ? "led here" : "led there";
    const said = [link.evidence > 0 ? `${led}, evidence ${link.evidence.toFixed(2)}` : "", link.validity, link.note]
      .filter(Boolean).join(" · ");
    return make("li", {}, make("span", { text: arrow }),
      make("button", { type: "button", class: "goto", dir: "auto",
        onclick: () => view.choose(other(link)) }, ...breakable(other(link).name)),
      said ? make("small", { text: said, dir: "auto" }) : null);
  }));
}

/** The words of a text, those that were searched marked. */
function marked(text, words) {
  const parts = document.createDocumentFragment();
  const lower = text.toLowerCase();
  let at = 0;
  for (let next = words ? lower.indexOf(words) : -1; next >= 0; next = lower.indexOf(words, at)) {
    parts.append(text.slice(at, next), make("mark", { text: text.slice(next, next + words.length) }));
    at = next + words.length;
  }
  parts.append(text.slice(at));
  return parts;
}

function nodeDetails(node, picture, view) {
  const facts = [node.kind, node.status === "active" ? "" : node.status, node.validity,
    node.project === picture.project ? "" : `in ${node.project}`, ROLES[node.role]];
  const children = [
    make("h2", { dir: "auto" }, ...breakable(numbered(node))),
    make("p", { class: "sub" }, dot(node, view),
      make("span", { text: facts.filter(Boolean).join(" · ") }),
      ...(node.tags ?? []).map((tag) => make("span", { class: "tag", text: `#${tag}` }))),
  ];
  if (node.title) children.push(make("p", { text: node.title, dir: "auto" }));
  if (node.matched) children.push(make("h3", { text: "Parts of the score" }), scoreParts(node));
  if (node.texts) {
    children.push(make("h3", { text: node.score === undefined ? "Text" : "Text, best match first" }),
      ...node.texts.map((text) => make("blockquote", { dir: "auto", tabIndex: 0 }, marked(text, view.words))));
  }
  const list = relations(node, picture, view);
  children.push(make("h3", { text: counted(list.children.length, "relation here", "relations here") }), list);
  return children;
}

function linkDetails(link, view) {
  const end = (key) => make("button", {
    type: "button", class: "goto", dir: "auto", onclick: () => view.choose(view.node(key)),
  }, ...breakable(view.node(key).name));
  const numbers = [`weight ${link.weight}`];
  if (link.validity) numbers.push(link.validity);
  if (link.evidence > 0) {
    numbers.push(`gave ${view.node(link.led_to).name} evidence ${link.evidence.toFixed(2)}`);
  }
  return [
    make("h2", { text: link.relation }),
    make("p", {}, "From ", end(link.from), " to ", end(link.to)),
    make("p", { class: "sub", text: numbers.join(" · ") }),
    link.note ? make("blockquote", { text: link.note, dir: "auto" }) : null,
  ].filter(Boolean);
}

function noDetails(picture) {
  const what = picture.nodes.length ? "Choose an entity in the list or in the picture: its text, the "
    + "parts of its score and its relations are shown here." : "There is nothing to show.";
  const keys = "/ searches, the arrow keys go through the list or move the picture, + and − zoom, "
    + "0 shows everything, Escape goes back.";
  return [make("p", { class: "empty", text: what }), make("p", { class: "empty", text: keys })];
}
