package cli

import (
	"cmp"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/query"
)

// filterFlags bound what questions are answered from.
func filterFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.StringSliceFlag{Name: "document", Usage: "answer from documents whose name fits the `PATTERN` alone, such as 'minutes/*.md'"},
		&ucli.StringFlag{Name: "after", Usage: "answer from documents dated that `DATE` or later alone"},
		&ucli.StringFlag{Name: "before", Usage: "answer from documents dated earlier than `DATE` alone"},
		&ucli.StringSliceFlag{Name: "type", Usage: "answer from text alone that mentions an entity of the `TYPE`, such as person"},
	}
}

func filterOf(cc *ucli.Context) query.Filter {
	return query.Filter{Documents: cc.StringSlice("document"), After: cc.String("after"), Before: cc.String("before"), Types: cc.StringSlice("type")}
}

// corpora are the names that --corpus gives, parted by commas.
func (c *command) corpora(cc *ucli.Context) ([]string, error) {
	names := strings.Split(cmp.Or(cc.String("corpus"), defaultCorpus), ",")
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		if err := graph.CheckCorpus(names[i]); err != nil {
			return nil, &userError{code: exitUsage, message: err.Error()}
		}
	}
	return names, nil
}

// engine answers over some corpora by the models of the command.
func (c *command) engine(cc *ucli.Context, store *neo4jstore.Store, m *models, corpora []string, changes ...func(*query.Options)) (*query.Engine, error) {
	var engines []*query.Engine
	for _, corpus := range corpora {
		options := query.Options{Corpus: corpus, Concurrency: cc.Int("concurrency")}
		if err := m.query(cc, store, &options); err != nil {
			return nil, err
		}
		for _, change := range changes {
			change(&options)
		}
		engine, err := query.New(store, options)
		if err != nil {
			return nil, &userError{code: exitUsage, message: err.Error(), cause: err}
		}
		engines = append(engines, engine)
	}
	engine, err := query.Federate(engines...)
	if err != nil {
		return nil, &userError{code: exitUsage, message: err.Error(), cause: err}
	}
	return engine, nil
}
