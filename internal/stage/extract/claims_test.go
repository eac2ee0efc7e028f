package extract_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// TestClaimModes gets the same records in every mode, with the number of calls of each.
func TestClaimModes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		mode   extract.ClaimMode
		format extract.Format
		calls  int
		claims int
	}{
		{"", "", 2, 1},
		{extract.ClaimsJoint, extract.FormatTuples, 2, 1},
		{extract.ClaimsSeparate, "", 4, 1},
		{extract.ClaimsSeparate, extract.FormatTuples, 4, 1},
		{extract.ClaimsNone, "", 2, 0},
	} {
		server, c := chat(t, llmtest.Options{Handler: fakemodel.Handler})
		got, err := (&extract.Model{Chat: c, Claims: tt.mode, Format: tt.format}).Chunk(t.Context(), passage)
		if n := server.Counts().Chats; err != nil || n != tt.calls || len(got.Claims) != tt.claims || len(got.Entities) != 4 || len(got.Relationships) != 3 {
			t.Errorf("%q %q: %d calls, %+v, %v", tt.mode, tt.format, n, got, err)
		}
	}
}

// TestClaimsSeeNames checks that the call for claims shows the names of all entities that
// were found, also by gleaning, and that names cannot leave their place.
func TestClaimsSeeNames(t *testing.T) {
	t.Parallel()
	server, c := chat(t, llmtest.Options{Handler: fakemodel.Handler})
	if _, err := (&extract.Model{Chat: c, Claims: extract.ClaimsSeparate}).Chunk(t.Context(), passage); err != nil {
		t.Fatal(err)
	}
	for _, r := range server.Requests() {
		if fakemodel.Task(r) == prompts.Claims && !strings.Contains(r.Last(), "Clara Hale\nTobias Reed\nGlasgow\nPort Ellen\n<<<") {
			t.Errorf("the names are not shown:\n%s", r.Last())
		}
	}
}

// TestRefusedClaims uses a model that refuses to list claims: the other records are kept.
func TestRefusedClaims(t *testing.T) {
	t.Parallel()
	for _, mode := range []extract.ClaimMode{extract.ClaimsJoint, extract.ClaimsSeparate} {
		for _, format := range []extract.Format{"", extract.FormatJSON, extract.FormatTuples} {
			refused := 0
			_, c := chat(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
				if strings.Contains(r.Messages[0].Content, "Find the claims") {
					refused++
					return llmtest.Reply{Text: "I'm sorry, but I can't accuse people of anything."}
				}
				return fakemodel.Handler(r)
			}})
			m := &extract.Model{Chat: c, Claims: mode, Format: format}
			got, err := m.Chunk(t.Context(), passage)
			if err != nil || len(got.Entities) != 4 || len(got.Relationships) != 3 || len(got.Claims) != 0 || refused < 2 {
				t.Errorf("%s, %q: got %+v after %d refusals, %v", mode, format, got, refused, err)
			}
			if diff := cmp.Diff(extract.Counts{RefusedClaims: 1}, m.Counts()); diff != "" {
				t.Errorf("%s, %q (-want +got):\n%s", mode, format, diff)
			}
		}
	}
}

// TestPromptWithoutPlaceForClaims uses a prompt that a user wrote before claims were asked for
// in the same call.
func TestPromptWithoutPlaceForClaims(t *testing.T) {
	t.Parallel()
	server, c := chat(t, llmtest.Options{Handler: fakemodel.Handler})
	built, err := prompts.Set{}.Get(prompts.Extract)
	if err != nil {
		t.Fatal(err)
	}
	m := &extract.Model{Chat: c, Prompts: prompts.Set{Dir: folderOf(t, prompts.Extract, strings.ReplaceAll(built.System+"\n---\n"+built.User, "{{claims}}", ""))}}
	got, err := m.Chunk(t.Context(), passage)
	if err != nil || len(got.Claims) != 1 || server.Counts().Chats != 4 {
		t.Errorf("got %+v after %d calls, %v, want claims by a separate call", got, server.Counts().Chats, err)
	}
}

// TestMissingList uses a model that leaves out the list of claims where it has none.
func TestMissingList(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{`{"entities": [], "relationships": []}`, `{"entities": [{"name": "Clara Hale", "type": "person", "description": "She is here."}]}`} {
		for _, format := range []extract.Format{"", extract.FormatJSON} {
			_, c := chat(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: answer} }})
			got, err := (&extract.Model{Chat: c, Gleanings: -1, Format: format}).Chunk(t.Context(), passage)
			if err != nil || len(got.Entities) != strings.Count(answer, "name") {
				t.Errorf("%s as %q: got %+v, %v", answer, format, got, err)
			}
		}
	}
}
