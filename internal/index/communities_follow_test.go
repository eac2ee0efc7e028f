package index_test

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// circles returns documents about groups of people who only meet each other, and a few who
// meet people of another group.
func circles(groups int) map[string]string {
	first := []string{"Agnes", "Tobias", "Clara", "Victor", "Edith", "Samuel"}
	last := []string{"Moor", "Reed", "Hale", "Quill", "Lang", "Vane", "Pike", "Berg", "Dorn", "Falk", "Grimm", "Hoff", "Ives", "Jost", "Kerr", "Lund"}
	files := map[string]string{}
	for g := range groups {
		var b strings.Builder
		for i := range first {
			for j := range i {
				fmt.Fprintf(&b, "%s %s met %s %s. ", first[i], last[g%len(last)], first[j], last[g%len(last)])
			}
		}
		fmt.Fprintf(&b, "%s %s met %s %s.", first[0], last[g%len(last)], first[1], last[(g+1)%groups%len(last)])
		files[fmt.Sprintf("circle%02d.txt", g)] = b.String()
	}
	return files
}

// TestUpdateKeepsCommunities adds a document about one of many groups. What the others are
// in stays with the text and vectors of its reports, and reports are written for the group
// and what is above it alone.
func TestUpdateKeepsCommunities(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	o := options(corpus(t, store))
	docs := folder(t, circles(16))
	first := run(t, store, o, docs)
	if n := first.Communities.New; n < 12 || first.Reports.Rewritten != n {
		t.Fatalf("a first run: %+v, %+v", first.Communities, first.Reports)
	}
	before, texts, vectors := communities(t, store, o.Corpus), reportTexts(t, o.Corpus, "full_content"), reportTexts(t, o.Corpus, "embedding")
	write(t, filepath.Join(docs, "new.txt"), "Bruno Falk met Agnes Falk. Bruno Falk met Tobias Falk. Bruno Falk met Clara Falk.")
	second := run(t, store, o, docs)
	nowTexts, nowVectors := reportTexts(t, o.Corpus, "full_content"), reportTexts(t, o.Corpus, "embedding")
	kept := 0
	for _, k := range before {
		if nowTexts[k.Key] == "" {
			continue // gone or changed
		}
		if kept++; nowTexts[k.Key] != texts[k.Key] || nowVectors[k.Key] != vectors[k.Key] || vectors[k.Key] == "" {
			t.Errorf("the report of %s is another one", k.Label)
		}
	}
	if kept != second.Communities.Kept {
		t.Errorf("%d communities have reports of before, want %d", kept, second.Communities.Kept)
	}
	c, r := second.Communities, second.Reports
	if c.Fresh || c.Kept < first.Communities.New-4 || c.Kept+c.Changed+c.Gone != first.Communities.New || c.Changed == 0 {
		t.Errorf("communities: got %+v, want most of %d kept", c, first.Communities.New)
	}
	if r.Rewritten == 0 || r.Rewritten > 6 || r.Kept+r.Rewritten != c.Kept+c.Changed+c.New {
		t.Errorf("reports: got %+v", r)
	}
	if second.Writes*10 > first.Writes {
		t.Errorf("%d writes, the first run had %d", second.Writes, first.Writes)
	}
}

// reportTexts returns a property of the visible reports by community, as text.
func reportTexts(t *testing.T, corpus, property string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	rows := neo4jtest.Query(t, `MATCH (c:Corpus {key: $c}) MATCH (k:Community)-[:HAS_REPORT]->(r:Report)
		WHERE r.key STARTS WITH $c + '/' AND r.since <= c.generation AND coalesce(r.until, c.generation + 1) > c.generation
		RETURN k.key AS community, r[$property] AS text`, map[string]any{"c": corpus, "property": property})
	for _, row := range rows {
		if row["text"] != nil {
			texts[fmt.Sprint(row["community"])] = fmt.Sprint(row["text"])
		}
	}
	return texts
}

// TestMovedCommunitiesKeepReports joins groups to larger ones, so that they get another level
// and with it another label. Those whose members and words are the same keep their reports.
func TestMovedCommunitiesKeepReports(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	o := options(corpus(t, store))
	o.Community.Leiden.MaxSize, o.Community.Leiden.Resolution = 8, 4
	docs := folder(t, circles(16))
	run(t, store, o, docs)
	labels := map[string]string{}
	for _, c := range communities(t, store, o.Corpus) {
		labels[strings.Join(c.Members, " ")] = c.Label
	}
	o.Community.Leiden.Resolution = .3
	r := run(t, store, o, docs).Reports
	changed, moved := 0, 0
	for _, c := range communities(t, store, o.Corpus) {
		switch label, ok := labels[strings.Join(c.Members, " ")]; {
		case !ok:
			changed++
		case label != c.Label:
			moved++
		}
	}
	if moved < 8 {
		t.Errorf("%d communities moved", moved)
	}
	if r.Rewritten > changed {
		t.Errorf("%d reports were written, want at most %d: %d communities moved", r.Rewritten, changed, moved)
	}
}

