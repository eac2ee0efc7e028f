package neo4jstore

import (
	"slices"

	"github.com/neorag/neorag/internal/graph"
)

// A storedCommunity is a community as it is stored.
type storedCommunity struct {
	graph.Community // without members and parent
	size            int
	since           int64
	until           int64    // 0 if it has not ended
	next            nextName // that an interrupted call wrote
	older           bool     // it has a property final, which older versions wrote
	members         int      // edges from members; too few after an interrupted call, or after a member was deleted and created again
	parents         []parentEdge
}

// parent returns the key of the latest parent, "" of a community of level 0.
func (s storedCommunity) parent() string {
	var last parentEdge
	for _, p := range s.parents {
		if p.since > last.since || p.since == last.since && p.key > last.key {
			last = p
		}
	}
	return last.key
}

// A nextName is the ordinal and label that a visible community gets with the flip; the
// label is empty if it keeps those that it has.
type nextName struct {
	ordinal int
	label   string
}

type parentEdge struct {
	key   string
	since int64
	until int64
}

// A communitySize is the key of a community and the number of its members.
type communitySize struct {
	key  string
	size int
}

func (s communitySize) weight() int { return s.size + 20 }

// A generationDiff is the difference between the stored communities and the hierarchy of
// the next generation.
type generationDiff struct {
	withdrawn    []communitySize // written for an unfinished next generation, no longer wanted
	ended        []communitySize
	restored     []communitySize  // ended by an unfinished next generation, but wanted
	written      []communityWrite // new ones, and those whose weight differs, or that are older
	renamed      []rename         // visible ones that get another ordinal or label with the flip, or no longer do
	members      []memberPart
	parents      []parentLink
	parentsEnded []parentLink
	marked       []string // stored parents whose children changed
	visible      bool     // the visible communities, parents, ordinals or labels would change
	entities     Entities // that may be members
}

// A communityWrite is a community to write, whether it must be reported, and whether readers
// see it before the flip.
type communityWrite struct {
	*graph.Community

	report, visible bool
}

func (c communityWrite) row() any {
	set := map[string]any{"level": c.Level, "size": len(c.Members), "weight": c.Weight, "final": nil}
	if !c.visible {
		set["ordinal"], set["label"], set["name"] = c.Ordinal, c.Label, c.Label
	}
	return map[string]any{"key": c.Key, "report": c.report, "set": set}
}

// A rename is what a visible community gets with the flip.
type rename struct {
	key string
	nextName
}

func (r rename) row() any {
	if r.label == "" {
		return map[string]any{"key": r.key, "ordinal": nil, "label": nil}
	}
	return map[string]any{"key": r.key, "ordinal": r.ordinal, "label": r.label}
}

// A memberPart is some of the members of a community, which fit into one transaction.
type memberPart struct {
	community *graph.Community
	members   []string
	stored    bool // the community is stored, with any of its members
}

func (m memberPart) weight() int { return len(m.members) }

// A memberWrite is a memberPart with the internal ids of entities by key.
type memberWrite struct {
	memberPart

	ids map[string]int64
}

// row has the key of a member in addition to its id: the server compares both, so that a node
// that took over the id of a deleted one is not found.
func (m memberWrite) row() any {
	ids := make([]int64, len(m.members))
	for i, key := range m.members {
		ids[i] = m.ids[key]
	}
	return map[string]any{"community": m.community.Key, "level": m.community.Level, "members": m.members, "ids": ids, "stored": m.stored}
}

// A parentLink is an edge from a community to its parent.
type parentLink struct{ key, parent string }

func (l parentLink) row() any { return map[string]any{"key": l.key, "parent": l.parent} }

// diffGeneration compares the stored communities with the wanted hierarchy. Those that
// begin with next were written by an interrupted call.
func diffGeneration(stored []storedCommunity, all []graph.Community, next int64) generationDiff {
	var p generationDiff
	wanted := make(map[string]bool, len(all))
	for i := range all {
		wanted[all[i].Key] = true
	}
	changedChildren := map[string]bool{}
	have := make(map[string]*storedCommunity, len(stored))
	for _, i := range downward(len(stored), func(i int) string { return stored[i].Key }, func(i int) string { return stored[i].parent() }) {
		s := &stored[i]
		have[s.Key] = s
		if wanted[s.Key] {
			if s.until != 0 {
				p.restored = append(p.restored, communitySize{s.Key, s.size})
			}
			continue
		}
		for _, parent := range s.parents {
			changedChildren[parent.key] = true
		}
		switch {
		case s.since == next:
			p.withdrawn = append(p.withdrawn, communitySize{s.Key, s.size})
		case s.until == 0:
			p.ended = append(p.ended, communitySize{s.Key, s.size})
		}
		p.visible = p.visible || s.since < next
	}
	for _, i := range downward(len(all), func(i int) string { return all[i].Key }, func(i int) string { return all[i].Parent }) {
		if s := have[all[i].Key]; s == nil || s.since == next {
			changedChildren[all[i].Parent] = true
		}
		p.community(have[all[i].Key], &all[i], next)
	}
	for key := range changedChildren {
		if wanted[key] && have[key] != nil {
			p.marked = append(p.marked, key)
		}
	}
	slices.Sort(p.marked)
	return p
}

// community adds one wanted community; s is the stored one, nil if it is new.
func (p *generationDiff) community(s *storedCommunity, c *graph.Community, next int64) {
	isNew := s == nil || s.since == next
	renamed := s != nil && (s.Ordinal != c.Ordinal || s.Label != c.Label)
	p.visible = p.visible || isNew || renamed
	if s == nil || renamed && isNew || s.older || s.Weight != c.Weight || s.size != len(c.Members) {
		p.written = append(p.written, communityWrite{c, s == nil || s.Weight != c.Weight, !isNew})
	}
	if !isNew {
		p.rename(s, c)
	}
	if s == nil || s.members != len(c.Members) {
		p.visible = true
		members := c.Members
		if !slices.IsSorted(members) {
			members = slices.Sorted(slices.Values(members))
		}
		for part := range slices.Chunk(members, writeRows/2) {
			p.members = append(p.members, memberPart{c, part, s != nil})
		}
	}
	linked := false
	if s != nil {
		for _, e := range s.parents {
			switch {
			case e.key == c.Parent && e.until == 0:
				linked = true
			case e.key != c.Parent && (e.until == 0 || e.since == next):
				p.parentsEnded = append(p.parentsEnded, parentLink{c.Key, e.key})
				p.visible = p.visible || e.since < next
			}
		}
	}
	if c.Parent != "" && !linked {
		p.parents = append(p.parents, parentLink{c.Key, c.Parent})
		p.visible = true
	}
}

// rename adds the ordinal and label that a visible community gets with the flip, unless an
// interrupted call wrote the same.
func (p *generationDiff) rename(s *storedCommunity, c *graph.Community) {
	var next nextName
	if s.Ordinal != c.Ordinal || s.Label != c.Label {
		next = nextName{c.Ordinal, c.Label}
	}
	if next != s.next {
		p.renamed = append(p.renamed, rename{c.Key, next})
	}
}
