package score

import (
	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/stats"
)

// A Ranking is where one search ranked the evidence of a question.
type Ranking struct {
	Question evalrun.Question
	Ranks    []int // of the evidence, from 1; 0 for what was not found. Nil if nothing was searched for
	MSNeo4j  float64
	MSGo     float64
}

// Metrics returns the metrics of the search.
func (r Ranking) Metrics() Metrics {
	m := MetricsOf(r.Ranks)
	m.MSNeo4j, m.MSGo, m.MS = r.MSNeo4j, r.MSGo, r.MSNeo4j+r.MSGo
	return m
}

// A RetrievalScore holds the metrics of a method, over all questions and by their type.
type RetrievalScore struct {
	Metrics

	ByType map[string]Metrics `json:"by_type"`
	// Groups are all questions, those whose id ends in an odd digit, on which no setting may be
	// chosen, and those with several pieces of evidence: all, odd and several.
	Groups map[string]Group `json:"groups"`
}

// A Versus says how much better a method is than the first one on the same questions, by a paired
// bootstrap.
type Versus struct {
	Recall5 stats.Interval `json:"recall@5"`
	MRR     stats.Interval `json:"mrr"`
}

// A Group is some of the questions.
type Group struct {
	Metrics

	Versus *Versus `json:"versus,omitempty"` // less the first method, on the same questions; absent for that one
}

// RetrievalGroups are the names of the groups that are shown, in their order.
var RetrievalGroups = [...]string{"all", "odd", "several"}

// inGroup reports whether a question belongs to the group.
func (r Ranking) inGroup(name string) bool {
	switch name {
	case "odd":
		return IsOdd(r.Question.ID)
	case "several":
		return len(r.Ranks) > 1
	}
	return true
}

// Retrieval computes the metrics of a method from its searches, and compares them with the metrics of
// the first method for the same questions in the same order; nil for the first method itself.
func Retrieval(first, own []Ranking) RetrievalScore {
	out := RetrievalScore{ByType: map[string]Metrics{}, Groups: map[string]Group{}}
	var all []Metrics
	byType := map[string][]Metrics{}
	for _, r := range own {
		if r.Ranks == nil {
			continue
		}
		m := r.Metrics()
		all = append(all, m)
		if r.Question.Type != "" {
			byType[r.Question.Type] = append(byType[r.Question.Type], m)
		}
	}
	out.Metrics = meanOf(all)
	for name, list := range byType {
		out.ByType[name] = meanOf(list)
	}
	for _, name := range RetrievalGroups {
		out.Groups[name] = groupOf(name, first, own)
	}
	return out
}

func groupOf(name string, first, own []Ranking) Group {
	var all []Metrics
	var recall, mrr []float64
	for i, r := range own {
		if r.Ranks == nil || !r.inGroup(name) {
			continue
		}
		m := r.Metrics()
		all = append(all, m)
		if first != nil && first[i].Ranks != nil {
			base := first[i].Metrics()
			recall, mrr = append(recall, m.Recall5-base.Recall5), append(mrr, m.MRR-base.MRR)
		}
	}
	g := Group{Metrics: meanOf(all)}
	if first != nil {
		g.Versus = &Versus{stats.Bootstrap(recall), stats.Bootstrap(mrr)}
	}
	return g
}

// Rankings returns where searches under a condition ranked the evidence of each question of the
// folder, and how many searches failed, which have found nothing.
func (r Records) Rankings(condition string) (_ []Ranking, failed int) {
	out := make([]Ranking, len(r.Questions))
	for i, q := range r.Questions {
		key := evalrun.SearchKey(condition, q)
		out[i].Question = q
		switch s, ok := r.folder.Searches.Get(key); {
		case ok:
			out[i].Ranks, out[i].MSNeo4j, out[i].MSGo = append([]int{}, s.Ranks...), s.MSNeo4j, s.MSGo
		case r.Failed[key]:
			out[i].Ranks = make([]int, max(1, len(q.Documents)))
			failed++
		}
	}
	return out, failed
}
