package query

import (
	"context"
	"errors"
	"strings"

	"github.com/neorag/neorag/internal/query/retrieve"
)

// A relay passes the pieces of an answer on to Question.Stream. The pieces after the last
// call of OnRestart add up to exactly the final answer. Without OnRestart, the relay holds
// the pieces back and streams the final answer as a whole.
type relay struct {
	stream  func(delta string)
	restart func(why string)
	text    strings.Builder // since the last restart
}

func (r *relay) write(delta string) {
	r.text.WriteString(delta)
	if r.restart != nil {
		r.stream(delta)
	}
}

// reset drops what was streamed.
func (r *relay) reset(why string) {
	if r == nil || r.text.Len() == 0 {
		return
	}
	r.text.Reset()
	if r.restart != nil {
		r.restart(why)
	}
}

// finish streams the answer again if it is not what was streamed. An answer that no model
// wrote is not streamed.
func (r *relay) finish(answer string) {
	if r == nil || r.text.Len() == 0 {
		return
	}
	if r.text.String() != answer {
		r.reset("some of its references were removed")
		r.write(answer)
	}
	if r.restart == nil {
		r.stream(answer)
	}
}

// errNewGeneration stops an answer from a generation that is no longer visible.
var errNewGeneration = errors.New("the corpus was indexed meanwhile")

// checkFirst returns a stream that passes pieces on to r.Stream if the pinned generation
// is still visible when the first arrives. If another one is, it calls stop with
// errNewGeneration and passes nothing on. It returns nil without a stream.
func (r Request) checkFirst(ctx context.Context, pinned retrieve.Reader, stop context.CancelCauseFunc) func(delta string) {
	if r.Stream == nil {
		return nil
	}
	checked, stopped := false, false
	return func(delta string) {
		if !checked {
			now, err := r.Reader.Pin(ctx)
			checked, stopped = true, err == nil && !now.SameGeneration(pinned)
		}
		if stopped {
			stop(errNewGeneration)
			return
		}
		r.Stream(delta)
	}
}
