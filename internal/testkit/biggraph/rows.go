package biggraph

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/chunk"
)

// A pair is a relationship between two entities, given by their indexes.
type pair struct{ a, b int }

// A maker generates the rows of the statements that write a graph.
type maker struct {
	corpus  string
	sizes   Sizes
	options Options
	random  *rand.Rand
	name    []string // of entities
	pairs   []pair
	degree  []int
	times   []int     // in how many sections an entity occurs
	pairsOf [][]int32 // relationships by section
	loneOf  [][]int32 // entities without relationships, by section
	anyOf   []string  // keys of chunks, one for each section
}

func newMaker(corpus string, sizes Sizes, o Options) *maker {
	m := &maker{corpus: corpus, sizes: sizes, options: o, random: rand.New(rand.NewPCG(sizes.Seed, 1))}
	for i := range sizes.Entities {
		m.name = append(m.name, EntityName(i))
	}
	m.connect()
	m.place()
	return m
}

var syllables = strings.Fields("ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu")

// EntityName returns a different name of two words for every index below 32 million. Of 100,000 names,
// 12 share the first word, and 25 the second.
func EntityName(i int) string {
	first := i % 8000
	return word(first) + " " + word(8000+(37*first+i/8000)%4000)
}

// word returns a different capitalised word of three to five syllables for every number.
func word(n int) string {
	var b strings.Builder
	for range 3 {
		b.WriteString(syllables[n%len(syllables)])
		n /= len(syllables)
	}
	for ; n > 0; n /= len(syllables) {
		b.WriteString(syllables[n%len(syllables)])
	}
	return strings.ToUpper(b.String()[:1]) + b.String()[1:]
}

// connect draws the relationships: half inside the smallest communities, some inside
// communities of the middle level, and some to hubs, so that degrees are as uneven as in real text.
func (m *maker) connect() {
	n, leaf := m.sizes.Entities, m.sizes.Leaf
	m.degree = make([]int, n)
	seen := make(map[pair]bool, m.sizes.Relationships)
	for tries := 0; len(m.pairs) < m.sizes.Relationships && tries < 20*m.sizes.Relationships; tries++ {
		a := m.random.IntN(n)
		var b int
		switch kind := m.random.IntN(10); {
		case kind < 5:
			b = a/leaf*leaf + m.random.IntN(leaf)
		case kind < 8:
			size := leaf * m.sizes.Middle
			b = a/size*size + m.random.IntN(size)
		default:
			part := m.random.Float64()
			b = int(part * part * part * part * float64(n))
		}
		p := pair{min(a, b), max(a, b)}
		if a == b || b >= n || seen[p] {
			continue
		}
		seen[p] = true
		m.pairs = append(m.pairs, p)
		m.degree[a]++
		m.degree[b]++
	}
}

// place decides in which sections of the documents each relationship is mentioned: in one
// or two, most of them at a position that corresponds to the position of its first entity.
func (m *maker) place() {
	n := m.sizes.Chunks
	m.pairsOf, m.loneOf, m.times, m.anyOf = make([][]int32, n), make([][]int32, n), make([]int, m.sizes.Entities), make([]string, n)
	near := func(entity int) int {
		if m.random.IntN(4) == 0 {
			return m.random.IntN(n)
		}
		return (entity*n/m.sizes.Entities + m.random.IntN(50)) % n
	}
	for i, p := range m.pairs {
		for range 1 + m.random.IntN(5)/4 {
			section := near(p.a)
			m.pairsOf[section] = append(m.pairsOf[section], int32(i)) //nolint:gosec // fewer than 2^31
			m.times[p.a]++
			m.times[p.b]++
		}
	}
	for i := range m.sizes.Entities {
		if m.times[i] == 0 {
			section := near(i)
			m.loneOf[section] = append(m.loneOf[section], int32(i)) //nolint:gosec // fewer than 2^31
			m.times[i]++
		}
	}
}

func (m *maker) key(i int) string { return graph.EntityKey(m.corpus, strings.ToLower(m.name[i])) }

// ends returns the keys of the entities of a relationship, the smaller one first, and the
// key of the relationship.
func (m *maker) ends(i int) (source, target, key string) {
	source, target = m.key(m.pairs[i].a), m.key(m.pairs[i].b)
	if target < source {
		source, target = target, source
	}
	return source, target, graph.RelationshipKey(m.corpus, source, target)
}

// text returns words of a length in bytes.
func (m *maker) text(size int) string {
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(m.filler(m.random))
		b.WriteByte(' ')
	}
	return b.String()[:size]
}

// marks returns the properties of a node whose values the next run derives.
func (m *maker) marks(set map[string]any) map[string]any {
	if m.options.ToDerive {
		set["todo_derive"] = m.corpus
	} else {
		set["derive_fp"], set["describe_fp"] = "made", "made"
	}
	return set
}

func (m *maker) corpusRows() iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		set := map[string]any{"mode": "made", "generation": 1, "next": 1, "topology": 1, "clustered": 1, "labelled": 1, "swept": 1}
		if m.options.WithoutCommunities {
			set = map[string]any{"topology": 1_000_000}
		}
		yield(map[string]any{"set": set}, nil)
	}
}

