// The page that asks. Texts are only ever set as textContent; HTML comes from the server, in the last
// event of an answer, and enters the page in finish alone.

import { get, element, failure } from "./dom.js";

const form = get("ask");
const maxTurns = 20; // of the history that is sent along

let history = []; // of the conversation: {question, answer}
let running = null; // the AbortController of the question that is being answered

// A Turn is a question on the page with its answer.
class Turn {
  constructor(question) {
    this.question = question;
    this.root = element("article", "question");
    this.state = element("p", "state soft");
    this.draft = element("div", "draft"); // changes with each piece: screen readers skip it
    this.draft.setAttribute("aria-hidden", "true");
    this.answer = element("div", "answer"); // is filled once, and read then
    this.answer.setAttribute("aria-live", "polite");
    this.sources = element("aside", "sources");
    this.sources.setAttribute("aria-label", "Sources");
    this.root.append(element("h2", "", question), this.state, this.draft, this.answer, this.sources);
    this.done = false;
  }

  progress({ stage, done, total }) {
    this.state.textContent = total > 0 ? `${stage}: ${done} of ${total}` : `${stage}…`;
  }

  rewritten({ question }) {
    this.root.insertBefore(element("p", "soft", `Understood as: ${question}`), this.state);
  }

  delta({ text }) {
    this.state.textContent = "Writing…";
    this.draft.append(text);
  }

  restart({ why }) {
    this.draft.textContent = "";
    this.state.textContent = why;
  }

  finish(event) {
    this.end("");
    this.draft.remove();
    this.answer.innerHTML = event.html;
    this.sources.innerHTML = event.sources;
    history = [...history, { question: this.question, answer: event.answer }].slice(-maxTurns);
  }

  fail(error) {
    this.end("");
    const p = element("p", "error", failure(error));
    p.setAttribute("role", "alert");
    if (error.reason === "token") {
      const a = element("a", "", "Log in");
      a.href = "/login";
      p.append(" ", a);
    }
    this.state.replaceWith(p);
    this.state = p;
  }

  end(text) {
    this.done = true;
    this.state.textContent = text;
  }

  // take handles an event of the stream, and returns whether it is the last one.
  take(name, data) {
    if (name === "answer") this.finish(data);
    else if (name === "error") this.fail(data);
    else if (["progress", "rewritten", "delta", "restart"].includes(name)) this[name](data);
    return this.done;
  }
}

// readEvents calls take for each server-sent event of a response, until take returns true. It does not wait for the
// end of the response then: the next question can be asked as soon as an answer is shown.
async function readEvents(response, take) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      let name = "message", data = "";
      for (const line of part.split("\n")) {
        if (line.startsWith("event: ")) name = line.slice(7);
        else if (line.startsWith("data: ")) data += line.slice(6);
      }
      if (data && take(name, JSON.parse(data))) {
        reader.cancel().catch(() => {}); // the connection may have ended
        return;
      }
    }
  }
}

// send asks the question of a turn, and returns when its answer is complete.
async function send(turn, signal) {
  const body = { question: turn.question, corpora: [get("corpus").value], method: get("method").value, history };
  const response = await fetch("/ask/stream", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal });
  if (!response.ok) {
    const { error } = await response.json();
    turn.fail(error);
    return;
  }
  await readEvents(response, (name, data) => turn.take(name, data));
  if (!turn.done) turn.fail({ message: "The connection ended before the answer was complete", hint: "ask again" });
}

async function ask() {
  const question = get("question").value.trim();
  if (!question || running) return;
  const turn = new Turn(question);
  running = new AbortController();
  show();
  get("conversation").append(turn.root);
  get("question").value = "";
  get("question").focus();
  turn.state.textContent = get("status").textContent = "Searching…";
  turn.root.scrollIntoView();
  try {
    await send(turn, running.signal);
  } catch (e) {
    if (e.name === "AbortError") turn.end("Stopped.");
    else turn.fail({ message: "The server cannot be reached", hint: "check that it runs, and ask again" });
  }
  get("status").textContent = turn.state.textContent;
  running = null;
  show();
}

// show shows the buttons that can be used now.
function show() {
  const begun = running !== null || get("conversation").childElementCount > 0;
  get("send").hidden = running !== null;
  get("stop").hidden = running === null;
  get("fresh").hidden = !begun || running !== null;
  document.documentElement.classList.toggle("begun", begun);
  get("hello").classList.toggle("hidden", begun);
  get("corpora").hidden = begun;
  form.firstElementChild.textContent = begun ? "Follow-up question" : "Your question";
}

if (form) {
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    ask();
  });
  get("question").addEventListener("keydown", (e) => {
    if (e.key !== "Enter" || e.shiftKey || e.isComposing) return;
    e.preventDefault();
    form.requestSubmit();
  });
  get("stop").addEventListener("click", () => {
    running?.abort();
    get("question").focus();
  });
  get("fresh").addEventListener("click", () => {
    history = [];
    get("conversation").replaceChildren();
    show();
    get("question").focus();
  });
}
