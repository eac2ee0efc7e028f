package neo4jstore

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// memberCacheBytes is the usual limit of a memberCache.
const memberCacheBytes = 128 << 20

// A memberCache holds the records of members of communities.
type memberCache struct {
	records map[string]*memberRecords // by key of the entity
	keys    []string                  // of records, oldest first
	bytes   int                       // that they take, about
	most    int                       // bytes that are kept for later communities
	fills   int
}

// memberRecords are what a report may show of a member.
type memberRecords struct {
	entities      []graph.Entity       // one, or none if it is gone
	relationships []graph.Relationship // from it to entities inside and outside of the community
	incoming      []graph.Relationship // to it, if they were asked for
	claims        []graph.Claim        // about it
	sections      []graph.SectionMentions
	hasSections   bool // sections were read
	bytes         int
	fill          int // the last call of fill for a community of which it is a member
}

// add makes room for the records of members that are not there, and returns their keys.
func (c *memberCache) add(communities []graph.Community) (added []string) {
	for _, k := range communities {
		for _, key := range k.Members {
			if c.records[key] == nil {
				c.records[key] = &memberRecords{}
				added = append(added, key)
			}
		}
	}
	c.keys = append(c.keys, added...)
	return added
}

// remove removes the records that were added last.
func (c *memberCache) remove(added []string) {
	for _, key := range added {
		delete(c.records, key)
	}
	c.keys = c.keys[:len(c.keys)-len(added)]
}

// fill adds the records of the members of a community to its context, in key order, and if
// outside is set its strongest relationships to other entities.
func (c *memberCache) fill(k *ReportContext, outside bool) {
	c.fills++
	for _, key := range k.Community.Members {
		c.records[key].fill = c.fills
	}
	for _, key := range k.Community.Members {
		m := c.records[key]
		k.Entities = append(k.Entities, m.entities...)
		k.Claims = append(k.Claims, m.claims...)
		for _, r := range m.relationships {
			if c.isInside(r.Target) {
				k.Relationships = append(k.Relationships, r)
			} else if outside {
				k.Outside = append(k.Outside, r)
			}
		}
		for _, r := range m.incoming {
			if outside && !c.isInside(r.Source) {
				k.Outside = append(k.Outside, r)
			}
		}
	}
	slices.SortFunc(k.Entities, func(a, b graph.Entity) int { return strings.Compare(a.Key, b.Key) })
	slices.SortFunc(k.Relationships, func(a, b graph.Relationship) int { return strings.Compare(a.Key, b.Key) })
	slices.SortFunc(k.Claims, func(a, b graph.Claim) int { return strings.Compare(a.Key, b.Key) })
	slices.SortFunc(k.Outside, graph.StrongerFirst)
	k.OutsideLeft = max(0, len(k.Outside)-outsideRelationships)
	k.Outside = slices.Clone(k.Outside[:len(k.Outside)-k.OutsideLeft])
}

// setSections keeps the sections of members, by their keys.
func (c *memberCache) setSections(members []string, sections map[string][]graph.SectionMentions) {
	for _, key := range members {
		m := c.records[key]
		m.sections, m.hasSections = sections[key], true
		if m.bytes > 0 { // evict has counted what was there
			n := sizeOfSections(m.sections)
			m.bytes += n
			c.bytes += n
		}
	}
}

// fillSections adds the sections that mention the members of a community to its context.
func (c *memberCache) fillSections(k *ReportContext) {
	k.Sections = map[string][]graph.SectionMentions{}
	for _, key := range k.Community.Members {
		if sections := c.records[key].sections; len(sections) > 0 {
			k.Sections[key] = sections
		}
	}
}

// outsideRelationships is how many relationships of a community to other entities are read.
const outsideRelationships = 20

// isInside reports whether an entity is a member of the community that fill is called for.
func (c *memberCache) isInside(entity string) bool {
	m := c.records[entity]
	return m != nil && m.fill == c.fills
}

// evict removes the oldest records until the rest takes no more than the limit.
func (c *memberCache) evict() {
	for i := len(c.keys) - 1; i >= 0 && c.records[c.keys[i]].bytes == 0; i-- {
		m := c.records[c.keys[i]]
		m.bytes = m.size()
		c.bytes += m.bytes
	}
	n := 0
	for ; c.bytes > c.most; n++ {
		c.bytes -= c.records[c.keys[n]].bytes
		delete(c.records, c.keys[n])
	}
	c.keys = slices.Delete(c.keys, 0, n)
}

// recordBytes is what a record takes besides its texts.
const recordBytes = 300

func (m *memberRecords) size() int {
	n := recordBytes + sizeOfSections(m.sections)
	for _, e := range m.entities {
		n += recordBytes + len(e.Name) + len(e.Description)
	}
	for _, r := range m.relationships {
		n += recordBytes + len(r.Description) + len(r.TargetName)
	}
	for _, r := range m.incoming {
		n += recordBytes + len(r.Description) + len(r.SourceName)
	}
	for _, k := range m.claims {
		n += recordBytes + len(k.Description)
	}
	return n
}

func sizeOfSections(all []graph.SectionMentions) (n int) {
	for _, s := range all {
		n += recordBytes/3 + len(s.Path)
	}
	return n
}
