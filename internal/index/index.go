package index

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/source/web"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Errors for callers to check with errors.Is.
var (
	// ErrOtherRoot means that a URI is already indexed from another path.
	ErrOtherRoot = errors.New("URI belongs to another path")
	// ErrOtherMode means that the corpus was made with other models, or offline.
	ErrOtherMode = errors.New("corpus was made with other settings")
	// ErrArtifactsGone means that artifacts that models made would be deleted.
	ErrArtifactsGone = errors.New("this run would delete what models made")
	// ErrManyGone means that most documents of a corpus that a model made are gone from
	// the given paths.
	ErrManyGone = errors.New("most documents are gone")
)

// An Indexer runs the stages of one corpus against one store.
type Indexer struct {
	store     *neo4jstore.Store
	requested Options // what they leave open is taken from the corpus, see plan
}

// New checks the options and returns an indexer. It does not take ownership of the
// store: the caller closes it.
func New(store *neo4jstore.Store, o Options) (*Indexer, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	return &Indexer{store, o}, nil
}

// Run indexes the paths: it reads new and changed documents, removes documents that
// are gone from a given path, and updates everything that depends on them. If it
// returns an error, the result covers what was done before.
func (x *Indexer) Run(ctx context.Context, paths []string) (Result, error) {
	return x.withDimension(ctx, func() (Result, error) { return x.runOnce(ctx, paths) })
}

func (x *Indexer) runOnce(ctx context.Context, paths []string) (Result, error) {
	out := newOutcome(x.requested)
	listing, err := web.List(ctx, paths, x.requested.Source, x.requested.Web)
	if err != nil {
		return out.result, err
	}
	out.result.Skipped = listing.Skipped
	if note := source.SkippedNote(listing.Skipped); note != "" {
		out.addNote("%s", note)
	}
	if slices.Contains(x.requested.With, oldDocumentLinks) {
		out.addNote("--with %s is called --with %s now", oldDocumentLinks, neo4jstore.ArtifactDocumentLinks)
	}
	if err := x.store.EnsureSchema(ctx); err != nil {
		return out.result, fmt.Errorf("prepare the schema: %w", err)
	}
	d, err := x.diff(ctx, listing)
	if err != nil {
		return out.result, err
	}
	if d.missing != "" {
		out.addNote("%s", d.missing)
	}
	for _, note := range d.notes {
		out.addNote("%s", note)
	}
	if err := d.states.Save(d.listing.Roots); err != nil {
		x.requested.Logger.WarnContext(ctx, "the next run reads all files", "error", err)
	}
	if out.takeDiff(d); d.isEmpty() {
		return out.finish(), nil
	}
	if err := x.confirm(ctx, &d); err != nil {
		return out.finish(), err
	}
	if err := d.probe(ctx); err != nil {
		return out.finishWithoutProbe(err)
	}
	err = x.withWriter(ctx, func(ctx context.Context, writer *neo4jstore.Writer, waited bool) error {
		out.writer = writer
		if d, err = x.diffAgain(ctx, listing, d, waited); err != nil {
			return err
		}
		if err := d.probe(ctx); err != nil {
			return err
		}
		if out.takeDiff(d); d.isEmpty() {
			return nil
		}
		if err := x.confirm(ctx, &d); err != nil {
			return err
		}
		return newRun(x.store, d.effective, out).update(ctx, d)
	})
	return out.finish(), err
}
