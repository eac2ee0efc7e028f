package server

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/server/servertest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/prompts"
)

// outputPieces are what the outputs of a model are made of.
var outputPieces = []string{
	"The moon is made of green cheese. [Data: Entities (1)]", "Nobody likes radishes in winter. [Data: Relationships (1); Entities (2)]",
	"Marley was dead: to begin with. [Data: Sources (1)]", "Scrooge and Marley were partners. [Data: Sources (1, 2)]", "The moon is made of cheese. [Data: Sources (2)]",
	"Scrooge signed it [Data: Sources (1.1)].", " [Data: Sources (99)]", "[Data: So", "urces (1)]", "[Data: Sources (1", "[[Data: Sources (1)] 2]", "[1]", "[7]", "[", "](http://evil.example)",
	"![x](http://evil.example/a.png)", "<img src=x>", "<b>", "\n\n", "\n- ", "\n## Partners\n", "`code`", "```\nx [1]\n", "【Data: Sources （1）】", "é", " and ", "\x1b[31mred", "---", "**Sources**", "Scrooge ",
}

// outputOf returns an output of a model by its number.
func outputOf(n int) string {
	random := rand.New(rand.NewPCG(uint64(n), 7))
	var b strings.Builder
	b.WriteString("Answer" + strings.Repeat("!", n%5)) // so that pieces end at any place
	for range 1 + random.IntN(12) {
		b.WriteString(outputPieces[random.IntN(len(outputPieces))])
	}
	return b.String()
}

var numbered = regexp.MustCompile(`case (\d+)`)

// TestStreamIsTheAnswer streams outputs of a model, of which some references are removed and some answers begin
// again: what was sent after the last restart is the answer. It runs with all of 2,000 outputs nightly.
func TestStreamIsTheAnswer(t *testing.T) {
	t.Parallel()
	corpus := servertest.Sample(t, examples)
	model := newModel(t, func(r llmtest.Request) llmtest.Reply {
		reply := fakemodel.Handler(r)
		if m := numbered.FindStringSubmatch(r.Last()); m != nil && fakemodel.Task(r) == prompts.Local {
			n, _ := strconv.Atoi(m[1]) // digits
			reply.Text = outputOf(n)
		}
		return reply
	})
	address := start(t, Options{Version: "test", Service: servertest.Service(t, model, corpus)})
	var restarts, chatRestarts atomic.Int64
	var g errgroup.Group
	g.SetLimit(4)
	for _, n := range faulttest.Points(t, 2000, 30) {
		g.Go(func() error {
			question := "Who was the partner of Scrooge in case " + strconv.Itoa(n) + "?"
			text, answer, again := askStream(t, address, `{"method":"local","question":"`+question+`"}`)
			restarts.Add(int64(again))
			if diff := cmp.Diff(answer.Answer, text); diff != "" {
				t.Errorf("output %q: (-answer +stream):\n%s", outputOf(n), diff)
			}
			chat := openWebUI(t, address, `{"model":"neorag/`+corpus+`:local","stream":true,"messages":[{"role":"user","content":"`+question+`"}]}`)
			var whole ChatCompletion
			request(t, http.MethodPost, address+"/v1/chat/completions", `{"model":"neorag/`+corpus+`:local","messages":[{"role":"user","content":"`+question+`"}]}`, http.StatusOK, &whole)
			if diff := cmp.Diff(answerOf(whole.Choices[0].Message.Content), answerOf(chat.content)); diff != "" {
				t.Errorf("output %q: (-chat +stream of it):\n%s", outputOf(n), diff)
			}
			chatRestarts.Add(int64(strings.Count(chat.content, restartsHead)))
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	if restarts.Load() == 0 || chatRestarts.Load() == 0 {
		t.Errorf("%d and %d restarts: the outputs should have some", restarts.Load(), chatRestarts.Load())
	}
}

// askStream returns the text after the last restart, the answer, and how often it began again.
func askStream(t *testing.T, address, body string) (text string, a query.Answer, restarts int) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/api/v1/ask/stream", strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return "", a, 0
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return "", a, 0
	}
	defer func() { _ = response.Body.Close() }()
	event, last := "", ""
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			event = name
		}
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		last = event
		var delta DeltaEvent
		var answer AnswerEvent
		switch event {
		case "delta":
			err = json.Unmarshal([]byte(data), &delta)
			text += delta.Text
		case "restart":
			text = ""
			restarts++
		case "answer":
			err = json.Unmarshal([]byte(data), &answer)
			a = answer.Answer
		}
		if err != nil {
			t.Errorf("%s: %v", data, err)
		}
	}
	if last != "answer" || lines.Err() != nil {
		t.Errorf("the last event is %q, %v", last, lines.Err())
	}
	return text, a, restarts
}
