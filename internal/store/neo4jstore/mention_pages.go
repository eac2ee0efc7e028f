package neo4jstore

import (
	"cmp"
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/graph"
)

// mentionPages read the marked nodes of a kind and stage with their mentions. A node has
// between one mention and millions, so pages are bounded by the number of mentions; a page
// that is too large for the server is halved.
type mentionPages[T, M any] struct {
	kind      graph.Kind
	stage     string
	statement typed[T]
	mention   func(d *decoder, m values, to *M) // reads the properties of a mention
	mentions  func(*T) *[]M
}

// read reads the nodes after a key, in key order, until they have that many mentions, and
// at least one node, which may have more.
func (p mentionPages[T, M]) read(ctx context.Context, s *Store, corpus, after string, mentions int) ([]T, error) {
	mentions = s.pageOf(mentions)
	keys, isHub, err := p.keys(ctx, s, corpus, after, mentions)
	for ; isTooLarge(err) && mentions > 1; keys, isHub, err = p.keys(ctx, s, corpus, after, mentions) {
		mentions /= 2
	}
	var items []T
	if err == nil && isHub {
		items, err = p.hub(ctx, s, corpus, keys[0])
	} else if err == nil {
		err = inHalves(keys, func(part []string) error {
			page, err := p.page(ctx, s, corpus, part)
			items = append(items, page...)
			return err
		})
	}
	return items, wrap(err, "read pending work of corpus "+corpus)
}

// keys reads the keys of the nodes of a page, and reports whether it is a single node with
// more mentions than that.
func (p mentionPages[T, M]) keys(ctx context.Context, s *Store, corpus, after string, mentions int) (keys []string, isHub bool, err error) {
	st := readPendingMentions.For(string(p.kind), p.stage)
	err = s.readOne(ctx, func(tx *transaction) error {
		keys = nil
		sum := 0
		var d decoder
		params := map[string]any{"after": max(after, graph.Key(corpus, ""))}
		return tx.each(ctx, st.Statement, corpus, params, func(r *neo4j.Record) error {
			var row pendingMentionsRow
			if err := st.decode(&d, r, &row); err != nil {
				return err
			}
			if sum += max(row.Mentions, 1); sum > mentions && len(keys) > 0 {
				return errStop
			}
			keys, isHub = append(keys, row.Key), sum > mentions
			return nil
		})
	})
	return keys, isHub, err
}

// page reads nodes with their mentions in one transaction.
func (p mentionPages[T, M]) page(ctx context.Context, s *Store, corpus string, keys []string) ([]T, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	return rows(ctx, s, p.statement, corpus, map[string]any{"keys": keys, "separate": false})
}

// hub reads a node with a mention to a row: the server does not count the memory of lists
// that it collects, so that it would not end a transaction that takes all of it. The caller
// holds the lease of the corpus: nobody else writes between the two transactions.
func (p mentionPages[T, M]) hub(ctx context.Context, s *Store, corpus, key string) ([]T, error) {
	items, err := rows(ctx, s, p.statement, corpus, map[string]any{"keys": []string{key}, "separate": true})
	if err != nil || len(items) == 0 {
		return nil, err
	}
	var d decoder
	all := p.mentions(&items[0])
	err = eachRow(ctx, s, readMentions.For(string(p.kind)), corpus, map[string]any{"key": key}, func(m values) {
		var mention M
		p.mention(&d, m, &mention)
		*all = append(*all, mention)
	})
	return items, cmp.Or(err, d.err)
}
