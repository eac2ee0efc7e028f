package exportdiff_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/view/exportdiff"
)

const before = `{"key":"","labels":[],"node":"Corpus","properties":{"schema":3}}
{"key":"anna","labels":["Entity"],"node":"Entity","properties":{"name":"Anna","degree":1,"derive_fp":"1","community":"C0_0"}}
{"key":"bert","labels":["Entity"],"node":"Entity","properties":{"name":"Bert","type":"person"}}
{"key":"carl","labels":["Entity"],"node":"Entity","properties":{"name":"Carl"}}
{"key":"r1","labels":[],"node":"Relationship","properties":{"name":"Anna — Bert","keywords":["a","b"]}}
{"key":"k1","labels":[],"node":"Community","properties":{"label":"C0_0","report_fp":"1"}}
{"key":"k2","labels":[],"node":"Community","properties":{"label":"C0_1"}}
{"key":"k3","labels":[],"node":"Community","properties":{"label":"C0_2"}}
{"key":"k1","labels":[],"node":"Report","properties":{"full_content":"x"}}
{"edge":"RELATED","from":"anna","to":"bert","properties":{}}
`

const after = `{"key":"anna","labels":["Entity"],"node":"Entity","properties":{"name":"Anna","degree":2,"derive_fp":"2","community":"C0_1","todo_describe":true}}
{"key":"bert","labels":["Entity"],"node":"Entity","properties":{"name":"Bert","description":"New."}}
{"key":"dora","labels":["Entity"],"node":"Entity","properties":{"name":"Dora"}}
{"key":"r1","labels":[],"node":"Relationship","properties":{"name":"Anna — Bert","keywords":["a","b"]}}
{"key":"k1","labels":[],"node":"Community","properties":{"label":"C0_0","report_fp":"2"}}
{"key":"k4","labels":[],"node":"Community","properties":{"label":"C0_1"}}
{"key":"k1","labels":[],"node":"Report","properties":{"full_content":"y"}}
`

func TestCompare(t *testing.T) {
	t.Parallel()
	got, err := exportdiff.Compare(strings.NewReader(before), strings.NewReader(after))
	if err != nil {
		t.Fatal(err)
	}
	type node = exportdiff.Node
	want := exportdiff.Diff{
		Entities: exportdiff.Changes{
			Came: []node{{Key: "dora", Name: "Dora"}}, Went: []node{{Key: "carl", Name: "Carl"}},
			Changed: []node{{"anna", "Anna", []string{"degree"}}, {"bert", "Bert", []string{"description", "type"}}},
		},
		Relationships: exportdiff.Changes{Came: []node{}, Went: []node{}, Changed: []node{}, Same: 1},
		Communities: exportdiff.Changes{
			Came: []node{}, Went: []node{{Key: "k3", Name: "C0_2"}},
			Changed: []node{{"k1", "C0_0", []string{"report"}}, {"k4", "C0_1", []string{"members"}}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("diff (-want +got):\n%s", diff)
	}
	same, err := exportdiff.Compare(strings.NewReader(before), strings.NewReader(before))
	if err != nil || !same.IsEmpty() || got.IsEmpty() {
		t.Errorf("an export and itself: %+v, %v", same, err)
	}
}

func TestCompareRefuses(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"empty": "", "no JSON": "a,b\n", "another JSON": "{\"a\": 1}\n"} {
		_, err := exportdiff.Compare(strings.NewReader(before), strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), "second export") {
			t.Errorf("%s: %v", name, err)
		}
		if name != "no JSON" && !errors.Is(err, exportdiff.ErrFormat) {
			t.Errorf("%s: %v is not ErrFormat", name, err)
		}
	}
}