// documents returns the documents with their chunks and mentions, and writes their files.
func (m *maker) documents(ctx context.Context) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for i := range m.sizes.Chunks / sectionsOfDocument {
			row, err := m.documentRow(i)
			if err == nil {
				err = ctx.Err()
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

func (m *maker) documentRow(i int) (any, error) {
	d, sentences := m.document(i)
	if err := m.writeFile(i, d.Text); err != nil {
		return nil, err
	}
	chunks, err := chunk.Split(m.corpus, d, nil, chunk.Options{})
	if err != nil {
		return nil, err
	}
	rows, tokens := make([]any, len(chunks)), 0
	mentions := make([]mentionsOf, len(chunks))
	for _, s := range sentences {
		at := sort.Search(len(chunks), func(j int) bool { return chunks[j].Start > s.start }) - 1
		if at > 0 && chunks[at-1].End >= s.start+len(s.text) {
			at-- // as if it were read for the first time
		}
		mentions[at].add(m, s)
	}
	passages, found := m.passages(d, chunks)
	for j, c := range chunks {
		rows[j] = map[string]any{
			"set": map[string]any{
				"key": c.Key, "text": c.Text, "index": c.Index, "n_tokens": c.NTokens, "start": c.Start, "end": c.End,
				"name": fmt.Sprintf("%s #%d", d.Title, j+1), "extract_fp": "made", "extract_sum": "made",
			},
			"entities": mentions[j].entities, "relationships": mentions[j].relationships, "passages": passages[c.Key],
		}
		tokens += c.NTokens
	}
	for s := range sectionsOfDocument {
		m.anyOf[i*sectionsOfDocument+s] = chunks[s*len(chunks)/sectionsOfDocument].Key
	}
	set := map[string]any{
		"uri": d.URI, "title": d.Title, "name": d.Title, "mime": d.MIME, "sha256": d.SHA256, "n_tokens": tokens,
		"date": fmt.Sprintf("20%02d-01-01", i%25), "source_fp": m.options.Source, "chunk_fp": m.options.Chunk,
	}
	maps.Copy(set, found)
	if m.options.Folder != "" {
		if set["root"], err = filepath.Abs(m.options.Folder); err != nil {
			return nil, err
		}
	}
	return map[string]any{"key": d.Key, "set": set, "chunks": rows}, nil
}

// mentionsOf are the mentions of a chunk, each node once.
type mentionsOf struct {
	entities, relationships []any
	seen                    []string
}

func (x *mentionsOf) add(m *maker, s sentence) {
	if s.pair < 0 {
		x.addEntity(m, s.entity, s.text)
		return
	}
	x.addEntity(m, m.pairs[s.pair].a, s.text)
	x.addEntity(m, m.pairs[s.pair].b, s.text)
	if _, _, key := m.ends(s.pair); !slices.Contains(x.seen, key) {
		x.seen = append(x.seen, key)
		x.relationships = append(x.relationships, map[string]any{"key": key, "description": s.text})
	}
}

func (x *mentionsOf) addEntity(m *maker, i int, description string) {
	if key := m.key(i); !slices.Contains(x.seen, key) {
		x.seen = append(x.seen, key)
		x.entities = append(x.entities, map[string]any{"key": key, "description": description})
	}
}

var types = []string{"person", "organization", "location", "event", "concept"}

func (m *maker) entities() iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for i, name := range m.name {
			kind := types[i%len(types)]
			labels := []string{strings.ToUpper(kind[:1]) + kind[1:]}
			description := m.text(200)
			set := m.marks(map[string]any{
				"name": name, "type": kind, "description": description, "degree": m.degree[i], "frequency": m.times[i], "n_tokens": 60,
			})
			m.addTerms(set, name, kind, description)
			if !m.options.WithoutCommunities {
				ordinals, of := m.ordinals(i), []string{}
				for level, ordinal := range ordinals {
					if m.labelled(level, ordinal) {
						of = append(of, graph.CommunityLabel("C", level, ordinal))
					}
				}
				labels = append(labels, of...)
				set["communities"], set["community"], set["labels_set"] = ordinals, graph.CommunityLabel("C", 0, ordinals[0]), of
			}
			if !yield(map[string]any{"key": m.key(i), "labels": labels, "set": set}, nil) {
				return
			}
		}
	}
}

func (m *maker) relationships() iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for i := range m.pairs {
			source, target, key := m.ends(i)
			set := m.marks(map[string]any{
				"weight": 1, "strength": 100, "keywords": []string{"town"}, "description": m.meeting(i), "n_tokens": 20,
			})
			m.addTerms(set, m.name[m.pairs[i].a]+" — "+m.name[m.pairs[i].b], m.meeting(i))
			row := map[string]any{"key": key, "source": source, "target": target, "set": set}
			if !yield(row, nil) {
				return
			}
		}
	}
}

func (m *maker) claims() iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for i := range m.sizes.Claims {
			subject := m.random.IntN(m.sizes.Entities)
			object := (subject + 1 + m.random.IntN(m.sizes.Leaf)) % m.sizes.Entities
			text := m.text(100)
			set := map[string]any{
				"type": []string{"fact", "denial", "figure"}[i%3], "status": []string{"TRUE", "FALSE", "SUSPECTED"}[i%3], "description": text, "name": text, "n_tokens": 30,
			}
			m.addTerms(set, m.name[subject], m.name[object], text)
			if i%2 == 0 {
				set["start_date"] = fmt.Sprintf("20%02d-%02d-01", i%25, 1+i%12)
			}
			row := map[string]any{
				"key": graph.Key(m.corpus, fmt.Sprintf("claim %07d", i)), "chunk": m.anyOf[subject*len(m.anyOf)/m.sizes.Entities],
				"subject": m.key(subject), "object": m.key(object), "set": set,
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}
