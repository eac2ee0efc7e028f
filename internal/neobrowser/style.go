package neobrowser

import (
	"slices"

	"github.com/neorag/neorag/internal/communitycolor"
	"github.com/neorag/neorag/internal/graph"
)

// A kind says how nodes of a kind are drawn. GraSS knows labels alone, so a
// size stands for a kind, and cannot for a degree or a number of members.
type kind struct {
	label    string
	caption  string
	diameter int
	font     int
	quiet    communitycolor.Color // where colours stand for something else
	loud     communitycolor.Color // in the sheet of reports and evidence
}

func grey(lightness float64) communitycolor.Color {
	return communitycolor.Color{Lightness: lightness, Chroma: 0.015, Hue: communitycolor.None.Hue}
}

// kinds are all kinds of nodes. In the sheets of entities the others are grey: the
// darker, the nearer to a reader's question.
var kinds = []kind{
	{"Corpus", "name", 80, 12, grey(0.35), grey(0.35)},
	{"Lease", "name", 30, 8, grey(0.9), grey(0.9)},
	{"Run", "name", 50, 8, grey(0.9), grey(0.9)},
	{string(graph.KindDocument), "title", 86, 13, grey(0.55), communitycolor.Root(0)},
	{string(graph.KindChunk), "name", 72, 13, grey(0.80), communitycolor.Root(5)},
	{string(graph.KindPassage), "name", 44, 8, grey(0.88), grey(0.85)},
	{string(graph.KindSentence), "name", 44, 8, grey(0.88), grey(0.85)},
	{string(graph.KindEntity), "name", 70, 13, communitycolor.None, communitycolor.None},
	{string(graph.KindRelationship), "name", 66, 11, grey(0.85), communitycolor.Root(3)},
	{string(graph.KindClaim), "name", 80, 11, grey(0.76), communitycolor.Root(7)},
	{string(graph.KindCommunity), "label", 80, 14, grey(0.97), grey(0.45)},
	{string(graph.KindReport), "title", 110, 14, grey(0.40), communitycolor.Root(1)},
	{string(graph.KindFinding), "name", 94, 12, grey(0.48), communitycolor.Root(4)},
	{string(graph.KindQuery), "name", 84, 11, grey(0.72), communitycolor.Root(2)},
}

// base is a sheet with a rule for every label of a kind: those of indexes
// first, so that the rules of kinds win over them. A selector stands once in a
// sheet, because the Browser gives one that comes again its first place.
func base(c Corpus, color func(kind) communitycolor.Color) *sheet {
	s := newSheet()
	for _, k := range kinds {
		s.node(k.label+"_"+c.Name, fill(color(k)))
	}
	for _, k := range kinds {
		s.node(k.label, fill(color(k)), look(k.diameter, k.font, k.caption))
	}
	return s
}

// types are the labels of types, sorted, so that each keeps its colour.
func types(c Corpus) []string {
	sorted := slices.Clone(c.Types)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

func quiet(k kind) communitycolor.Color { return k.quiet }
func loud(k kind) communitycolor.Color  { return k.loud }

// typeSheet colours entities by type.
func typeSheet(c Corpus) string {
	s := base(c, quiet)
	greyCommunities(s, c, -1)
	for i, label := range types(c) {
		s.node(label, fill(communitycolor.Root(i)))
	}
	return s.String()
}

// evidenceSheet colours what stands between an answer and the words of a
// document, each kind by itself, and leaves entities grey.
func evidenceSheet(c Corpus) string {
	s := base(c, loud)
	greyTypes(s, c)
	greyCommunities(s, c, -1)
	return s.String()
}

// levelSheet colours entities by the community that they are in, as deep as the
// level. An entity whose communities end before it keeps the deepest one's
// colour, because the rules of deeper levels come later.
func levelSheet(c Corpus, level int) string {
	s := base(c, quiet)
	greyTypes(s, c)
	greyCommunities(s, c, level)
	colors := c.colors()
	for _, k := range ruled(c) {
		if k.Level <= level {
			s.node(k.Label, fill(colors[k.Key]))
		}
	}
	return s.String()
}

// maxRules bounds the rules for communities. The Browser walks all of them for
// every node; entities have at most 1,000 labels of communities unless set otherwise.
const maxRules = 2000

// ruled are the communities that have rules, by level, then ordinal.
func ruled(c Corpus) []graph.Community { return c.Communities[:min(len(c.Communities), maxRules)] }

func greyTypes(s *sheet, c Corpus) {
	for _, label := range types(c) {
		s.node(label, fill(communitycolor.None))
	}
}

// greyCommunities adds grey rules for communities below a level.
func greyCommunities(s *sheet, c Corpus, level int) {
	for _, k := range ruled(c) {
		if k.Level > level {
			s.node(k.Label, fill(communitycolor.None))
		}
	}
}
