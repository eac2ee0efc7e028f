package resolve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// Mentions are what one chunk says, keyed and merged within the chunk, in key order.
type Mentions struct {
	Entities      []EntityMention
	Relationships []RelationshipMention
	Claims        []graph.Claim
	Dropped       Dropped
}

// An EntityMention holds a chunk's records of one entity. Names, Types and
// Descriptions are parallel, one element a record, sorted by name, type and
// description, so that the order of records changes nothing.
type EntityMention struct {
	Key, Name                  string // Name: the spelling to show while nothing else is known
	Names, Types, Descriptions []string
}

// A RelationshipMention holds a chunk's records of one relationship, in both
// directions. Source has the smaller key.
type RelationshipMention struct {
	Key, Source, Target string
	Descriptions        []string // one a record, sorted
	Keywords            []string // of all records, sorted, repeated as often as given
	Strength            int      // sum, in hundredths
	Count               int      // records
	Forward             int      // records that run from Source to Target
}

// Dropped counts what has no place in the graph.
type Dropped struct {
	SelfLoops  int // relationships of an entity with itself
	LongNames  int // names above MaxName, once per record that carries them
	EmptyNames int // names of which nothing is left, once per record
}

// Add sums the counts of another chunk.
func (d *Dropped) Add(o Dropped) {
	d.SelfLoops += o.SelfLoops
	d.LongNames += o.LongNames
	d.EmptyNames += o.EmptyNames
}

// Merge turns one chunk's extraction into mentions. Every end of a
// relationship or claim is a mention of the chunk: one that is not listed gets
// a single element of type unknown with an empty description. Equal claims
// collapse; of claims that differ only in what their key leaves out, the one
// that sorts first stays. The claims' NTokens is left to the caller.
func Merge(corpus string, chunk graph.Chunk, x graph.Extraction) Mentions {
	m := merger{corpus: corpus, listed: map[string][]graph.EntityRecord{}, ends: map[string][]string{}, relations: map[string]*RelationshipMention{}}
	for _, r := range x.Entities {
		m.entity(r)
	}
	for _, r := range x.Relationships {
		m.relationship(r)
	}
	claims := m.claims(chunk, x.Claims)
	return Mentions{Entities: m.entities(), Relationships: m.relationships(), Claims: claims, Dropped: m.dropped}
}

// merger gathers one chunk's records by key.
type merger struct {
	corpus    string
	listed    map[string][]graph.EntityRecord // by key
	ends      map[string][]string             // spellings of ends, by key
	relations map[string]*RelationshipMention
	dropped   Dropped
}

func (m *merger) entity(r graph.EntityRecord) {
	name, ok := m.dropped.check(r.Name)
	if !ok {
		return
	}
	key := graph.EntityKey(m.corpus, name)
	r.Name = Spelling(r.Name)
	r.Type = typeOf(r.Type)
	r.Description = clean(r.Description)
	m.listed[key] = append(m.listed[key], r)
}

func (m *merger) relationship(r graph.RelationshipRecord) {
	from, ok := m.dropped.check(r.Source)
	if !ok {
		return
	}
	to, ok := m.dropped.check(r.Target)
	if !ok {
		return
	}
	if from == to {
		m.dropped.SelfLoops++
		return
	}
	source, target := m.end(from, r.Source), m.end(to, r.Target)
	forward := 1
	if target < source {
		source, target, forward = target, source, 0
	}
	key := graph.RelationshipKey(m.corpus, source, target)
	rel := m.relations[key]
	if rel == nil {
		rel = &RelationshipMention{Key: key, Source: source, Target: target}
		m.relations[key] = rel
	}
	rel.Descriptions = append(rel.Descriptions, clean(r.Description))
	for _, k := range r.Keywords {
		if k = strings.Join(strings.Fields(k), " "); k != "" {
			rel.Keywords = append(rel.Keywords, k)
		}
	}
	rel.Strength += r.Strength
	rel.Count++
	rel.Forward += forward
}

// end notes that the chunk names an entity as an end, and gives its key.
func (m *merger) end(normalised, name string) string {
	key := graph.EntityKey(m.corpus, normalised)
	m.ends[key] = append(m.ends[key], Spelling(name))
	return key
}

func (m *merger) claims(chunk graph.Chunk, records []graph.ClaimRecord) []graph.Claim {
	byKey := map[string]graph.Claim{}
	for _, r := range records {
		r = noNone(r)
		name, ok := m.dropped.check(r.Subject)
		if !ok {
			continue
		}
		c := graph.Claim{Key: graph.ClaimKey(m.corpus, chunk.Key, r), Chunk: chunk.Key, Subject: m.end(name, r.Subject), ClaimRecord: r}
		if r.Object != "" {
			if name, ok := m.dropped.check(r.Object); ok {
				c.Object = m.end(name, r.Object)
			}
		}
		if old, ok := byKey[c.Key]; !ok || compareClaims(c.ClaimRecord, old.ClaimRecord) < 0 {
			byKey[c.Key] = c
		}
	}
	return sorted(byKey)
}

func (m *merger) entities() []EntityMention {
	for key, spellings := range m.ends {
		if len(m.listed[key]) == 0 {
			m.listed[key] = []graph.EntityRecord{{Name: mostFrequent(counts(spellings)), Type: graph.TypeUnknown}}
		}
	}
	byKey := make(map[string]EntityMention, len(m.listed))
	for key, records := range m.listed {
		slices.SortFunc(records, compareEntities)
		e := EntityMention{Key: key}
		for _, r := range records {
			e.Names = append(e.Names, r.Name)
			e.Types = append(e.Types, r.Type)
			e.Descriptions = append(e.Descriptions, r.Description)
		}
		e.Name = mostFrequent(counts(e.Names))
		byKey[key] = e
	}
	return sorted(byKey)
}

func (m *merger) relationships() []RelationshipMention {
	byKey := make(map[string]RelationshipMention, len(m.relations))
	for key, r := range m.relations {
		slices.Sort(r.Descriptions)
		slices.Sort(r.Keywords)
		byKey[key] = *r
	}
	return sorted(byKey)
}

// noNone empties the fields that say NONE, the extraction's word for unknown.
func noNone(r graph.ClaimRecord) graph.ClaimRecord {
	for _, field := range []*string{&r.Subject, &r.Object, &r.StartDate, &r.EndDate} {
		if *field = strings.TrimSpace(*field); strings.EqualFold(*field, "none") {
			*field = ""
		}
	}
	r.Description = clean(r.Description)
	return r
}

func typeOf(typ string) string {
	typ = strings.ToLower(Spelling(typ))
	if typ == "" {
		return graph.TypeUnknown
	}
	return typ
}

func clean(text string) string { return strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")) }

func compareEntities(a, b graph.EntityRecord) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Description, b.Description))
}

func compareClaims(a, b graph.ClaimRecord) int {
	return cmp.Or(
		cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Object, b.Object), cmp.Compare(a.Description, b.Description),
		cmp.Compare(a.Type, b.Type), cmp.Compare(a.Status, b.Status),
		cmp.Compare(a.StartDate, b.StartDate), cmp.Compare(a.EndDate, b.EndDate), cmp.Compare(a.SourceText, b.SourceText),
	)
}
