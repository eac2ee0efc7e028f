package neo4jstore

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore/usercypher"
)

// checkTimeout is the time limit of a check, which reads a whole corpus.
const checkTimeout = 10 * time.Minute

// A CheckRow is something that a check found, by column. A missing value reads as zero.
type CheckRow struct{ values values }

// Text returns the text in a column.
func (r CheckRow) Text(column string) string { return r.values.text(column) }

// Whole returns the whole number in a column.
func (r CheckRow) Whole(column string) int64 { return r.values.whole(column) }

// Flag returns the truth value in a column.
func (r CheckRow) Flag(column string) bool { return r.values.flag(column) }

// Texts returns the list of texts in a column.
func (r CheckRow) Texts(column string) []string { return r.values.texts(column) }

// RunCheck runs the saved query of that name in the folder checks over a whole corpus. It
// returns at most limit rows, of each kind if the query finds several.
func (s *Store) RunCheck(ctx context.Context, corpus, name string, limit int) ([]CheckRow, error) {
	q, ok := cypher.FindSavedQuery("checks/" + name)
	if !ok {
		return nil, fmt.Errorf("check %s: no such query", name)
	}
	if err := graph.CheckCorpus(corpus); err != nil {
		return nil, err
	}
	params := map[string]any{"corpus": corpus}
	for _, p := range q.Params {
		params[p.Name] = p.Default
	}
	params["check"], params["limit"] = int64(math.MaxInt64), int64(limit)
	table, err := s.RunReadOnly(ctx, usercypher.Query{Text: q.ForCorpus(corpus), Params: params, Trusted: true, Timeout: checkTimeout})
	if err != nil {
		return nil, fmt.Errorf("check %s of corpus %s: %w", name, corpus, err)
	}
	rows := make([]CheckRow, len(table.Rows))
	for i, row := range table.Rows {
		rows[i].values = make(values, len(row))
		for j, column := range table.Columns {
			rows[i].values[column] = row[j]
		}
	}
	return rows, nil
}
