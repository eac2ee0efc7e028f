package resolve

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/graph"
)

// Fold returns the mentions of a chunk with the names of its entities replaced by those that name
// returns, and reports whether any was. m stays unchanged. Mentions of the same entity are
// joined: it is absent if all were. A relationship of an entity with itself is left out.
func (m Mentions) Fold(corpus string, chunk graph.Chunk, name func(string) string) (folded Mentions, changed bool) {
	key := func(k string) string {
		if k == "" {
			return ""
		}
		to := graph.EntityKey(corpus, name(graph.Local(k)))
		changed = changed || to != k
		return to
	}
	entities := map[string]EntityMention{}
	for _, e := range m.Entities {
		e.Key = key(e.Key)
		if old, ok := entities[e.Key]; ok {
			e = joinEntities(old, e)
		}
		entities[e.Key] = e
	}
	if !changed { // every end is an entity of the chunk
		return m, false
	}
	relationships := map[string]RelationshipMention{}
	for _, r := range m.Relationships {
		r.Source, r.Target = key(r.Source), key(r.Target)
		if r.Source == r.Target {
			continue
		}
		if r.Target < r.Source {
			r.Source, r.Target, r.Forward = r.Target, r.Source, r.Count-r.Forward
		}
		r.Key = graph.RelationshipKey(corpus, r.Source, r.Target)
		if old, ok := relationships[r.Key]; ok {
			r = joinRelationships(old, r)
		}
		relationships[r.Key] = r
	}
	claims := slices.Clone(m.Claims)
	shared := false
	for i := range claims {
		c := &claims[i]
		c.Subject, c.Object, shared = key(c.Subject), key(c.Object), shared || c.Shared
	}
	if shared {
		(&merger{corpus: corpus}).shareClaims(chunk, claims)
	}
	return Mentions{Entities: sortedValues(entities), Relationships: sortedValues(relationships), Claims: claims, Dropped: m.Dropped}, true
}

// NewEntityMention returns a mention with the name to show.
func NewEntityMention(e EntityMention) EntityMention {
	e.Name = mostFrequent(countTexts(e.Names))
	return e
}

func joinEntities(a, b EntityMention) EntityMention {
	records := make([]graph.EntityRecord, 0, len(a.Names)+len(b.Names))
	for _, e := range []EntityMention{a, b} {
		for i := range e.Names {
			records = append(records, graph.EntityRecord{Name: e.Names[i], Type: e.Types[i], Description: e.Descriptions[i]})
		}
	}
	out := entityMention(a.Key, a.Absent && b.Absent, records)
	out.Same = slices.Concat(a.Same, b.Same)
	slices.Sort(out.Same)
	out.Same = slices.Compact(out.Same)
	return out
}

func joinRelationships(a, b RelationshipMention) RelationshipMention {
	a.Descriptions, a.Keywords = slices.Concat(a.Descriptions, b.Descriptions), slices.Concat(a.Keywords, b.Keywords)
	slices.Sort(a.Descriptions)
	slices.Sort(a.Keywords)
	a.Strength += b.Strength
	a.Count += b.Count
	a.Forward += b.Forward
	return a
}

// encodedMentions are mentions as they are stored. The record of a claim has a field, because
// its fields have the same names as fields of the claim.
type encodedMentions struct {
	Entities      []EntityMention
	Relationships []RelationshipMention
	Claims        []encodedClaim
}

type encodedClaim struct {
	Claim  graph.Claim
	Record graph.ClaimRecord
}

// Encode returns the mentions as a text for Decode.
func (m Mentions) Encode() string {
	x := encodedMentions{Entities: m.Entities, Relationships: m.Relationships}
	for _, c := range m.Claims {
		record := c.ClaimRecord
		c.ClaimRecord = graph.ClaimRecord{}
		x.Claims = append(x.Claims, encodedClaim{c, record})
	}
	return encodeJSON(x)
}

// Decode returns encoded mentions.
func Decode(s string) (Mentions, error) {
	var x encodedMentions
	if err := json.Unmarshal([]byte(s), &x); err != nil {
		return Mentions{}, fmt.Errorf("decode mentions: %w", err)
	}
	m := Mentions{Entities: x.Entities, Relationships: x.Relationships}
	for _, c := range x.Claims {
		c.Claim.ClaimRecord = c.Record
		m.Claims = append(m.Claims, c.Claim)
	}
	return m, nil
}
