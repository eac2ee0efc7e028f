package remote

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/neorag/neorag/internal/llm"
)

const (
	maxJob      = 512 << 10 // bytes of a job as it is sent
	compressed  = 4 << 10   // bytes from which messages are compressed
	maxUnpacked = 16 << 20  // bytes that a message may have when it is unpacked
)

// A job is one call.
type job struct {
	Chat  *llm.Request `json:"chat,omitempty"`
	Texts []string     `json:"texts,omitempty"` // to embed
}

// A result is the answer to a job. A call that failed can have cost something too.
type result struct {
	Chat    llm.Response `json:"chat"`
	Vectors [][]byte     `json:"vectors,omitempty"` // 32-bit numbers, little endian
	Usage   llm.Usage    `json:"usage"`             // of vectors
	Failure *failure     `json:"failure,omitempty"`
}

// A failure is an error with what the caller decides by.
type failure struct {
	Message string `json:"message"`
	Worker  string `json:"worker,omitempty"`

	Call          bool          `json:"call,omitempty"` // it is an llm.Error, with these fields
	Status        int           `json:"status,omitempty"`
	RetryAfter    time.Duration `json:"retry_after,omitempty"`
	ServerMessage string        `json:"server_message,omitempty"`
	Cause         string        `json:"cause,omitempty"` // one of causes

	Answer string `json:"answer,omitempty"` // one of answers: it is an llm.AnswerError, with these fields
	Reason string `json:"reason,omitempty"`
	Text   string `json:"text,omitempty"`
}

// causes and answers are the errors that keep their identity.
var (
	causes  = map[string]error{"no_credit": llm.ErrNoCredit, "too_long": llm.ErrTooLong}
	answers = map[string]error{"truncated": llm.ErrTruncated, "invalid": llm.ErrInvalid}
)

func nameOf(err error, names map[string]error) string {
	for name, known := range names {
		if errors.Is(err, known) {
			return name
		}
	}
	return ""
}

// failureOf describes an error of a call.
func failureOf(err error, worker string) *failure {
	if text, ok := errors.AsType[*llm.TextError](err); ok {
		err = text.Err // the caller finds out which text it is: its batches are other ones
	}
	f := &failure{Message: err.Error(), Worker: worker}
	if answer, ok := errors.AsType[*llm.AnswerError](err); ok {
		f.Answer, f.Text = nameOf(answer.Kind, answers), answer.Text
		if answer.Reason != nil {
			f.Reason = answer.Reason.Error()
		}
		return f
	}
	if call, ok := errors.AsType[*llm.Error](err); ok {
		f.Call, f.Status, f.RetryAfter, f.ServerMessage, f.Cause = true, call.Status, call.RetryAfter, call.ServerMessage, nameOf(err, causes)
	}
	return f
}

// err returns the error. It is never retryable: the worker has tried the call again as often as that helps.
func (f *failure) err() error {
	switch {
	case f.Answer != "":
		e := &llm.AnswerError{Kind: answers[f.Answer], Text: f.Text}
		switch {
		case e.Kind == nil:
			e.Kind = llm.ErrInvalid
		case f.Reason == llm.ErrLoop.Error():
			e.Reason = llm.ErrLoop
			return e
		}
		if f.Reason != "" {
			e.Reason = errors.New(f.Reason)
		}
		return e
	case f.Call:
		return &llm.Error{Status: f.Status, RetryAfter: f.RetryAfter, ServerMessage: f.ServerMessage, Cause: causes[f.Cause], Message: f.text()}
	}
	return errors.New(f.text())
}

func (f *failure) text() string {
	if f.Worker == "" {
		return f.Message
	}
	return "worker " + f.Worker + ": " + f.Message
}

// clean removes from a result what must not come from elsewhere: costs, which follow from the prices of
// the caller, and numbers that would lower its spending.
func (r *result) clean() {
	for _, u := range []*llm.Usage{&r.Chat.Usage, &r.Chat.Saved, &r.Usage} {
		*u = llm.Usage{Calls: max(0, u.Calls), TokensIn: max(0, u.TokensIn), TokensOut: max(0, u.TokensOut), CachedTokens: max(0, u.CachedTokens)}
	}
}

func packVectors(vectors [][]float32) [][]byte {
	out := make([][]byte, len(vectors))
	for i, v := range vectors {
		for _, x := range v {
			out[i] = binary.LittleEndian.AppendUint32(out[i], math.Float32bits(x))
		}
	}
	return out
}

func unpackVectors(vectors [][]byte) [][]float32 {
	out := make([][]float32, len(vectors))
	for i, b := range vectors {
		out[i] = make([]float32, len(b)/4)
		for j := range out[i] {
			out[i][j] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*j:]))
		}
	}
	return out
}

// zstd's coders are safe for concurrent use by EncodeAll and DecodeAll. The decoder refuses what would be
// larger than it may be before it is unpacked.
var (
	encoder = sync.OnceValues(func() (*zstd.Encoder, error) { return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(2)) })
	decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(maxUnpacked), zstd.WithDecoderMaxWindow(maxUnpacked))
	})
)

// pack returns a message as bytes to send.
func pack(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // so that schemas stay as they are
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode a message of the queue: %w", err)
	}
	if b.Len() < compressed {
		return b.Bytes(), nil
	}
	e, err := encoder()
	if err != nil {
		return nil, fmt.Errorf("compress a message of the queue: %w", err)
	}
	return e.EncodeAll(b.Bytes(), nil), nil
}

// unpack reads a message.
func unpack(b []byte, v any) error {
	if len(b) > 0 && b[0] != '{' {
		d, err := decoder()
		if err == nil {
			b, err = d.DecodeAll(b, nil)
		}
		if err != nil {
			return fmt.Errorf("uncompress a message of the queue: %w", err)
		}
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("decode a message of the queue: %w", err)
	}
	return nil
}
