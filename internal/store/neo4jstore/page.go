package neo4jstore

import (
	"context"
	"maps"

	"github.com/neorag/neorag/cypher"
)

// readPage is how many nodes one transaction reads of all those of a kind.
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

// eachPaged passes the rows of a statement that returns the nodes of a corpus in key order to each,
// limit in one transaction.
func eachPaged[T any](ctx context.Context, s *Store, st cypher.Statement, corpus string, limit int, params map[string]any, decode func(values) T, key func(T) string, each func(T)) error {
	return s.keyPages(corpus, limit, func(page map[string]any) (string, int, error) {
		maps.Copy(page, params)
		found, err := rows(ctx, s, st, corpus, page, decode)
		if err != nil || len(found) == 0 {
			return "", 0, err
		}
		for _, row := range found {
			each(row)
		}
		return key(found[len(found)-1]), len(found), nil
	})
}

// pagedRows reads a statement that returns the nodes of a corpus in key order, in pages.
func pagedRows[T any](ctx context.Context, s *Store, st cypher.Statement, corpus string, params map[string]any, decode func(values) T, key func(T) string) ([]T, error) {
	var all []T
	err := eachPaged(ctx, s, st, corpus, readPage, params, decode, key, func(row T) { all = append(all, row) })
	return all, err
}

// pageOfRows reads at most limit rows of a statement. A page that is too large for the
// server is halved: only an empty page shows that it was the last one.
func pageOfRows[T any](ctx context.Context, s *Store, st cypher.Statement, corpus string, params map[string]any, limit int, decode func(values) T) ([]T, error) {
	params = maps.Clone(params)
	for limit = s.pageOf(limit); ; limit /= 2 {
		params["limit"] = limit
		found, err := rows(ctx, s, st, corpus, params, decode)
		if !isTooLarge(err) || limit <= 1 {
			return found, err
		}
	}
}

// countPages reads all pages of a statement that counts: each returns the last key of the
// page, the number of its nodes n, and how many of these are wanted. It returns their sum.
func (s *Store) countPages(ctx context.Context, st cypher.Statement, corpus string, params map[string]any) (sum int, err error) {
	err = s.keyPages(corpus, readPage, func(page map[string]any) (string, int, error) {
		maps.Copy(page, params)
		found, err := rows(ctx, s, st, corpus, page, func(v values) values { return v })
		if err != nil || len(found) == 0 {
			return "", 0, err
		}
		sum += found[0].int("wanted")
		return found[0].text("last"), found[0].int("n"), nil
	})
	return sum, err
}
