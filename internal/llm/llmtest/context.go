package llmtest

import (
	"fmt"
	"net/http"

	"github.com/neorag/neorag/internal/text/tokens"
)

// tooLong returns the refusal of a chat request whose prompt and answer exceed
// Options.Context together, nil if they fit.
func (s *Server) tooLong(req Request) *Reply {
	if s.options.Context <= 0 || req.Embeds() {
		return nil
	}
	counter, err := tokens.Get("")
	if err != nil {
		return &Reply{Status: http.StatusInternalServerError, Message: err.Error()}
	}
	n := 0
	for _, m := range req.Messages {
		n += counter.Count(m.Content)
	}
	if n+req.MaxTokens <= s.options.Context {
		return nil
	}
	return &Reply{Status: http.StatusBadRequest, Code: "context_length_exceeded", Message: fmt.Sprintf(
		"This model's maximum context length is %d tokens. However, you requested %d tokens (%d in the messages, %d in the completion).",
		s.options.Context, n+req.MaxTokens, n, req.MaxTokens)}
}
