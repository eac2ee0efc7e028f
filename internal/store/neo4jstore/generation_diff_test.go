package neo4jstore

import (
	"cmp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
)

// planned holds what a test compares of a diff.
type planned struct {
	Withdrawn, Ended, Restored, Written, Renamed, Members, Parents, ParentsEnded, Reported []string
	Moved                                                                                  bool
}

func look(p generationDiff) planned {
	keys := func(list []communitySize) []string {
		var keys []string
		for _, s := range list {
			keys = append(keys, s.key)
		}
		return keys
	}
	links := func(list []parentLink) []string {
		var texts []string
		for _, l := range list {
			texts = append(texts, l.key+">"+l.parent)
		}
		return texts
	}
	var written, renamed, members []string
	for _, c := range p.written {
		written = append(written, c.Key)
	}
	for _, r := range p.renamed {
		renamed = append(renamed, r.key+">"+r.label)
	}
	for _, m := range p.members {
		for _, key := range m.members {
			members = append(members, key+">"+m.community.Key)
		}
	}
	return planned{
		Withdrawn: keys(p.withdrawn), Ended: keys(p.ended), Restored: keys(p.restored), Written: written, Renamed: renamed, Members: members,
		Parents: links(p.parents), ParentsEnded: links(p.parentsEnded), Reported: p.marked, Moved: p.visible,
	}
}

// storedAs returns a completely written community with one member.
func storedAs(key string, level, ordinal int, since, until int64, parents ...parentEdge) storedCommunity {
	return storedCommunity{
		Community: graph.Community{Key: key, Level: level, Ordinal: ordinal, Label: graph.CommunityLabel("C", level, ordinal)},
		size:      1, members: 1, since: since, until: until, parents: parents,
	}
}

// renamedTo returns a community that gets another ordinal with the flip.
func renamedTo(s storedCommunity, ordinal int) storedCommunity {
	s.next = nextName{ordinal, graph.CommunityLabel("C", s.Level, ordinal)}
	return s
}

func TestDiffGeneration(t *testing.T) {
	community := func(key string, level, ordinal int, parent string) graph.Community {
		return graph.Community{Key: key, Level: level, Ordinal: ordinal, Label: graph.CommunityLabel("C", level, ordinal), Parent: parent, Members: []string{"m"}}
	}
	const next = 3
	tests := []struct {
		name  string
		stand []storedCommunity
		all   []graph.Community
		want  planned
	}{
		{"nothing at all", nil, nil, planned{}},
		{
			"the first hierarchy", nil,
			[]graph.Community{community("child", 1, 0, "root"), community("root", 0, 0, "")},
			planned{Written: []string{"root", "child"}, Members: []string{"m>root", "m>child"}, Parents: []string{"child>root"}, Moved: true},
		},
		{
			"the same again",
			[]storedCommunity{storedAs("root", 0, 0, 1, 0), storedAs("child", 1, 0, 2, 0, parentEdge{"root", 2, 0})},
			[]graph.Community{community("root", 0, 0, ""), community("child", 1, 0, "root")},
			planned{},
		},
		{
			"a child goes, another comes",
			[]storedCommunity{storedAs("root", 0, 0, 1, 0), storedAs("old", 1, 0, 2, 0, parentEdge{"root", 2, 0})},
			[]graph.Community{community("root", 0, 0, ""), community("new", 1, 0, "root")},
			planned{Ended: []string{"old"}, Written: []string{"new"}, Members: []string{"m>new"}, Parents: []string{"new>root"}, Reported: []string{"root"}, Moved: true},
		},
		{
			"the same, interrupted after the end and one of the new ones",
			[]storedCommunity{storedAs("root", 0, 0, 1, 0), storedAs("old", 1, 0, 2, next, parentEdge{"root", 2, next}), storedAs("new", 1, 0, next, 0)},
			[]graph.Community{community("root", 0, 0, ""), community("new", 1, 0, "root")},
			planned{Parents: []string{"new>root"}, Reported: []string{"root"}, Moved: true},
		},
		{
			"interrupted, then wanted as it was",
			[]storedCommunity{storedAs("root", 0, 0, 1, 0), storedAs("old", 1, 0, 2, next, parentEdge{"root", 2, next}), storedAs("new", 1, 0, next, 0, parentEdge{"root", next, 0})},
			[]graph.Community{community("root", 0, 0, ""), community("old", 1, 0, "root")},
			planned{Withdrawn: []string{"new"}, Restored: []string{"old"}, Parents: []string{"old>root"}, Reported: []string{"root"}, Moved: true},
		},
		{
			"a new parent, where an interrupted call had another",
			[]storedCommunity{
				storedAs("child", 1, 0, 1, 0, parentEdge{"root", 1, next}, parentEdge{"tried", next, 0}),
				storedAs("root", 0, 0, 1, next), storedAs("tried", 0, 0, next, 0),
			},
			[]graph.Community{community("child", 1, 0, "other"), community("other", 0, 0, "")},
			planned{Withdrawn: []string{"tried"}, Written: []string{"other"}, Members: []string{"m>other"}, Parents: []string{"child>other"}, ParentsEnded: []string{"child>tried"}, Moved: true},
		},
		{
			"another ordinal",
			[]storedCommunity{storedAs("root", 0, 0, 1, 0)},
			[]graph.Community{community("root", 0, 4, "")},
			planned{Renamed: []string{"root>C0_4"}, Moved: true},
		},
		{
			"another ordinal, written by an interrupted call",
			[]storedCommunity{renamedTo(storedAs("root", 0, 0, 1, 0), 4)},
			[]graph.Community{community("root", 0, 4, "")},
			planned{Moved: true},
		},
		{
			"another ordinal than an interrupted call wrote",
			[]storedCommunity{renamedTo(storedAs("root", 0, 0, 1, 0), 4)},
			[]graph.Community{community("root", 0, 5, "")},
			planned{Renamed: []string{"root>C0_5"}, Moved: true},
		},
		{
			"an interrupted call wrote another ordinal, then wanted as it was",
			[]storedCommunity{renamedTo(storedAs("root", 0, 0, 1, 0), 4)},
			[]graph.Community{community("root", 0, 0, "")},
			planned{Renamed: []string{"root>"}},
		},
		{
			"another ordinal of one that only an interrupted call wrote",
			[]storedCommunity{storedAs("root", 0, 0, next, 0)},
			[]graph.Community{community("root", 0, 4, "")},
			planned{Written: []string{"root"}, Moved: true},
		},
		{
			"another weight alone is not seen by readers",
			[]storedCommunity{storedAs("root", 0, 0, 1, 0)},
			[]graph.Community{func() graph.Community { c := community("root", 0, 0, ""); c.Weight = 9; return c }()},
			planned{Written: []string{"root"}},
		},
		{
			"a member went and came again",
			[]storedCommunity{func() storedCommunity { s := storedAs("root", 0, 0, 1, 0); s.members = 0; return s }()},
			[]graph.Community{community("root", 0, 0, "")},
			planned{Members: []string{"m>root"}, Moved: true},
		},
	}
	for _, test := range tests {
		slices.SortFunc(test.stand, func(a, b storedCommunity) int { return cmp.Compare(a.Key, b.Key) })
		if diff := gocmp.Diff(test.want, look(diffGeneration(test.stand, test.all, next))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
