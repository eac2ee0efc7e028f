package neo4jstore

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
)

// readPage is how many nodes one transaction reads of all nodes of a kind.
const readPage = 20_000

// pageOf returns the number of rows of a page.
func (s *Store) pageOf(rows int) int {
	if s.pageRows > 0 {
		return min(rows, s.pageRows)
	}
	return rows
}

// keyPages reads the nodes of a corpus in key order, limit in one transaction. page reads
// those after a key, by params, and returns the last key and the number. A page that is
// too large for the server is halved; page must keep nothing of a page that failed.
func (s *Store) keyPages(corpus string, limit int, page func(params map[string]any) (last string, n int, err error)) error {
	after := ""
	for limit = s.pageOf(limit); ; {
		last, n, err := page(keyRange(corpus, after, limit))
		switch {
		case isTooLarge(err) && limit > 1:
			limit /= 2
		case err != nil || n < limit:
			return err
		default:
			after = last
		}
	}
}

// pageSpec describes a read of nodes of a corpus in key order, a page in one transaction.
type pageSpec[T any] struct {
	reading   string   // the operation in errors, such as "read chunks"; empty for none
	statement typed[T] // returns a row for each node
	corpus    string
	params    map[string]any // in addition to the parameters of keyRange
	limit     int            // rows of a page; 0 is readPage
	key       func(T) string // of the node of a row
	skip      func(T) bool   // rows that are not passed on; nil for none
}

// each passes the rows to each until it returns errStop.
func (p pageSpec[T]) each(ctx context.Context, s *Store, each func(T) error) error {
	err := s.keyPages(p.corpus, cmp.Or(p.limit, readPage), func(page map[string]any) (string, int, error) {
		maps.Copy(page, p.params)
		found, err := rows(ctx, s, p.statement, p.corpus, page)
		if err != nil || len(found) == 0 {
			return "", 0, err
		}
		for _, row := range found {
			if p.skip != nil && p.skip(row) {
				continue
			}
			if err := each(row); err != nil {
				return "", 0, err
			}
		}
		return p.key(found[len(found)-1]), len(found), nil
	})
	if errors.Is(err, errStop) {
		return nil
	}
	if p.reading != "" {
		return wrap(err, p.reading+" of corpus "+p.corpus)
	}
	return err
}

// pass passes all rows to each.
func (p pageSpec[T]) pass(ctx context.Context, s *Store, each func(T)) error {
	return p.each(ctx, s, func(row T) error {
		each(row)
		return nil
	})
}

// all returns all rows.
func (p pageSpec[T]) all(ctx context.Context, s *Store) (all []T, err error) {
	err = p.pass(ctx, s, func(row T) { all = append(all, row) })
	return all, err
}

// seq returns the rows as they are read.
func (p pageSpec[T]) seq(ctx context.Context, s *Store) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		err := p.each(ctx, s, func(row T) error {
			if !yield(row, nil) {
				return errStop
			}
			return nil
		})
		if err != nil {
			var none T
			yield(none, wrap(err, "read corpus "+p.corpus))
		}
	}
}

// pageOfRows reads at most limit rows of a statement. A page that is too large for the
// server is halved: only an empty page shows that it was the last one.
func pageOfRows[T any](ctx context.Context, s *Store, st typed[T], corpus string, params map[string]any, limit int) ([]T, error) {
	params = maps.Clone(params)
	for limit = s.pageOf(limit); ; limit /= 2 {
		params["limit"] = limit
		found, err := rows(ctx, s, st, corpus, params)
		if !isTooLarge(err) || limit <= 1 {
			return found, err
		}
	}
}

// countPages reads all pages of a statement that counts: each returns the last key of the
// page, the number of its nodes n, and how many of these are wanted. It returns their sum.
func (s *Store) countPages(ctx context.Context, st typed[endedReportsRow], corpus string, params map[string]any) (sum int, err error) {
	err = s.keyPages(corpus, readPage, func(page map[string]any) (last string, n int, err error) {
		maps.Copy(page, params)
		err = eachRow(ctx, s, st, corpus, page, func(row endedReportsRow) {
			sum += row.Wanted
			last, n = row.Last, row.N
		})
		return last, n, err
	})
	return sum, err
}
