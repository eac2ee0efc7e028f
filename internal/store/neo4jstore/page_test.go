package neo4jstore_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// whole is what the paged reads return of a corpus.
func whole(t *testing.T, s *neo4jstore.Store, corpus string) string {
	t.Helper()
	a, err := s.Adjacency(t.Context(), corpus, "strength")
	if err != nil {
		t.Fatal(err)
	}
	documents, err := s.Documents(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	communities, err := s.Communities(t.Context(), corpus, 1, true)
	if err != nil {
		t.Fatal(err)
	}
	contexts, err := collect(s.ReportReader(corpus, 1).Contexts(t.Context(), communities))
	if err != nil {
		t.Fatal(err)
	}
	pending := pendingNodes(t, s, corpus)
	if len(a.Keys) < 6 || len(documents) < 3 || len(contexts) < 4 {
		t.Fatalf("%d entities, %d documents, %d contexts", len(a.Keys), len(documents), len(contexts))
	}
	return fmt.Sprintf("%v\n%v\n%+v\n%+v\n%+v\n%s\n%s", a.Keys, joints(a), documents, communities, contexts, pending, pendingWork(t, s, corpus))
}

// markAll marks all nodes for stages.
func markAll(ctx context.Context, w *neo4jstore.Writer, stages ...string) error {
	for _, stage := range stages {
		if _, err := w.MarkAll(ctx, stage); err != nil {
			return err
		}
	}
	return nil
}

// pendingWork is what the stages extract, embed, report and label read.
func pendingWork(t *testing.T, s *neo4jstore.Store, corpus string) string {
	t.Helper()
	reads := workReads(s, corpus)
	var all []string
	for _, name := range slices.Sorted(maps.Keys(reads)) {
		found, err := reads[name](t.Context())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(found) < 2 {
			t.Fatalf("%s: %v", name, found)
		}
		all = append(all, name+"\n"+strings.Join(found, "\n"))
	}
	return strings.Join(all, "\n")
}

// workReads are the reads of what is left to do, each of which returns one text a node.
func workReads(s *neo4jstore.Store, corpus string) map[string]func(context.Context) ([]string, error) {
	const limit = 20_000
	reads := map[string]func(context.Context) ([]string, error){
		"labels": func(ctx context.Context) ([]string, error) {
			return texts(pendingPages(func(after string) ([]neo4jstore.EntityLabels, error) {
				return s.LabelledEntities(ctx, corpus, after, limit)
			}, func(e neo4jstore.EntityLabels) string { return e.Key }))
		},
		"communities to report": func(ctx context.Context) ([]string, error) {
			return texts(pendingPages(func(after string) ([]graph.Community, error) {
				return s.PendingReports(ctx, corpus, 1, 0, after, limit)
			}, func(k graph.Community) string { return k.Key }))
		},
		"documents to extract": func(ctx context.Context) ([]string, error) {
			return texts(pendingPages(func(after string) ([]neo4jstore.PendingDocument, error) {
				return s.PendingDocuments(ctx, corpus, after, limit)
			}, func(d neo4jstore.PendingDocument) string { return d.Key }))
		},
		"chunks of documents": func(ctx context.Context) ([]string, error) {
			documents, err := s.Documents(context.WithoutCancel(ctx), corpus)
			var all []string
			for _, d := range documents {
				chunks, e := s.DocumentChunks(ctx, corpus, d.Key)
				all, err = append(all, fmt.Sprintf("%+v", chunks)), errors.Join(err, e)
			}
			return all, err
		},
	}
	for _, kind := range []graph.Kind{graph.KindChunk, graph.KindEntity, graph.KindRelationship, graph.KindReport} {
		reads["to embed: "+string(kind)] = func(ctx context.Context) ([]string, error) {
			return texts(pendingPages(func(after string) ([]neo4jstore.EmbedItem, error) {
				return s.PendingEmbed(ctx, corpus, kind, after, limit)
			}, func(e neo4jstore.EmbedItem) string { return e.Key }))
		}
	}
	return reads
}

// texts returns each item as a text.
func texts[T any](items []T, err error) ([]string, error) {
	all := make([]string, len(items))
	for i, item := range items {
		all[i] = fmt.Sprintf("%+v", item)
	}
	return all, err
}

// pendingNodes is what the stages derive and describe read of all marked nodes. The order
// of mentions does not count.
func pendingNodes(t *testing.T, s *neo4jstore.Store, corpus string) string {
	t.Helper()
	var all []string
	most := 0
	for after := ""; ; {
		page, err := s.PendingDeriveEntities(t.Context(), corpus, after, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, e := range page {
			most = max(most, len(e.Mentions))
			all = append(all, sortedText(e.Mentions, e.Key, e.Name, e.DeriveFP, e.Degree))
		}
		after = page[len(page)-1].Key
	}
	for after := ""; ; {
		page, err := s.PendingDescribeRelationships(t.Context(), corpus, after, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, r := range page {
			all = append(all, sortedText(r.Mentions, r.Key, r.SourceName, r.TargetName, r.Keywords))
		}
		after = page[len(page)-1].Key
	}
	if len(all) < 12 || most < 2 {
		t.Fatalf("%d nodes, at most %d mentions", len(all), most)
	}
	return strings.Join(all, "\n")
}

// sortedText returns the mentions of a node and its fields as a text.
func sortedText[T any](mentions []T, fields ...any) string {
	texts := make([]string, len(mentions))
	for i, m := range mentions {
		texts[i] = fmt.Sprintf("%+v", m)
	}
	slices.Sort(texts)
	return fmt.Sprint(fields, texts)
}

// TestPagesOfAnySize checks that reads in pages of one row and of some rows return what a
// read of all rows returns.
func TestPagesOfAnySize(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	w := world{"a": {"Ann Bob. Bob Cid. Cid Ann. Cid Dan"}, "b": {"Dan Eve. Eve Fay. Fay Dan"}, "c": {"Gus Hal. Hal Ida. Ida Gus"}}
	if _, err := indexWorld(t, s, corpus, w); err != nil {
		t.Fatal(err)
	}
	withWriter(t, s, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
		return markAll(ctx, w, "extract", "derive", "describe", "embed", "report")
	})
	want := whole(t, s, corpus)
	for _, n := range []int{1, 2, 3, 5} {
		if diff := cmp.Diff(want, whole(t, s.WithPages(n), corpus)); diff != "" {
			t.Errorf("pages of %d (-want +got):\n%s", n, diff)
		}
	}
}
