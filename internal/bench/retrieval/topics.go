package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/neorag/neorag/internal/eval"
	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/fused"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// leaveOut prints what fused gains over BM25 on each folder of a set, with weights that are best
// on the other folders.
func (s set) leaveOut(ctx context.Context, env []string, data string, vectors embedding) error {
	return s.indexed(ctx, env, data, "fused", vectors, func() (err error) {
		store, err := neo4jstore.Open(ctx, neo4jstore.Config{
			URI:      cmp.Or(os.Getenv(neo4jtest.URIEnv), os.Getenv("NEO4J_URI")),
			Username: cmp.Or(os.Getenv(neo4jtest.UserEnv), os.Getenv("NEO4J_USERNAME")),
			Password: cmp.Or(os.Getenv(neo4jtest.PasswordEnv), os.Getenv("NEO4J_PASSWORD")),
		})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, store.Close(context.WithoutCancel(ctx))) }()
		embedder, stop, err := vectors.embedder()
		if err != nil {
			return err
		}
		defer stop()
		var topics []topic
		for _, folder := range s.folders {
			t, err := readTopic(ctx, store, embedder, folder, filepath.Join(data, filepath.FromSlash(folder)))
			if err != nil {
				return fmt.Errorf("read %s: %w", folder, err)
			}
			topics = append(topics, t)
		}
		fmt.Print(table(leftOut(topics)))
		return nil
	})
}

// readTopic asks the questions whose evidence is in the folder.
func readTopic(ctx context.Context, store *neo4jstore.Store, embedder retrieve.Embedder, folder, from string) (topic, error) {
	t := topic{name: path.Base(folder)}
	words, err := readBM25(filepath.Join(from, "docs"))
	if err != nil {
		return t, err
	}
	f, err := os.Open(filepath.Join(from, "questions.jsonl")) // #nosec G304 -- a folder of the test corpora
	if err != nil {
		return t, err
	}
	defer func() { _ = f.Close() }()
	all, err := eval.ReadQuestions(f)
	if err != nil {
		return t, err
	}
	reader := retrieve.NewReader(store, retrieve.Corpus{Name: corpusOf(folder), Embedder: embedder})
	snapshots := &snapshot.Cache{}
	for _, q := range all {
		evidence := slices.DeleteFunc(slices.Clone(q.Documents), func(d string) bool { _, known := words.files[d]; return !known })
		if len(evidence) == 0 {
			continue
		}
		compared, err := fused.Compare(ctx, query.Request{Question: query.Question{Text: q.Text}, Reader: reader, Options: query.Options{Snapshots: snapshots}})
		if err != nil {
			return t, err
		}
		t.questions = append(t.questions, question{
			bm25:  score.MetricsOf(ranksOf(evidence, words.ranked(q.Text))),
			ranks: func(w rank.Features) []int { return ranksOf(evidence, keysOf(compared.Documents(w))) },
		})
	}
	return t, nil
}

// ranksOf returns the ranks of the evidence among files or keys of documents, from 1, and 0 for what
// was not found.
func ranksOf(evidence, found []string) []int {
	out := make([]int, len(evidence))
	for i, d := range found {
		if at := slices.Index(evidence, path.Base(d)); at >= 0 && out[at] == 0 {
			out[at] = i + 1
		}
	}
	return out
}

func keysOf(list []rank.Scored) []string {
	keys := make([]string, len(list))
	for i, s := range list {
		keys[i] = s.Key
	}
	return keys
}
