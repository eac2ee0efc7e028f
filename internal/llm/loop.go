package llm

import (
	"context"
	"errors"
	"strings"
)

// ErrLoop means that the model repeats a passage without end. It is the Reason of an
// AnswerError whose Kind is ErrTruncated and whose Text has the passage once.
var ErrLoop = errors.New("the model repeats itself without end: use another model, or a penalty for repetition in its parameters")

// A loopChat ends answers in which the model repeats a passage without end. A streamed call is
// ended after a few copies, so that the model does not write on until its token limit.
type loopChat struct{ inner }

func (c loopChat) Chat(ctx context.Context, req Request) (Response, error) {
	var watch *loopWatch
	call := ctx
	if deliver := req.Stream; deliver != nil {
		var end context.CancelCauseFunc
		call, end = context.WithCancelCause(ctx)
		defer end(nil)
		watch = &loopWatch{}
		req.Stream = func(delta string) {
			if watch.add(delta) {
				end(ErrLoop)
				return
			}
			deliver(delta)
		}
	}
	res, err := c.inner.Chat(call, req)
	text := res.Text
	switch cut, ok := errors.AsType[*AnswerError](err); {
	case ctx.Err() != nil:
		return res, err
	case watch != nil && watch.found:
		text = watch.text.String()
	case ok && errors.Is(err, ErrTruncated):
		text = cut.Text
	case err != nil:
		return res, err
	}
	once, found := cutLoop(text)
	if !found {
		return res, err
	}
	res.Text, res.Finish = once, FinishLength
	return res, &AnswerError{Kind: ErrTruncated, Reason: ErrLoop, Text: once}
}

// A loopWatch looks for a loop in a text that arrives in pieces.
type loopWatch struct {
	text    strings.Builder
	checked int // bytes of the text
	found   bool
}

// loopStep is how many bytes come between two looks for a loop.
const loopStep = 256

// add adds a piece and reports whether the text ends with a loop.
func (w *loopWatch) add(piece string) bool {
	w.text.WriteString(piece)
	if !w.found && w.text.Len()-w.checked >= loopStep {
		w.checked = w.text.Len()
		_, w.found = cutLoop(w.text.String())
	}
	return w.found
}

const (
	// A passage of at least minPassage bytes that ends a text minCopies times in a row, with at
	// least minLoop bytes together, is a loop: tables, lists and refrains have fewer equal copies
	// or other words in each. A shorter passage, such as white space or a ruler, is a loop only
	// with minShortLoop bytes. maxPassage is the longest passage that is looked for.
	minPassage   = 20
	minCopies    = 8
	minLoop      = 500
	minShortLoop = 2000
	maxPassage   = 2000
)

// cutLoop returns a text without the copies of the passage that it ends with again and again,
// except the first. It reports whether there were any. The last copy may be incomplete.
func cutLoop(text string) (string, bool) {
	period, length := tailPeriod(text[max(0, len(text)-maxPassage*(minCopies+1)):])
	if period == 0 {
		return text, false
	}
	start := len(text) - length
	for start > 0 && text[start-1] == text[start-1+period] {
		start--
	}
	return strings.ToValidUTF8(text[:start+period], ""), true
}

// tailPeriod returns the length of the passage that a text ends with again and again, and how
// many bytes of its end consist of copies; 0 if it is not a loop.
func tailPeriod(text string) (period, length int) {
	// border[n] is the length of the longest border of the last n bytes, by the algorithm of
	// Knuth, Morris and Pratt on the reversed text; n - border[n] is their period.
	border := make([]int, len(text)+1)
	at := func(i int) byte { return text[len(text)-1-i] }
	k := 0
	for n := 1; n < len(text); n++ {
		for k > 0 && at(n) != at(k) {
			k = border[k]
		}
		if at(n) == at(k) {
			k++
		}
		border[n+1] = k
		if p := n + 1 - k; p <= maxPassage && isLoop(p, n+1) {
			return p, n + 1
		}
	}
	return 0, 0
}

// isLoop reports whether that many bytes with a period are a loop.
func isLoop(period, length int) bool {
	if period < minPassage {
		return length >= minShortLoop
	}
	return length >= minCopies*period && length >= minLoop
}
