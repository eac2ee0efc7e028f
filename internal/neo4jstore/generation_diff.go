package neo4jstore

import (
	"slices"

	"github.com/neorag/neorag/internal/graph"
)

// A standing is a community as it stands in the store.
type standing struct {
	graph.Community // without members and parent
	size            int
	since           int64
	until           int64 // 0 while it has no end
	members         int   // edges from members; fewer when a call was interrupted, or a member went and came again
	parents         []parentEdge
}

type parentEdge struct {
	key   string
	since int64
	until int64
}

// A sized is the key of a community with the number of its members.
type sized struct {
	key  string
	size int
}

func (s sized) weight() int { return s.size + 20 }

// A generationPlan is what turns the communities that stand into a hierarchy
// that begins with the next generation.
type generationPlan struct {
	withdrawn    []sized // made for an unfinished next generation, no longer wanted
	ended        []sized
	restored     []sized // ended by an unfinished next generation, wanted after all
	written      []any   // new ones, and those whose ordinal, label, weight or final differ
	members      []any
	parents      []any
	parentsEnded []any
	reported     []string // parents that stay and whose children changed
	moved        bool     // readers would see other communities, parents, ordinals or labels
}

// planGeneration compares what stands with the hierarchy that is wanted. What
// begins with next was left by an interrupted call.
func planGeneration(stand []standing, all []graph.Community, next int64) generationPlan {
	var p generationPlan
	all = sortedBy(all, func(c graph.Community) string { return c.Key })
	wanted := make(map[string]bool, len(all))
	for i := range all {
		wanted[all[i].Key] = true
	}
	changedChildren := map[string]bool{}
	have := make(map[string]*standing, len(stand))
	for i := range stand {
		s := &stand[i]
		have[s.Key] = s
		if wanted[s.Key] {
			if s.until != 0 {
				p.restored = append(p.restored, sized{s.Key, s.size})
			}
			continue
		}
		for _, parent := range s.parents {
			changedChildren[parent.key] = true
		}
		switch {
		case s.since == next:
			p.withdrawn = append(p.withdrawn, sized{s.Key, s.size})
		case s.until == 0:
			p.ended = append(p.ended, sized{s.Key, s.size})
		}
		p.moved = p.moved || s.since < next
	}
	for i := range all {
		if s := have[all[i].Key]; s == nil || s.since == next {
			changedChildren[all[i].Parent] = true
		}
		p.community(have[all[i].Key], &all[i], next)
	}
	for key := range changedChildren {
		if wanted[key] && have[key] != nil {
			p.reported = append(p.reported, key)
		}
	}
	slices.Sort(p.reported)
	return p
}

// community plans one community that is wanted; s is nil when it is new.
func (p *generationPlan) community(s *standing, c *graph.Community, next int64) {
	isNew := s == nil || s.since == next
	renamed := s != nil && (s.Ordinal != c.Ordinal || s.Label != c.Label)
	p.moved = p.moved || isNew || renamed
	if s == nil || renamed || s.Weight != c.Weight || s.Final != c.Final || s.size != len(c.Members) {
		p.written = append(p.written, map[string]any{
			"key": c.Key, "report": s == nil || s.Weight != c.Weight || s.Final != c.Final,
			"set": map[string]any{
				"level": c.Level, "ordinal": c.Ordinal, "label": c.Label, "name": c.Label, "size": len(c.Members),
				"weight": c.Weight, "final": c.Final,
			},
		})
	}
	if s == nil || s.members != len(c.Members) {
		p.moved = true
		for _, member := range slices.Sorted(slices.Values(c.Members)) {
			p.members = append(p.members, map[string]any{"community": c.Key, "key": member, "level": c.Level})
		}
	}
	stands := false
	if s != nil {
		for _, e := range s.parents {
			row := map[string]any{"key": c.Key, "parent": e.key}
			switch {
			case e.key == c.Parent && e.until == 0:
				stands = true
			case e.key != c.Parent && (e.until == 0 || e.since == next):
				p.parentsEnded = append(p.parentsEnded, row)
				p.moved = p.moved || e.since < next
			}
		}
	}
	if c.Parent != "" && !stands {
		p.parents = append(p.parents, map[string]any{"key": c.Key, "parent": c.Parent})
		p.moved = true
	}
}
