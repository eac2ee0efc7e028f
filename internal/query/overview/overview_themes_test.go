package overview

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

func TestGroupThemes(t *testing.T) {
	t.Parallel()
	of := func(name, typ, community string, frequency int) neo4jstore.Theme {
		return neo4jstore.Theme{Entity: graph.Entity{Key: "t/" + name, Name: name, Type: typ, Frequency: frequency, Description: "Text."}, Community: community}
	}
	found := []neo4jstore.Theme{
		of("door", "location", "a", 50), // any house has one
		of("workout", "concept", "a", 40),
		of("garden", "location", "b", 30), // a place that is mentioned often
		of("London", "location", "b", 25), // the name of a place
		of("stretch", "concept", "a", 20),
		of("tough workout", "concept", "c", 15), // shares a word
		of("street", "location", "c", 14),       // a place that is not
		of("Ada", "concept", "c", 13),           // a given name
		of("warm-up", "concept", "a", 12),
		of("routine", "concept", "a", 11), // the fourth of its community
		of("meal", "concept", "b", 5),     // far less than the first of its community
		of("jam", "event", "", 4),
		of("song", "event", "", 3),   // in no community, as the one before
		of("drum", "concept", "", 1), // mentioned once
	}
	var got [][]string
	for _, theme := range groupThemes(found) {
		var names []string
		for _, e := range theme {
			names = append(names, e.Name)
		}
		got = append(got, names)
	}
	want := [][]string{{"workout", "stretch", "warm-up"}, {"garden"}, {"jam"}, {"song"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
