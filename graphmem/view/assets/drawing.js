// The picture on its canvas: what force-graph draws, and how it looks.

// force-graph empties its element by HTML; the browser lets no other HTML into the page.
window.trustedTypes?.createPolicy("default", { createHTML: (html) => (html === "" ? "" : null) });

const PALETTE = ["#4f86c6", "#f28e2b", "#59a14f", "#d65f5f", "#a66fa0", "#3fa7a0", "#c9a227",
  "#e377a2", "#9c755f", "#6c7bd9"];
const OTHER_KINDS = "#8a929e";
const LABEL_PIXELS = 13;
const MANY_NODES = 60;
const MANY_LINKS = 300;
const FEW_LINKS = 40;
const MOST_LABELS = 80;
const MARGIN = { x: 84, y: 44 };
const LARGEST_FIT = 1.6;

const ends = (link) => [link.from, link.to];
const radius = (node) => node.role === "centre" ? 16 : 7 + 15 * (node.score ?? 0);

/** The colours of the theme as the canvas needs them. */
function themeColours() {
  const probe = document.body.appendChild(document.createElement("i"));
  const colours = {};
  for (const name of ["page", "panel", "text", "quiet", "accent", "leading", "related"]) {
    probe.style.color = `var(--${name})`;
    colours[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  colours.faint = mixed(colours.related, 0.25);
  colours.related = mixed(colours.related, 0.8);
  return colours;
}

/** How far links between the same two nodes bend, so that each is seen. */
function bend(links) {
  const between = new Map();
  for (const link of links) {
    const pair = [link.from, link.to].sort().join("\n");
    const same = between.get(pair) ?? [];
    between.set(pair, [...same, link]);
  }
  for (const same of between.values()) {
    same.forEach((link, number) => {
      const side = link.from < link.to ? 1 : -1;
      const middle = number - (same.length - 1) / 2;
      link.bend = link.from === link.to ? 0.4 + 0.25 * number : side * middle * 0.28;
    });
  }
}

/**
 * Draw nodes and links, and tell what is chosen.
 *
 * `view` holds what the page knows: `chosen` and `pointed` (a node or null), `dims(node)` and
 * `hides(node)`, `colour(kind)`; `choose(node)` and `chooseLink(link)` are called on a click.
 */
function makeDrawing(element, legend, picture, view) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const strongest = Math.max(0, ...picture.links.map((link) => link.evidence));
  const links = picture.links.map((link) => ({ ...link, source: link.from, target: link.to }));
  const nodes = picture.nodes;
  const neighbours = new Map(nodes.map((node) => [node.key, new Set([node.key])]));
  const labels = labelsOf(nodes);
  let colours = themeColours();
  let untouched = true;
  bend(links);
  for (const link of links) {
    neighbours.get(link.from).add(link.to);
    neighbours.get(link.to).add(link.from);
  }
  const important = [...nodes].sort((a, b) => (b.score ?? 0) - (a.score ?? 0)
    || neighbours.get(b.key).size - neighbours.get(a.key).size);

  const hidden = (key) => view.hides(view.node(key));
  const focus = () => view.pointed ?? view.chosen;
  const near = (node) => focus() === null || neighbours.get(focus().key).has(node.key);
  const touches = (link) => focus() !== null
    && (link.from === focus().key || link.to === focus().key);
  const faded = (node) => view.dims(node) || !near(node);
  const crowded = links.length > MANY_LINKS;
  const slender = crowded ? 0.5 : 1;
  // In steps, for lines of one colour and width are drawn together.
  const stepped = (value) => Math.round(4 * value * slender) / 4;
  const width = (link) => link.evidence > 0 ? stepped(1.5 + 9 * link.evidence)
    : strongest > 0 ? 0.75 : stepped(0.8 + 1.4 * link.weight);
  const colour = (link) => {
    const dim = focus() !== null ? !touches(link)
      : view.words !== "" && ends(link).some((key) => view.dims(view.node(key)));
    if (dim) return colours.faint;
    if (touches(link)) return colours.accent;
    return link.evidence > 0 ? colours.leading : colours.related;
  };

  const graph = new ForceGraph(element)
    .nodeId("key")
    .nodeLabel(() => "")
    .linkLabel(() => "")
    .nodeVal(1)
    .linkCurvature("bend")
    .linkWidth(width)
    .linkColor(colour)
    .linkHoverPrecision(5)
    .linkDirectionalArrowLength((link) => (crowded && !touches(link) ? 0 : 6 + 1.6 * width(link)))
    .linkDirectionalArrowRelPos((link) => arrowPlace(link))
    .linkDirectionalArrowColor(colour)
    .nodeVisibility((node) => !view.hides(node))
    .linkVisibility((link) => !ends(link).some(hidden))
    .nodeCanvasObject(drawNode)
    .nodePointerAreaPaint((node, fill, context) => {
      context.fillStyle = fill;
      context.beginPath();
      context.arc(node.x, node.y, radius(node) + 3, 0, 2 * Math.PI);
      context.fill();
    })
    .onNodeClick((node) => view.choose(node))
    .onLinkClick((link) => view.chooseLink(link))
    .onBackgroundClick(() => view.choose(null))
    .onNodeHover((node) => {
      view.pointed = node ?? null;
      element.style.cursor = node ? "pointer" : "";
      redraw();
    })
    .onLinkHover((link) => { element.style.cursor = link || view.pointed ? "pointer" : ""; })
    .onNodeDragEnd((node) => { node.fx = node.x; node.fy = node.y; })
    .onRenderFramePost(drawLabels)
    .onEngineStop(() => { if (untouched) fit(still.matches ? 0 : 400); })
    .minZoom(0.05)
    .maxZoom(8);
  const size = nodes.length > MANY_NODES ? 1 : 1.5;
  graph.d3Force("charge").strength(-320 * size).distanceMax(900);
  graph.d3Force("link").distance((link) => (link.evidence > 0 ? 90 : 110) * size);
  graph.d3Force("gravity", (alpha) => {
    for (const node of nodes) {
      node.vx -= node.x * 0.1 * alpha;
      node.vy -= node.y * 0.1 * alpha;
    }
  });
  graph.warmupTicks(still.matches ? 300 : 120).cooldownTicks(still.matches ? 0 : 90);
  for (const kind of ["wheel", "pointerdown"]) {
    element.addEventListener(kind, () => { untouched = false; }, { passive: true, capture: true });
  }
  new ResizeObserver(() => {
    graph.width(element.clientWidth).height(element.clientHeight);
    if (untouched) fit(0);
  }).observe(element);
  graph.width(element.clientWidth).height(element.clientHeight);
  graph.graphData({ nodes, links });
  requestAnimationFrame(() => fit(0));

  /** Where an arrow ends: at the rim of its node, not below it. */
  function arrowPlace(link) {
    const [a, b] = [link.source, link.target];
    if (a === b || a.x === undefined) return 0.5;
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    return Math.max(0.5, 1 - (radius(b) + 1) / length);
  }

  function drawNode(node, context, scale) {
    const r = radius(node);
    context.globalAlpha = faded(node) ? 0.18 : 1;
    context.beginPath();
    context.arc(node.x, node.y, r, 0, 2 * Math.PI);
    const filled = node.role === "hit" || node.role === "centre";
    context.fillStyle = filled ? view.colour(node.kind) : colours.page;
    context.fill();
    context.lineWidth = filled ? 1.5 : 3;
    context.strokeStyle = filled ? colours.page : view.colour(node.kind);
    context.setLineDash(node.role === "seed" ? [3, 2.5] : []);
    context.stroke();
    context.setLineDash([]);
    if (node === view.chosen || node === view.pointed) {
      context.beginPath();
      context.arc(node.x, node.y, r + 4, 0, 2 * Math.PI);
      context.lineWidth = 2.5;
      context.strokeStyle = colours.accent;
      context.stroke();
    }
    if (node.place && r * scale >= 8) {
      context.font = `600 ${Math.min(r, 10)}px system-ui, sans-serif`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillStyle = filled ? readable(view.colour(node.kind)) : colours.text;
      context.fillText(node.place, node.x, node.y + 0.5);
    }
    context.globalAlpha = 1;
  }

  /** Names where there is room, the most important first; relations of what is in focus. */
  function drawLabels(context, scale) {
    const taken = [];
    const free = (box) => taken.every((other) => box.x + box.w < other.x || other.x + other.w < box.x
      || box.y + box.h < other.y || other.y + other.h < box.y);
    const height = (LABEL_PIXELS + 4) / scale;
    // Draws words at the first of some places that is free; a forced one at the first of all. What
    // stands at a node in the window is moved into the window.
    const draw = (words, places, style, force, kept) => {
      const w = context.measureText(words).width + 4 / scale;
      const moved = (x) => (kept ? Math.max(low.x, Math.min(x, high.x - w)) : x);
      const boxes = places.map(([x, y]) => ({ x: moved(x - w / 2), y: y - height / 2, w, h: height }));
      const box = boxes.find(free) ?? (force ? boxes[0] : undefined);
      if (!box) return;
      taken.push(box);
      context.lineWidth = 4 / scale;
      context.strokeStyle = colours.page;
      context.strokeText(words, box.x + w / 2, box.y + height / 2);
      context.fillStyle = style;
      context.fillText(words, box.x + w / 2, box.y + height / 2);
    };
    context.lineJoin = "round";
    context.textAlign = "center";
    context.textBaseline = "middle";
    const first = focus() === null ? [] : [focus()];
    context.font = `${LABEL_PIXELS / scale}px system-ui, sans-serif`;
    const [low, high] = [graph.screen2GraphCoords(0, 0),
      graph.screen2GraphCoords(graph.width(), graph.height())];
    const inside = ({ x, y }) => x > low.x && x < high.x && y > low.y && y < high.y;
    for (const node of nodes) {
      if (view.hides(node) || faded(node) || !inside(node)) continue;
      const r = radius(node);
      taken.push({ x: node.x - r, y: node.y - r, w: 2 * r, h: 2 * r });
    }
    const candidates = new Set(first);
    for (const node of important) {
      if (candidates.size === MOST_LABELS) break;
      if (!view.hides(node) && !faded(node) && inside(node)) candidates.add(node);
    }
    for (const node of candidates) {
      const away = radius(node) + 3 / scale + height / 2;
      const places = [[node.x, node.y + away], [node.x, node.y - away]];
      draw(labels.get(node.key), places, colours.text, node === first[0], inside(node));
    }
    context.font = `${(LABEL_PIXELS - 2) / scale}px system-ui, sans-serif`;
    for (const link of links) {
      const [a, b] = [link.source, link.target];
      const shown = touches(link) || (focus() === null && links.length <= FEW_LINKS);
      if (!shown || a === b || [a, b].some((end) => view.hides(end) || faded(end))) continue;
      const places = [0.5, 0.62, 0.38].map((at) => {
        const aside = link.bend * 2 * at * (1 - at);
        return [a.x + (b.x - a.x) * at + (b.y - a.y) * aside, a.y + (b.y - a.y) * at - (b.x - a.x) * aside];
      });
      draw(shortened(link.relation), places, colours.quiet, false, false);
    }
  }

  /** Show everything that is not hidden, above the legend. */
  function fit(milliseconds) {
    const box = graph.getGraphBbox((node) => !view.hides(node));
    if (!box) return;
    const covered = legend.getBoundingClientRect().height;
    const [left, right] = box.x;
    const [top, bottom] = box.y;
    const [wide, high] = [graph.width(), graph.height() - covered];
    const room = [wide - 2 * Math.min(MARGIN.x, wide / 8), high - 2 * Math.min(MARGIN.y, high / 8)];
    const scale = Math.min(room[0] / (right - left || 1), room[1] / (bottom - top || 1), LARGEST_FIT);
    graph.zoom(Math.max(scale, 0.05), milliseconds);
    graph.centerAt((left + right) / 2, (top + bottom) / 2 + covered / 2 / scale, milliseconds);
  }

  /** Draw once more, also where nothing moves: a new accessor makes force-graph do it. */
  function redraw() { graph.linkColor(colour); }

  const pause = () => (still.matches ? 0 : 300);
  return {
    /** Draw again, after the theme or what is chosen has changed. */
    refresh() {
      colours = themeColours();
      redraw();
    },
    fit() { untouched = true; fit(pause()); },
    zoom(factor) { untouched = false; graph.zoom(graph.zoom() * factor, pause()); },
    pan(x, y) {
      untouched = false;
      const at = graph.centerAt();
      graph.centerAt(at.x + x / graph.zoom(), at.y + y / graph.zoom(), 0);
    },
    /** Move a node into the middle where it is outside of the window. */
    reveal(node) {
      const at = graph.graph2ScreenCoords(node.x, node.y);
      const inside = at.x > 40 && at.y > 40 && at.x < graph.width() - 40 && at.y < graph.height() - 40;
      if (!inside) graph.centerAt(node.x, node.y, pause());
    },
    /** Where a node is in the window, for tests. */
    place: (node) => graph.graph2ScreenCoords(node.x, node.y),
    /** What is written at a node, for tests. */
    label: (node) => labels.get(node.key),
  };
}

function mixed(colour, share) {
  return colour.startsWith("rgb(") ? `rgba(${colour.slice(4, -1)}, ${share})` : colour;
}

/** Black or white, whichever reads better on a colour written as #rrggbb. */
function readable(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150 ? "#10141b" : "#ffffff";
}
