package local

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/text/textproc"
)

// Sizes of the generated graph. NEORAG_BENCH_ENTITIES sets another number of
// entities; each has three relationships.
const (
	benchEntities = 100_000
	benchReports  = 2_000
	benchMentions = 12 // entities, and relationships, of a chunk
	benchPage     = 20_000
)

// BenchmarkOverhead measures what an answer costs in addition to the model, on a graph
// of 100,000 entities and 300,000 relationships that it writes first: the
// context of local, and the windows of global. It is meant to run alone, with
// -benchtime 1x; the figures are medians of sequential questions.
func BenchmarkOverhead(b *testing.B) {
	n := benchEntities
	if s := os.Getenv("NEORAG_BENCH_ENTITIES"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			b.Fatal(err)
		}
	}
	conn := neo4jtest.Server(b)
	store, err := neo4jstore.Open(b.Context(), neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close(context.Background()) })
	g := newGenerated(neo4jtest.Corpus(b), n)
	start := time.Now()
	if err := g.write(b.Context(), store); err != nil {
		b.Fatal(err)
	}
	b.Logf("%d entities, %d relationships, %d chunks, %d reports written in %.0f s", n, len(g.relationships), len(g.chunks), benchReports+1, time.Since(start).Seconds())
	reader := retrieve.NewReader(store, retrieve.Corpus{Name: g.corpus})
	for range b.N {
		b.ReportMetric(median(b, 300, func(i int) error {
			_, err := reader.HybridSearch(b.Context(), g.question(i))
			return err
		}), "hybrid-ms")
		b.ReportMetric(median(b, 300, func(i int) error {
			r := query.Request{Question: query.Question{Text: g.question(i)}, Reader: reader}
			found, err := reader.HybridSearch(b.Context(), r.Text)
			if err != nil {
				return err
			}
			c, err := Context(b.Context(), r, found, r.Tokens(0))
			if err == nil && len(c.Blocks) < 10 {
				err = fmt.Errorf("%q: a context of %d blocks", r.Text, len(c.Blocks))
			}
			return err
		}), "local-ms")
		b.ReportMetric(median(b, 60, func(int) error {
			reports, err := store.ReportTextsOfView(b.Context(), g.corpus, 1, 2)
			if err != nil || len(reports) != benchReports {
				return fmt.Errorf("%d reports: %w", len(reports), err)
			}
			blocks := query.ReportBlocks(reports)
			rank.Shuffle(0, blocks)
			tokens := make([]int, len(blocks))
			for i, block := range blocks {
				tokens[i] = block.Tokens
			}
			if len(rank.Windows(tokens, 8000)) < 2 {
				return fmt.Errorf("%d blocks in one window", len(blocks))
			}
			return nil
		}), "global-ms")
	}
}

// median is that of several runs in milliseconds, after a third as many to warm up.
func median(b *testing.B, runs int, fn func(i int) error) float64 {
	b.Helper()
	var took []float64
	for i := range runs + runs/3 {
		start := time.Now()
		if err := fn(i); err != nil {
			b.Fatal(err)
		}
		if i >= runs/3 {
			took = append(took, float64(time.Since(start).Microseconds())/1000)
		}
	}
	slices.Sort(took)
	return took[len(took)/2]
}

// generated is a graph made of invented words.
type generated struct {
	corpus        string
	random        *rand.Rand
	words         []string
	names         []string
	keys          []string
	relationships []string
	chunks        []neo4jstore.ExtractionWrite
	documents     []neo4jstore.DocumentWrite
}

func newGenerated(corpus string, n int) *generated {
	g := &generated{corpus: corpus, random: rand.New(rand.NewPCG(1, 2))}
	syllables := strings.Fields("ba ce di fo gu la me ni po ru sa te vi wo zu kra sto pli dre glu")
	for range 5000 {
		parts := make([]string, 2+g.random.IntN(3))
		for i := range parts {
			parts[i] = syllables[g.random.IntN(len(syllables))]
		}
		g.words = append(g.words, strings.Join(parts, ""))
	}
	for i := range n {
		name := fmt.Sprintf("%s %s %d", g.word(), g.word(), i)
		g.names = append(g.names, name)
		g.keys = append(g.keys, graph.EntityKey(corpus, resolve.Normalise(name)))
	}
	for i := range n / 4 {
		g.chunk(i)
	}
	return g
}

