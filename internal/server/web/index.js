// The page of a corpus' documents: uploads, the list of files, and the run of the index.

import { get, element, failure } from "./dom.js";

const corpus = get("index").dataset.corpus;
const routes = `/api/v1/corpora/${encodeURIComponent(corpus)}`;
const second = 1000;

// call calls a route of the API, and returns its JSON. An error has the text for people.
async function call(method, path, body) {
  let response;
  try {
    response = await fetch(routes + path, { method, headers: { "Content-Type": "application/json" }, body });
  } catch {
    throw new Error("The server cannot be reached");
  }
  const json = await response.json();
  if (!response.ok) throw new Error(failure(json.error));
  return json;
}

// attempt shows the error of an action, if it fails, and the new state.
async function attempt(action) {
  try {
    await action();
  } catch (e) {
    get("state").textContent = e.message;
    return;
  }
  await refresh();
}

const size = (n) => (n < 1e4 ? `${n} bytes` : n < 1e6 ? `${Math.round(n / 1e3)} kB` : `${(n / 1e6).toFixed(1)} MB`);

// bar returns a line with a name and a bar, and functions to update it.
function bar(name) {
  const line = element("li");
  const progress = element("progress");
  const text = element("span", "soft");
  progress.setAttribute("aria-label", name);
  line.append(element("b", "", name), progress, text);
  return {
    line,
    at(done, total) {
      if (total > 0) {
        progress.max = total;
        progress.value = done;
      }
    },
    say(words, bad) {
      text.textContent = words;
      text.classList.toggle("error", Boolean(bad));
    },
    end() {
      progress.remove();
    },
  };
}

// upload sends one file, and resolves when it is added or refused.
function upload(file) {
  const b = bar(file.name);
  get("uploads").append(b.line);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest(); // fetch does not report the progress of an upload
    const form = new FormData();
    form.append("file", file);
    const end = (words, bad) => {
      b.end();
      b.say(words, bad);
      resolve();
    };
    request.upload.addEventListener("progress", (e) => b.at(e.loaded, e.total));
    request.addEventListener("error", () => end("not added: the connection broke", true));
    request.addEventListener("load", () => {
      let json = {};
      try {
        json = JSON.parse(request.responseText);
      } catch {
        json = { error: { message: `status ${request.status}` } };
      }
      if (json.error) end(`not added: ${failure(json.error)}`, true);
      else end(json.refused.length > 0 ? `not added: ${json.refused[0].reason}` : "added", json.refused.length > 0);
    });
    request.open("POST", `${routes}/files`);
    request.send(form);
  });
}

async function uploadAll(files) {
  get("uploads").replaceChildren();
  for (const file of files) await upload(file);
  get("chosen").value = "";
  await attempt(async () => {});
}

function showFiles(files) {
  get("files").replaceChildren(
    ...files.map((f) => {
      const line = element("li");
      const button = element("button", "plain", "Delete");
      button.type = "button";
      button.setAttribute("aria-label", `Delete ${f.name}`);
      button.addEventListener("click", () => {
        if (confirm(`Delete ${f.name}? Its document leaves the index.`)) attempt(() => call("DELETE", `/files/${encodeURIComponent(f.name)}`));
      });
      line.append(element("b", "", f.name), element("span", "soft", size(f.size)), button);
      return line;
    }),
  );
  if (files.length === 0) get("files").append(element("li", "soft", "None yet."));
}

const words = {
  idle: "Nothing is being indexed.",
  waiting: "Waiting to begin…",
  running: "Indexing…",
  failed: "The last run failed.",
};

// say sets a text only if it changed, so that screen readers do not repeat it.
function say(id, text) {
  if (get(id).textContent !== text) get(id).textContent = text;
}

function showRun(run, pending) {
  const active = run.state === "running" || run.state === "waiting";
  const parts = [words[run.state]];
  if (run.holder) parts.push(`By ${run.holder}, ${run.age ?? 0} s ago.`);
  if (run.message) parts.push(failure(run) + ".");
  if (run.state === "idle" && run.failed.length > 0) parts.push("Some parts failed; the next run tries again.");
  if (run.state === "idle" && pending > 0) parts.push("An earlier run did not complete: update the index to continue.");
  parts.push(...(run.notes ?? []));
  say("state", parts.join(" "));
  get("stages").replaceChildren(
    ...run.stages.map((s) => {
      const b = bar(s.stage);
      if (s.ended) b.end();
      else b.at(s.done, s.total);
      b.say((s.total > 0 ? `${s.done} of ${s.total}` : s.ended ? "nothing to do" : "…") + (s.failed > 0 ? `, ${s.failed} failed` : ""));
      return b.line;
    }),
  );
  get("start").hidden = active;
  get("start").textContent = pending > 0 ? "Continue" : "Update the index";
  get("confirm").hidden = run.state !== "failed";
  get("cancel").hidden = !active;
}

const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

function showCounts(n, run) {
  const calls = run.calls > 0 ? ` The run made ${count(run.calls, "call", "calls")}${run.cost > 0 ? ` for ${run.cost.toFixed(2)}` : ""}.` : "";
  say("counts", [count(n.documents, "document", "documents"), count(n.chunks, "chunk", "chunks"), count(n.entities, "entity", "entities"), count(n.reports, "report", "reports")].join(", ") + "." + calls);
}

function showFailures(failed) {
  get("failures").hidden = failed.length === 0;
  get("failures").querySelector("ul").replaceChildren(...failed.map((f) => element("li", "", `${f.item}: ${f.reason}`)));
}

// showDocuments shows the documents that the index has now.
async function showDocuments() {
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  get("documents").replaceWith(page.getElementById("documents"));
}

let timer = 0;
let shown = ""; // the files on the page
let since; // when the state began that the page showed last

// refresh shows the state of the corpus, and again each second while a run is under way.
async function refresh() {
  clearTimeout(timer);
  let active = false;
  try {
    const { files, run, corpus: c } = await call("GET", "/files"); // without a corpus until the first run creates it
    active = run.state === "running" || run.state === "waiting";
    if (JSON.stringify(files) !== shown) {
      shown = JSON.stringify(files);
      showFiles(files);
    }
    showRun(run, c && !active ? Object.values(c.pending).reduce((a, b) => a + b, 0) : 0);
    if (c) showCounts(c.counts, run);
    if (!active && since !== run.since) await showDocuments();
    since = active ? null : run.since; // after a run, also one of another process, the documents are shown again
    showFailures(c ? c.failed.map((f) => ({ item: f.key, reason: `${f.stage}: ${f.reason}` })) : run.failed);
  } catch (e) {
    say("state", e.message);
  }
  timer = setTimeout(refresh, active ? second : 5 * second);
}

const drop = get("drop");
for (const name of ["dragenter", "dragover"]) {
  drop.addEventListener(name, (e) => {
    e.preventDefault();
    drop.classList.add("over");
  });
}
for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("over"));
drop.addEventListener("drop", (e) => {
  e.preventDefault();
  uploadAll([...e.dataTransfer.files]);
});
get("chosen").addEventListener("change", () => uploadAll([...get("chosen").files]));
get("start").addEventListener("click", () => attempt(() => call("POST", "/run", "{}")));
get("confirm").addEventListener("click", () => attempt(() => call("POST", "/run", '{"confirm": true}')));
get("cancel").addEventListener("click", () => attempt(() => call("POST", "/run/cancel", "{}")));
refresh();
