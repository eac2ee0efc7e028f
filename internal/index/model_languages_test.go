package index_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// TestModelLanguages indexes texts in German, and in Chinese, which has no spaces, with a model
// that knows some of their names: these arrive in the graph with their types and labels, claims
// quote the text, and nothing counts as absent from it.
func TestModelLanguages(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		folder string
		types  map[string]string // by name
		labels map[string]string // by type
	}{
		{"german", map[string]string{
			"Lotte": "person", "Albert": "person", "Malchen": "person", "Philipps": "person", "Wahlheim": "ort", "Straße": "öffentlicher ort", "Brunnen": "öffentlicher ort",
		}, map[string]string{"person": "Person", "ort": "Ort", "öffentlicher ort": "ÖffentlicherOrt"}},
		{"chinese", map[string]string{
			"玄德": "人物", "关公": "人物", "张飞": "人物", "董卓": "人物", "张角": "人物", "皇甫嵩": "人物", "涿县": "地点", "洛阳": "地点",
		}, map[string]string{"人物": "人物", "地点": "地点"}},
	} {
		t.Run(tt.folder, func(t *testing.T) {
			t.Parallel()
			store := open(t, nil)
			name := modelCorpus(t)
			docs := filepath.Join("..", "query", "methods", "testdata", "languages", tt.folder)
			server, with := model(t, llmtest.Options{Handler: fakemodel.Named(tt.types)}, "")
			o := with(options(name))
			o.Chunk.Size, o.EntityTypes = 400, slices.Sorted(maps.Keys(tt.labels))
			r := run(t, store, o, docs)
			if r.Exit != 0 || len(r.Notes) > 0 {
				t.Errorf("exit %d, failures %+v, notes %q", r.Exit, r.Failures, r.Notes)
			}
			text := textOf(t, docs)
			want := map[string][2]string{}
			for n, typ := range tt.types {
				if strings.Contains(text, n) {
					want[n] = [2]string{typ, tt.labels[typ]}
				}
			}
			got, claims := map[string][2]string{}, 0
			for line := range strings.Lines(dump(t, store, name, "evidence")) {
				var n struct {
					Node       string `json:"node"`
					Properties struct {
						Name   string `json:"name"`
						Type   string `json:"type"`
						Label  string `json:"type_label"`
						Source string `json:"source_text"`
					} `json:"properties"`
				}
				if err := json.Unmarshal([]byte(line), &n); err != nil {
					t.Fatal(err)
				}
				switch n.Node {
				case "Entity":
					got[n.Properties.Name] = [2]string{n.Properties.Type, n.Properties.Label}
				case "Claim":
					if claims++; !strings.Contains(text, n.Properties.Source) {
						t.Errorf("a claim quotes %q, which is not in the text", n.Properties.Source)
					}
				}
			}
			if diff := cmp.Diff(want, got); diff != "" || len(want) < 5 || claims < len(want) {
				t.Errorf("%d claims; entities (-want +got):\n%s", claims, diff)
			}
			if n, err := store.Absent(t.Context(), name); err != nil || n != (neo4jstore.AbsentCounts{}) {
				t.Errorf("absent: %+v, %v", n, err)
			}
			types, err := json.Marshal(o.EntityTypes)
			if err != nil {
				t.Fatal(err)
			}
			for _, req := range server.Requests() {
				if fakemodel.Task(req) == prompts.Extract && !bytes.Contains(req.Body, append([]byte(`"enum":`), types...)) {
					t.Fatalf("the schema does not list the types %s:\n%s", types, req.Body)
				}
			}
		})
	}
}

// textOf returns the texts of a folder.
func textOf(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no texts in %s: %v", dir, err)
	}
	var all strings.Builder
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(b)
	}
	return all.String()
}