// TestFreshShare checks when a run finds communities without those of before: without a
// model, when too many relationships changed; with one, it only advises.
func TestFreshShare(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	_, with := model(t, llmtest.Options{}, "")
	tests := map[string]struct {
		share float64
		model bool
		fresh bool
		note  bool
	}{
		"many changes":               {fresh: true},
		"a higher share":             {share: 5},
		"never":                      {share: -1},
		"many changes, with a model": {model: true, note: true},
		"never, with a model":        {share: -1, model: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(corpus(t, store))
			if tt.model {
				o = with(options(modelCorpus(t)))
			}
			o.FreshShare = tt.share
			docs := folder(t, town())
			run(t, store, o, docs)
			write(t, filepath.Join(docs, "more.txt"), strings.ReplaceAll(town()["one.txt"], "Clara Hale", "Agnes Moor"))
			r := run(t, store, o, docs)
			if r.Communities.Fresh != tt.fresh {
				t.Errorf("communities: %+v, want fresh %v", r.Communities, tt.fresh)
			}
			if note := strings.Contains(strings.Join(r.Notes, "\n"), "--fresh-communities"); note != tt.note {
				t.Errorf("notes: %q", r.Notes)
			}
			o.Fresh = true
			if r := run(t, store, o, docs); !r.Communities.Fresh {
				t.Errorf("communities that are asked to be fresh: %+v", r.Communities)
			}
		})
	}
}

// TestKilledUpdateOfCommunities kills an update at different points. The run after it
// leads to the graph of an update that was not killed, history included.
func TestKilledUpdateOfCommunities(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		fresh  bool
		points int
	}{
		"from those of before": {false, 3},
		"as in a new corpus":   {true, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			killUpdates(t, tt.points, func(o index.Options) index.Options {
				o.FreshShare, o.Fresh = -1, tt.fresh
				return o
			})
		})
	}
}

// killUpdates kills an update at a number of points.
func killUpdates(t *testing.T, points int, with func(index.Options) index.Options) {
	t.Helper()
	store := open(t, nil)
	update := func(docs string) {
		write(t, filepath.Join(docs, "circle02.txt"), "Agnes Hale met Bruno Hale. Bruno Hale met Clara Hale.")
		write(t, filepath.Join(docs, "new.txt"), "Bruno Falk met Agnes Falk. Bruno Falk met Tobias Reed.")
	}
	whole, name := with(options(corpus(t, store))), with(options(corpus(t, store)))
	first := name
	first.Fresh = false
	docs := folder(t, circles(8))
	firstWhole := first
	firstWhole.Corpus = whole.Corpus
	run(t, store, firstWhole, docs)
	update(docs)
	before := places(t, store, whole.Corpus)
	count := &killer{left: 1 << 30}
	run(t, open(t, count.fault), whole, docs)
	want, after := dump(t, store, whole.Corpus, ""), places(t, store, whole.Corpus)
	if moved := differing(before, after); whole.Fresh && moved == 0 {
		t.Fatal("no community that stays got another label")
	}
	if faulttest.All() {
		points *= 4
	}
	killed, hidden := 0, 0
	for n := 0; n < count.seen; n += max(count.seen/points, 1) {
		neo4jtest.Wipe(t, name.Corpus)
		docs := folder(t, circles(8))
		run(t, store, first, docs)
		update(docs)
		k := &killer{left: n}
		if _, err := try(t, open(t, k.fault), name, docs); errors.Is(err, errKilled) {
			killed++
		}
		if got := places(t, store, name.Corpus); !maps.Equal(got, before) && !maps.Equal(got, after) {
			t.Errorf("killed after %d of %d: readers see communities of two generations (-before +seen):\n%s", n, count.seen, cmp.Diff(before, got))
		} else if hasNext(t, name.Corpus) {
			hidden++
		}
		run(t, store, name, docs)
		if got := dump(t, store, name.Corpus, ""); got != want {
			t.Errorf("killed after %d of %d:", n, count.seen)
			same(t, want, got)
		}
	}
	if killed < points/2 || hidden == 0 {
		t.Errorf("%d updates were killed, %d of them with communities of the next generation written", killed, hidden)
	}
}

// places returns the labels and ordinals of the visible communities by key, without the name
// of the corpus.
func places(t *testing.T, store *neo4jstore.Store, corpus string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, c := range communities(t, store, corpus) {
		all[strings.TrimPrefix(c.Key, corpus)] = fmt.Sprint(c.Label, " ", c.Ordinal)
	}
	return all
}

// differing returns how many keys have another value in b than in a.
func differing(a, b map[string]string) (n int) {
	for key, value := range a {
		if other, ok := b[key]; ok && other != value {
			n++
		}
	}
	return n
}

// hasNext reports whether communities of a generation that is not visible are stored.
func hasNext(t *testing.T, corpus string) bool {
	t.Helper()
	rows := neo4jtest.Query(t, `MATCH (c:Corpus {key: $c}) MATCH (k:Community {corpus: $c}) WHERE k.since > c.generation RETURN count(k) AS n`, map[string]any{"c": corpus})
	return rows[0]["n"] != int64(0)
}
