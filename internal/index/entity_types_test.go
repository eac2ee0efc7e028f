package index_test

import (
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// TestEntityTypes indexes with types of all kinds, which the model assigns to the names
// in turn, the same one wherever a name occurs. Those that can be a label become one; none
// stops a run.
func TestEntityTypes(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := modelCorpus(t)
	types := []string{"behörde", "人物", "व्यक्ति", "🦊", "ship's `crew`", strings.Repeat("long ", 50), "chunk"}
	typed := regexp.MustCompile(`"name":"([^"]*)","type":"(person|location|organization)"`)
	var mu sync.Mutex
	assigned := map[string]string{}
	assign := func(name string) string {
		mu.Lock()
		defer mu.Unlock()
		if _, ok := assigned[name]; !ok {
			assigned[name] = types[len(assigned)%len(types)]
		}
		return assigned[name]
	}
	_, with := model(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		reply := fakemodel.Handler(r)
		if fakemodel.Task(r) == prompts.Extract {
			reply.Text = typed.ReplaceAllStringFunc(reply.Text, func(found string) string {
				name := typed.FindStringSubmatch(found)[1]
				return `"name":"` + name + `","type":"` + assign(name) + `"`
			})
		}
		return reply
	}}, "")
	o := with(options(name))
	o.EntityTypes = types
	if r := run(t, store, o, folder(t, town())); r.Exit != 0 {
		t.Fatalf("got %+v", r)
	}
	labels, err := store.TypeLabels(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Behörde", "ShipSCrew", "व्यक्ति", "人物"}, labels); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}

// TestGeneralTypes: a run in which a model found little else than concepts suggests other types, unless the
// corpus has types of its own.
func TestGeneralTypes(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	var text strings.Builder
	for _, first := range []string{"Clara", "Tobias", "Mary", "Edith", "Jonas", "Ruth", "Oskar", "Nora"} {
		for _, last := range []string{"Hale", "Reed", "Quill", "Farrow", "Stone", "Weaver", "Marsh", "Holt"} {
			text.WriteString(first + " " + last + " walked to Glasgow. ")
		}
	}
	typed := regexp.MustCompile(`"type":"(person|location|organization)"`)
	for _, tc := range []struct {
		typ   string
		types []string
		want  bool
	}{
		{typ: "concept", want: true},
		{typ: "thing", want: true},
		{typ: "person"},
		{typ: "concept", types: []string{"concept", "ship"}},
	} {
		_, with := model(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
			reply := fakemodel.Handler(r)
			if fakemodel.Task(r) == prompts.Extract {
				reply.Text = typed.ReplaceAllString(reply.Text, `"type":"`+tc.typ+`"`)
			}
			return reply
		}}, "")
		o := with(options(modelCorpus(t)))
		o.EntityTypes = tc.types
		notes := strings.Join(run(t, store, o, folder(t, map[string]string{"walks.txt": text.String()})).Notes, "\n")
		if got := strings.Contains(notes, "`neorag tune`"); got != tc.want {
			t.Errorf("%s of %v: notes %q", tc.typ, tc.types, notes)
		}
	}
}
