// What the scripts of the pages share.

export const get = (id) => document.getElementById(id);

// element returns an element with a class and a text.
export function element(tag, cls, text) {
  const e = document.createElement(tag);
  if (cls) e.className = cls;
  if (text !== undefined) e.textContent = text;
  return e;
}

// failure returns the text of an error of the API.
export const failure = ({ message, hint }) => (hint ? `${message}: ${hint}` : message);
