package openai

import (
	"context"
	"errors"
	"net/http/httptrace"
	"sync/atomic"

	"github.com/neorag/neorag/internal/llm"
)

// traceSent returns a context for an attempt, and a function that reports whether the
// attempt's request was sent whole, so that a server may charge for it.
func traceSent(ctx context.Context) (context.Context, func() bool) {
	var sent atomic.Bool
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest: func(info httptrace.WroteRequestInfo) { sent.Store(info.Err == nil) },
	}), sent.Load
}

// unanswered reports whether a request failed without an answer of the server.
func unanswered(err error) bool {
	refused, ok := errors.AsType[*llm.Error](err)
	return !ok || refused.Status == 0
}
