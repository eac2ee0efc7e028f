package server

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/server/service"
)

// modelPrefix begins the names of models, so that a list with the models of several servers shows whose they are.
const modelPrefix = "neorag/"

// openAIPath begins the paths of the OpenAI API.
const openAIPath = "/v1/"

// Limits of a conversation.
const (
	maxQuestion = 20_000 // bytes
	maxTurns    = 100    // the oldest are dropped
)

// addOpenAI adds the routes of clients of the OpenAI API.
func (s *server) addOpenAI(mux *http.ServeMux, api huma.API) {
	mux.HandleFunc("GET /v1/models", s.chatModels)
	mux.HandleFunc("GET /v1/models/{model...}", s.chatModelOf)
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	tags := []string{"clients"}
	describe(api, huma.Operation{
		OperationID: "models", Method: http.MethodGet, Path: "/v1/models", Tags: tags, Summary: "List the corpora as models of the OpenAI API",
	}, nil, ChatModels{}, ChatProblem{})
	describe(api, huma.Operation{
		OperationID: "chat", Method: http.MethodPost, Path: "/v1/chat/completions", Tags: tags, Summary: "Answer the last message of a conversation, as the OpenAI API does",
		Description: "With stream, chunks are sent as server-sent events.",
	}, ChatRequest{}, ChatCompletion{}, ChatProblem{})
	describe(api, huma.Operation{
		OperationID: "model", Method: http.MethodGet, Path: "/v1/models/{model}", Tags: tags, Summary: "Describe a corpus as a model of the OpenAI API",
		Parameters: []*huma.Param{{Name: "model", In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}}},
	}, nil, ChatModel{}, ChatProblem{})
}

func (s *server) chatModels(w http.ResponseWriter, r *http.Request) {
	corpora, err := s.Service.Corpora(r.Context())
	if err != nil {
		s.writeChatProblem(w, r, err)
		return
	}
	list := ChatModels{Object: "list", Data: []ChatModel{}}
	for _, c := range corpora {
		list.Data = append(list.Data, modelOf(modelPrefix+c.Corpus, c))
	}
	writeJSON(w, http.StatusOK, list)
}

func modelOf(id string, c service.CorpusLine) ChatModel {
	return ChatModel{ID: id, Object: "model", Created: c.Created.Unix(), OwnedBy: "neorag"}
}

// chatModelOf describes one model.
func (s *server) chatModelOf(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("model")
	name, _, err := s.chatModel(id)
	var c service.Corpus
	if err == nil {
		c, err = s.Service.Corpus(r.Context(), name)
	}
	if err != nil {
		s.writeChatProblem(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, modelOf(id, c.CorpusLine))
}

// chat answers a conversation, in one piece or as a stream.
func (s *server) chat(w http.ResponseWriter, r *http.Request) {
	var in ChatRequest
	if p := decode(r, &in); p != nil {
		writeJSON(w, p.status, chatProblem(p))
		return
	}
	q, err := s.chatQuestion(in)
	if err != nil {
		s.writeChatProblem(w, r, err)
		return
	}
	out := chatWriter{server: s, request: r, in: in, head: chatChunk{ID: "chatcmpl-" + rand.Text(), Created: time.Now().Unix(), Model: in.Model}}
	answer := func(ctx context.Context, events service.Events) (query.Answer, error) {
		return s.Service.Ask(ctx, q, events)
	}
	if text, is := taskAnswer(in.ResponseFormat, q.Question); is {
		answer = func(_ context.Context, events service.Events) (query.Answer, error) {
			if events.Stream != nil {
				events.Stream(text)
			}
			return query.Answer{Answer: text}, nil
		}
	}
	if in.Stream {
		out.stream(r.Context(), w, answer)
		return
	}
	out.whole(r.Context(), w, answer)
}

// chatQuestion returns the question of a conversation. It reads nothing from Neo4j.
func (s *server) chatQuestion(in ChatRequest) (service.Question, error) {
	corpus, method, err := s.chatModel(in.Model)
	if err != nil {
		return service.Question{}, err
	}
	if in.N > 1 {
		return service.Question{}, service.NewError(service.Invalid, "n is greater than 1, and there is one answer to a question", "")
	}
	last := -1
	for i, m := range in.Messages {
		if m.Role == "user" {
			last = i
		}
	}
	q := service.Question{Corpora: []string{corpus}, Method: method}
	if last >= 0 {
		q.Question = strings.TrimSpace(string(in.Messages[last].Content))
		q.History = turnsOf(in.Messages[:last])
	}
	switch {
	case q.Question == "":
		return q, service.NewError(service.Invalid, "the conversation has no message of the user with text", "")
	case len(q.Question) > maxQuestion:
		return q, service.NewError(service.Invalid, "the last message is longer than 20,000 bytes", "")
	}
	return q, nil
}

// chatModel returns the corpus and the method of a model, by its name.
func (s *server) chatModel(model string) (corpus, method string, err error) {
	name, ok := strings.CutPrefix(model, modelPrefix)
	corpus, method, _ = strings.Cut(name, ":")
	if !ok || graph.CheckCorpus(corpus) != nil || !s.Service.Shows(corpus) || method != "" && !slices.Contains(query.MethodNames(), method) {
		return "", "", service.NewError(service.NotFound, "there is no model "+model, "GET /v1/models lists the models; :METHOD may follow each name")
	}
	return corpus, method, nil
}

// turnsOf returns the turns of messages: each message of the user, with the answers that follow it.
func turnsOf(messages []ChatMessage) []service.QuestionTurn {
	var turns []service.QuestionTurn
	for _, m := range messages {
		switch {
		case m.Role == "user":
			turns = append(turns, service.QuestionTurn{Question: string(m.Content)})
		case m.Role == "assistant" && len(turns) > 0:
			turns[len(turns)-1].Answer += answerOf(string(m.Content))
		}
	}
	return turns[max(0, len(turns)-maxTurns):]
}

// writeChatProblem writes an error in the form of the OpenAI API.
func (s *server) writeChatProblem(w http.ResponseWriter, r *http.Request, err error) {
	p := s.problem(r.Context(), err)
	writeJSON(w, chatStatus(p), chatProblem(p))
}

// chatStatus returns the status of a problem as clients of the OpenAI API know it. Other statuses would have some
// of them repeat the request.
func chatStatus(p *Problem) int {
	if p.status == http.StatusUnprocessableEntity || p.status == http.StatusConflict {
		return http.StatusBadRequest
	}
	return p.status
}

func chatProblem(p *Problem) ChatProblem {
	e := ChatError{Message: p.Body.Message, Type: "invalid_request_error", Code: string(p.Body.Reason)}
	if p.Body.Hint != "" {
		e.Message += " (" + p.Body.Hint + ")"
	}
	switch {
	case p.status >= http.StatusInternalServerError:
		e.Type = "server_error"
	case p.Body.Reason == service.Busy:
		e.Type = "rate_limit_error"
	case p.Body.Reason == service.NotFound:
		e.Code = "model_not_found"
	}
	return ChatProblem{e}
}