// word is drawn so that few words are frequent, as in a language.
func (g *generated) word() string {
	return g.words[int(float64(len(g.words))*g.random.Float64()*g.random.Float64()*g.random.Float64())]
}

func (g *generated) sentence(name string) string {
	words := []string{name}
	for range 12 {
		words = append(words, g.word())
	}
	return strings.Join(words, " ") + "."
}

// chunk writes one document of one chunk about neighbouring entities and a few far ones.
func (g *generated) chunk(i int) {
	uri := fmt.Sprintf("d%07d.txt", i)
	var text strings.Builder
	places := make([]int, benchMentions)
	for k := range places {
		places[k] = (i*4 + k) % len(g.keys)
		if k%3 == 2 {
			places[k] = int(float64(len(g.keys)) * g.random.Float64() * g.random.Float64() * g.random.Float64())
		}
		text.WriteString(g.sentence(g.names[places[k]]) + " ")
	}
	d := graph.Document{Key: graph.DocumentKey(g.corpus, uri), URI: uri, Title: uri, Text: text.String(), SHA256: uri, MIME: "text/plain"}
	c := graph.Chunk{Key: graph.ChunkKey(g.corpus, d.Key, d.Text, 0), Document: d.Key, Text: d.Text, NTokens: 400, End: len(d.Text)}
	terms := textproc.Terms(d.Text)
	g.documents = append(g.documents, neo4jstore.DocumentWrite{
		Document: d, NTokens: 400, SourceFP: "fp", ChunkFP: "fp", Terms: strings.Join(terms, " "), Lead: strings.Join(textproc.Terms(uri), " "), Chunks: []graph.Chunk{c},
		Passages: []graph.Passage{{
			Key: graph.PassageKey(g.corpus, c.Key, 0), Chunk: c.Key, Terms: strings.Join(terms, " "), Pairs: strings.Join(textproc.TermPairs(terms), " "), End: len(d.Text),
		}},
	})
	x := neo4jstore.ExtractionWrite{Chunk: c.Key, FP: "fp", Sum: "sum"}
	seen := map[string]bool{}
	for k, at := range places {
		key, next := g.keys[at], g.keys[places[(k+1)%len(places)]]
		if !seen[key] {
			seen[key] = true
			x.Entities = append(x.Entities, neo4jstore.EntityMention{Entity: key, Name: g.names[at], Names: []string{g.names[at]}, Types: []string{"person"}, Descriptions: []string{g.sentence(g.names[at])}})
		}
		if r := graph.RelationshipKey(g.corpus, key, next); key != next && !seen[r] {
			seen[r] = true
			g.relationships = append(g.relationships, r)
			x.Relationships = append(x.Relationships, neo4jstore.RelationshipMention{
				Relationship: r, Source: min(key, next), Target: max(key, next), Descriptions: []string{"together"}, Keywords: []string{"together"}, Strength: 500, Count: 1,
			})
		}
	}
	g.chunks = append(g.chunks, x)
}

// question names one or two entities and a few words.
func (g *generated) question(i int) string {
	at := (i * 7919) % len(g.names)
	return fmt.Sprintf("What do %s and %s have to do with %s %s?", capital(g.names[at]), capital(g.names[(at+1)%len(g.names)]), g.words[i%50], g.words[100+i%500])
}

