package fused

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// The paths by which Fused finds and ranks chunks, besides PathText and PathVectors.
const (
	PathFeedback = "feedback" // a second search for what is typical of the best passages
	PathEntities = "entities" // mentions of the entities that the question names
	PathFacts    = "facts"    // relationships that full text finds, and the vectors of a model
	PathQueries  = "queries"  // question-answer pairs that are near to the question
	PathReports  = "reports"  // what the reports cite that full text finds
	PathGraph    = "graph"    // personalised PageRank over the graph of evidence
)

// Paths are all paths of Fused.
var Paths = []string{retrieve.PathText, PathFeedback, PathEntities, PathFacts, PathQueries, PathReports, PathGraph, retrieve.PathVectors}

const (
	comparedDocuments = 50  // that are compared with the question in detail
	feedbackTexts     = 5   // passages that feedback is taken from
	feedbackHits      = 300 // documents that feedback finds
	headTerms         = 25  // first terms of a text
	eventDeduction    = .15 // from the score by an event of an order question, relative to the whole
	similarWeight     = .5  // of a term that is one edit away from one that no document has
	graphSimilar      = .05 // of the walks of PathGraph start at chunks that are similar to the question
	chatsPerText      = 4   // chunks of a chat that are read
	maxSimilar        = 8   // terms in place of one
	minSimilar        = 5   // bytes of a term that others may replace
	factHits          = 30  // relationships
	nodeHits          = 150 // entities, relationships and claims that full text finds
)

// A Source is a chunk with its score, the best of which is 1, and what each path adds before scores
// are scaled.
type Source struct {
	Key   string             `json:"key"`
	Name  string             `json:"name"`
	Score float64            `json:"score"`
	Paths map[string]float64 `json:"paths"`
}

// A Result is a ranking with its reasons.
type Result struct {
	retrieve.Ranking

	Sources []Source // of the best chunks, in their order
}

// Search ranks chunks and documents by everything that the index holds of them, in four round
// trips at most for each corpus, and one more with PathReports. The graph of evidence is read
// once, when it is needed first after a change of the corpus. PathVectors among the paths of the
// question is ErrNoVectors without vectors of a model.
func Search(ctx context.Context, r query.Request) (Result, error) {
	compared, err := Compare(ctx, r)
	if err != nil {
		return Result{}, err
	}
	var all Result
	for _, f := range compared.corpora {
		found := f.fuse()
		all.Add(found.Ranking)
		all.Sources = append(all.Sources, found.Sources...)
	}
	all.Sort()
	all.finish()
	return all, nil
}

// A Comparison is what documents have in common with a question, before it is weighted.
type Comparison struct{ corpora []*fusion }

// Compare makes all reads of Fused.
func Compare(ctx context.Context, r query.Request) (Comparison, error) {
	vectors := true
	for _, c := range r.Reader.Corpora {
		if c.Embedder == nil && slices.Contains(r.Paths, retrieve.PathVectors) {
			return Comparison{}, fmt.Errorf("search corpus %s by vectors: %w", c.Name, retrieve.ErrNoVectors)
		}
		vectors = vectors && c.Embedder != nil
	}
	var out Comparison
	for _, c := range r.Reader.Corpora {
		f := &fusion{Request: r, corpus: c, weights: weightsOf(r.Question), vectors: vectors}
		if err := f.read(ctx); err != nil {
			return Comparison{}, err
		}
		out.corpora = append(out.corpora, f)
	}
	return out, nil
}

// Documents ranks the documents as Fused does by full text, with other weights of the features.
// A feature that had no weight for the question was not read, and counts nothing.
func (c Comparison) Documents(weights rank.Features) []rank.Scored {
	var all []rank.Scored
	for _, f := range c.corpora {
		all = append(all, f.rankedDocuments(weights)...)
	}
	slices.SortFunc(all, retrieve.ByScore)
	return all
}

