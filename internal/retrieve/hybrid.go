package query

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/rank"
	"github.com/neorag/neorag/internal/resolve"
	"github.com/neorag/neorag/internal/textproc"
)

const (
	nearLimit  = 100 // of each view of full text: with three times as many the recall is the same
	nodeHits   = 150 // entities, relationships and claims by their terms
	vectorHits = 40
	hashedHits = 15 // of vectors made without a model: what they rank lower counts for next to nothing
	nameWords  = 5  // of the longest name that is looked up
	nameLimit  = 64 // words of a question that are looked at for names
)

// Weights of the rankings that entities are fused from. Vectors made without a
// model know little more than letters, so that full text leads there.
const (
	nameWeight       = 2
	plainNameWeight  = .5
	hashedWeight     = .25
	mentionedWeight  = .1 // of the entities' chunks beside the recipe of full text
	mentionedByModel = .5
)

// nearby is what all searches found for a question.
type nearby struct {
	asked    textproc.Query
	found    neo4jstore.HybridResult
	names    []nameKey     // entities that the question names with a capital letter
	entities []rank.Scored // fused
	chunks   []rank.Scored // by text and, with a model, by vector; the best is about 1
	notes    []string
}

// near asks all indexes: those of one corpus in one round trip.
func (r Reader) near(ctx context.Context, text string) (nearby, error) {
	var n nearby
	for i, c := range r.corpora {
		own, err := r.look(ctx, c, text)
		if err != nil {
			return nearby{}, err
		}
		if i == 0 {
			n = own
		} else {
			n.add(own)
		}
	}
	n.rankChunks()
	return n, nil
}

// look asks the indexes of one corpus, and fuses what they say of entities.
func (r Reader) look(ctx context.Context, c Corpus, text string) (nearby, error) {
	n := nearby{asked: textproc.ReadQuestion(text)}
	q := neo4jstore.HybridQuery{
		SearchQuery: neo4jstore.SearchQuery{Terms: n.asked.Lucene(), Pairs: n.asked.LucenePairs(), Limit: nearLimit, Scope: c.Filter},
		TermHits:    nodeHits, VectorHits: vectorHits,
	}
	spelled := nameKeys(c.Name, text)
	for _, name := range spelled {
		q.Names = append(q.Names, name.key)
	}
	var err error
	if q.Vector, q.Hashed, err = c.vector(ctx, text, &n.notes); err != nil {
		return n, err
	}
	if q.Hashed {
		q.VectorHits = hashedHits
	}
	if n.found, err = r.store.HybridSearch(ctx, c.Name, q); err != nil {
		return n, err
	}
	n.fuse(spelled, q.Hashed)
	return n, nil
}

// vector embeds the question: as the corpus' model does, or without one.
func (c Corpus) vector(ctx context.Context, text string, notes *[]string) (v []float32, hashed bool, err error) {
	if c.Embedder == nil {
		return textproc.Vector(text), true, nil
	}
	vectors, err := c.Embedder.Embed(ctx, []string{text})
	switch {
	case err == nil:
		return vectors[0], false, nil
	case ctx.Err() != nil:
		return nil, false, err
	}
	*notes = append(*notes, "The question could not be embedded, so that it was searched for by its words: "+err.Error())
	return nil, true, nil
}

// add takes what was found in another corpus. Entities are ranked by what each
// corpus' searches made of them, since scores of two corpora compare badly.
func (n *nearby) add(o nearby) {
	f := &n.found
	join(&f.SearchResult, o.found.SearchResult)
	f.Relationships = byHitScore(f.Relationships, o.found.Relationships)
	f.Claims = byHitScore(f.Claims, o.found.Claims)
	f.ChunkVectors = byHitScore(f.ChunkVectors, o.found.ChunkVectors)
	f.HasReports = f.HasReports && o.found.HasReports
	n.names = append(n.names, o.names...)
	n.entities = append(n.entities, o.entities...)
	slices.SortStableFunc(n.entities, func(a, b rank.Scored) int { return cmp.Compare(b.Score, a.Score) })
	for _, note := range o.notes {
		if !slices.Contains(n.notes, note) {
			n.notes = append(n.notes, note)
		}
	}
}

// fuse ranks entities from what the searches of a corpus found.
func (n *nearby) fuse(spelled []nameKey, hashed bool) {
	var capital, plain []string
	for _, h := range n.found.Names {
		at := slices.IndexFunc(spelled, func(s nameKey) bool { return s.key == h.Key })
		if at >= 0 && spelled[at].capital {
			capital = append(capital, h.Key)
			n.names = append(n.names, spelled[at])
		} else {
			plain = append(plain, h.Key)
		}
	}
	weight := 1.
	if hashed {
		weight = hashedWeight
	}
	n.entities = rank.Fuse([]rank.List{
		{Keys: capital, Weight: nameWeight},
		{Keys: plain, Weight: plainNameWeight},
		{Keys: keysOf(n.found.Entities)},
		{Keys: keysOf(n.found.EntityVectors), Weight: weight},
	}, 0)
}

// rankChunks ranks chunks from what all searches found.
func (n *nearby) rankChunks() {
	n.chunks = rankChunks(n.found.SearchResult, rank.DefaultWeights)
	if len(n.found.ChunkVectors) > 0 {
		n.chunks = rank.Lift(rank.RRF([][]string{keysOf(n.found.ChunkVectors), scoredKeys(n.chunks)}, 0), nil, 0)
	}
}

// retrieved are the chunks that were found, as for an answer from them alone.
func (n *nearby) retrieved() Retrieved {
	return Retrieved{Documents: rankDocuments(n.found.SearchResult, rank.DefaultWeights), Chunks: n.chunks, Notes: n.notes}
}

func keysOf(hits []neo4jstore.Hit) []string {
	keys := make([]string, len(hits))
	for i, h := range hits {
		keys[i] = h.Key
	}
	return keys
}

func scoredKeys(list []rank.Scored) []string {
	keys := make([]string, len(list))
	for i, s := range list {
		keys[i] = s.Key
	}
	return keys
}

// A nameKey is an entity that a question may name.
type nameKey struct {
	key     string
	name    string // as written
	capital bool   // written like a name
}

// nameKeys are the keys of the entities that runs of words in a question would
// name, longer runs first, then in order. Single words that only ask are left out.
func nameKeys(corpus, question string) []nameKey {
	words := nameParts(question)
	var out []nameKey
	seen := map[string]bool{}
	for size := min(nameWords, len(words)); size > 0; size-- {
		for i := 0; i+size <= len(words); i++ {
			run := words[i : i+size]
			name := strings.Join(run, " ")
			if len(textproc.Terms(name)) == 0 {
				continue
			}
			key := graph.EntityKey(corpus, resolve.Normalise(name))
			if seen[key] {
				continue
			}
			seen[key] = true
			out = append(out, nameKey{key: key, name: name, capital: isName(words, i, size)})
		}
	}
	return out
}

// isName tells whether a run of words is written like a name: it begins with a
// capital, and not only because the question does.
func isName(words []string, at, size int) bool {
	r, _ := utf8.DecodeRuneInString(words[at])
	last, _ := utf8.DecodeRuneInString(words[at+size-1])
	return unicode.IsUpper(r) && unicode.IsUpper(last) && (at > 0 || size > 1 || len(words) == 1)
}

// nameParts are the words of a question without what stands around them.
func nameParts(question string) []string {
	var words []string
	for field := range strings.FieldsSeq(question) {
		word := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		word = strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
		if word != "" {
			words = append(words, word)
		}
		if len(words) == nameLimit {
			break
		}
	}
	return words
}
