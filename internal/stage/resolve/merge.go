package resolve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
)

// Mentions are the records of one chunk, merged by key and sorted by key.
type Mentions struct {
	Entities      []EntityMention
	Relationships []RelationshipMention
	Claims        []graph.Claim
	Dropped       Dropped
}

// An EntityMention holds a chunk's records of one entity. Names, Types and
// Descriptions are parallel, one element per record, sorted by name, type and
// description, so that the order of records does not matter.
type EntityMention struct {
	Key, Name                  string // Name: the spelling to show until Entity derives one
	Names, Types, Descriptions []string
	Absent                     bool `json:",omitempty"` // no spelling of the name is in the chunk
	// Same are the abbreviations with their full forms that the chunk introduces, see Introduce.
	Same []string `json:",omitempty"`
}

// A RelationshipMention holds a chunk's records of one relationship, in both
// directions. Source has the smaller key.
type RelationshipMention struct {
	Key, Source, Target string
	Descriptions        []string // one per record, sorted
	Keywords            []string // of all records, sorted, with repetitions
	Strength            int      // sum, in hundredths
	Count               int      // records
	Forward             int      // records that run from Source to Target
}

// Dropped counts what the graph cannot hold.
type Dropped struct {
	SelfLoops  int // relationships of an entity with itself
	LongNames  int // names longer than MaxNameRunes, counted once per record
	EmptyNames int // names that normalise to nothing, counted once per record
}

// Add adds the counts of another chunk.
func (d *Dropped) Add(o Dropped) {
	d.SelfLoops += o.SelfLoops
	d.LongNames += o.LongNames
	d.EmptyNames += o.EmptyNames
}

// Merge turns one chunk's extraction into mentions. Every end of a relationship
// or claim is also a mention of the chunk: if it is not among the extracted
// entities, it gets one record of type unknown with an empty description. Equal
// claims are merged; of claims that differ only in fields that their key leaves
// out, the one that sorts first is kept. If the chunk was read alone, a claim that another
// chunk of the document states with the same ends and quote gets the same key. The caller sets
// the claims' NTokens.
func Merge(corpus string, chunk graph.Chunk, x graph.Extraction) Mentions {
	m := merger{
		corpus: corpus, records: map[string][]graph.EntityRecord{}, ends: map[string][]string{}, relations: map[string]*RelationshipMention{},
		absent: map[string]bool{}, present: map[string]bool{},
	}
	for _, s := range x.Absent {
		m.absent[s] = true
	}
	for _, r := range x.Entities {
		m.addEntity(r)
	}
	for _, r := range x.Relationships {
		m.addRelationship(r)
	}
	claims := m.mergeClaims(chunk, x.Claims, x.Alone)
	return Mentions{Entities: m.mergeEntities(), Relationships: m.mergeRelationships(), Claims: claims, Dropped: m.dropped}
}

// merger gathers one chunk's records by key.
type merger struct {
	corpus    string
	records   map[string][]graph.EntityRecord // by key
	ends      map[string][]string             // spellings of ends, by key
	relations map[string]*RelationshipMention
	absent    map[string]bool // names and quotes that are not in the chunk
	present   map[string]bool // keys of entities with a name that is
	dropped   Dropped
}

func (m *merger) addEntity(r graph.EntityRecord) {
	name, ok := m.dropped.checkName(r.Name)
	if !ok {
		return
	}
	key := graph.EntityKey(m.corpus, name)
	m.present[key] = m.present[key] || !m.absent[r.Name]
	r.Name = Spelling(r.Name)
	r.Type = cmp.Or(strings.ToLower(Spelling(r.Type)), graph.TypeUnknown)
	r.Description = cleanText(r.Description)
	m.records[key] = append(m.records[key], r)
}

func (m *merger) addRelationship(r graph.RelationshipRecord) {
	from, ok := m.dropped.checkName(r.Source)
	if !ok {
		return
	}
	to, ok := m.dropped.checkName(r.Target)
	if !ok {
		return
	}
	if from == to {
		m.dropped.SelfLoops++
		return
	}
	source, target := m.addEnd(from, r.Source), m.addEnd(to, r.Target)
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
	rel.Descriptions = append(rel.Descriptions, cleanText(r.Description))
	for _, k := range r.Keywords {
		if k = text.OneLine(k); k != "" {
			rel.Keywords = append(rel.Keywords, k)
		}
	}
	rel.Strength += r.Strength
	rel.Count++
	rel.Forward += forward
}