// A fusion is the state of Fused for one corpus.
type fusion struct {
	query.Request

	corpus  retrieve.Corpus
	weights rank.Features
	vectors bool // every corpus of the scope has vectors of a model

	graph    *snapshot.Snapshot
	embedded map[graph.Kind][]float32 // the question; empty if it could not be embedded
	pairs    []neo4jstore.QueryHit    // near to the question
	reports  []citedReport
	notes    []string
	searches []*partSearch // for the question, and for its parts; none if nothing was found
}

// uses reports whether a path is fused.
func (f *fusion) uses(path string) bool {
	return len(f.Paths) == 0 || slices.Contains(f.Paths, path)
}

// A partSearch is one question, or a part of one, with what searches found for it.
type partSearch struct {
	question string
	query    textproc.Query
	asked    *rank.QuestionTerms
	hits     neo4jstore.HybridResult
	found    []rank.Scored // documents by the combined views

	feedbackMass float64            // the score of a document that has all terms of the feedback
	scores       map[string]float64 // of documents, by feedback

	documents map[string]*rank.Features
	chunks    map[string]*rank.Features
}

// read finds documents and chunks of the corpus, and compares them with the question.
func (f *fusion) read(ctx context.Context) error {
	searches := []*partSearch{newPartSearch(f.Text)}
	for _, part := range textproc.OrderParts(f.Text) {
		searches = append(searches, newPartSearch(part))
	}
	group, gctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		if f.graph, err = f.Options.Snapshots.Get(gctx, f.Reader.Store, f.corpus.Name); err != nil {
			return fmt.Errorf("read the graph of corpus %s: %w", f.corpus.Name, err)
		}
		return nil
	})
	group.Go(func() error { return f.searchArtifacts(gctx, searches[0].query) })
	for i, s := range searches {
		group.Go(func() error { return f.search(gctx, s, i == 0) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, s := range searches {
		if f.addSimilar(s) {
			if err := f.search(ctx, s, i == 0); err != nil {
				return err
			}
		}
		f.weigh(s)
	}
	whole := searches[0]
	if len(whole.found) == 0 && len(whole.hits.ChunkVectors) == 0 && len(f.pairs) == 0 {
		return nil
	}
	if err := f.readTexts(ctx, searches); err != nil {
		return err
	}
	f.addVectors(whole)
	f.addGraph(whole)
	f.searches = searches
	return nil
}

func newPartSearch(question string) *partSearch {
	return &partSearch{question: question, query: textproc.ReadQuestion(question), documents: map[string]*rank.Features{}, chunks: map[string]*rank.Features{}}
}

// addSimilar adds terms that are similar to those which no document has, and reports whether
// there are any.
func (f *fusion) addSimilar(s *partSearch) (added bool) {
	for _, t := range slices.Clone(s.query.Terms) {
		if t.Weight != 1 || len(t.Term) < minSimilar || f.graph.Frequency(t.Term) > 0 {
			continue
		}
		similar := f.graph.Similar(t.Term)
		for _, term := range similar[:min(maxSimilar, len(similar))] {
			if !slices.ContainsFunc(s.query.Terms, func(o textproc.WeightedTerm) bool { return o.Term == term }) {
				s.query.Terms = append(s.query.Terms, textproc.WeightedTerm{Term: term, Weight: similarWeight})
				added = true
			}
		}
	}
	return added
}

// weigh weighs the terms of a question by their rarity.
func (f *fusion) weigh(s *partSearch) {
	capital := textproc.TermSetIn(s.query.Language, strings.Join(s.query.Names, " "))
	terms := make([]rank.QuestionTerm, len(s.query.Terms))
	for i, t := range s.query.Terms {
		_, named := capital[t.Term]
		terms[i] = rank.QuestionTerm{Term: t.Term, Weight: float64(t.Weight * f.rarity(t.Term)), Capital: named, Number: strings.ContainsAny(t.Term, "0123456789")}
	}
	s.asked = rank.NewQuestionTerms(terms, textproc.TermsIn(s.query.Language, s.question))
}

// rarity returns the weight of a term by the number of documents that have it.
func (f *fusion) rarity(term string) float64 {
	return rank.Rarity(f.graph.Documents(), f.graph.Frequency(term))
}

// search searches the indexes: of parts of a question only full text.
func (f *fusion) search(ctx context.Context, s *partSearch, whole bool) error {
	q := neo4jstore.HybridQuery{
		SearchQuery: neo4jstore.SearchQuery{Terms: s.query.Lucene(), Pairs: s.query.LuceneTermPairs(), Limit: retrieve.LexicalHits, Scope: f.corpus.Filter},
		TermHits:    nodeHits, VectorHits: retrieve.CandidateChunks,
	}
	if whole {
		if f.weights.Facts != 0 || f.weights.Graph != 0 {
			q.Nodes = []neo4jstore.NodeSearch{{Terms: q.Terms, Kinds: []graph.Kind{graph.KindRelationship}}}
		}
		if f.vectors && f.weights.Vectors != 0 {
			if err := f.embed(ctx); err != nil {
				return err
			}
			q.Vectors = f.embedded
		}
	}
	var err error
	if s.hits, err = f.Reader.Store.HybridSearch(ctx, f.corpus.Name, q); err != nil {
		return err
	}
	s.found = retrieve.RankDocuments(s.hits.SearchResult, rank.DefaultWeights)
	return nil
}

// embed embeds the question, once.
func (f *fusion) embed(ctx context.Context) error {
	if f.embedded != nil {
		return nil
	}
	kinds := map[graph.Kind]string{graph.KindChunk: f.Text}
	wanted := []graph.Kind{graph.KindChunk}
	if f.weights.Facts != 0 || f.weights.Graph != 0 {
		kinds[graph.KindRelationship] = f.Text
		wanted = append(wanted, graph.KindRelationship)
	}
	vectors, err := f.corpus.Vectors(ctx, retrieve.Search{Texts: kinds, Vectors: wanted}, &f.notes)
	f.embedded = vectors
	if vectors == nil {
		f.embedded = map[graph.Kind][]float32{}
	}
	return err
}

// candidates are the documents that are compared with the question in detail.
func (f *fusion) candidates(whole *partSearch) []string {
	keys := retrieve.ScoredKeys(whole.found[:min(comparedDocuments, len(whole.found))])
	for _, h := range whole.hits.ChunkVectors {
		if d, ok := f.graph.DocumentOf(h.Key); ok && !slices.Contains(keys, d) {
			keys = append(keys, d)
		}
	}
	for _, h := range f.pairs[:min(pairCandidates, len(f.pairs))] {
		if !slices.Contains(keys, h.Document) {
			keys = append(keys, h.Document)
		}
	}
	return keys
}

// TuningNames returns the settings of Fused: the weights of features, in lower case.
func TuningNames() []string { return slices.Sorted(maps.Keys(new(rank.Features).Named())) }

// weightsOf returns the weights of features: 0 for paths that are not fused. A path
// that was asked for and has no weight gets the weight 1.
func weightsOf(q query.Question) rank.Features {
	w := rank.DefaultFeatures
	for name, part := range w.Named() {
		*part = q.Tuning.Value(name, *part)
		path := pathOf(name)
		_, tuned := q.Tuning[name]
		switch {
		case len(q.Paths) == 0:
		case !slices.Contains(q.Paths, path):
			*part = 0
		case *part == 0 && !tuned && path == name:
			*part = 1
		}
	}
	return w
}

// pathOf returns the path that a feature comes from.
func pathOf(part string) string {
	switch part {
	case PathFeedback, PathEntities, PathFacts, PathQueries, PathReports, PathGraph, retrieve.PathVectors:
		return part
	}
	return retrieve.PathText
}
