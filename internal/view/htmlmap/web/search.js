// The search box: names of entities, titles of communities and their reports.

const MOST_FOUND = 14;

class Search {
  constructor(input, list, graph, choose) {
    this.input = input;
    this.list = list;
    this.choose = choose;
    this.graph = graph;
    this.found = [];
    this.at = -1;
    const fold = (s) => s.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
    this.fold = fold;
    this.all = [...graph.communities.map((c) => ({ item: c, name: fold(c.title), label: fold(c.label), weight: 1000 + c.size })),
      ...graph.entities.map((e) => ({ item: e, name: fold(e.name), label: "", weight: e.degree }))];
    input.addEventListener("input", () => this.run());
    input.addEventListener("focus", () => { if (input.value) this.run(); });
    input.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    input.addEventListener("keydown", (event) => this.key(event));
  }

  // find ranks whole names first, then prefixes, prefixes of words, and other matches.
  find(query) {
    const q = this.fold(query.trim());
    if (!q) return [];
    const words = q.split(/\s+/), hits = [];
    for (const entry of this.all) {
      const { name, label } = entry;
      let rank = 9;
      if (name === q || label === q) rank = 0;
      else if (name.startsWith(q)) rank = 1;
      else if (name.includes(" " + q)) rank = 2;
      else if (name.includes(q)) rank = 3;
      else if (words.length > 1 && words.every((w) => name.includes(w))) rank = 4;
      if (rank < 9) hits.push({ entry, rank });
    }
    hits.sort((a, b) => a.rank - b.rank || b.entry.weight - a.entry.weight || a.entry.item.id - b.entry.item.id);
    return hits.slice(0, MOST_FOUND).map((h) => h.entry.item);
  }

  run() {
    this.found = this.find(this.input.value);
    this.at = this.found.length ? 0 : -1;
    const rows = this.found.map((item, i) => {
      const community = this.graph.isCommunity(item);
      const kind = community ? (item.report ? "report" : "community") : item.type || "entity";
      const li = el("li", { role: "option", id: "found-" + i }, dot(item.color), el("span", { cls: "name", text: community ? item.title : item.name }), el("span", { cls: "kind", text: kind }));
      li.addEventListener("mousedown", (event) => { event.preventDefault(); this.take(i); });
      return li;
    });
    if (!rows.length && this.input.value.trim()) rows.push(el("li", { cls: "kind", text: "No results" }));
    this.list.replaceChildren(...rows);
    this.list.hidden = !rows.length;
    this.input.setAttribute("aria-expanded", String(rows.length > 0));
    this.mark();
  }

  mark() {
    [...this.list.children].forEach((li, i) => {
      li.setAttribute("aria-selected", String(i === this.at));
      if (i === this.at) li.scrollIntoView({ block: "nearest" });
    });
    if (this.at >= 0) this.input.setAttribute("aria-activedescendant", "found-" + this.at);
    else this.input.removeAttribute("aria-activedescendant");
  }

  key(event) {
    const n = this.found.length;
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && n) {
      this.at = (this.at + (event.key === "ArrowDown" ? 1 : n - 1)) % n;
      this.mark();
      event.preventDefault();
    } else if (event.key === "Enter" && this.at >= 0 && !this.list.hidden) {
      this.take(this.at);
      event.preventDefault();
    } else if (event.key === "Escape") {
      if (this.list.hidden) this.input.blur();
      this.close();
      event.stopPropagation();
    }
  }

  take(i) {
    const item = this.found[i];
    this.input.value = this.graph.isCommunity(item) ? item.title : item.name;
    this.close();
    this.choose(item);
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }
}
