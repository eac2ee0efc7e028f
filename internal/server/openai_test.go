package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/openai/openai-go"
	"github.com/openai/openai-go/option"
	"github.com/openai/openai-go/packages/param"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/server/servertest"
	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
)

// newModel starts a model. A nil handler answers as the fake model does.
func newModel(t *testing.T, handler func(llmtest.Request) llmtest.Reply) *llmtest.Server {
	t.Helper()
	if handler == nil {
		handler = fakemodel.Handler
	}
	m := llmtest.New(llmtest.Options{Handler: handler})
	t.Cleanup(m.Close)
	return m
}

// newSDK returns a client of the OpenAI API.
func newSDK(address string, options ...option.RequestOption) openai.Client {
	return openai.NewClient(append([]option.RequestOption{option.WithBaseURL(address + "/v1"), option.WithAPIKey("any"), option.WithMaxRetries(0)}, options...)...)
}

const chatQuestion = "Who was the partner of Scrooge?"

func asked(model, question string) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{Model: model, Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(question)}}
}

// TestOpenAIClients asks as the SDK of OpenAI and as Open WebUI do, without and with a model.
func TestOpenAIClients(t *testing.T) {
	t.Parallel()
	corpus := servertest.Sample(t, examples)
	for name, model := range map[string]*llmtest.Server{"offline": nil, "model": newModel(t, nil)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := start(t, Options{Version: "test", Service: servertest.Service(t, model, corpus)})
			client := newSDK(address)
			models, err := client.Models.List(t.Context())
			if err != nil || len(models.Data) != 1 || models.Data[0].ID != "neorag/"+corpus || models.Data[0].Created == 0 {
				t.Fatalf("models: %v %+v", err, models)
			}
			var want query.Answer
			request(t, http.MethodPost, address+"/api/v1/ask", `{"method":"basic","question":"`+chatQuestion+`"}`, http.StatusOK, &want)
			if len(want.References) == 0 {
				t.Fatal("no references")
			}
			got, err := client.Chat.Completions.New(t.Context(), asked(models.Data[0].ID+":basic", chatQuestion))
			if err != nil {
				t.Fatal(err)
			}
			message := got.Choices[0].Message
			answer, sources, _ := strings.Cut(message.Content, sourcesHead)
			if diff := cmp.Diff(want.Answer, answer); diff != "" || got.Choices[0].FinishReason != "stop" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
			if u := got.Usage; u.PromptTokens != want.Usage.TokensIn || u.CompletionTokens != want.Usage.TokensOut || u.TotalTokens != u.PromptTokens+u.CompletionTokens {
				t.Errorf("usage %+v, want %+v", u, want.Usage)
			}
			var links []link
			for _, a := range message.Annotations {
				links = append(links, link{a.URLCitation.Title, a.URLCitation.URL})
				if mark := string([]rune(message.Content)[a.URLCitation.StartIndex:a.URLCitation.EndIndex]); mark != "["+strconv.Itoa(len(links))+"]" {
					t.Errorf("annotation %d is at %q", len(links), mark)
				}
			}
			checkLinks(t, address, want, links)
			for i, l := range links {
				if line := "- [" + strconv.Itoa(i+1) + "] [" + l.title + "](" + l.url + "): \""; !strings.Contains(sources, line) {
					t.Errorf("%q lacks %q", sources, line)
				}
			}
			checkSDKStream(t, client, models.Data[0].ID+":basic", got)
			streamed := openWebUI(t, address, `{"model":"neorag/`+corpus+`:basic","stream":true,"messages":[{"role":"user","content":"`+chatQuestion+`"}]}`)
			if diff := cmp.Diff(message.Content, streamed.content); diff != "" {
				t.Errorf("content (-want +streamed):\n%s", diff)
			}
			checkLinks(t, address, want, streamed.sources)
		})
	}
}

