package cli

import (
	"context"
	"slices"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// serviceOptions say what `neorag serve` and `neorag mcp` offer.
type serviceOptions struct {
	modelOptions

	question query.Question
	corpus   string   // of a question that names none
	shown    []string // patterns of corpora
}

// writeFlag lets agents change what they ask.
func writeFlag() ucli.Flag {
	return &ucli.BoolFlag{Name: "write", Usage: "let agents have a corpus indexed again (the tool index)"}
}

// serviceFlags are the flags of serviceOptions, without --corpus and --show.
func serviceFlags() []ucli.Flag {
	return slices.Concat(queryModelFlags(), settingFlags("models.rerank"), serverFlags())
}

func serviceOptionsFrom(cc invocation) (o serviceOptions, err error) {
	o.shown = cc.settings.Items("serve.corpora")
	if o.corpus, err = corpusFrom(cc); err != nil {
		return o, err
	}
	if o.question, err = query.NewQuestion(cc.settings); err != nil {
		return o, err
	}
	o.modelOptions, err = modelOptionsFrom(cc, queryUse)
	return o, err
}

// withService connects to Neo4j and the models, and calls fn with the store and a service over them. A file that was found and
// is not trusted must not widen what is shown, nor narrow it: its settings stop the command.
func withService(ctx context.Context, env *environment, o serviceOptions, fn func(*neo4jstore.Store, *service.Service) error) error {
	if err := env.requireTrust("serve."); err != nil {
		return err
	}
	m, err := newModels(ctx, env, o.modelOptions)
	if err != nil {
		return err
	}
	defer m.close()
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		engine, end, err := engineMaker(env, store, m, o.modelOptions)
		if err != nil {
			return err
		}
		defer end()
		options := service.Options{Store: store, Engine: engine, Default: o.corpus, Question: o.question, Corpora: o.shown}
		if m.hasChat() {
			options.Model = m.general.Model
		}
		return fn(store, service.New(options))
	})
}

// engineMaker returns a function that makes engines with the models of the command, which share the
// graphs that they keep. end must be called.
func engineMaker(env *environment, store *neo4jstore.Store, m *models, o modelOptions) (make func(context.Context, []string) (*query.Engine, error), end func(), err error) {
	reranker, err := newReranker(env, o.use)
	if err != nil {
		return nil, nil, err
	}
	graphs := &snapshot.Cache{Folder: graphsFolder(env)}
	configure := func(q *query.Options) { q.Snapshots = graphs }
	end = func() {}
	if reranker != nil {
		configure = func(q *query.Options) { q.Snapshots, q.Reranker = graphs, reranker }
		end = reranker.Close
	}
	return func(ctx context.Context, corpora []string) (*query.Engine, error) {
		return newEngine(ctx, env, store, m, corpora, o.workers, configure)
	}, end, nil
}
