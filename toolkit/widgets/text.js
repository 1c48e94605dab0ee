// Nodes of a page. What models and users wrote becomes text nodes, never markup.

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children); // strings become text nodes
  return node;
}

function written(parts) {
  return parts.map((part) => {
    if (typeof part === "string") return document.createTextNode(part);
    const [point, count] = part;
    const name = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
    return make("span", { class: "ct-mark" }, count > 1 ? `${name} x${count}` : name);
  });
}

function turnNode({ role, parts, continued }) {
  const node = make("div", { class: continued ? "ct-turn ct-continued" : "ct-turn" });
  if (role.length && !continued) {
    node.append(make("div", { class: "ct-role", dir: "auto" }, ...written(role)));
  }
  node.append(make("div", { class: "ct-said", dir: "auto" }, ...written(parts)));
  return node;
}

function press(node, on) {
  node.setAttribute("aria-pressed", on ? "true" : "false");
}
