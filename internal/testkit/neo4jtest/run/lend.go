package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/text/textproc"
)

// A pool is corpora for one use.
type pool struct {
	use     string
	vectors neo4jstore.Vectors
	share   int // one of this many corpora is for this use
}

// offline are the kinds that have vectors without an embedding model.
var offline = []graph.Kind{graph.KindChunk, graph.KindReport}

// pairsAndSentences are the artifacts with vectors.
var pairsAndSentences = []neo4jstore.Artifact{neo4jstore.ArtifactQueries, neo4jstore.ArtifactSentences}

// pools are the corpora that tests borrow: for the pipeline without a model and with one,
// with question-answer pairs and sentences, and for tests of the store.
var pools = []pool{
	{"index", neo4jstore.Vectors{Dimension: textproc.Dimension, Kinds: offline}, 1},
	{"model", neo4jstore.Vectors{Dimension: textproc.Dimension}, 1},
	{"queries", neo4jstore.Vectors{Dimension: textproc.Dimension, Kinds: offline, Artifacts: pairsAndSentences[:1]}, 3},
	{"sentences", neo4jstore.Vectors{Dimension: textproc.Dimension, Kinds: offline, Artifacts: pairsAndSentences[1:]}, 6},
	{"artifacts", neo4jstore.Vectors{Dimension: textproc.Dimension, Kinds: offline, Artifacts: pairsAndSentences}, 2},
	{"model queries", neo4jstore.Vectors{Dimension: textproc.Dimension, Artifacts: pairsAndSentences[:1]}, 6},
	{"model artifacts", neo4jstore.Vectors{Dimension: textproc.Dimension, Artifacts: pairsAndSentences}, 6},
	{"model sentences", neo4jstore.Vectors{Dimension: textproc.Dimension, Artifacts: pairsAndSentences[1:]}, 12},
	{"4", neo4jstore.Vectors{Dimension: 4}, 2},
	{"0", neo4jstore.Vectors{}, 4},
}

// lend creates corpora for tests to borrow. If tests created them one by one, each would
// make the server replan the statements of all others. It returns their names.
func lend(ctx context.Context, conn neo4jtest.Conn, count int) (names []string, err error) {
	store, err := neo4jstore.Open(ctx, neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close(context.WithoutCancel(ctx))) }()
	if err := store.EnsureSchema(ctx); err != nil {
		return nil, err
	}
	uses, vectors := map[string]string{}, map[string]neo4jstore.Vectors{}
	for _, p := range pools {
		for range count / p.share {
			name := neo4jtest.Name()
			uses[name], vectors[name] = p.use, p.vectors
		}
	}
	if err := store.CreateIndexes(ctx, vectors); err != nil {
		return nil, err
	}
	return slices.Collect(maps.Keys(uses)), neo4jtest.Lend(ctx, conn, uses)
}

// created returns the corpora whose indexes tests created themselves on the server that
// lends corpora.
func created(ctx context.Context, conn neo4jtest.Conn, lent []string) ([]string, error) {
	rows, err := neo4jtest.Rows(ctx, conn, "SHOW INDEXES YIELD name WHERE name STARTS WITH 'lead_' RETURN substring(name, 5) AS corpus ORDER BY corpus", nil)
	if err != nil {
		return nil, err
	}
	var more []string
	for _, r := range rows {
		if name := fmt.Sprint(r["corpus"]); !slices.Contains(lent, name) {
			more = append(more, name)
		}
	}
	return more, nil
}