// checkSDKStream streams what was answered before.
func checkSDKStream(t *testing.T, client openai.Client, model string, want *openai.ChatCompletion) {
	t.Helper()
	ask := asked(model, chatQuestion)
	ask.StreamOptions = openai.ChatCompletionStreamOptionsParam{IncludeUsage: param.NewOpt(true)}
	stream := client.Chat.Completions.NewStreaming(t.Context(), ask)
	defer func() { _ = stream.Close() }()
	var got openai.ChatCompletionAccumulator
	for stream.Next() {
		if !got.AddChunk(stream.Current()) {
			t.Errorf("a chunk does not fit: %s", stream.Current().RawJSON())
		}
	}
	if err := stream.Err(); err != nil {
		t.Fatal(err)
	}
	type seen struct {
		Role, Content, Finish string
		Usage                 int64
	}
	of := func(c openai.ChatCompletion) seen {
		return seen{string(c.Choices[0].Message.Role), c.Choices[0].Message.Content, c.Choices[0].FinishReason, c.Usage.TotalTokens}
	}
	if diff := cmp.Diff(of(*want), of(got.ChatCompletion)); diff != "" {
		t.Errorf("stream (-want +got):\n%s", diff)
	}
}

// A link is a source as a client shows it.
type link struct{ title, url string }

// checkLinks checks that the nth link leads to the evidence of reference n, and that no two are alike.
func checkLinks(t *testing.T, address string, a query.Answer, links []link) {
	t.Helper()
	if len(links) != len(a.References) {
		t.Fatalf("%d links of %d references", len(links), len(a.References))
	}
	titles := map[string]bool{}
	for i, r := range a.References {
		titles[links[i].title] = true
		if links[i].url != address+r.Href {
			t.Errorf("link %d is %s, want %s", r.N, links[i].url, address+r.Href)
			continue
		}
		u, err := url.Parse(links[i].url)
		if err != nil {
			t.Fatal(err)
		}
		key, ok := strings.CutPrefix(u.Path, "/documents/"+r.Corpus+"/")
		if !ok {
			t.Fatalf("link %d is %s", r.N, u)
		}
		at := url.Values{"document": {key}, "around": {"0"}, "start": {u.Query().Get("start")}, "end": {u.Query().Get("end")}}
		var text service.Text
		request(t, http.MethodGet, address+"/api/v1/corpora/"+r.Corpus+"/text?"+at.Encode(), "", http.StatusOK, &text)
		if strings.Join(strings.Fields(text.Quote), " ") != strings.Join(strings.Fields(r.Quote), " ") {
			t.Errorf("link %d leads to %q, want %q", r.N, text.Quote, r.Quote)
		}
	}
	if len(titles) != len(links) {
		t.Errorf("titles of links are alike: %v", links)
	}
}

// What Open WebUI makes of a stream.
type streamedChat struct {
	content  string
	sources  []link
	comments int
}

// openWebUI reads a stream as Open WebUI does: sources are annotations of the type url_citation, of which one with a
// title or address that was seen is left out.
func openWebUI(t *testing.T, address, body string) (out streamedChat) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("status %d, %s", response.StatusCode, response.Header.Get("Content-Type"))
	}
	done, first := false, true
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		data, found := strings.CutPrefix(lines.Text(), "data: ")
		if !found || data == "[DONE]" {
			done = done || found
			if strings.HasPrefix(lines.Text(), ":") {
				out.comments++
			}
			continue
		}
		var chunk chatChunk
		if err := json.Unmarshal([]byte(data), &chunk); err != nil || len(chunk.Choices) != 1 {
			t.Fatalf("chunk %s: %v", data, err)
		}
		delta := chunk.Choices[0].Delta
		if first != (delta.Role == "assistant") {
			t.Errorf("role %q in %s", delta.Role, data)
		}
		first = false
		for _, a := range delta.Annotations {
			l := link{a.Citation.Title, a.Citation.URL}
			if !slices.ContainsFunc(out.sources, func(seen link) bool { return seen.title == l.title || seen.url == l.url }) {
				out.sources = append(out.sources, l)
			}
		}
		out.content += delta.Content
	}
	if !done {
		t.Errorf("the stream does not end with [DONE] after %q", out.content)
	}
	return out
}

