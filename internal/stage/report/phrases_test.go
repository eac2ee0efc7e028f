package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
)

// choir returns a community whose evidence says less about its members than about what they do.
func choir() Input {
	in := Input{Community: graph.Community{Key: "t/c", Final: true}}
	for name, description := range map[string]string{
		"Ada":  "Ada leads the choir rehearsal on Mondays. The organ needs repair, as Ada wrote. The choir rehearsal of Ada ended late.",
		"Ben":  "Ben came to the choir rehearsal with a cold. Ben plays the organ in the chapel. Nobody can tune the organ like Ben.",
		"Cleo": "Cleo left the choir rehearsal early. Cleo sang to the organ of the school.",
	} {
		key := "t/" + strings.ToLower(name)
		in.Entities = append(in.Entities, graph.Entity{Key: key, Name: name, Type: "person", Description: description})
		in.Community.Members = append(in.Community.Members, key)
	}
	return in
}

func TestThemeTitle(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*Input)
		want   string
	}{
		"two phrases": {func(*Input) {}, "Choir rehearsal and organ"},
		"one pair": {func(in *Input) {
			for i := range in.Entities {
				in.Entities[i].Description = strings.ReplaceAll(in.Entities[i].Description, "the organ", "it")
			}
		}, "Choir rehearsal"},
		"one noun": {func(in *Input) {
			for i := range in.Entities {
				in.Entities[i].Description = strings.ReplaceAll(in.Entities[i].Description, "the choir rehearsal", "it")
			}
		}, "Ada and Ben"},
		"two phrases, with children": {func(in *Input) { in.Community.Final = false }, "Choir rehearsal and organ"},
		"one pair, with children": {func(in *Input) {
			in.Community.Final = false
			for i := range in.Entities {
				in.Entities[i].Description = strings.ReplaceAll(in.Entities[i].Description, "the organ", "it")
			}
		}, "Ada and Ben"},
		"German": {func(in *Input) {
			for i := range in.Entities {
				in.Entities[i].Description = strings.Repeat(in.Entities[i].Name+" kam mit der Orgel und dem Chor in die Schule. ", 3)
			}
		}, "Ada und Ben"},
	} {
		in, x := choir(), Extractive{Counter: counter(t)}
		tt.change(&in)
		r, err := x.Report(t.Context(), in, Pack(in, Options{}, x.Counter))
		if err != nil {
			t.Fatal(err)
		}
		if r.Title != tt.want {
			t.Errorf("%s: title %q, want %q", name, r.Title, tt.want)
		}
		finding := slices.ContainsFunc(r.Findings, func(f graph.Finding) bool { return f.Summary == "Choir rehearsal" })
		if want := strings.HasPrefix(tt.want, "Choir") || strings.HasPrefix(name, "one pair"); finding != want {
			t.Errorf("%s: a finding about the choir rehearsal: %v, want %v", name, finding, want)
		}
	}
}

// Phrases are the same in any order of the sentences, as most of these write them.
func TestKeyPhrases(t *testing.T) {
	t.Parallel()
	sentences := []string{
		"The curtains were in the old barn.", "He carried the curtains to the kitchen.", "We sold the curtain.",
		"She really liked the happy children.", "It was the happy end of the matter.", "The matter was really closed.",
	}
	want := []keyPhrase{{key: "curtain", text: "curtains", sentences: 3}}
	for range 2 {
		got := keyPhrases(sentences)
		got = slices.DeleteFunc(got, func(p keyPhrase) bool { return !strings.HasPrefix(p.key, "curt") })
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(keyPhrase{})); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		slices.Reverse(sentences)
	}
	for _, p := range keyPhrases(sentences) {
		if p.key == "happy" || p.key == "really" {
			t.Errorf("%q is a phrase", p.key)
		}
	}
}
