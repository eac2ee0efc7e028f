package synth

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/text"
)

// A window is the reading of one map call.
type window struct {
	Reading

	asked   bool
	retried bool // asked for the second time with the same blocks
	err     error
}

// maxPoints is how many points a model is asked for in a window, and how many of the best of its
// answer are read: windows share the prompt of the answer.
const maxPoints = 15

// maxMapRounds bounds how often a window is halved and asked for again.
const maxMapRounds = 3

// mapWindows packs blocks into windows of at most budget tokens.
func mapWindows(blocks []Block, budget int) []window {
	packed := windowsOf(blocks, budget)
	windows := make([]window, len(packed))
	for i, places := range packed {
		own := make([]Block, len(places))
		for k, at := range places {
			own[k] = blocks[at]
		}
		windows[i].Blocks = own
	}
	return windows
}

// askWindows asks for the points of every window. A window that fails is asked
// again where that may help, in halves where it may have been too much: a half
// gives fewer points, and loses fewer blocks if it fails too. The windows come
// back in their order, those that failed for good with their error.
func (g Generative) askWindows(ctx context.Context, r Request, windows []window) ([]window, error) {
	for round := 1; ; round++ {
		if err := g.askOnce(ctx, r, windows); err != nil {
			return nil, err
		}
		if smaller := g.repack(ctx, r, windows); smaller != nil {
			windows = smaller
			round--
			continue
		}
		next := retry(windows, round)
		if round == maxMapRounds || next == nil {
			return windows, nil
		}
		windows = next
	}
}

// repack divides the windows that were too long for the model by what it can read, if that is
// known by now; nil without such windows.
func (g Generative) repack(ctx context.Context, r Request, windows []window) []window {
	tooLong := func(w window) bool { return errors.Is(w.err, llm.ErrTooLong) && len(w.Blocks) > 1 }
	if !slices.ContainsFunc(windows, tooLong) {
		return nil
	}
	room := g.Model.Room(ctx, r.Question)
	if room == 0 {
		return nil
	}
	var next []window
	divided := false
	for _, w := range windows {
		if tooLong(w) {
			if parts := mapWindows(w.Blocks, g.Budget(room)); len(parts) > 1 {
				next, divided = append(next, parts...), true
				continue
			}
		}
		next = append(next, w)
	}
	if !divided {
		return nil
	}
	return next
}

// askOnce asks for the points of the windows that were not asked yet.
func (g Generative) askOnce(ctx context.Context, r Request, windows []window) error {
	var done atomic.Int64
	r.progress("map", 0, len(windows))
	group, gctx := errgroup.WithContext(ctx)
	group.SetLimit(g.Concurrency)
	for i := range windows {
		w := &windows[i]
		if w.asked {
			done.Add(1)
			continue
		}
		var err error
		if w.prompt, err = g.newWindowPrompt(w.Blocks); err != nil {
			return err
		}
		group.Go(func() error {
			w.Answer, w.err = g.points(gctx, r, w.prompt)
			w.most = maxPoints
			w.asked = true
			r.progress("map", int(done.Add(1)), len(windows))
			return gctx.Err()
		})
	}
	return group.Wait()
}

// retry replaces the windows that failed by what to ask in their place; nil when
// there is nothing to ask again.
func retry(windows []window, round int) []window {
	anyAnswered := slices.ContainsFunc(windows, func(w window) bool { return w.err == nil })
	var next []window
	again := false
	for _, w := range windows {
		replacement := w.retry(anyAnswered, round)
		again = again || replacement != nil
		if replacement == nil {
			replacement = []window{w}
		}
		next = append(next, replacement...)
	}
	if !again {
		return nil
	}
	return next
}

// retry returns what to ask in place of a window that failed; nil for nothing. A
// window that failed for a passing reason is asked once more, if the server
// answered others meanwhile.
func (w window) retry(anyAnswered bool, round int) []window {
	if w.err == nil {
		return nil
	}
	if refused, ok := errors.AsType[*llm.Error](w.err); ok {
		if refused.Retryable {
			if w.retried || !anyAnswered {
				return nil
			}
			return []window{{Reading: Reading{Blocks: w.Blocks}, retried: true}}
		}
		if !refused.RefusesContent() || !anyAnswered && round > 1 {
			return nil
		}
	} else if _, unusable := errors.AsType[*llm.AnswerError](w.err); !unusable {
		return nil
	}
	if len(w.Blocks) < 2 {
		return nil
	}
	half := len(w.Blocks) / 2
	return []window{{Reading: Reading{Blocks: w.Blocks[:half]}}, {Reading: Reading{Blocks: w.Blocks[half:]}}}
}

// missing returns how many blocks the failed windows hold, with a note of their
// share. When all windows failed, it returns their errors.
func missing(windows []window, kinds []string) (lost int, note string, err error) {
	var all, tokens, lostTokens int
	var failures []error
	for _, w := range windows {
		d := draftOf(w.Blocks)
		all, tokens = all+d.Blocks, tokens+d.Tokens
		if w.err != nil {
			lost, lostTokens = lost+d.Blocks, lostTokens+d.Tokens
			failures = append(failures, w.err)
		}
	}
	switch lost {
	case 0:
		return 0, "", nil
	case all:
		return lost, "", fmt.Errorf("map: %w", errors.Join(failures...))
	}
	return lost, fmt.Sprintf("This answer lacks %d of %d %s, %.0f %% of their tokens, which could not be read: %s",
		lost, all, strings.ToLower(strings.Join(kinds, " and ")), math.Ceil(100*float64(lostTokens)/float64(max(1, tokens))), text.FirstLine(failures[0].Error())), nil
}