// TestChatRefuses sends requests that cannot be answered, as streams or not: the errors are those that clients of
// the OpenAI API know.
func TestChatRefuses(t *testing.T) {
	t.Parallel()
	corpus := servertest.Sample(t, examples)
	address := start(t, Options{Version: "test", Service: servertest.Service(t, nil, corpus, "missing")})
	user := `"messages":[{"role":"user","content":"Who?"}]`
	for name, tt := range map[string]struct {
		body   string
		status int
		code   string
	}{
		"no JSON":                {`{"model`, 400, "invalid"},
		"no object":              {`[]`, 400, "invalid"},
		"no model":               {`{` + user, 404, "model_not_found"},
		"a foreign model":        {`{"model":"gpt-5",` + user, 404, "model_not_found"},
		"a corpus not shown":     {`{"model":"neorag/other",` + user, 404, "model_not_found"},
		"a corpus not there":     {`{"model":"neorag/missing",` + user, 404, "model_not_found"},
		"no name of a corpus":    {`{"model":"neorag/../x",` + user, 404, "model_not_found"},
		"an unknown method":      {`{"model":"neorag/` + corpus + `:magic",` + user, 404, "model_not_found"},
		"a method for a model":   {`{"model":"neorag/` + corpus + `:hyde",` + user, 400, "no_model"},
		"two answers":            {`{"n":2,"model":"neorag/` + corpus + `",` + user, 400, "invalid"},
		"no messages":            {`{"model":"neorag/` + corpus + `"`, 400, "invalid"},
		"no message of the user": {`{"model":"neorag/` + corpus + `","messages":[{"role":"system","content":"Be brief."}]`, 400, "invalid"},
		"an empty question":      {`{"model":"neorag/` + corpus + `","messages":[{"role":"user","content":"  "}]`, 400, "invalid"},
		"a long question":        {`{"model":"neorag/` + corpus + `","messages":[{"role":"user","content":"` + strings.Repeat("a ", maxQuestion) + `"}]`, 400, "invalid"},
		"an image":               {`{"model":"neorag/` + corpus + `","messages":[{"role":"user","content":[{"type":"text","text":"Who?"},{"type":"image_url","image_url":{"url":"data:"}}]}]`, 400, "invalid"},
		"a number as content":    {`{"model":"neorag/` + corpus + `","messages":[{"role":"user","content":7}]`, 400, "invalid"},
		"a large body":           {`{"model":"neorag/` + corpus + `","padding":"` + strings.Repeat("a", maxBody) + `",` + user, 413, "too_large"},
	} {
		for _, end := range []string{`,"stream":true}`, `}`} {
			var got ChatProblem
			request(t, http.MethodPost, address+"/v1/chat/completions", tt.body+end, tt.status, &got)
			if got.Error.Code != tt.code || got.Error.Message == "" || got.Error.Type != "invalid_request_error" {
				t.Errorf("%s%s: %+v", name, end, got.Error)
			}
		}
	}
	client := newSDK(address)
	_, err := client.Chat.Completions.New(t.Context(), asked("neorag/other", "Who?"))
	if e, ok := errors.AsType[*openai.Error](err); !ok || e.StatusCode != http.StatusNotFound || e.Code != "model_not_found" {
		t.Errorf("the SDK reports %v", err)
	}
	closed := start(t, Options{Version: "test", Service: servertest.Service(t, nil, corpus), Fence: Fence{Token: testToken}})
	if _, err = client.Models.Get(t.Context(), "neorag/other"); err == nil || !strings.Contains(err.Error(), "model_not_found") {
		t.Errorf("the SDK reports %v for an unknown model", err)
	}
	withoutToken, withToken := newSDK(closed), newSDK(closed, option.WithAPIKey(testToken))
	_, err = withoutToken.Models.List(t.Context())
	if e, ok := errors.AsType[*openai.Error](err); !ok || e.StatusCode != http.StatusUnauthorized || e.Message == "" {
		t.Errorf("without a token the SDK reports %v", err)
	}
	if _, err = withToken.Models.List(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestChatQuestion reads questions and their history from conversations.
func TestChatQuestion(t *testing.T) {
	t.Parallel()
	s := &server{Options: Options{Service: service.New(service.Options{Corpora: []string{"news*"}})}}
	earlier := "First [1]." + restartsHead + "the corpus was indexed meanwhile" + restartsEnd + "Second [1]." + sourcesHead + "- [1] [A](http://x): \"q\"\n"
	for name, tt := range map[string]struct {
		body string
		want service.Question
	}{
		"a question": {`{"model":"neorag/news","temperature":0.2,"tools":[],"messages":[{"role":"user","content":" Who? ","name":"x"}]}`, service.Question{Question: "Who?"}},
		"a method":   {`{"model":"neorag/news:local","n":1,"messages":[{"role":"user","content":"Who?"}]}`, service.Question{Question: "Who?", Method: "local"}},
		"parts": {
			`{"model":"neorag/news","messages":[{"role":"user","content":[{"type":"text","text":"Who"},{"type":"text","text":"was it?"}]}]}`,
			service.Question{Question: "Who\nwas it?"},
		},
		"a conversation": {
			`{"model":"neorag/news","messages":[{"role":"system","content":"Be brief."},{"role":"assistant","content":"Hello"},{"role":"user","content":"A?"},
			{"role":"user","content":"B?"},{"role":"assistant","content":` + strconv.Quote(earlier) + `},{"role":"assistant","content":null},{"role":"tool","content":"x"},{"role":"user","content":"C?"}]}`,
			service.Question{Question: "C?", History: []service.QuestionTurn{{Question: "A?"}, {Question: "B?", Answer: "Second [1]."}}},
		},
	} {
		var in ChatRequest
		if err := json.Unmarshal([]byte(tt.body), &in); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := s.chatQuestion(in)
		tt.want.Corpora = []string{"news"}
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	long := make([]ChatMessage, 2*maxTurns+10)
	for i := range long {
		long[i] = ChatMessage{Role: []string{"user", "assistant"}[i%2], Content: ChatContent(strconv.Itoa(i))}
	}
	if turns := turnsOf(long); len(turns) != maxTurns || turns[maxTurns-1].Answer != strconv.Itoa(len(long)-1) {
		t.Errorf("%d turns, the last %+v", len(turns), turns[len(turns)-1])
	}
}

// TestChatBeats has a model write nothing until the client got signs of life.
func TestChatBeats(t *testing.T) {
	t.Parallel()
	corpus := servertest.Sample(t, examples)
	seen, stop := context.WithCancel(t.Context())
	defer stop()
	model := newModel(t, func(r llmtest.Request) llmtest.Reply {
		<-seen.Done()
		return fakemodel.Handler(r)
	})
	address := start(t, Options{Version: "test", Service: servertest.Service(t, model, corpus), beat: time.Millisecond})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/v1/chat/completions",
		strings.NewReader(`{"model":"neorag/`+corpus+`:basic","stream":true,"messages":[{"role":"user","content":"`+chatQuestion+`"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	comments, sent := 0, strings.Builder{}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		sent.WriteString(lines.Text() + "\n")
		if strings.HasPrefix(lines.Text(), ":") {
			if comments++; comments == 3 {
				stop()
			}
		}
	}
	text := sent.String()
	if !strings.HasPrefix(text, `data: {"id":"chatcmpl-`) || !strings.Contains(text, `"finish_reason":"stop"`) || !strings.HasSuffix(text, "data: [DONE]\n\n") {
		t.Errorf("the stream is %s", text)
	}
}
