package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/ui/terminal"
)

// deletedCorpus is the shape of `remove --json` without documents.
type deletedCorpus struct {
	Corpus    string            `json:"corpus"`
	Documents int               `json:"documents"`
	Contents  neo4jstore.Counts `json:"contents"` // what was deleted
	Usage     evalrun.Usage     `json:"usage"`    // of models, by all runs that made it
	Writes    int64             `json:"writes"`
}

// deleteCorpus deletes a corpus if a person at the terminal agrees, or with --yes.
func deleteCorpus(ctx context.Context, env *environment, o removeOptions) error {
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		out, err := readDeleted(ctx, store, o.corpus)
		if err != nil {
			return err
		}
		if agreed, err := agreedToDelete(ctx, env, o, out); err != nil || !agreed {
			return err
		}
		env.resumable.Store(true)
		done, err := index.Remove(ctx, store, o.corpus)
		if err != nil {
			return err
		}
		out.Writes = done.Total()
		deleteGraph(env, store, o.corpus)
		if err := purgeCorpus(env, o); err != nil {
			env.note("%v", err)
		}
		return env.print(out, func() {
			env.printf("Deleted corpus %s: %d documents, %d entities, and its indexes.\n", o.corpus, out.Documents, out.Contents.Entities)
		})
	})
}

// agreedToDelete reports whether a corpus is to be deleted. Without a terminal nobody can be asked,
// and the error names what would be deleted.
func agreedToDelete(ctx context.Context, env *environment, o removeOptions, what deletedCorpus) (bool, error) {
	if o.yes {
		return true, nil
	}
	question := fmt.Sprintf("this deletes corpus %s with %s", o.corpus, what.text(env))
	if !terminal.IsTerminal(env.Stdin) {
		return false, usage("remove: %s; pass --yes to delete it", question)
	}
	return confirmed(ctx, env, strings.ToUpper(question[:1])+question[1:]+". Delete it?")
}

// readDeleted reads what is in a corpus, and what its models were paid for.
func readDeleted(ctx context.Context, store *neo4jstore.Store, corpus string) (deletedCorpus, error) {
	counts, err := store.Counts(ctx, corpus)
	if err != nil {
		return deletedCorpus{}, err
	}
	runs, err := store.Runs(ctx, corpus, maxRuns)
	return deletedCorpus{Corpus: corpus, Documents: counts.Documents, Contents: counts, Usage: usageOf(runs)}, err
}

// usageOf returns the usage of models by runs.
func usageOf(runs []neo4jstore.Run) (u evalrun.Usage) {
	for _, r := range runs {
		u.Calls += r.Calls
		u.TokensIn += r.TokensIn
		u.TokensOut += r.TokensOut
		u.Cost += r.Cost
	}
	return u
}

// text lists what is deleted, and what it cost.
func (d deletedCorpus) text(env *environment) string {
	n := d.Contents
	parts := []string{text.Count(n.Documents, "document", "documents"), text.Count(n.Entities, "entity", "entities")}
	for _, p := range []struct {
		count     int
		one, many string
	}{
		{n.Relationships, "relationship", "relationships"},
		{n.Claims, "claim", "claims"},
		{n.Reports, "report", "reports"},
		{n.Queries, "question-answer pair", "question-answer pairs"},
		{n.Sentences, "sentence", "sentences"},
		{n.Synonyms, "synonym", "synonyms"},
		{n.DocumentLinks, "edge between documents", "edges between documents"},
	} {
		if p.count > 0 {
			parts = append(parts, text.Count(p.count, p.one, p.many))
		}
	}
	list := strings.Join(parts, ", ")
	if u := d.Usage; u.Calls > 0 {
		list += fmt.Sprintf(", made with %s of models, %d tokens in, %d tokens out%s", text.Count(int(u.Calls), "call", "calls"), u.TokensIn, u.TokensOut, env.costText(u.Cost))
	}
	return list
}

// purgeCorpus deletes the record of the cached responses that a corpus got.
func purgeCorpus(env *environment, o removeOptions) error {
	dir, err := env.cacheFolder(o.cacheDir)
	if err != nil {
		return err
	}
	if err := (&llm.Cache{Dir: dir}).RemoveUser(o.corpus); err != nil {
		return fmt.Errorf("delete the record of cached responses: %w", err)
	}
	return nil
}
