"use strict";
(() => {
  // Shows the tips of shapes immediately, also on keyboard focus, instead of the browser's own tips.
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.hidden = true;
  tip.setAttribute("aria-hidden", "true");
  document.body.append(tip);
  const tips = new WeakMap();
  for (const title of document.querySelectorAll("svg title")) {
    tips.set(title.parentElement, title.textContent);
    title.remove();
  }
  const show = (event) => {
    const text = tips.get(event.target);
    tip.hidden = text === undefined;
    if (tip.hidden) return;
    tip.textContent = text;
    const box = event.target.getBoundingClientRect();
    const x = event.clientX || box.right;
    const y = event.clientY || box.top;
    tip.style.left = Math.max(4, Math.min(x + 12, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = Math.max(4, Math.min(y + 14, innerHeight - tip.offsetHeight - 8)) + "px";
  };
  document.addEventListener("pointermove", show);
  document.addEventListener("focusin", show);
  document.addEventListener("focusout", () => { tip.hidden = true; });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });

  // A link to a layer opens it. Printing opens all layers.
  const open = () => {
    const place = document.getElementById(location.hash.slice(1));
    const details = place && place.closest("details");
    if (details) { details.open = true; details.scrollIntoView(); }
  };
  addEventListener("hashchange", open);
  open();
  addEventListener("beforeprint", () => { for (const one of document.querySelectorAll("details")) one.open = true; });

  // Wide charts can be zoomed, which gives more width to the same time.
  for (const chart of document.querySelectorAll(".zoom")) {
    const inner = document.createElement("div");
    inner.append(...chart.childNodes);
    chart.append(inner);
    chart.tabIndex = 0;
    chart.setAttribute("role", "group");
    chart.setAttribute("aria-label", "Chart, scrolls sideways");
    const tools = document.createElement("div");
    tools.className = "tools";
    let width = 1;
    const zoom = (factor) => {
      const middle = (chart.scrollLeft + chart.clientWidth / 2) / inner.offsetWidth;
      width = Math.max(1, Math.min(32, factor === 0 ? 1 : width * factor));
      inner.style.width = 100 * width + "%";
      chart.scrollLeft = middle * inner.offsetWidth - chart.clientWidth / 2;
    };
    for (const [label, name, factor] of [["+", "Zoom in", 2], ["\u2212", "Zoom out", 0.5], ["all", "Show all", 0]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.setAttribute("aria-label", name);
      button.addEventListener("click", () => zoom(factor));
      tools.append(button);
    }
    chart.before(tools);
  }
})();
