package query

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/rank"
)

// A part is the blocks that one map call reads.
type part struct {
	blocks []block
	shown  window
	asked  bool
	second bool // asked for the second time with the same blocks
	answer string
	err    error
}

// mapRounds bounds how often a part is halved and asked for again.
const mapRounds = 3

// partsOf cuts blocks into windows.
func partsOf(blocks []block, budget int) []part {
	items := make([]rank.Item, len(blocks))
	for i, b := range blocks {
		items[i] = rank.Item{Key: b.key, Tokens: b.tokens}
	}
	windows := rank.Windows(items, budget)
	parts := make([]part, len(windows))
	for i, places := range windows {
		of := make([]block, len(places))
		for k, at := range places {
			of[k] = blocks[at]
		}
		parts[i] = part{blocks: of, shown: show(of)}
	}
	return parts
}

// readParts asks for the points of every part. One that fails is asked for
// again where that may help, in halves where it may have been too much: a half
// gives fewer points, and takes along fewer reports if it fails too. The parts
// come back in their order, those that failed for good with their error.
func (m modelled) readParts(ctx context.Context, q Question, parts []part) ([]part, error) {
	for round := 1; ; round++ {
		var done atomic.Int64
		q.tell("map", 0, len(parts))
		g, gctx := errgroup.WithContext(ctx)
		g.SetLimit(m.concurrency)
		for i := range parts {
			if p := &parts[i]; p.asked {
				done.Add(1)
			} else {
				g.Go(func() error {
					p.answer, p.err = m.ask(gctx, q, p.shown)
					p.asked = true
					q.tell("map", int(done.Add(1)), len(parts))
					return gctx.Err()
				})
			}
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		next := retried(parts, round)
		if round == mapRounds || next == nil {
			return parts, nil
		}
		parts = next
	}
}

// retried puts what to ask again in place of the parts that failed; nil when
// there is nothing to ask again.
func retried(parts []part, round int) []part {
	alive := false
	for _, p := range parts {
		alive = alive || p.err == nil
	}
	var next []part
	again := false
	for _, p := range parts {
		instead := p.again(alive, round)
		again = again || instead != nil
		if instead == nil {
			instead = []part{p}
		}
		next = append(next, instead...)
	}
	if !again {
		return nil
	}
	return next
}

// again is what to ask in place of a part that failed; nil for nothing. A server
// that failed for a while is asked once more when it answered others meanwhile.
func (p part) again(alive bool, round int) []part {
	if p.err == nil {
		return nil
	}
	if refused, ok := errors.AsType[*llm.Error](p.err); ok {
		if refused.Retryable {
			if p.second || !alive {
				return nil
			}
			return []part{{blocks: p.blocks, shown: p.shown, second: true}}
		}
		if !tooMuch(refused.Status) || !alive && round > 1 {
			return nil
		}
	} else if _, unusable := errors.AsType[*llm.AnswerError](p.err); !unusable {
		return nil
	}
	if len(p.blocks) < 2 {
		return nil
	}
	half := len(p.blocks) / 2
	first, last := p.blocks[:half], p.blocks[half:]
	return []part{{blocks: first, shown: show(first)}, {blocks: last, shown: show(last)}}
}

// tooMuch is how servers refuse a text that is too long, or that they will not read.
func tooMuch(status int) bool {
	return status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge || status == http.StatusUnprocessableEntity
}

// missing says what share of the blocks the parts that failed hold, by number
// and by tokens. The error is that of all parts when all failed.
func missing(parts []part, kind string) (lost int, note string, err error) {
	var all, tokens, lostTokens int
	var failures []error
	for _, p := range parts {
		all += len(p.blocks)
		if p.err != nil {
			lost += len(p.blocks)
			failures = append(failures, p.err)
		}
		for _, b := range p.blocks {
			tokens += b.tokens
			if p.err != nil {
				lostTokens += b.tokens
			}
		}
	}
	switch lost {
	case 0:
		return 0, "", nil
	case all:
		return lost, "", fmt.Errorf("map: %w", errors.Join(failures...))
	}
	reason, _, _ := strings.Cut(failures[0].Error(), "\n")
	return lost, fmt.Sprintf("This answer lacks %d of %d %s, %.0f %% of their tokens, which could not be read: %s",
		lost, all, strings.ToLower(kind), math.Ceil(100*float64(lostTokens)/float64(max(1, tokens))), reason), nil
}
