package openai_test

import (
	"cmp"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

// chunk returns a chunk of a stream with fields of its choice.
func chunk(fields string) string { return `{"choices":[{` + fields + `}]}` }

func delta(text string) string { return chunk(`"delta":{"content":"` + text + `"}`) }

// data returns events with some data, and [DONE].
func data(chunks ...string) string {
	return "data: " + strings.Join(append(chunks, "[DONE]"), "\n\ndata: ") + "\n\n"
}

// Streams in all forms that servers send make the same answer, which is shown once and in order.
func TestFormsOfStreams(t *testing.T) {
	t.Parallel()
	const (
		want = "Ingrid Solberg was the keeper."
		stop = `{"choices":[{"delta":{},"finish_reason":"stop"}]}`
		sse  = "text/event-stream"
	)
	pieces := []string{"Ingrid S", "olberg was ", "the keeper."}
	whole := chunk(`"message":{"role":"assistant","content":"` + want + `"},"finish_reason":"stop"`)
	message := func(text string) string { return chunk(`"message":{"content":"` + text + `"},"finish_reason":null`) }
	plain := data(delta(pieces[0]), delta(pieces[1]), delta(pieces[2]), stop)
	for _, c := range []struct{ name, kind, body string }{
		{"plain", sse, plain},
		{"a whole message at the end", sse, data(delta(pieces[0]), delta(pieces[1]), delta(pieces[2]), whole)},
		{"a whole message that is not the sum", sse, data(delta(pieces[0]), delta(pieces[1]), delta(pieces[2]), chunk(`"message":{"content":"Ingrid"},"finish_reason":"stop"`))},
		{"a whole message after half of the pieces", sse, data(delta(pieces[0]), delta(pieces[1]), whole)},
		{"deltas with the text so far as message", sse, data(
			chunk(`"delta":{"content":"Ingrid S"},"message":{"content":"Ingrid S"}`),
			chunk(`"delta":{"content":"olberg was "},"message":{"content":"Ingrid Solberg was "}`),
			chunk(`"delta":{"content":"the keeper."},"message":{"content":"Ingrid Solberg was the keeper."}`), stop)},
		{"the text so far in messages", sse, data(message("Ingrid S"), message("Ingrid Solberg was "), message(want), stop)},
		{"the text so far in deltas", sse, data(delta(""), delta("Ingrid S"), delta("Ingrid Solberg was "), delta(want), delta(want), stop)},
		{"the text so far in deltas, word by word", sse, data(delta("In"), delta("Ingrid"), delta("Ingrid Solberg"), delta(want), stop)},
		{"pieces in messages", sse, data(message(pieces[0]), message(pieces[1]), message(pieces[2]), stop)},
		{"pieces in messages, then a whole one", sse, data(message(pieces[0]), message(pieces[1]), message(pieces[2]), whole)},
		{"text of the older interface", sse, data(chunk(`"text":"Ingrid S"`), chunk(`"text":"olberg was "`), chunk(`"text":"the keeper.","finish_reason":"stop"`))},
		{"no reason", sse, data(delta(want))},
		{"null as reason", sse, data(chunk(`"delta":{"content":"` + want + `"},"finish_reason":null`))},
		{"empty reasons", sse, data(chunk(`"delta":{"content":"`+want+`"},"finish_reason":""`), chunk(`"finish_reason":""`))},
		{"a number as reason", sse, data(chunk(`"delta":{"content":"` + want + `"},"finish_reason":1`))},
		{"plain text", "text/plain; charset=utf-8", plain},
		{"no media type", "", plain},
		{"ndjson as name only", "application/x-ndjson", plain},
		{"octets", "application/octet-stream", plain},
		{"JSON as name only", "application/json", plain},
		{"capitals", "Text/Event-Stream", plain},
		{"a byte order mark", sse, "\uFEFF" + plain},
		{"a byte order mark and no media type", "", "\uFEFF" + plain},
		{"comments first", "", ": PROCESSING\n\n: PROCESSING\n\n" + plain},
		{"an id first", "application/json", "id: 1\n" + plain},
		{"an event first", "application/json", "event: message\n" + plain},
		{"a time first", "application/json", "retry: 100\n\n" + plain},
		{"white space first", "application/json", "\n\n  \r\n" + plain},
		{"lines of JSON", "application/x-ndjson", strings.Join([]string{delta(pieces[0]), delta(pieces[1]), delta(pieces[2]), stop}, "\n") + "\n"},
		{"lines of JSON without media type", "", strings.Join([]string{delta(pieces[0]), delta(pieces[1]), delta(pieces[2]), stop}, "\n")},
		{"lines of JSON as events", sse, ": begins\n" + strings.Join([]string{delta(pieces[0]), delta(pieces[1]), delta(pieces[2]), stop}, "\n")},
		{"one whole answer as event stream", sse, whole},
		{"data over several lines", sse, "id: 5\nevent: message\ndata: {\"choices\":\ndata: [{\"delta\":\n: comment\ndata: {\"content\":\"" + want + "\"}}]}\n\ndata: [DONE]\n\n"},
		{"no empty lines", sse, "data: " + delta(pieces[0]) + "\ndata: " + delta(pieces[1]+pieces[2]) + "\ndata: [DONE]\n"},
		{"CRLF and no space", sse, "data:" + delta(pieces[0]) + "\r\n\r\ndata:" + delta(pieces[1]+pieces[2]) + "\r\n\r\ndata:[DONE]\r\n\r\n"},
		{"no end of the last line", sse, "data: " + delta(want) + "\n\ndata: " + stop},
		{"other fields of any type", sse, data(chunk(`"index":"0","delta":{"content":"`+want+`","tool_calls":null,"function_call":"","refusal":false,"reasoning":[1],"reasoning_details":[{"type":"x"}]}`), stop, `{"usage":"none","choices":[]}`, `{"usage":{},"choices":null}`)},
		{"empty errors", sse, data(`{"error":null,"choices":[]}`, `{"error":false,"choices":[{"delta":{"content":"`+want+`"}}]}`, `{"error":"","choices":[{"error":{}}]}`, `{"error":{}}`, stop)},
		{"text in parts", sse, data(chunk(`"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"reasoning","text":"hm"},"Ingrid Solberg ",{"type":"text","text":"was the keeper."}]}`), stop)},
		{"text as one part", sse, data(chunk(`"delta":{"content":{"type":"text","text":"`+want+`"}}`), stop)},
		{"a message that is text", sse, data(chunk(`"delta":"`+want+`"`), stop)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := server(t, llmtest.Options{})
			s.Enqueue(llmtest.Reply{Body: &llmtest.Body{Head: c.body, Kind: cmp.Or(c.kind, llmtest.NoKind)}})
			req := question()
			var shown strings.Builder
			req.Stream = func(piece string) { shown.WriteString(piece) }
			res, err := client(t, openai.Config{BaseURL: s.URL()}).Chat().Chat(t.Context(), req)
			if err != nil || res.Text != want || shown.String() != want {
				t.Errorf("got %q, shown %q, %v", res.Text, shown.String(), err)
			}
			if complete := c.name != "a number as reason"; (res.Finish == llm.FinishStop) != complete {
				t.Errorf("finish %q", res.Finish)
			}
		})
	}
}

