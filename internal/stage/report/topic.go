package report

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

const (
	// minTopicShare is the share of a community's mentions that the section must have which the
	// community is named after.
	minTopicShare = .4
	// aheadOf is how many times the mentions of the next document the document of that section has.
	aheadOf = 1.3
	// deeperShare is the share of a section's mentions that a section inside it must have to be
	// taken instead.
	deeperShare = .6
	// aloneWeight is the weight of a mention in a section without another member, where one with
	// another member has the weight 1.
	aloneWeight = .3
	// logWeight is the weight of a mention below the heading of a version or a date, where one in
	// another section has the weight 1.
	logWeight = .3
)

// A topicNode is a document, or a section of one, with the mentions in it and below.
type topicNode struct {
	heading string // of the section or title of the document, as a title shows it; "" if it is none
	share   float64
	of      map[string]int // mentions by entity
	parts   map[string]*topicNode
	key     string
}

// topicTree returns the documents and sections that mention the members of a community. Each member
// counts 1 in all, mostly in sections that mention other members too.
func topicTree(sections map[string][]graph.SectionMentions) *topicNode {
	type place struct{ document, path string }
	members := map[place]int{}
	for _, list := range sections {
		for _, s := range list {
			members[place{s.Document, s.Path}]++
		}
	}
	root := newTopicNode("", "")
	for _, key := range slices.Sorted(maps.Keys(sections)) {
		weight := func(s graph.SectionMentions) float64 {
			w := float64(s.N) * (float64(members[place{s.Document, s.Path}]-1) + aloneWeight)
			if isLog(s.Path) {
				return w * logWeight
			}
			return w
		}
		sum := 0.
		for _, s := range sections[key] {
			sum += weight(s)
		}
		for _, s := range sections[key] {
			root.add(key, s, weight(s)/sum)
		}
	}
	root.dropRepeated()
	return root
}

// dropRepeated removes headings of one word that several sections have, such as Properties: they say
// what a section has, not what it is about.
func (n *topicNode) dropRepeated() {
	by := map[string][]*topicNode{}
	var walk func(n *topicNode)
	walk = func(n *topicNode) {
		for _, part := range n.parts {
			if isWeak(part.heading) {
				by[part.heading] = append(by[part.heading], part)
			}
			walk(part)
		}
	}
	walk(n)
	for _, same := range by {
		for _, part := range same {
			if len(same) > 1 {
				part.heading = ""
			}
		}
	}
}

// isLog reports whether a section is about a version or a day, as in a log of changes.
func isLog(path string) bool {
	for heading := range strings.SplitSeq(path, " > ") {
		if versionLike.MatchString(headingLink.ReplaceAllString(heading, "$1")) {
			return true
		}
	}
	return false
}

// add adds mentions to a document and the sections on the way to theirs.
func (n *topicNode) add(entity string, s graph.SectionMentions, share float64) {
	n.count(entity, s.N, share)
	at := n.part(s.Document, documentHeading(s))
	at.count(entity, s.N, share)
	if s.Path == "" {
		return
	}
	for i, heading := range strings.Split(s.Path, " > ") {
		if shown := cleanHeading(heading); i > 0 || shown != at.heading { // many documents begin with their title
			at = at.part(heading, shown)
			at.count(entity, s.N, share)
		}
	}
}

func newTopicNode(key, heading string) *topicNode {
	return &topicNode{key: key, heading: heading, of: map[string]int{}, parts: map[string]*topicNode{}}
}

func (n *topicNode) count(entity string, mentions int, share float64) {
	n.share += share
	n.of[entity] += mentions
}

func (n *topicNode) part(key, heading string) *topicNode {
	at := n.parts[key]
	if at == nil {
		at = newTopicNode(key, heading)
		n.parts[key] = at
	}
	return at
}

// largest returns the parts of a node, the one with most mentions first.
func (n *topicNode) largest() []*topicNode {
	var out []*topicNode
	for _, p := range n.parts {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *topicNode) int { return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.key, b.key)) })
	return out
}

// topicPath returns the sections from a document to the smallest one that most mentions of a
// community are in; nothing if no document has enough of them.
func topicPath(root *topicNode) []*topicNode {
	documents := root.largest()
	if len(documents) == 0 || documents[0].share < minTopicShare*root.share || len(documents) > 1 && documents[0].share < aheadOf*documents[1].share {
		return nil
	}
	return documents[0].path(deeperShare)
}

// path returns a node and the parts of parts that have a share of the mentions in what they are
// part of.
func (n *topicNode) path(share float64) []*topicNode {
	path := []*topicNode{n}
	for {
		last := path[len(path)-1]
		parts := last.largest()
		if len(parts) == 0 || parts[0].share < share*last.share {
			return path
		}
		path = append(path, parts[0])
	}
}

// sectionParts returns what sections add to a fingerprint: nothing without any, so that reports by
// a model, which do not read them, keep theirs.
func sectionParts(sections map[string][]graph.SectionMentions) (parts []string) {
	for _, key := range slices.Sorted(maps.Keys(sections)) {
		parts = append(parts, graph.Local(key))
		for _, s := range sections[key] {
			parts = append(parts, graph.Local(s.Document), s.Title, s.Path, strconv.Itoa(s.N))
		}
	}
	return parts
}
