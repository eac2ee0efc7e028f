package llmtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A Reply is an answer or a fault. The zero value is an empty answer.
type Reply struct {
	Text      string
	Reasoning string // goes into reasoning_content
	Finish    string // default stop, or length if MaxTokens of the request truncates the text
	// TokensIn and TokensOut default to the number of words of messages and answer.
	TokensIn, TokensOut, CachedTokens int64

	Delay time.Duration // before the answer

	Status     int // unless 0 or 200: a refusal with Message, Code and Param
	Message    string
	Code       string
	Param      string
	RetryAfter time.Duration
	Header     http.Header // added to the answer
	Raw        string      // the whole body, instead of all else
	Body       *Body       // a body of any size and pace, instead of all else but Status
	Reset      bool        // the connection is reset; a stream sends half before
	Cut        bool        // a stream ends after half, without an error
	NoUsage    bool
	Comments   bool                  // a stream has comments between its events
	Half       func(context.Context) // called when half of a stream is sent; the context ends when the client has gone
	Whole      func(context.Context) // the same before an answer in one piece is sent
}

func (r Reply) failed() bool {
	return r.Reset || r.Raw != "" || r.Status != 0 && r.Status != http.StatusOK
}

// answer writes a reply to a chat request, or a fault to a request of either kind.
func (s *Server) answer(ctx context.Context, w http.ResponseWriter, req Request, r Reply) {
	for name, values := range r.Header {
		w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	if r.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.FormatFloat(r.RetryAfter.Seconds(), 'f', -1, 64))
	}
	switch {
	case r.Reset && !req.Stream:
		reset(w)
		return
	case r.Raw != "":
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/json")
		}
		if r.Status != 0 {
			w.WriteHeader(r.Status)
		}
		_, _ = w.Write([]byte(r.Raw))
		return
	case r.Status != 0 && r.Status != http.StatusOK:
		refuse(w, r.Status, r.Message, r.Param, r.Code)
		return
	}
	if r.Finish == "" {
		r.Finish = "stop"
		if words := strings.SplitAfter(r.Text, " "); req.MaxTokens > 0 && len(words) > req.MaxTokens {
			r.Text, r.Finish = strings.Join(words[:req.MaxTokens], ""), "length"
		}
	}
	if req.Stream {
		s.stream(ctx, w, req, r)
		return
	}
	if r.Whole != nil {
		r.Whole(ctx)
	}
	message := map[string]any{"role": "assistant", "content": r.Text}
	if r.Reasoning != "" {
		message["reasoning_content"] = r.Reasoning
	}
	body := map[string]any{
		"id": "chatcmpl-" + strconv.Itoa(req.N), "object": "chat.completion", "created": 0, "model": req.Model,
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": r.Finish}},
	}
	if !s.options.NoUsage && !r.NoUsage {
		body["usage"] = r.usage(req)
	}
	writeJSON(w, http.StatusOK, body)
}

// usage returns the usage of a reply, with words as tokens.
func (r Reply) usage(req Request) map[string]any {
	in, out := r.TokensIn, r.TokensOut
	if in == 0 {
		for _, m := range req.Messages {
			in += int64(len(strings.Fields(m.Content)))
		}
	}
	if out == 0 {
		out = int64(len(strings.Fields(r.Text)))
	}
	return map[string]any{
		"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out,
		"prompt_tokens_details": map[string]any{"cached_tokens": r.CachedTokens},
	}
}

// stream sends a reply as server-sent events of a few characters each, so that tags are
// split between events.
func (s *Server) stream(ctx context.Context, w http.ResponseWriter, req Request, r Reply) {
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(choices []any, usage any) {
		b, err := json.Marshal(map[string]any{"object": "chat.completion.chunk", "model": req.Model, "choices": choices, "usage": usage})
		if err == nil {
			_, _ = fmt.Fprintf(w, "data: %s\n\n", b)
		}
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
	}
	delta := func(field, text string) {
		event([]any{map[string]any{"index": 0, "delta": map[string]any{field: text}, "finish_reason": nil}}, nil)
	}
	if r.Reasoning != "" {
		for _, piece := range split(r.Reasoning) {
			delta("reasoning_content", piece)
		}
	}
	pieces := split(r.Text)
	for i, piece := range pieces {
		if r.Comments {
			_, _ = fmt.Fprint(w, ": still thinking\n\n")
		}
		if i >= len(pieces)/2 && r.Reset {
			reset(w)
			return
		}
		if i >= len(pieces)/2 && r.Cut {
			return
		}
		if i == len(pieces)/2 && r.Half != nil {
			r.Half(ctx)
		}
		delta("content", piece)
	}
	event([]any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": r.Finish}}, nil)
	if req.StreamUsage && !s.options.NoUsage && !r.NoUsage {
		event([]any{}, r.usage(req))
	}
	_, _ = fmt.Fprint(w, "data: [DONE]\n\n")
}

// split splits a text into pieces of five characters at first, and longer ones later, so that
// long answers are not slow.
func split(text string) []string {
	size := 5
	var pieces []string
	runes := []rune(text)
	for len(runes) > size {
		pieces = append(pieces, string(runes[:size]))
		runes = runes[size:]
		if len(pieces)%40 == 0 {
			size = min(2*size, 160)
		}
	}
	return append(pieces, string(runes))
}

// reset closes the connection so that the client gets a connection reset.
func reset(w http.ResponseWriter) {
	h, ok := w.(http.Hijacker)
	if !ok {
		return
	}
	conn, _, err := h.Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
