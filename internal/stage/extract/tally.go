package extract

import "sync/atomic"

// Counts count what a Model had to do without or again.
type Counts struct {
	FailedGleanings int64 // the records found before are kept
	RefusedClaims   int64 // answers in prose where claims were asked for; the other records are kept
	Halved          int64 // texts of which an answer was cut off, and whose halves were read
	Tuples          int64 // answers as tuples, after the model wrote no JSON
}

// tally is Counts while calls run concurrently.
type tally struct{ failedGleanings, refused, halved, tuples atomic.Int64 }

// Counts returns the counts of all chunks so far.
func (m *Model) Counts() Counts {
	t := &m.tally
	return Counts{t.failedGleanings.Load(), t.refused.Load(), t.halved.Load(), t.tuples.Load()}
}
