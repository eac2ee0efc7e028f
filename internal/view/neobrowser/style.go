package neobrowser

import (
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/view/communitycolor"
)

// A kind is how nodes of one kind are drawn. GraSS selects nodes by label only, so the
// size of a node cannot show its degree or its number of members.
type kind struct {
	label    string
	caption  string
	diameter int
	font     int
	plain    communitycolor.Color // in the sheets of entities
	evidence communitycolor.Color // in the sheet of reports and their evidence
}

// grey returns a grey of a lightness from 0 to 1.
func grey(lightness float64) communitycolor.Color {
	return communitycolor.Color{Lightness: lightness, Chroma: 0.015, Hue: communitycolor.None.Hue}
}

// kinds are all kinds of nodes. In the sheets of entities the other kinds are grey, and
// darker the more they matter to a reader.
var kinds = []kind{
	{"Corpus", "name", 80, 12, grey(0.35), grey(0.35)},
	{"Lease", "name", 30, 8, grey(0.9), grey(0.9)},
	{"Run", "name", 50, 8, grey(0.9), grey(0.9)},
	{string(graph.KindDocument), "title", 86, 13, grey(0.55), communitycolor.Root(0)},
	{string(graph.KindChunk), "name", 72, 13, grey(0.80), communitycolor.Root(5)},
	{string(graph.KindPassage), "name", 44, 8, grey(0.88), grey(0.85)},
	{string(graph.KindSentence), "name", 44, 8, grey(0.88), grey(0.85)},
	{string(graph.KindNamePair), "a", 44, 8, grey(0.9), grey(0.88)},
	{string(graph.KindEntity), "name", 70, 13, communitycolor.None, communitycolor.None},
	{string(graph.KindRelationship), "name", 66, 11, grey(0.85), communitycolor.Root(3)},
	{string(graph.KindClaim), "name", 80, 11, grey(0.76), communitycolor.Root(7)},
	{string(graph.KindCommunity), "label", 80, 14, grey(0.97), grey(0.45)},
	{string(graph.KindReport), "title", 110, 14, grey(0.40), communitycolor.Root(1)},
	{string(graph.KindFinding), "name", 94, 12, grey(0.48), communitycolor.Root(4)},
	{string(graph.KindQuery), "name", 84, 11, grey(0.72), communitycolor.Root(2)},
}

// kindSheet returns a sheet with a rule for every label of a kind. The labels with the
// name of the corpus come first, so that the rules of kinds override theirs. A sheet has one
// rule for a label, because the Browser keeps a repeated one in its first position.
func kindSheet(c Corpus, color func(kind) communitycolor.Color) *sheet {
	s := newSheet()
	for _, k := range kinds {
		s.node(k.label+"_"+c.Name, fill(color(k)))
	}
	for _, k := range kinds {
		s.node(k.label, fill(color(k)), shape(k.diameter, k.font, k.caption))
	}
	return s
}

// types returns the labels of types, sorted, so that each keeps its colour.
func types(c Corpus) []string {
	sorted := slices.Clone(c.Types)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

func plain(k kind) communitycolor.Color    { return k.plain }
func evidence(k kind) communitycolor.Color { return k.evidence }

// typeSheet returns the sheet that colours entities by type.
func typeSheet(c Corpus) string {
	s := kindSheet(c, plain)
	greyCommunities(s, c, -1)
	for i, label := range types(c) {
		s.node(label, fill(communitycolor.Root(i)))
	}
	return s.String()
}

// evidenceSheet returns the sheet that gives each kind between a report and the text of
// a document its colour, and leaves entities grey.
func evidenceSheet(c Corpus) string {
	s := kindSheet(c, evidence)
	greyTypes(s, c)
	greyCommunities(s, c, -1)
	return s.String()
}

// levelSheet returns the sheet that colours entities by their community at a level, or by
// the deepest one above it: the rules of deeper levels come later.
func levelSheet(c Corpus, level int) string {
	s := kindSheet(c, plain)
	greyTypes(s, c)
	greyCommunities(s, c, level)
	colors := communitycolor.Tree(c.Communities)
	for _, k := range withRules(c) {
		if k.Level <= level {
			s.node(k.Label, fill(colors[k.Key]))
		}
	}
	return s.String()
}

// maxRules is the most rules for communities: the Browser tries all of them for every
// node. By default entities have labels of at most 1,000 communities.
const maxRules = 2000

// withRules returns the communities that have rules, sorted by level and ordinal.
func withRules(c Corpus) []graph.Community { return c.Communities[:min(len(c.Communities), maxRules)] }

// greyTypes adds grey rules for the types of entities.
func greyTypes(s *sheet, c Corpus) {
	for _, label := range types(c) {
		s.node(label, fill(communitycolor.None))
	}
}

// greyCommunities adds grey rules for communities deeper than a level.
func greyCommunities(s *sheet, c Corpus, level int) {
	for _, k := range withRules(c) {
		if k.Level > level {
			s.node(k.Label, fill(communitycolor.None))
		}
	}
}
