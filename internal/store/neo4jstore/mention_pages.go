package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// mentionPages read the marked nodes of a kind and stage with their mentions. A node has
// between one mention and millions, so pages are bounded by the number of mentions; a page
// that is too large for the server is halved.
type mentionPages[T any] struct {
	kind      graph.Kind
	stage     string
	statement cypher.Statement
	item      func(values) T            // without mentions
	add       func(item *T, row values) // a mention
}

// read reads the nodes after a key, in key order, until they have that many mentions, and
// at least one node, which may have more.
func (p mentionPages[T]) read(ctx context.Context, s *Store, corpus, after string, mentions int) ([]T, error) {
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
	if err != nil {
		return nil, fmt.Errorf("read pending work of corpus %s: %w", corpus, err)
	}
	return items, nil
}

// keys reads the keys of the nodes of a page, and reports whether it is a single node with
// more mentions than that.
func (p mentionPages[T]) keys(ctx context.Context, s *Store, corpus, after string, mentions int) (keys []string, isHub bool, err error) {
	err = s.readOne(ctx, func(tx *transaction) error {
		keys = nil
		sum := 0
		params := map[string]any{"after": max(after, graph.Key(corpus, ""))}
		return tx.each(ctx, cypher.ReadPendingMentions.For(string(p.kind), p.stage), corpus, params, func(r *neo4j.Record) error {
			v := values(r.AsMap())
			if sum += max(v.int("mentions"), 1); sum > mentions && len(keys) > 0 {
				return errStop
			}
			keys, isHub = append(keys, v.text("key")), sum > mentions
			return nil
		})
	})
	return keys, isHub, err
}

// page reads nodes with their mentions in one transaction.
func (p mentionPages[T]) page(ctx context.Context, s *Store, corpus string, keys []string) ([]T, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	return rows(ctx, s, p.statement, corpus, map[string]any{"keys": keys, "separate": false}, func(v values) T {
		item := p.item(v)
		for _, m := range v.maps("mentions") {
			p.add(&item, m)
		}
		return item
	})
}

// hub reads a node with a mention to a row: the server does not count the memory of lists
// that it collects, so that it would not end a transaction that takes all of it. The caller
// holds the lease of the corpus: nobody else writes between the two transactions.
func (p mentionPages[T]) hub(ctx context.Context, s *Store, corpus, key string) ([]T, error) {
	items, err := rows(ctx, s, p.statement, corpus, map[string]any{"keys": []string{key}, "separate": true}, p.item)
	if err != nil || len(items) == 0 {
		return nil, err
	}
	err = s.read(ctx, cypher.ReadMentions.For(string(p.kind)), corpus, map[string]any{"key": key}, eachRow(func(v values) {
		p.add(&items[0], v.sub("mention"))
	}))
	return items, err
}
