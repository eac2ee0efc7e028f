package index

import (
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// storedAndExcluded returns the URIs of the documents of the corpus, and which documents are kept
// out of it.
func (x *Indexer) storedAndExcluded(ctx context.Context) ([]string, neo4jstore.Exclusions, error) {
	kept, err := x.store.Exclusions(ctx, x.requested.Corpus)
	if err != nil {
		return nil, kept, err
	}
	documents, err := x.store.Documents(ctx, x.requested.Corpus)
	if err != nil {
		return nil, kept, fmt.Errorf("list documents of %s: %w", x.requested.Corpus, err)
	}
	uris := make([]string, len(documents))
	for i, d := range documents {
		uris[i] = d.URI
	}
	return uris, kept, nil
}

// ExcludedDocuments returns the documents that a readmission would readmit. Documents of the corpus,
// and documents that are readmitted since its last run, need none.
func (x *Indexer) ExcludedDocuments(ctx context.Context, s Selection) (Chosen, error) {
	stored, kept, err := x.storedAndExcluded(ctx)
	if err != nil {
		return Chosen{}, err
	}
	chosen, err := s.choose(kept.Documents, slices.Concat(stored, kept.Readmitted))
	if err != nil {
		return Chosen{}, fmt.Errorf("readmit to %s: %w", x.requested.Corpus, err)
	}
	return chosen, nil
}

// Readmit lets the next run index documents again that were removed. It does nothing if they are
// readmitted already.
func (x *Indexer) Readmit(ctx context.Context, s Selection) (Chosen, error) {
	chosen, err := x.ExcludedDocuments(ctx, s)
	if err != nil || len(chosen.URIs) == 0 {
		return chosen, err
	}
	err = x.withWriter(ctx, func(ctx context.Context, writer *neo4jstore.Writer, _ bool) error {
		kept, err := x.store.Exclusions(ctx, x.requested.Corpus)
		if err != nil {
			return err
		}
		return x.setExclusions(ctx, writer, neo4jstore.Exclusions{
			Documents: without(kept.Documents, chosen.URIs), Unfinished: without(kept.Unfinished, chosen.URIs), Readmitted: union(kept.Readmitted, chosen.URIs),
		})
	})
	return chosen, err
}

// exclude records that documents are kept out of the corpus, and that their removal begins.
func (x *Indexer) exclude(ctx context.Context, writer *neo4jstore.Writer, uris []string) error {
	kept, err := x.store.Exclusions(ctx, x.requested.Corpus)
	if err != nil {
		return err
	}
	return x.setExclusions(ctx, writer, neo4jstore.Exclusions{
		Documents: union(kept.Documents, uris), Unfinished: union(kept.Unfinished, uris), Readmitted: without(kept.Readmitted, uris),
	})
}

func (x *Indexer) setExclusions(ctx context.Context, writer *neo4jstore.Writer, e neo4jstore.Exclusions) error {
	if err := writer.SetExclusions(ctx, e); err != nil {
		return fmt.Errorf("record the documents that are kept out of %s: %w", x.requested.Corpus, err)
	}
	return nil
}

// stagesOfWords are the stages whose failed parts may still hold words of removed documents.
var stagesOfWords = []string{"derive", "describe", "report"}

// finishRemovals records that removals are finished, unless results that may hold words of the
// documents are left, and that readmitted documents are indexed.
func (r *run) finishRemovals(ctx context.Context) error {
	kept := r.diff.exclusions
	left := r.result.Stopped != "" || slices.ContainsFunc(r.result.Failures, func(f Failure) bool { return slices.Contains(stagesOfWords, f.Stage) })
	if len(kept.Readmitted) == 0 && (left || len(kept.Unfinished) == 0) {
		return nil
	}
	kept.Readmitted = nil
	if !left {
		kept.Unfinished = nil
	}
	if err := r.writer.SetExclusions(ctx, kept); err != nil {
		return fmt.Errorf("record that the removal of documents is finished: %w", err)
	}
	return nil
}

// union returns the texts of two lists, sorted.
func union(a, b []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}

// without returns the texts of a list that another one does not have.
func without(list, other []string) []string {
	gone := map[string]bool{}
	mark(gone, other)
	return slices.DeleteFunc(slices.Clone(list), func(text string) bool { return gone[text] })
}

// mark sets keys of a set.
func mark(set map[string]bool, keys []string) {
	for _, k := range keys {
		set[k] = true
	}
}
