package rank_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// hitLimit is the limit of one full-text query.
const hitLimit = 300

// The whole path of search without a model, on real questions: from text to terms and
// passages, from question to query, from hits to ranked documents. The thresholds are a
// little below what was measured.
func TestRetrievalQuality(t *testing.T) {
	dir := testcorpora.Dir(t)
	for _, tc := range []struct {
		name         string
		folders      []string
		recall5, mrr float64
	}{
		{"chat", []string{"lihuaworld"}, .93, .86},
		{"web", []string{"wild/mathematics", "wild/nature", "wild/history", "wild/technology"}, .66, .63},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var all figures
			for _, folder := range tc.folders {
				c := readCorpus(t, filepath.Join(dir, folder))
				f := c.measure(readQuestions(t, filepath.Join(dir, folder)))
				t.Logf("%s: %s", folder, f)
				all.add(f)
			}
			t.Logf("%s together: %s", tc.name, all)
			if got := all.recall[1] / all.questions; got < tc.recall5 {
				t.Errorf("recall@5 %.3f, want at least %.3f", got, tc.recall5)
			}
			if got := all.mrr / all.questions; got < tc.mrr {
				t.Errorf("MRR %.3f, want at least %.3f", got, tc.mrr)
			}
		})
	}
}

type corpus struct {
	names                             map[string]bool
	passages, documents, leads, pairs *field
	size                              map[string]int // passages per document
}

type readText struct {
	name    string
	lead    []string
	windows []textproc.Passage
}

func readCorpus(t *testing.T, folder string) *corpus {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "docs", "*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no documents in %s: %v", folder, err)
	}
	texts := make([]readText, len(paths))
	var wait sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, path := range paths {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
				return
			}
			text := strings.ToValidUTF8(string(raw), "\uFFFD")
			texts[i] = readText{
				name:    strings.TrimSuffix(filepath.Base(path), ".txt"),
				lead:    strings.Fields(textproc.HeaderTerms(language.Of(text), "", "", text, "")),
				windows: textproc.Passages(language.Of(text), textproc.Clean(text, textproc.IsChat(text)), textproc.PassageSize),
			}
		})
	}
	wait.Wait()
	c := &corpus{
		names: map[string]bool{}, size: map[string]int{},
		passages: newField(), documents: newField(), leads: newField(), pairs: newField(),
	}
	for _, text := range texts {
		c.add(text)
	}
	return c
}

func (c *corpus) add(d readText) {
	c.names[d.name] = true
	c.size[d.name] = len(d.windows)
	var whole []string
	for i, w := range d.windows {
		key := fmt.Sprintf("%s#%d", d.name, i)
		whole = append(whole, w.Terms...)
		c.passages.add(key, d.name, append(slices.Clip(w.Terms), d.lead...))
		c.pairs.add(key, d.name, textproc.TermPairs(w.Terms))
	}
	c.documents.add(d.name, d.name, append(whole, d.lead...))
	c.leads.add(d.name, d.name, d.lead)
}

func (c *corpus) ask(question string) []rank.Scored {
	q := textproc.ReadQuestion(question)
	pairs := make([]textproc.WeightedTerm, len(q.Pairs))
	for i, p := range q.Pairs {
		pairs[i] = textproc.WeightedTerm{Term: p, Weight: 1}
	}
	return rank.Combine(rank.Views{
		Passages:  limited(c.passages.search(q.Terms), hitLimit),
		Documents: limited(c.documents.search(q.Terms), hitLimit),
		Leads:     limited(c.leads.search(q.Terms), hitLimit),
		Pairs:     limited(c.pairs.search(pairs), hitLimit),
	}, c.size, rank.Weights{})
}

type question struct {
	Question string
	Evidence []string
}

func readQuestions(t *testing.T, folder string) []question {
	t.Helper()
	file, err := os.Open(filepath.Join(folder, "questions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var out []question
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		out = append(out, q)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// figures are sums over questions.
type figures struct {
	questions float64
	recall    [3]float64 // at 1, 5, 10
	mrr       float64
}

var cuts = [3]int{1, 5, 10}

func (f figures) String() string {
	n := max(f.questions, 1)
	return fmt.Sprintf("%.0f questions, recall@1 %.3f, @5 %.3f, @10 %.3f, MRR %.3f",
		f.questions, f.recall[0]/n, f.recall[1]/n, f.recall[2]/n, f.mrr/n)
}

func (f *figures) add(g figures) {
	f.questions += g.questions
	f.mrr += g.mrr
	for i, r := range g.recall {
		f.recall[i] += r
	}
}

// measure asks every question whose evidence is in the corpus.
func (c *corpus) measure(questions []question) (f figures) {
	for _, q := range questions {
		wanted := map[string]bool{}
		for _, e := range q.Evidence {
			if name := strings.TrimSuffix(e, ".txt"); c.names[name] {
				wanted[name] = true
			}
		}
		if len(wanted) == 0 {
			continue
		}
		f.questions++
		first := true
		for i, s := range c.ask(q.Question) {
			if !wanted[s.Key] {
				continue
			}
			if first {
				f.mrr += 1 / float64(i+1)
				first = false
			}
			for k, cut := range cuts {
				if i < cut {
					f.recall[k] += 1 / float64(len(wanted))
				}
			}
		}
	}
	return f
}
