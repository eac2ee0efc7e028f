package biggraph

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// A pair is a relationship between two entities, given by their indexes.
type pair struct{ a, b int }

// A maker generates the rows of the statements that write a graph.
type maker struct {
	corpus string
	sizes  Sizes
	random *rand.Rand
	chunk  []string // keys
	name   []string // of entities
	pairs  []pair
	times  []int // how often each pair is mentioned
	degree []int
}

func newMaker(corpus string, sizes Sizes) *maker {
	m := &maker{corpus: corpus, sizes: sizes, random: rand.New(rand.NewPCG(sizes.Seed, 1))}
	for i := range sizes.Chunks {
		m.chunk = append(m.chunk, graph.Key(corpus, fmt.Sprintf("chunk %07d", i)))
	}
	for i := range sizes.Entities {
		m.name = append(m.name, entityName(i))
	}
	m.connect()
	return m
}

var syllables = strings.Fields("ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu")

// entityName returns a different name for every index.
func entityName(i int) string {
	var b strings.Builder
	for n := i; ; n /= len(syllables) {
		b.WriteString(syllables[n%len(syllables)])
		if n < len(syllables) {
			break
		}
	}
	return strings.ToUpper(b.String()[:1]) + b.String()[1:] + " " + strconv.Itoa(i)
}

// connect draws the relationships: half inside the smallest communities, some inside those
// of the middle level, and some to hubs, so that degrees are as uneven as in real text.
func (m *maker) connect() {
	n := m.sizes.Entities
	m.degree = make([]int, n)
	seen := map[pair]bool{}
	for tries := 0; len(m.pairs) < m.sizes.Relationships && tries < 20*m.sizes.Relationships; tries++ {
		a := m.random.IntN(n)
		var b int
		switch kind := m.random.IntN(10); {
		case kind < 5:
			b = a/leafSize*leafSize + m.random.IntN(leafSize)
		case kind < 8:
			size := leafSize * middleLeaves
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
		m.times = append(m.times, 1+int(3*m.random.Float64()*m.random.Float64()))
		m.degree[a]++
		m.degree[b]++
	}
}

func (m *maker) key(i int) string { return graph.EntityKey(m.corpus, strings.ToLower(m.name[i])) }

// text returns words of a length in bytes.
func (m *maker) text(size int) string {
	var b strings.Builder
	for b.Len() < size {
		for range 2 + m.random.IntN(3) {
			b.WriteString(syllables[m.random.IntN(len(syllables))])
		}
		b.WriteByte(' ')
	}
	return b.String()[:size]
}

// chunksNear returns the keys of at most count chunks, most of them close to each other, at
// a position that corresponds to that of an entity.
func (m *maker) chunksNear(entity, count int) []string {
	n := len(m.chunk)
	at := entity * n / m.sizes.Entities
	var chosen []int
	for range count {
		next := (at + m.random.IntN(50)) % n
		if m.random.IntN(4) == 0 {
			next = m.random.IntN(n)
		}
		if !slices.Contains(chosen, next) {
			chosen = append(chosen, next)
		}
	}
	keys := make([]string, len(chosen))
	for i, c := range chosen {
		keys[i] = m.chunk[c]
	}
	return keys
}

func (m *maker) corpusRows() []any {
	return []any{map[string]any{"set": map[string]any{
		"mode": "made", "generation": 1, "next": 1, "topology": 1, "clustered": 1, "labelled": 1, "swept": 1,
	}}}
}

func (m *maker) documentKey(i int) string {
	return graph.DocumentKey(m.corpus, fmt.Sprintf("made/%06d.txt", i))
}

func (m *maker) documents() []any {
	var rows []any
	for i := range m.sizes.Chunks / chunksOfDocument {
		key := m.documentKey(i)
		rows = append(rows, map[string]any{"key": key, "set": map[string]any{
			"uri": graph.Local(key), "title": fmt.Sprintf("Document %d", i), "name": fmt.Sprintf("Document %d", i), "mime": "text/plain",
			"n_tokens": 600 * chunksOfDocument, "date": fmt.Sprintf("20%02d-01-01", i%25),
		}})
	}
	return rows
}

func (m *maker) chunks() []any {
	const size = 2000
	var rows []any
	for i := range m.sizes.Chunks / chunksOfDocument {
		var chunks []any
		for j := range chunksOfDocument {
			chunks = append(chunks, map[string]any{
				"key": m.chunk[i*chunksOfDocument+j], "text": m.text(size), "index": j, "n_tokens": 600, "start": j * size, "end": (j + 1) * size,
				"name": fmt.Sprintf("Document %d #%d", i, j+1), "extract_fp": "made",
			})
		}
		rows = append(rows, map[string]any{"key": m.documentKey(i), "chunks": chunks})
	}
	return rows
}

var types = []string{"person", "organization", "location", "event", "concept"}

func (m *maker) entities() []any {
	var rows []any
	for i, name := range m.name {
		chunks := m.chunksNear(i, mentionsOfEntity+m.degree[i]/4)
		labels := []string{}
		ordinals := m.ordinals(i)
		for level, ordinal := range ordinals {
			if m.labelled(level, ordinal) {
				labels = append(labels, graph.CommunityLabel("C", level, ordinal))
			}
		}
		kind := types[i%len(types)]
		rows = append(rows, map[string]any{
			"key": m.key(i), "chunks": chunks, "labels": append([]string{strings.ToUpper(kind[:1]) + kind[1:]}, labels...),
			"set": map[string]any{
				"name": name, "type": kind, "description": m.text(200), "degree": m.degree[i], "frequency": len(chunks), "n_tokens": 60,
				"communities": ordinals, "community": graph.CommunityLabel("C", 0, ordinals[0]), "labels_set": labels, "derive_fp": "made", "describe_fp": "made",
			},
		})
	}
	return rows
}

func (m *maker) relationships() []any {
	var rows []any
	for i, p := range m.pairs {
		source, target := m.key(p.a), m.key(p.b)
		if target < source {
			source, target = target, source
		}
		chunks := m.chunksNear(p.a, m.times[i])
		rows = append(rows, map[string]any{
			"key": graph.RelationshipKey(m.corpus, source, target), "source": source, "target": target, "chunks": chunks,
			"set": map[string]any{
				"weight": len(chunks), "strength": 100 * len(chunks), "keywords": []string{m.text(6)}, "description": m.text(150), "n_tokens": 50, "derive_fp": "made",
			},
		})
	}
	return rows
}

func (m *maker) claims() []any {
	var rows []any
	for i := range m.sizes.Claims {
		subject := m.random.IntN(m.sizes.Entities)
		object := (subject + 1 + m.random.IntN(leafSize)) % m.sizes.Entities
		text := m.text(100)
		set := map[string]any{
			"type": []string{"fact", "denial", "figure"}[i%3], "status": []string{"TRUE", "FALSE", "SUSPECTED"}[i%3], "description": text, "name": text, "n_tokens": 30,
		}
		if i%2 == 0 {
			set["start_date"] = fmt.Sprintf("20%02d-%02d-01", i%25, 1+i%12)
		}
		rows = append(rows, map[string]any{
			"key": graph.Key(m.corpus, fmt.Sprintf("claim %07d", i)), "chunk": m.chunksNear(subject, 1)[0],
			"subject": m.key(subject), "object": m.key(object), "set": set,
		})
	}
	return rows
}
