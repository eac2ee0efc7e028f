package cli

import (
	"context"

	"github.com/neorag/neorag/internal/cli/userdata"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/ui/terminal"
)

// Removal is the shape of `remove --json` with documents.
type Removal struct {
	Corpus    string           `json:"corpus"`
	Documents int              `json:"documents"`
	URIs      []string         `json:"uris"`    // of documents that are taken out or readmitted
	Done      int              `json:"done"`    // chosen documents that were taken out or readmitted before
	Readmit   bool             `json:"readmit"` // the documents are readmitted instead
	DryRun    bool             `json:"dry_run"`
	Forgotten *userdata.Purged `json:"forgotten,omitempty"`
	Writes    int64            `json:"writes"`
	Run       *index.Result    `json:"run,omitempty"` // what the removal did
}

// listedDocuments is how many documents are listed before a removal.
const listedDocuments = 20

// removeDocuments takes documents out of a corpus, or readmits them.
func removeDocuments(ctx context.Context, env *environment, o removeOptions) error {
	if corpus := env.settings.Text("corpus"); !o.named && corpus != "" { // the setting does not name a corpus to delete
		if err := graph.CheckCorpus(corpus); err != nil {
			return usageError(err)
		}
		o.corpus, o.run.Corpus = corpus, corpus
	}
	return withIndexer(ctx, env, o.indexOptions, func(ctx context.Context, store *neo4jstore.Store, x *index.Indexer, progress *terminal.Progress) error {
		list := x.RemovableDocuments
		if o.readmit {
			list = x.ExcludedDocuments
		}
		chosen, err := list(ctx, o.selection)
		if err != nil {
			return indexError(err)
		}
		out := Removal{Corpus: o.corpus, Documents: len(chosen.URIs), URIs: chosen.URIs, Done: chosen.Done, Readmit: o.readmit, DryRun: o.dryRun}
		if !env.json {
			printDocuments(env, o, chosen)
		}
		if removes := !o.dryRun && !o.readmit && len(chosen.URIs) > 0; removes && !o.yes && terminal.IsTerminal(env.Stdin) {
			if agreed, err := confirmed(ctx, env, "Remove them?"); err != nil || !agreed {
				return err
			}
		}
		switch {
		case o.dryRun || len(chosen.URIs) == 0:
		case o.readmit:
			_, err = x.Readmit(ctx, o.selection)
		default:
			out.Forgotten, out.Run, err = purgeAndRemove(ctx, env, o, x)
		}
		progress.Close()
		if err != nil {
			return indexError(err)
		}
		if out.Run != nil {
			out.Writes, env.exit = out.Run.Writes, out.Run.Exit
		}
		if env.json {
			return env.printJSON(out)
		}
		return printRemoval(ctx, env, store, out)
	})
}

// purgeAndRemove removes documents. As soon as nothing refuses that, it deletes what this
// program keeps elsewhere with words that only they have.
func purgeAndRemove(ctx context.Context, env *environment, o removeOptions, x *index.Indexer) (*userdata.Purged, *index.Result, error) {
	var forgotten userdata.Purged
	r, err := x.RemoveDocuments(ctx, o.selection, func(ctx context.Context, f index.Purge) error {
		dir, err := env.cacheFolder(o.cacheDir)
		if err != nil {
			return err
		}
		forgotten, err = userdata.Folder(env.home).Purge(ctx, &llm.Cache{Dir: dir}, o.corpus, f)
		return err
	})
	return &forgotten, &r, err
}

// printDocuments lists the documents that are chosen.
func printDocuments(env *environment, o removeOptions, chosen index.Chosen) {
	what, done := "To remove from", "kept out of"
	if o.readmit {
		what, done = "To readmit to", "not kept out of"
	}
	uris := chosen.URIs
	switch {
	case len(uris) == 0:
		env.printf("Nothing to do: %d documents are %s corpus %s already\n", chosen.Done, done, o.corpus)
		return
	case chosen.Done > 0:
		env.printf("%d documents are %s corpus %s already\n", chosen.Done, done, o.corpus)
	}
	env.printf("%s corpus %s: %d documents\n", what, o.corpus, len(uris))
	for _, uri := range uris[:min(len(uris), listedDocuments)] {
		env.printf("  %s\n", uri)
	}
	if more := len(uris) - listedDocuments; more > 0 {
		env.printf("  and %d more; --json lists all\n", more)
	}
}

// printRemoval prints what was done.
func printRemoval(ctx context.Context, env *environment, store *neo4jstore.Store, out Removal) error {
	switch {
	case out.DryRun:
		env.printf("Nothing was written.\n")
	case len(out.URIs) == 0:
	case out.Readmit:
		env.printf("The next `neorag index` of their folders indexes them again.\n")
	default:
		f := out.Forgotten
		env.printf("Words that only these documents had: %d kept answers, %d turns of conversations and %d cached responses deleted\n", f.Answers, f.Turns, f.Responses)
		if f.Shared > 0 {
			env.note("%d cached responses with such words stay, because other corpora use them", f.Shared)
		}
		return printIndex(ctx, env, store, *out.Run)
	}
	return nil
}
