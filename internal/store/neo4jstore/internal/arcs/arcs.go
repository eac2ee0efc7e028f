// Package arcs reads edges that a statement returns as lists of node ids: one row
// for many edges, which is much less to send and to decode than a row for each.
package arcs

import (
	"errors"
	"fmt"
)

// ErrMissing is matched by errors about a row without one of the ends or weights.
var ErrMissing = errors.New("a row's node does not exist")

// Each calls each for every arc of a row, which is a list of source ids, one of
// target ids and, if the row has three columns, one of weights; without them the
// weight is nil. It stops at the first error.
func Each(position func(id int64) (uint32, bool), row []any, each func(source, target uint32, weight any) error) error {
	return eachArc(position, row, errors.New("the graph changed while it was read"), each)
}

// EachKnown is Each, except that it leaves out arcs with an unknown end.
func EachKnown(position func(id int64) (uint32, bool), row []any, each func(source, target uint32, weight any) error) error {
	return eachArc(position, row, nil, each)
}

// eachArc calls each for every arc of a row. An unknown end is an error if unknown is set.
func eachArc(position func(id int64) (uint32, bool), row []any, unknown error, each func(source, target uint32, weight any) error) error {
	sources, _ := row[0].([]any)
	targets, _ := row[1].([]any)
	var weights []any
	if len(row) > 2 {
		weights, _ = row[2].([]any)
	}
	if len(sources) != len(targets) || len(row) > 2 && len(weights) != len(sources) {
		return fmt.Errorf("%w: an edge has no weight", ErrMissing)
	}
	for i := range sources {
		from, _ := sources[i].(int64)
		to, _ := targets[i].(int64)
		source, known := position(from)
		target, also := position(to)
		if !known || !also {
			if unknown == nil {
				continue
			}
			return fmt.Errorf("%w: %w", ErrMissing, unknown)
		}
		var weight any
		if weights != nil {
			weight = weights[i]
		}
		if err := each(source, target, weight); err != nil {
			return err
		}
	}
	return nil
}

// Positions returns a function that finds the index of a node id in ids, and false
// for an id that is not there.
func Positions(ids []int64) func(int64) (uint32, bool) {
	most := int64(-1)
	for _, id := range ids {
		most = max(most, id)
	}
	if most > int64(len(ids))*64+1<<20 {
		byID := make(map[int64]uint32, len(ids))
		for i, id := range ids {
			byID[id] = uint32(i)
		}
		return func(id int64) (uint32, bool) { p, ok := byID[id]; return p, ok }
	}
	byID := make([]uint32, most+1) // position + 1
	for i, id := range ids {
		byID[id] = uint32(i) + 1
	}
	return func(id int64) (uint32, bool) {
		if id < 0 || id > most || byID[id] == 0 {
			return 0, false
		}
		return byID[id] - 1, true
	}
}
