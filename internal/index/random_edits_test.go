package index_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// An edit changes one file of a folder.
type edit struct {
	Kind      string // add, edit, delete or rename
	File      int    // of those that exist, modulo their number
	Sentences []string
}

// edits generates sequences of edits. Few names, so that documents share entities.
func edits(length int) *rapid.Generator[[]edit] {
	name := rapid.SampledFrom([]string{"Clara Hale", "Tobias Reed", "Mary Quill", "Victor Lang", "Edith Vane", "Agnes Moor", "the Lang Company", "the Harbour Museum", "Samuel Pike"})
	verb := rapid.SampledFrom([]string{"met", "wrote to", "accused", "trusted", "painted", "owed money to", "left", "followed"})
	place := rapid.SampledFrom([]string{"in Port Ellen", "in Glasgow", "in London", "in 1934", "after the fire"})
	sentence := rapid.Custom(func(t *rapid.T) string {
		return fmt.Sprintf("%s %s %s %s.", name.Draw(t, "who"), verb.Draw(t, "did"), name.Draw(t, "whom"), place.Draw(t, "where"))
	})
	one := rapid.Custom(func(t *rapid.T) edit {
		return edit{
			Kind: rapid.SampledFrom([]string{"add", "edit", "edit", "delete", "rename"}).Draw(t, "kind"),
			File: rapid.IntRange(0, 20).Draw(t, "file"), Sentences: rapid.SliceOfN(sentence, 1, 12).Draw(t, "text"),
		}
	})
	return rapid.SliceOfN(one, length, length)
}

// apply makes an edit in a folder with these files.
func (e edit) apply(t *testing.T, docs string, files map[string]bool, step int) {
	t.Helper()
	names := slices.Sorted(maps.Keys(files))
	name := names[e.File%len(names)]
	path, other := filepath.Join(docs, name), fmt.Sprintf("new%d.txt", step)
	switch {
	case e.Kind == "delete" && len(names) > 1:
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		delete(files, name)
	case e.Kind == "rename":
		if err := os.Rename(path, filepath.Join(docs, other)); err != nil {
			t.Fatal(err)
		}
		delete(files, name)
		files[other] = true
	case e.Kind == "add":
		write(t, filepath.Join(docs, other), strings.Join(e.Sentences, " "))
		files[other] = true
	default: // keeps the first half of the text, so that some chunks stay
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		write(t, path, string(text[:len(text)/2])+"\n\n"+strings.Join(e.Sentences, " "))
	}
}

// TestRandomEdits makes random edits of a corpus with all artifacts, each followed by a
// run. After each, the checks of the doctor find nothing, communities are as they should
// be, another run has nothing to do, and the evidence is that of a new corpus. With fresh
// communities the whole graph is that of a new corpus in the end. NEORAG_SEQUENCES is how
// many sequences of ten edits are made.
func TestRandomEdits(t *testing.T) {
	t.Parallel()
	sequences, length := 2, 4
	if faulttest.All() {
		sequences, length = 12, 10
	}
	if n, err := strconv.Atoi(os.Getenv("NEORAG_SEQUENCES")); err == nil {
		sequences, length = n, 10
	}
	for seed := range sequences {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			t.Parallel()
			store := open(t, nil)
			live, fresh := neo4jtest.Borrow(t, "artifacts"), neo4jtest.Borrow(t, "artifacts")
			o := withArtifacts(live)
			o.FreshShare = -1 // communities depend on all that happened
			docs := folder(t, town())
			files := map[string]bool{"one.txt": true, "two.txt": true, "deep/three.txt": true}
			run(t, store, o, docs)
			o.With = nil // the corpus remembers its artifacts
			before := communities(t, store, live)
			writes := int64(0)
			for i, e := range edits(length).Example(seed) {
				e.apply(t, docs, files, i)
				writes += run(t, store, o, docs).Writes
				problems, err := index.CheckGraph(t.Context(), store, live)
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range problems {
					t.Errorf("after %d edits, the last of which is %+v: %d %s: %v", i+1, e, p.Count, p.Problem, p.Examples)
				}
				after := communities(t, store, live)
				checkCommunities(t, store, live, before, after)
				before = after
				if idle := run(t, store, o, docs); idle.Writes != 0 {
					t.Errorf("after %+v, a second run wrote %d times", e, idle.Writes)
				}
				neo4jtest.Wipe(t, fresh)
				run(t, store, withArtifacts(fresh), docs)
				want, got := dump(t, store, fresh, "evidence"), dump(t, store, live, "evidence")
				if got != want {
					t.Errorf("after %+v the evidence is not that of a new corpus:", e)
					same(t, want, got)
				}
				for _, edge := range []string{"SIMILAR_QUERY", "NAMES", "SYNONYM", "SIMILAR_DOCUMENT"} {
					if len(files) > 1 && !strings.Contains(got, edge) {
						t.Errorf("after %+v there is no edge %s", e, edge)
					}
				}
			}
			if writes == 0 {
				t.Error("no edit made a run write")
			}
			o.Fresh = true
			run(t, store, o, docs)
			same(t, dump(t, store, fresh, ""), dump(t, store, live, ""))
		})
	}
}

