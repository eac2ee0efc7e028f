package neo4jstore

import (
	"errors"
	"slices"
	"strings"
)

// writeRows is the maximum number of small rows of one transaction.
const writeRows = 2000

// batches writes rows in batches whose weights sum to at most limit, each of at least
// one row. A batch that is too large for the server is halved.
func batches[T any](rows []T, limit int, weight func(T) int, write func([]T) error) error {
	for len(rows) > 0 {
		n, sum := 0, 0
		for n < len(rows) && (n == 0 || sum+weight(rows[n]) <= limit) {
			sum += weight(rows[n])
			n++
		}
		if err := inHalves(rows[:n], write); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// inHalves writes rows, and each half separately if they are too many for one
// transaction of the server.
func inHalves[T any](rows []T, write func([]T) error) error {
	err := write(rows)
	if len(rows) < 2 || !isTooLarge(err) {
		return err
	}
	middle := len(rows) / 2
	if err := inHalves(rows[:middle], write); err != nil {
		return err
	}
	return inHalves(rows[middle:], write)
}

// repeat calls write, which changes at most limit rows and returns their number, until
// fewer are left. A limit that is too large for the server is halved.
func repeat(limit int64, write func(limit int64) (int64, error)) error {
	for {
		n, err := write(limit)
		switch {
		case isTooLarge(err) && limit > 1:
			limit /= 2
		case err != nil || n < limit:
			return err
		}
	}
}

// isTooLarge reports whether a transaction with fewer rows may succeed.
func isTooLarge(err error) bool { return errors.Is(err, ErrMemory) || errors.Is(err, errTooLong) }

// countRow is the weight of a row where all rows weigh the same.
func countRow[T any](T) int { return 1 }

// sortRows sorts rows by key, so that all transactions take locks in the same order.
func sortRows(rows []any) {
	key := func(row any) string {
		m, _ := row.(map[string]any)
		s, _ := m["key"].(string)
		return s
	}
	slices.SortFunc(rows, func(a, b any) int { return strings.Compare(key(a), key(b)) })
}

// sortedBy returns a copy of the rows sorted by key, so that all transactions take
// locks in the same order.
func sortedBy[T any](rows []T, key func(T) string) []T {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b T) int { return strings.Compare(key(a), key(b)) })
	return rows
}
