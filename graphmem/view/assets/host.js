// In a chat: the host of an MCP app gives the picture with the result of a search, by messages.

const PROTOCOL = "2026-01-26";

function awaitHost(show) {
  const host = window.parent;
  const send = (message) => host.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const useTheme = (context) => {
    if (context?.theme !== "dark" && context?.theme !== "light") return;
    document.documentElement.dataset.theme = context.theme;
    window.dispatchEvent(new Event("graphmem-theme"));
  };
  byId("title").textContent = "graphmem";
  byId("summary").textContent = "The picture appears with the result of the search.";
  window.addEventListener("message", (event) => {
    const message = event.data;
    if (event.source !== host || message?.jsonrpc !== "2.0") return;
    if (message.id === "graphmem-begin" && message.result) {
      useTheme(message.result.hostContext);
      send({ method: "ui/notifications/initialized", params: {} });
      send({ method: "ui/notifications/size-changed", params: { height: 640 } });
    } else if (message.method === "ui/notifications/tool-result") {
      const picture = message.params?._meta?.["graphmem/picture"];
      if (picture) show(picture);
      else byId("summary").textContent = "The search found nothing that can be drawn.";
    } else if (message.method === "ui/notifications/host-context-changed") {
      useTheme(message.params);
    } else if (message.method === "ping" || message.method === "ui/resource-teardown") {
      send({ id: message.id, result: {} });
    }
  });
  if (host === window) return;
  send({
    id: "graphmem-begin",
    method: "ui/initialize",
    params: {
      protocolVersion: PROTOCOL, appInfo: { name: "graphmem", version: "1" }, appCapabilities: {},
    },
  });
}
