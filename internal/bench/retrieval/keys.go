package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/eval"
	"github.com/neorag/neorag/internal/query/keywords"
	"github.com/neorag/neorag/internal/text/textproc"
)

// A relationship has its keywords, the texts of its other keys, and its documents by name.
type relationship struct {
	Keywords    []string `json:"keywords"`
	Source      string   `json:"source"`
	Target      string   `json:"target"`
	Description string   `json:"description"`
	Documents   []string `json:"documents"`
}

const relationshipsQuery = `MATCH (s)<-[:SOURCE]-(r:Relationship___corpus__)-[:TARGET]->(t)
MATCH (r)<-[:MENTIONS]-(:Chunk)-[:PART_OF]->(d:Document)
RETURN r.keywords AS keywords, s.name AS source, t.name AS target, r.description AS description, collect(DISTINCT d.uri) AS documents
ORDER BY source, target`

// keyHits is how many relationships are retrieved, as by light.
const keyHits = 40

// compareKeys prints how much of the evidence the documents of the nearest relationships
// contain, if a relationship has one vector of its keywords, one for each of them, or one of
// keywords, ends and description (LightRAG, section 3.1). The vectors are those that need no
// model.
func compareKeys(ctx context.Context, env []string, corpus, folder string) (err error) {
	defer func() {
		_, rerr := neorag(context.WithoutCancel(ctx), env, "remove", "--corpus", corpus, "--yes")
		err = errors.Join(err, rerr)
	}()
	if _, err := neorag(ctx, env, "index", "--offline", "--without", "reports", "--corpus", corpus, filepath.Join(folder, "docs")); err != nil {
		return err
	}
	out, err := neorag(ctx, env, "cypher", "--corpus", corpus, "--limit", "0", "--json", relationshipsQuery)
	if err != nil {
		return err
	}
	var table struct{ Rows []relationship }
	if err := json.Unmarshal(out, &table); err != nil {
		return err
	}
	f, err := os.Open(filepath.Join(folder, "questions.jsonl"))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	questions, err := eval.ReadQuestions(f)
	if err != nil {
		return err
	}
	for _, form := range []struct {
		name string
		keys func(relationship) []string
	}{
		{"one vector of all keywords", func(r relationship) []string { return []string{strings.Join(r.Keywords, ", ")} }},
		{"one vector for each keyword", func(r relationship) []string { return r.Keywords }},
		{"one vector of keywords, ends and description", func(r relationship) []string {
			return []string{strings.Join([]string{strings.Join(r.Keywords, ", "), r.Source, r.Target, r.Description}, "\n")}
		}},
	} {
		var vectors [][][]float32
		n := 0
		for _, r := range table.Rows {
			own := vectorsOf(form.keys(r))
			vectors = append(vectors, own)
			n += len(own)
		}
		fmt.Printf("%s: %d relationships, %d vectors; the documents of the nearest %d contain %.3f of the evidence\n",
			form.name, len(table.Rows), n, keyHits, recallOf(questions, table.Rows, vectors))
	}
	return nil
}

func vectorsOf(texts []string) [][]float32 {
	var out [][]float32
	for _, t := range texts {
		if v := textproc.Vector(t); v != nil {
			out = append(out, v)
		}
	}
	return out
}

// recallOf returns the mean share of the evidence that the nearest relationships lead to,
// over the questions with evidence and high-level keywords.
func recallOf(questions []eval.Question, all []relationship, vectors [][][]float32) float64 {
	sum, asked := 0., 0
	for _, q := range questions {
		high := textproc.Vector(strings.Join(keywords.ByRules(q.Text).High, ", "))
		if high == nil || len(q.Documents) == 0 {
			continue
		}
		found := map[string]bool{}
		for _, i := range nearest(high, vectors) {
			for _, uri := range all[i].Documents {
				name := path.Base(uri)
				found[uri], found[name], found[strings.TrimSuffix(name, path.Ext(name))] = true, true, true
			}
		}
		hits := 0
		for _, d := range q.Documents {
			if found[d] {
				hits++
			}
		}
		sum += float64(hits) / float64(len(q.Documents))
		asked++
	}
	return sum / float64(max(1, asked))
}

// nearest returns the relationships whose best vector is nearest to v.
func nearest(v []float32, vectors [][][]float32) []int {
	type scored struct {
		at    int
		score float32
	}
	var list []scored
	for i, own := range vectors {
		s := scored{at: i, score: -1}
		for _, w := range own {
			dot := float32(0)
			for k := range w {
				dot += v[k] * w[k]
			}
			s.score = max(s.score, dot)
		}
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	out := make([]int, 0, keyHits)
	for _, s := range list[:min(keyHits, len(list))] {
		out = append(out, s.at)
	}
	return out
}
