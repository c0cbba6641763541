// Finds, makes and redraws elements.

/** @template {string} Id @param {Id} id */
export const byId = (id) => /** @type {ElementOf<Id>} */ (document.getElementById(id));

/** @type {MakeElement} */
export function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

const drawn = new Map();

/** @type {Redraw} */
export function redraw(id, data, make) {
  const text = JSON.stringify(data);
  if (drawn.get(id) === text) return;
  drawn.set(id, text);
  byId(id).replaceChildren(...make());
}

/** @type {MakeFact} */
export function fact(name, ...details) {
  return element("div", "", element("dt", "", name), element("dd", "", ...details));
}
