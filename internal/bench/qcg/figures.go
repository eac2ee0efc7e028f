package main

import (
	"context"
	"fmt"
)

// The parts of the questions that are reported.
const (
	even = iota
	odd
	all
	parts
)

// figures are sums over the questions of each part.
type figures struct {
	questions, recalls, ranks [parts]float64
}

func (f *figures) recall(part int) float64 { return f.recalls[part] / max(1, f.questions[part]) }
func (f *figures) mrr(part int) float64    { return f.ranks[part] / max(1, f.questions[part]) }

func (f *figures) row(name string) string {
	return fmt.Sprintf("| %s | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f |", name, f.recall(even), f.recall(odd), f.recall(all), f.mrr(even), f.mrr(odd), f.mrr(all))
}

// add adds the documents that were found for a question.
func (f *figures) add(q question, documents []string) {
	recall, rank := 0., 0.
	for i, d := range documents {
		if !q.wanted[d] {
			continue
		}
		if rank == 0 {
			rank = 1 / float64(i+1)
		}
		if i < 5 {
			recall += 1 / float64(len(q.wanted))
		}
	}
	part := odd
	if q.even {
		part = even
	}
	for _, p := range []int{part, all} {
		f.questions[p]++
		f.recalls[p] += recall
		f.ranks[p] += rank
	}
}

// measure asks all questions of all topics.
func measure(ctx context.Context, topics []*topic, v variant) (f figures, err error) {
	for _, t := range topics {
		nodes, err := t.nodesOf(ctx, v)
		if err != nil {
			return f, err
		}
		for _, q := range t.questions {
			documents, err := nodes.search(ctx, v, q.text)
			if err != nil {
				return f, err
			}
			f.add(q, documents)
		}
		if v.node != "pair" || v.alpha != standard().alpha { // used once
			clear(t.sets)
		}
	}
	return f, nil
}
