package query

import (
	"context"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/retrieve"
)

var _ = Register(Method{
	Name:    "kgr",
	Summary: "relationships in the documents nearest to the question and in those that are linked to them as similar, with the chunks that mention their ends (KG-Retriever); needs `neorag index --with documents`",
	Profile: Profile{
		Reads: "the entities most similar to the question in the nearest documents and in those linked to them, with their relationships and chunks",
		Use:   "comparisons; questions that several similar documents answer",
		Needs: []Artifact{Documents},
		Uses:  []Artifact{Vectors},
		Paper: PaperOf(kgRetriever, "3.3"),
		Calls: "1",
		Cost:  Cost{Calls: Range{1, 1}, TokensIn: Range{7244, 7632}, TokensOut: Range{82, 187}},
	},
	Answer:   answerKGR,
	Retrieve: retrieveKGR,
	Scoped:   true,
	Unpinned: true,
	Tuning:   retrieve.KGRTuningNames(),
})

// kgrSections are the sections of a context in the order shown.
var kgrSections = []SectionShare{{graph.KindRelationship, .25}, {graph.KindChunk, .75}}

// A KGRTrace is what kgr found, each kind best first: the documents with their weights, the
// entities in them, and the relationships and sources that the answer is made from.
type KGRTrace struct {
	Documents     []ScoredSource `json:"documents"`
	Entities      []ScoredSource `json:"entities"`
	Relationships []ScoredSource `json:"relationships"` // each with the score of the better one of its ends
	Sources       []ScoredSource `json:"sources"`
}

func (r Request) kgr(ctx context.Context) (retrieve.KGRResult, error) {
	found, err := r.Reader.KGR(ctx, retrieve.KGRQuery{Question: r.Text, Tuning: r.Tuning})
	if err != nil {
		return found, err
	}
	chunks, notes, err := r.Rerank(ctx, found.Chunks)
	found.Chunks, found.Notes = chunks, slices.Concat(found.Notes, notes)
	return found, err
}

func retrieveKGR(ctx context.Context, r Request) (retrieve.Ranking, error) {
	found, err := r.kgr(ctx)
	return RankingOf(found.Chunks, found.Notes), err
}

// answerKGR answers from relationships and chunks, each as far as they fit into their share.
func answerKGR(ctx context.Context, r Request) (Answer, error) {
	found, err := r.kgr(ctx)
	if err != nil {
		return Answer{}, err
	}
	c := PackedContext{Known: cite.Known{}, Notes: found.Notes}
	c.Know(found.Chunks)
	blocks := NeighborhoodBlocks(retrieve.Neighborhood{Relationships: found.Relationships, Chunks: found.Chunks})
	c.Pack(blocks, kgrSections, r.ContextBudget(r.ReduceTokens))
	a, err := r.AnswerContext(ctx, c)
	a.KGR = kgrTrace(found)
	return a, err
}

func kgrTrace(found retrieve.KGRResult) *KGRTrace {
	t := &KGRTrace{
		Documents: make([]ScoredSource, len(found.Documents)), Entities: make([]ScoredSource, len(found.Entities)),
		Relationships: make([]ScoredSource, len(found.Relationships)), Sources: ScoredSources(found.Chunks),
	}
	scores := map[string]float64{}
	for i, d := range found.Documents {
		t.Documents[i] = ScoredSource{Key: d.Key, Name: graph.Local(d.Key), Score: d.Weight}
	}
	for i, e := range found.Entities {
		scores[e.Key] = e.Score
		t.Entities[i] = ScoredSource{Key: e.Key, Name: found.Names[e.Key], Score: e.Score}
	}
	for i, r := range found.Relationships {
		t.Relationships[i] = ScoredSource{Key: r.Key, Name: r.SourceName + " \u2014 " + r.TargetName, Score: max(scores[r.Source], scores[r.Target])}
	}
	return t
}
