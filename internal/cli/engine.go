package cli

import (
	"context"
	"path/filepath"
	"time"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/llm/rerank"
	"github.com/neorag/neorag/internal/query"
	_ "github.com/neorag/neorag/internal/query/methods" // registers them
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// newEngine returns an engine that answers over some corpora with the models of the
// command. configure may change the options of each corpus; nil changes nothing.
func newEngine(ctx context.Context, env *environment, store *neo4jstore.Store, m *models, corpora []string, concurrency int, configure func(*query.Options)) (*query.Engine, error) {
	var engines []*query.Engine
	snapshots := &snapshot.Cache{Folder: graphsFolder(env)}
	for _, corpus := range corpora {
		options := query.Options{Corpus: corpus, Concurrency: concurrency, Snapshots: snapshots}
		if err := m.configureQuery(ctx, store, &options); err != nil {
			return nil, err
		}
		if configure != nil {
			configure(&options)
		}
		engine, err := query.New(store, options)
		if err != nil {
			return nil, usageError(err)
		}
		engines = append(engines, engine)
	}
	engine, err := query.Federate(engines...)
	if err != nil {
		return nil, usageError(err)
	}
	return engine, nil
}

// graphsFolder returns the folder of the graphs that fused reads; without a data folder it is
// empty, and they are kept in memory.
func graphsFolder(env *environment) string {
	data, err := config.DataDir(env.Getenv)
	if err != nil {
		return ""
	}
	return filepath.Join(data, "graphs")
}

// deleteStaleGraph deletes the file of a corpus' graph if the corpus changed since: it may hold
// words that were removed.
func deleteStaleGraph(ctx context.Context, env *environment, store *neo4jstore.Store, corpus string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := (&snapshot.Cache{Folder: graphsFolder(env)}).DeleteStale(ctx, store, corpus); err != nil {
		env.note("%v", err)
	}
}

// deleteGraph deletes the file of a removed corpus' graph.
func deleteGraph(env *environment, store *neo4jstore.Store, corpus string) {
	if err := (&snapshot.Cache{Folder: graphsFolder(env)}).Delete(store, corpus); err != nil {
		env.note("%v", err)
	}
}

// newReranker returns the client of the reranking model, which the caller closes;
// nil without one, and offline.
func newReranker(env *environment, use config.Use) (*observedReranker, error) {
	offline, err := env.settings.Offline(use)
	if err != nil {
		return nil, err
	}
	if base := env.settings.Text("models.rerank.base_url"); offline && base != "" {
		env.note("the sources are not reranked by %s: --offline uses no model", config.HostOf(base))
	}
	if offline {
		return nil, nil
	}
	at, err := env.settings.RerankEndpoint()
	if err != nil || at.BaseURL == "" {
		return nil, err
	}
	client, err := rerank.New(rerank.Config{BaseURL: at.BaseURL, Key: at.Key, Model: at.Model, Timeout: at.Calls.Timeout, IdleTimeout: at.Calls.IdleTimeout})
	if err != nil {
		return nil, usage("--rerank-base-url: %w", err)
	}
	observe, err := env.observer(at)
	if err != nil {
		client.Close()
		return nil, err
	}
	return &observedReranker{client, at.Model, observe}, nil
}
