package server

import (
	"context"
	"net/http"
	"reflect"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/server/service"
)

type questionInput struct{ Body service.Question }

// addQuestions adds the routes of questions.
func (s *server) addQuestions(api huma.API) {
	register(api, s, huma.Operation{
		OperationID: "context", Method: http.MethodPost, Path: "/api/v1/context", Tags: []string{"questions"},
		Summary:     "Search, and return what a model would be shown to answer a question",
		Description: "The text is ready for a prompt. No model writes an answer.",
	}, func(ctx context.Context, in *questionInput) (query.Context, error) {
		return s.Service.Context(ctx, in.Body)
	})
	register(api, s, huma.Operation{
		OperationID: "ask", Method: http.MethodPost, Path: "/api/v1/ask", Tags: []string{"questions"},
		Summary: "Answer a question with references",
	}, func(ctx context.Context, in *questionInput) (query.Answer, error) {
		return s.Service.Ask(ctx, in.Body, service.Events{})
	})
	sse.Register(api, huma.Operation{
		OperationID: "ask-stream", Method: http.MethodPost, Path: "/api/v1/ask/stream", Tags: []string{"questions"},
		Summary:     "Answer a question, and send the answer while it is written",
		Description: "The last event is an answer or an error. After a restart the pieces before it are void.",
	}, streamEvents(), func(ctx context.Context, in *questionInput, send sse.Sender) {
		s.stream(ctx, in, send, func(a query.Answer) (any, error) { return AnswerEvent{a}, nil })
	})
	addTraces(api.OpenAPI().Components.Schemas)
}

// addTraces adds to the schemas of answers and contexts the fields that methods add.
func addTraces(schemas huma.Registry) {
	for _, m := range query.Methods() {
		for _, trace := range m.Traces {
			own := schemas.Schema(reflect.TypeOf(trace), true, "")
			for _, object := range []string{"Answer", "Context"} {
				schemas.Map()[object].Properties[trace.TraceName()] = own
				schemas.Map()[object].PrecomputeMessages()
			}
		}
	}
}

// The events of a stream.
type (
	// ProgressEvent says what is done for the answer.
	ProgressEvent struct {
		Stage string `json:"stage"`
		Done  int    `json:"done"`
		Total int    `json:"total" doc:"0 if it is not known"`
	}
	// RewrittenEvent has the question as it is asked, if the conversation changed it.
	RewrittenEvent struct {
		Question string `json:"question"`
	}
	// DeltaEvent is a piece of the answer.
	DeltaEvent struct {
		Text string `json:"text"`
	}
	// RestartEvent voids the pieces before it.
	RestartEvent struct {
		Why string `json:"why"`
	}
	// AnswerEvent has the whole answer.
	AnswerEvent struct {
		Answer query.Answer `json:"answer"`
	}
)

// streamEvents returns the events of a stream by name.
func streamEvents() map[string]any {
	return map[string]any{
		"progress": ProgressEvent{}, "rewritten": RewrittenEvent{}, "delta": DeltaEvent{}, "restart": RestartEvent{}, "answer": AnswerEvent{}, "error": ErrorBody{},
	}
}

// stream answers a question in events; last returns the event of the whole answer.
func (s *server) stream(ctx context.Context, in *questionInput, send sse.Sender, last func(query.Answer) (any, error)) {
	var mu sync.Mutex // progress is concurrent
	tell := func(event any) {
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() == nil { // a client that has gone ends the context
			_ = send.Data(event)
		}
	}
	a, err := s.Service.Ask(ctx, in.Body, service.Events{
		Progress:  func(p query.Progress) { tell(ProgressEvent{p.Stage, p.Done, p.Total}) },
		OnRewrite: func(question string) { tell(RewrittenEvent{question}) },
		Stream:    func(delta string) { tell(DeltaEvent{delta}) },
		OnRestart: func(why string) { tell(RestartEvent{why}) },
	})
	var event any
	if err == nil {
		event, err = last(a)
	}
	if err != nil {
		event = s.problem(ctx, err).Body
	}
	tell(event)
}
