package resolve_test

import (
	"encoding/json"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/resolve"
)

// golden is the hash of the mentions of fixed records for each version.
var golden = map[string]string{"merge-2": "60dd33babe32d3c0d7a3a1c95e25ce1e"}

// TestVersion checks that mentions change only together with the version: otherwise an
// extraction with the same records would count as unchanged, and keep its old mentions.
func TestVersion(t *testing.T) {
	t.Parallel()
	x := graph.Extraction{
		Entities: []graph.EntityRecord{
			{Name: "Clara  Hale", Type: "person", Description: "A painter."},
			{Name: "CLARA HALE", Type: "Person", Description: "A painter of <b>Glasgow</b>."},
			{Name: "Société Générale", Type: "ORGANIZATION"},
			{Name: "ﬁre &amp; water", Type: "event", Description: "  It burned. "},
			{Name: "“Port Ellen”", Type: "location"},
			{Name: "", Type: "person"},
		},
		Relationships: []graph.RelationshipRecord{
			{Source: "Clara Hale", Target: "Port Ellen", Description: "She lives there.", Keywords: []string{"home", "Home", "place"}, Strength: 7},
			{Source: "Port Ellen", Target: "clara hale", Description: "It knows her.", Keywords: []string{"home"}, Strength: 3},
			{Source: "Clara Hale", Target: "CLARA HALE", Description: "Herself.", Strength: 1},
		},
		Claims: []graph.ClaimRecord{
			{Subject: "Clara Hale", Object: "NONE", Type: "Birth", Status: "true", StartDate: "1901", EndDate: "1901", Description: "She was born.", SourceText: "born in 1901"},
		},
	}
	chunk := graph.Chunk{Key: "c/chunk", Text: "Clara Hale was born in 1901 in Port Ellen."}
	found, err := json.Marshal(resolve.Merge("c", chunk, x))
	if err != nil {
		t.Fatal(err)
	}
	if got := graph.Hash(string(found)); got != golden[resolve.Version] {
		t.Errorf("mentions have the hash %s, and those of %s have %q: if the change is intended, change resolve.Version and add its hash\n%s", got, resolve.Version, golden[resolve.Version], found)
	}
}