// Pieces that begin with all pieces before are text if they are short, as digits and rules are.
func TestRepeatedPieces(t *testing.T) {
	t.Parallel()
	for want, pieces := range map[string][]string{
		"1101":            {"1", "10", "1"},
		"110":             {"1", "10"},
		"----":            {"-", "-", "--"},
		"hahaha, he said": {"ha", "haha", ", he said"},
		"a b a b a b":     {"a b ", "a b ", "a b"},
		"the the theatre": {"the ", "the ", "theatre"},
		"Yes.":            {"Yes", "Yes."},
	} {
		s := server(t, llmtest.Options{})
		all := make([]string, len(pieces))
		for i, p := range pieces {
			all[i] = delta(p)
		}
		s.Enqueue(llmtest.Reply{Body: &llmtest.Body{Head: data(all...), Stream: true}})
		req := question()
		shown := ""
		req.Stream = func(piece string) { shown += piece }
		res, err := client(t, openai.Config{BaseURL: s.URL()}).Chat().Chat(t.Context(), req)
		if err != nil || res.Text != want || shown != want {
			t.Errorf("%q becomes %q, shown %q, %v", pieces, res.Text, shown, err)
		}
	}
}

// A stream that breaks off is an error, and so is one that holds no answer.
func TestIncompleteStreams(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, kind, body, says string
		again                  bool
	}{
		{"no end", "text/event-stream", "data: " + delta("half") + "\n\n", "before the answer was complete", true},
		{"lines of JSON without an end", "application/x-ndjson", delta("half") + "\n" + delta("more"), "before the answer was complete", true},
		{"no choice", "text/event-stream", "data: [DONE]\n\n", "no choice", true},
		{"half an event", "text/event-stream", "data: {\"choices\":\n\n", "not JSON", true},
		{"an event of text", "text/event-stream", "event: error\ndata: upstream died\n\n", "upstream died", false},
		{"an event with an error", "text/event-stream", "event: error\ndata: {\"type\":\"error\",\"message\":\"overloaded\"}\n\n", "overloaded", true},
		{"an error without a mark", "text/event-stream", "data: {\"code\":1113,\"msg\":\"in arrears\"}\n\n", "in arrears", false},
		{"an error of a choice", "text/event-stream", data(`{"choices":[{"error":{"message":"no healthy upstream","code":502}}]}`), "no healthy upstream", true},
		{"HTML", "text/html", "<html><head><title>Sign in &amp; go</title></head>", "Sign in & go", false},
		{"empty", "application/json", "", "not JSON", false},
	} {
		s := server(t, llmtest.Options{})
		s.Enqueue(llmtest.Reply{Body: &llmtest.Body{Head: c.body, Kind: c.kind}})
		req := question()
		req.Stream = func(string) {}
		_, err := client(t, openai.Config{BaseURL: s.URL()}).Chat().Chat(t.Context(), req)
		checkError(t, c.name, err, c.says, c.again)
	}
}
