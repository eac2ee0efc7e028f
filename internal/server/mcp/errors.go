package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/text"
)

// maxError is the longest error of a tool, in characters.
const maxError = 500

// advice is what a model can do about an error without a hint.
var advice = map[service.Reason]string{
	service.Invalid:     "correct the arguments and call again",
	service.NotFound:    "corpora lists the corpora, and the results of context name documents, reports and entities",
	service.Busy:        "call again in a moment",
	service.Timeout:     "ask something narrower, or choose the method basic",
	service.Unavailable: "tell the user that the database or the model of NeoRAG cannot be reached",
	service.Internal:    "tell the user; the log of NeoRAG has more",
}

// explain returns an error as a model is shown it, and logs one that is the server's fault.
func (s *Server) explain(ctx context.Context, tool string, err error) string {
	if isOver(ctx) && !errors.Is(ctx.Err(), context.Canceled) {
		err = service.NewError(service.Timeout, fmt.Sprintf("the call took longer than %v", s.CallTime), "")
	}
	e := service.ErrorOf(err)
	message, hint := text.FirstLine(e.Message), e.Hint
	if e.Reason == service.Internal && ctx.Err() == nil {
		s.Log.ErrorContext(ctx, "cannot answer a call", "tool", tool, "error", err)
	}
	if hint == "" {
		hint = advice[e.Reason]
	}
	if hint != "" {
		hint = ". What to do: " + hint
	}
	return text.Shorten(strings.TrimRight(message, "."), maxError-len(hint)) + hint
}
