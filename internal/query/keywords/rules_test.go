package keywords

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestByRules(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		question  string
		low, high []string
	}{
		{"Who repaired the roof of the Harbour Museum?", []string{"roof", "Harbour Museum"}, []string{"repaired", "roof"}},
		{"How often does Li Hua train with Wolfgang's brother?", []string{"Li Hua", "train", "Wolfgang", "brother"}, []string{"train", "brother"}},
		{"What did Jennifer say about the fitness plan on 20260717?", []string{"Jennifer", "fitness plan", "20260717"}, []string{"say", "fitness plan"}},
		{"Does the building maintenance help the tenants?", []string{"building maintenance help", "tenants"}, []string{"building maintenance help", "tenants"}},
		{"Why did she leave?", []string{}, []string{"leave"}},
		{"Scrooge, Scrooge and SCROOGE", []string{"Scrooge"}, []string{}},
		{"What is it?", []string{}, []string{}},
		{"", []string{}, []string{}},
		{"Was kostet das Fahrrad von Herrn Müller?", []string{"kostet das", "Fahrrad", "von", "Herrn Müller"}, []string{"kostet das", "von"}},
	} {
		got := ByRules(tt.question)
		if diff := cmp.Diff(Keywords{Low: tt.low, High: tt.high, By: "rules"}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.question, diff)
		}
	}
}
