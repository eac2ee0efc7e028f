package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// A typed statement is one whose header says what its rows are read into. rows.gen.go, which go
// generate ./cypher makes of these headers, has a variable for each.
type typed[T any] struct {
	cypher.Statement
	read func(d *decoder, row []any, to *T)
}

// single returns a statement whose rows have one column.
func single[T any](st cypher.Statement, read func(d *decoder, v any, column string, null bool) T, column string, null bool) typed[T] {
	return typed[T]{st, func(d *decoder, row []any, to *T) { *to = read(d, row[0], column, null) }}
}

// For is Statement.For.
func (q typed[T]) For(kindAndStage ...string) typed[T] {
	q.Statement = q.Statement.For(kindAndStage...)
	return q
}

// decode reads a row, with the same decoder for all rows of a result.
func (q typed[T]) decode(d *decoder, r *neo4j.Record, to *T) error {
	if d.columns == nil {
		file, err := q.File()
		if err != nil {
			return err
		}
		d.columns = file.Returns.Names()
	}
	if !slices.Equal(r.Keys, d.columns) {
		return fmt.Errorf("statement %s: it returns the columns %s instead of %s", q.Statement, strings.Join(r.Keys, ", "), strings.Join(d.columns, ", "))
	}
	if q.read(d, r.Values, to); d.err != nil {
		return fmt.Errorf("statement %s: %w", q.Statement, d.err)
	}
	return nil
}

// each returns a callback of transaction.each that passes the rows to look.
func (q typed[T]) each(look func(T)) func(*neo4j.Record) error {
	var d decoder
	return func(r *neo4j.Record) error {
		var row T
		if err := q.decode(&d, r, &row); err != nil {
			return err
		}
		look(row)
		return nil
	}
}

// eachRow runs a read statement and passes its rows to look.
func eachRow[T any](ctx context.Context, s *Store, st typed[T], corpus string, params map[string]any, look func(T)) error {
	return s.read(ctx, st.Statement, corpus, params, st.each(look))
}

// rows runs a read statement and returns its rows.
func rows[T any](ctx context.Context, s *Store, st typed[T], corpus string, params map[string]any) ([]T, error) {
	var all []T
	err := eachRow(ctx, s, st, corpus, params, func(row T) { all = append(all, row) })
	if err != nil {
		return nil, err
	}
	return all, nil
}

// readAll is rows with an error that names the operation, such as "read chunks".
func readAll[T any](ctx context.Context, s *Store, st typed[T], corpus string, params map[string]any, operation string) ([]T, error) {
	all, err := rows(ctx, s, st, corpus, params)
	return all, wrap(err, operation+" of corpus "+corpus)
}

// firstRow runs a read statement and returns its first row. Without a row it returns the zero value
// and the error none.
func firstRow[T any](ctx context.Context, s *Store, st typed[T], corpus string, params map[string]any, none error) (row T, err error) {
	found, err := rows(ctx, s, st, corpus, params)
	switch {
	case err != nil:
		return row, err
	case len(found) == 0:
		return row, none
	}
	return found[0], nil
}

// rowsAs is rows with another type of the items.
func rowsAs[R, T any](ctx context.Context, s *Store, st typed[R], corpus string, params map[string]any, item func(R) T) ([]T, error) {
	var all []T
	err := eachRow(ctx, s, st, corpus, params, func(row R) { all = append(all, item(row)) })
	if err != nil {
		return nil, err
	}
	return all, nil
}

// A decoder reads the values of rows. It keeps the first error, which names the column. With
// null, a null value, or item of a list, reads as the zero value.
type decoder struct {
	columns []string // that the header of the statement declares
	err     error
}

// wrong reports a value that is not what the header of the statement says.
func (d *decoder) wrong(v any, column, want string, null bool) {
	if d.err != nil || v == nil && null {
		return
	}
	if d.err = fmt.Errorf("column %s: %T instead of %s", column, v, want); v == nil {
		d.err = fmt.Errorf("column %s: nothing instead of %s", column, want)
	}
}

func (d *decoder) text(v any, column string, null bool) string {
	s, ok := v.(string)
	if !ok {
		d.wrong(v, column, "a string", null)
	}
	return s
}

func (d *decoder) whole(v any, column string, null bool) int64 {
	n, ok := v.(int64)
	if !ok {
		d.wrong(v, column, "an integer", null)
	}
	return n
}

func (d *decoder) int(v any, column string, null bool) int { return int(d.whole(v, column, null)) }

func (d *decoder) real(v any, column string, null bool) float64 {
	x, ok := number(v)
	if !ok {
		d.wrong(v, column, "a number", null)
	}
	return x
}

func (d *decoder) flag(v any, column string, null bool) bool {
	b, ok := v.(bool)
	if !ok {
		d.wrong(v, column, "a boolean", null)
	}
	return b
}

func (d *decoder) properties(v any, column string, null bool) values {
	m, ok := v.(map[string]any)
	if !ok {
		d.wrong(v, column, "a map", null)
	}
	return m
}

func (d *decoder) list(v any, column string, null bool) []any {
	list, ok := v.([]any)
	if !ok {
		d.wrong(v, column, "a list", null)
	}
	return list
}

// listOf reads a list of items of a type; nil for an empty one.
func listOf[T any](d *decoder, v any, column, want string, null bool) []T {
	list := d.list(v, column, null)
	if len(list) == 0 {
		return nil
	}
	all := make([]T, len(list))
	for i, item := range list {
		var ok bool
		if all[i], ok = item.(T); !ok {
			d.wrong(item, column, want, null)
		}
	}
	return all
}

func (d *decoder) texts(v any, column string, null bool) []string {
	return listOf[string](d, v, column, "a string in the list", null)
}

func (d *decoder) wholes(v any, column string, null bool) []int64 {
	return listOf[int64](d, v, column, "an integer in the list", null)
}

func (d *decoder) ints(v any, column string, null bool) []int {
	return convert[int](d.wholes(v, column, null))
}

func (d *decoder) vector(v any, column string, null bool) []float32 { //nolint:unparam // as the other types
	return convert[float32](listOf[float64](d, v, column, "a number in the list", null))
}

// citations reads the references of a report, by number and key, from lists of number, kind and
// key: a report has many, and lists take less time than maps.
func (d *decoder) citations(v any, column string, null bool) []graph.Reference { //nolint:unparam // as the other types
	list := d.list(v, column, null)
	if len(list) == 0 {
		return nil
	}
	refs := make([]graph.Reference, len(list))
	for i, item := range list {
		fields := d.list(item, column, false)
		if len(fields) != 3 {
			d.wrong(item, column, "a list of number, kind and key", false)
			continue
		}
		refs[i] = graph.Reference{N: int(d.whole(fields[0], column, true)), Kind: graph.Kind(d.text(fields[1], column, true)), Key: d.text(fields[2], column, false)}
	}
	slices.SortFunc(refs, func(a, b graph.Reference) int { return cmp.Or(cmp.Compare(a.N, b.N), strings.Compare(a.Key, b.Key)) })
	return refs
}