func capital(name string) string {
	words := strings.Fields(name)
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

// write brings the graph into the store by its own writers.
func (g *generated) write(ctx context.Context, store *neo4jstore.Store) error {
	if err := store.EnsureSchema(ctx); err != nil {
		return err
	}
	if err := store.EnsureCorpus(ctx, g.corpus, textproc.Dimension); err != nil {
		return err
	}
	slices.Sort(g.relationships)
	g.relationships = slices.Compact(g.relationships)
	return store.WithWriter(ctx, g.corpus, "bench", time.Minute, func(ctx context.Context, l *neo4jstore.Writer) error {
		for _, step := range []func(context.Context, *neo4jstore.Writer) error{g.texts, g.entities, g.edges} {
			if err := step(ctx, l); err != nil {
				return err
			}
		}
		return g.communities(ctx, store, l)
	})
}

func (g *generated) texts(ctx context.Context, l *neo4jstore.Writer) error {
	if err := l.WriteDocuments(ctx, g.documents); err != nil {
		return err
	}
	return l.WriteExtractions(ctx, g.chunks)
}

func (g *generated) entities(ctx context.Context, l *neo4jstore.Writer) error {
	for page := range slices.Chunk(placesOf(g.keys), benchPage) {
		derived := make([]neo4jstore.EntityDerived, len(page))
		described := make([]neo4jstore.Described, len(page))
		vectors := make([]neo4jstore.Embedded, len(page))
		for i, at := range page {
			text := g.sentence(g.names[at])
			derived[i] = neo4jstore.EntityDerived{Key: g.keys[at], DeriveFP: "fp", Name: g.names[at], Type: "person", Degree: 6, Frequency: 3}
			described[i] = neo4jstore.Described{Key: g.keys[at], DescribeFP: "fp", Description: text, Terms: strings.Join(textproc.Terms(text), " "), NTokens: 40}
			vectors[i] = neo4jstore.Embedded{Key: g.keys[at], EmbedFP: "fp", Vector: textproc.Vector(text)}
		}
		if err := l.WriteEntities(ctx, derived, nil, neo4jstore.DeriveOptions{}); err != nil {
			return err
		}
		if err := l.WriteDescriptions(ctx, graph.KindEntity, described, neo4jstore.DescribeOptions{}); err != nil {
			return err
		}
		if err := l.WriteEmbeddings(ctx, graph.KindEntity, textproc.Dimension, vectors); err != nil {
			return err
		}
	}
	return nil
}

func placesOf(keys []string) []int {
	places := make([]int, len(keys))
	for i := range places {
		places[i] = i
	}
	return places
}

func (g *generated) edges(ctx context.Context, l *neo4jstore.Writer) error {
	for page := range slices.Chunk(g.relationships, benchPage) {
		derived := make([]neo4jstore.RelationshipDerived, len(page))
		described := make([]neo4jstore.Described, len(page))
		for i, key := range page {
			text := g.sentence("together")
			derived[i] = neo4jstore.RelationshipDerived{Key: key, DeriveFP: "fp", Weight: 1 + i%5, Strength: 500, Keywords: []string{"together"}}
			described[i] = neo4jstore.Described{Key: key, DescribeFP: "fp", Description: text, Terms: strings.Join(textproc.Terms(text), " "), NTokens: 40}
		}
		if err := l.WriteRelationships(ctx, derived, nil, neo4jstore.DeriveOptions{}); err != nil {
			return err
		}
		if err := l.WriteDescriptions(ctx, graph.KindRelationship, described, neo4jstore.DescribeOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// communities are one root and 2,000 leaves, each with a report.
func (g *generated) communities(ctx context.Context, store *neo4jstore.Store, l *neo4jstore.Writer) error {
	a, err := store.Adjacency(ctx, g.corpus, "count")
	if err != nil {
		return err
	}
	all := []graph.Community{{Key: graph.CommunityKey(g.corpus, 0, a.Keys), Label: "C0_0", Members: a.Keys}}
	for i := range benchReports {
		members := a.Keys[i*len(a.Keys)/benchReports : (i+1)*len(a.Keys)/benchReports]
		all = append(all, graph.Community{
			Key: graph.CommunityKey(g.corpus, 1, members), Level: 1, Ordinal: i, Parent: all[0].Key, Label: graph.CommunityLabel("C", 1, i), Members: members, Final: true,
		})
	}
	next, err := l.OpenGeneration(ctx, a.Entities, all)
	if err != nil {
		return err
	}
	reports := make([]neo4jstore.ReportWrite, len(all))
	for i, c := range all {
		var body []string
		for _, member := range c.Members[:min(12, len(c.Members))] {
			body = append(body, g.sentence(graph.Local(member))+" [1]")
		}
		text := strings.Join(body, " ")
		reports[i] = neo4jstore.ReportWrite{Community: c.Key, ReportFP: "fp", Terms: strings.Join(textproc.Terms(text), " "), EmbedFP: "fp", Vector: textproc.Vector(text), Report: graph.Report{
			Level: c.Level, Final: c.Final, Size: len(c.Members), Title: graph.Local(c.Members[0]), Summary: body[0], FullContent: text, Rating: 5, Model: "generated", NTokens: 450,
			Findings: []graph.Finding{{Summary: "One", Explanation: text}}, References: []graph.Reference{{N: 1, Kind: graph.KindEntity, Key: c.Members[0]}},
		}}
	}
	if err := l.WriteReports(ctx, next, reports); err != nil {
		return err
	}
	corpus, err := store.Corpus(ctx, g.corpus)
	if err != nil {
		return err
	}
	return l.Flip(ctx, next, neo4jstore.Partition{Topology: corpus.Topology})
}
