package index_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// entityNames returns the names and aliases of the entities of a dump by their keys.
func entityNames(t *testing.T, graph string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for line := range strings.Lines(graph) {
		var n struct {
			Node, Key  string
			Properties struct {
				Name    string
				Aliases []string
			}
		}
		if err := json.Unmarshal([]byte(line), &n); err != nil {
			t.Fatal(err)
		}
		if n.Node == "Entity" {
			out[n.Key] = strings.Join(append([]string{n.Properties.Name}, n.Properties.Aliases...), "|")
		}
	}
	return out
}

// clinic are notes with several names of the same things.
func clinic() map[string]string {
	return map[string]string{
		"a.txt": "Clara Hale worked for the North Atlantic Treaty Organization (NATO). The North Atlantic Treaty Organization sent Clara Hale to Glasgow.",
		"b.txt": "Tobias Reed worked for NATO in Glasgow. Clara Hale met Tobias Reed at NATO. NATO sent Tobias Reed to Glasgow.",
		"c.txt": "Mary Quill painted the Anglo-Norman Bridge. Mary Quill met Clara Hale at the Anglo Norman Bridge in London.",
	}
}

// TestFold: names of the same entity are one, in every order of updates; what introduced an
// abbreviation may go and come back.
func TestFold(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	live, fresh := corpus(t, store), corpus(t, store)
	files := clinic()
	docs := folder(t, files)
	check := func(step string) map[string]string {
		t.Helper()
		run(t, store, options(live), docs)
		run(t, store, options(fresh), docs)
		got := dump(t, store, live, "evidence")
		same(t, dump(t, store, fresh, "evidence"), got)
		if problems, err := index.CheckGraph(t.Context(), store, live); err != nil || len(problems) > 0 {
			t.Errorf("%s: %+v, %v", step, problems, err)
		}
		if idle := run(t, store, options(live), docs); idle.Writes != 0 {
			t.Errorf("%s: a second run wrote %d times", step, idle.Writes)
		}
		neo4jtest.Wipe(t, fresh)
		return entityNames(t, got)
	}
	first := check("new")
	if first["north atlantic treaty organization"] == "" || first["nato"] != "" || first["anglo-norman bridge"] == "" == (first["anglo norman bridge"] == "") {
		t.Fatalf("the entities are %v", first)
	}
	if err := os.Remove(filepath.Join(docs, "a.txt")); err != nil {
		t.Fatal(err)
	}
	if without := check("without the introduction"); without["nato"] == "" {
		t.Errorf("without the introduction the entities are %v", without)
	}
	write(t, filepath.Join(docs, "a.txt"), files["a.txt"])
	if again := check("again"); fmt.Sprint(again) != fmt.Sprint(first) {
		t.Errorf("again the entities are %v, were %v", again, first)
	}
}

// TestFoldLongerNames: a name with an abbreviation in it and the name with the full form are one entity, whichever
// document comes first, and two when nothing introduces the abbreviation.
func TestFoldLongerNames(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	live, fresh := corpus(t, store), corpus(t, store)
	docs := folder(t, map[string]string{
		"a.txt": "Clara Hale joined the International Trade Bureau (ITB) in London. Clara Hale led the ITB School. Tobias Reed praised the ITB School.",
	})
	const long, short = "international trade bureau school", "itb school"
	for _, step := range []struct {
		file, text string
		one        bool
	}{
		{"b.txt", "Mary Quill left the International Trade Bureau School. Mary Quill founded the International Trade Bureau School in Glasgow.", true},
		{"a.txt", "Clara Hale led the ITB School. Tobias Reed praised the ITB School.", false},
		{"a.txt", "Tobias Reed met the International Trade Bureau (ITB). Clara Hale led the ITB School. Tobias Reed praised the ITB School.", true},
	} {
		run(t, store, options(live), docs)
		write(t, filepath.Join(docs, step.file), step.text)
		run(t, store, options(live), docs)
		run(t, store, options(fresh), docs)
		got := dump(t, store, live, "evidence")
		same(t, dump(t, store, fresh, "evidence"), got)
		names := entityNames(t, got)
		if one := names[long] != "" && names[short] == ""; one != step.one || names[long] == "" {
			t.Errorf("%s: %s\nthe entities are %v", step.file, step.text, names)
		}
		neo4jtest.Wipe(t, fresh)
	}
}

// TestMergeThenSplit: splitting undoes any merges byte for byte, in any order, and decisions are
// kept over later runs.
func TestMergeThenSplit(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := corpus(t, store)
	docs := folder(t, clinic())
	o := options(name)
	o.Fresh = true
	run(t, store, o, docs)
	before := dump(t, store, name, "")
	names := []string{"Clara Hale", "Tobias Reed", "Mary Quill", "Glasgow", "NATO"}
	merges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]string {
		two := rapid.Permutation(names).Draw(t, "names")
		return [2]string{two[0], two[1]}
	}), 1, 3)
	x, err := index.New(store, o)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range 5 {
		merged := merges.Example(seed)
		for _, m := range merged {
			if applied, err := x.MergeNames(t.Context(), m[0], m[1]); err != nil || !applied {
				t.Fatalf("merge %s, %s: %t, %v", m[0], m[1], applied, err)
			}
		}
		after := dump(t, store, name, "")
		if len(entityNames(t, after)) >= len(entityNames(t, before)) {
			t.Errorf("merging %q left the entities %v", merged, entityNames(t, after))
		}
		if r := run(t, store, o, docs); r.Writes != 0 || dump(t, store, name, "") != after {
			t.Errorf("a run after merging %q wrote %d times", merged, r.Writes)
		}
		for i := seed; ; i++ {
			c, err := store.Corpus(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			left := c.Decisions.Merged
			if len(left) == 0 {
				break
			}
			if _, err := x.SplitName(t.Context(), left[i%len(left)][i%2]); err != nil {
				t.Fatal(err)
			}
		}
		same(t, before, dump(t, store, name, ""))
	}
}
