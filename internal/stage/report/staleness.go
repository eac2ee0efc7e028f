package report

import (
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// Digests returns a number for each record, sorted, by which Staleness recognises it in
// another context for the same author, whatever its number there. The report of a child
// counts as its text.
func (c Context) Digests(author string) []int64 {
	all := make([]int64, len(c.Records))
	for i, r := range c.Records {
		all[i] = r.digest(author)
	}
	slices.Sort(all)
	return all
}

func (r Record) digest(author string) int64 {
	id, shown := graph.Local(r.Key), r.Text
	if r.child != nil {
		id, shown = r.label, r.child.FullContent
	} else {
		_, shown, _ = strings.Cut(shown, "|") // after the number
	}
	h := fnv.New64a()
	for _, part := range []string{author, string(r.Kind), id, shown} {
		_, _ = io.WriteString(h, part+"\x00")
	}
	return int64(h.Sum64()) //nolint:gosec // all bits count
}

// Staleness returns how much of a context is new since the one with the given digests, from 0 to 1:
// the tokens of new records as a share of all, or the share of the former records that are
// gone if that is more. Without digests all is new.
func (c Context) Staleness(author string, before []int64) float64 {
	if len(before) == 0 {
		return 1
	}
	var all, fresh, found int
	for _, r := range c.Records {
		all += r.Tokens
		if _, ok := slices.BinarySearch(before, r.digest(author)); ok {
			found++
		} else {
			fresh += r.Tokens
		}
	}
	return max(float64(fresh)/float64(max(all, 1)), 1-float64(found)/float64(len(before)))
}
