package neo4jstore

import (
	"errors"
	"slices"
	"strings"
)

// writeRows bounds the rows of one transaction where they are small.
const writeRows = 2000

// batches writes rows in pieces whose weights sum to at most limit, each piece
// at least one row, halved where memory is short.
func batches[T any](rows []T, limit int, weight func(T) int, write func([]T) error) error {
	for len(rows) > 0 {
		n, sum := 0, 0
		for n < len(rows) && (n == 0 || sum+weight(rows[n]) <= limit) {
			sum += weight(rows[n])
			n++
		}
		if err := halving(rows[:n], write); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// halving writes rows, and in halves where the server finds them too many for
// one transaction.
func halving[T any](rows []T, write func([]T) error) error {
	err := write(rows)
	if len(rows) < 2 || !tooMuch(err) {
		return err
	}
	middle := len(rows) / 2
	if err := halving(rows[:middle], write); err != nil {
		return err
	}
	return halving(rows[middle:], write)
}

// tooMuch says that fewer rows may pass.
func tooMuch(err error) bool { return errors.Is(err, ErrMemory) || errors.Is(err, errTooLong) }

// eachOne counts a row as one.
func eachOne[T any](T) int { return 1 }

// sortRows puts rows into the order of their keys: locks are then taken in one order.
func sortRows(rows []any) {
	key := func(row any) string {
		m, _ := row.(map[string]any)
		s, _ := m["key"].(string)
		return s
	}
	slices.SortFunc(rows, func(a, b any) int { return strings.Compare(key(a), key(b)) })
}

// sortedBy returns a copy of the rows in the order of their keys: locks are
// then taken in one order.
func sortedBy[T any](rows []T, key func(T) string) []T {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b T) int { return strings.Compare(key(a), key(b)) })
	return rows
}

func same(key string) string { return key }