// withArtifacts are the options of a corpus that has all artifacts. Lists of neighbours are
// short, so that they are full.
func withArtifacts(corpus string) index.Options {
	o := withSynonyms(corpus)
	o.With = append(o.With, "queries", "sentences", "document-links")
	o.DocumentLinks.Most = 1
	return o
}

// communities reads the visible communities with their members.
func communities(t *testing.T, store *neo4jstore.Store, corpus string) []graph.Community {
	t.Helper()
	c, err := store.Corpus(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	all, err := store.Communities(t.Context(), corpus, c.Generation, true)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// checkCommunities checks that each community is connected, that those of a level share no
// member, that the members of a parent are those of its children, and that a label stays
// with most of the members that had it.
func checkCommunities(t *testing.T, store *neo4jstore.Store, corpus string, before, after []graph.Community) {
	t.Helper()
	a, err := store.Adjacency(t.Context(), corpus, "count")
	if err != nil {
		t.Fatal(err)
	}
	node := map[string]uint32{}
	for v, key := range a.Keys {
		node[key] = uint32(v)
	}
	covered, home := map[string]int{}, map[string]string{}
	for _, c := range after {
		covered[c.Parent] += len(c.Members)
		members := map[uint32]bool{}
		for _, m := range c.Members {
			members[node[m]] = true
			place := fmt.Sprint(c.Level, m)
			if other, ok := home[place]; ok {
				t.Errorf("%s is in %s and %s", m, other, c.Key)
			}
			if above := home[fmt.Sprint(c.Level-1, m)]; above != c.Parent {
				t.Errorf("%s is in %s, whose parent is %q, but in %q of the level above", m, c.Key, c.Parent, above)
			}
			home[place] = c.Key
		}
		reached, next := map[uint32]bool{node[c.Members[0]]: true}, []uint32{node[c.Members[0]]}
		for len(next) > 0 {
			v := next[0]
			next = next[1:]
			for u := range a.Graph.Neighbors(v) {
				if members[u] && !reached[u] {
					reached[u] = true
					next = append(next, u)
				}
			}
		}
		if len(reached) != len(members) {
			t.Errorf("%s is not connected: %d of %d members are reached", c.Key, len(reached), len(members))
		}
	}
	if covered[""] != len(a.Keys) {
		t.Errorf("the roots have %d members, the graph has %d entities", covered[""], len(a.Keys))
	}
	labels := map[string]graph.Community{}
	for _, c := range after {
		if n := covered[c.Key]; c.Final != (n == 0) || n > 0 && n != len(c.Members) {
			t.Errorf("%s has %d members, its children %d, and final is %v", c.Key, len(c.Members), n, c.Final)
		}
		labels[c.Label] = c
	}
	for _, old := range before {
		now, ok := labels[old.Label]
		if !ok {
			continue
		}
		left := slices.DeleteFunc(old.Members, func(m string) bool { _, ok := node[m]; return !ok })
		stayed := 0
		for _, m := range left {
			if slices.Contains(now.Members, m) {
				stayed++
			}
		}
		if 2*stayed <= len(left) {
			t.Errorf("%s keeps its label with %d of %d members", old.Label, stayed, len(left))
		}
	}
}