// addEnd records the spelling of an end of a relationship or claim and returns
// the key of its entity.
func (m *merger) addEnd(normalised, name string) string {
	key := graph.EntityKey(m.corpus, normalised)
	m.present[key] = m.present[key] || !m.absent[name]
	m.ends[key] = append(m.ends[key], Spelling(name))
	return key
}

func (m *merger) mergeClaims(chunk graph.Chunk, records []graph.ClaimRecord, alone bool) []graph.Claim {
	byKey := map[string]graph.Claim{}
	for _, r := range records {
		r = withoutNone(r)
		name, ok := m.dropped.checkName(r.Subject)
		if !ok {
			continue
		}
		c := graph.Claim{Key: graph.ClaimKey(m.corpus, chunk.Key, r), Chunk: chunk.Key, Subject: m.addEnd(name, r.Subject), Absent: m.absent[r.SourceText], ClaimRecord: r}
		if r.Object != "" {
			if name, ok := m.dropped.checkName(r.Object); ok {
				c.Object = m.addEnd(name, r.Object)
			}
		}
		if old, ok := byKey[c.Key]; !ok || compareClaims(c.ClaimRecord, old.ClaimRecord) < 0 {
			byKey[c.Key] = c
		}
	}
	claims := sortedValues(byKey)
	if alone {
		m.shareClaims(chunk, claims)
	}
	return claims
}

// shareClaims gives the claims of a chunk keys that do not depend on the chunk, but on the
// document, except to those without a quote. Several claims with the same ends and quote are
// numbered by what they say.
func (m *merger) shareClaims(chunk graph.Chunk, claims []graph.Claim) {
	slices.SortFunc(claims, func(a, b graph.Claim) int { return compareClaims(a.ClaimRecord, b.ClaimRecord) })
	seen := map[string]int{}
	for i := range claims {
		c := &claims[i]
		if strings.TrimSpace(c.SourceText) == "" {
			continue
		}
		first := graph.SharedClaimKey(m.corpus, chunk.Document, c.Subject, c.Object, c.SourceText, 0)
		c.Key = graph.SharedClaimKey(m.corpus, chunk.Document, c.Subject, c.Object, c.SourceText, seen[first])
		c.Shared = true
		seen[first]++
	}
	slices.SortFunc(claims, func(a, b graph.Claim) int { return cmp.Compare(a.Key, b.Key) })
}

func (m *merger) mergeEntities() []EntityMention {
	for key, spellings := range m.ends {
		if len(m.records[key]) == 0 {
			m.records[key] = []graph.EntityRecord{{Name: mostFrequent(countTexts(spellings)), Type: graph.TypeUnknown}}
		}
	}
	byKey := make(map[string]EntityMention, len(m.records))
	for key, records := range m.records {
		byKey[key] = entityMention(key, !m.present[key], records)
	}
	return sortedValues(byKey)
}

// entityMention returns the mention of an entity with these records, which it sorts.
func entityMention(key string, absent bool, records []graph.EntityRecord) EntityMention {
	slices.SortFunc(records, func(a, b graph.EntityRecord) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Description, b.Description))
	})
	e := EntityMention{Key: key, Absent: absent}
	for _, r := range records {
		e.Names = append(e.Names, r.Name)
		e.Types = append(e.Types, r.Type)
		e.Descriptions = append(e.Descriptions, r.Description)
	}
	e.Name = mostFrequent(countTexts(e.Names))
	return e
}

func (m *merger) mergeRelationships() []RelationshipMention {
	byKey := make(map[string]RelationshipMention, len(m.relations))
	for key, r := range m.relations {
		slices.Sort(r.Descriptions)
		slices.Sort(r.Keywords)
		byKey[key] = *r
	}
	return sortedValues(byKey)
}

// withoutNone empties the fields that are NONE, which extraction writes for unknown.
func withoutNone(r graph.ClaimRecord) graph.ClaimRecord {
	for _, field := range []*string{&r.Subject, &r.Object, &r.StartDate, &r.EndDate} {
		if *field = strings.TrimSpace(*field); strings.EqualFold(*field, "none") {
			*field = ""
		}
	}
	r.Description = cleanText(r.Description)
	return r
}

// cleanText trims a text and replaces invalid UTF-8.
func cleanText(s string) string { return strings.TrimSpace(strings.ToValidUTF8(s, "\uFFFD")) }

func compareClaims(a, b graph.ClaimRecord) int {
	return cmp.Or(
		cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Object, b.Object), cmp.Compare(a.Description, b.Description),
		cmp.Compare(a.Type, b.Type), cmp.Compare(a.Status, b.Status),
		cmp.Compare(a.StartDate, b.StartDate), cmp.Compare(a.EndDate, b.EndDate), cmp.Compare(a.SourceText, b.SourceText),
	)
}
