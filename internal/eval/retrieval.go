package eval

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/score"
)

// A Set is a list of questions about one corpus, or about several searched as one.
type Set struct {
	Corpus    string
	Documents []string // addresses of all documents that a search may find
	State     string   // changes when the corpus does
	Questions []Question
	// Search returns the addresses of documents, best first, and how much of the time
	// Neo4j took.
	Search func(ctx context.Context, v Variant, question string) (documents []string, neo4j time.Duration, err error)
}

// A Variant is a method with settings of its retrieval.
type Variant struct {
	Method   string
	Settings map[string]float64 // nil for the defaults
}

// Name returns the method and its settings, sorted by name.
func (v Variant) Name() string {
	return evalrun.Condition{Method: v.Method, Settings: v.settings()}.Variant()
}

func (v Variant) settings() map[string]string {
	out := map[string]string{}
	for name, value := range v.Settings {
		out[name] = strconv.FormatFloat(value, 'g', -1, 64)
	}
	return out
}

// Options are the questions and the variants to measure. All questions count equally.
type Options struct {
	Sets     []Set
	Variants []Variant
	// Folder is the evaluation that keeps questions, conditions and searches, and a search that fails
	// is noted there; nil for a file of searches, Results, by which only an interrupted run continues.
	Folder  *evalrun.Folder
	Results string
	// Condition holds what affects all results: filters as settings, models and the version.
	Condition evalrun.Condition
	Ends      func(error) bool      // see evalrun.Job; without a folder each error ends the run
	Clock     func() time.Time      // nil for time.Now
	Progress  func(done, total int) // may be nil
}

// A Retrieval is the result, as `eval retrieval --json` prints it.
type Retrieval struct {
	Corpora   []string `json:"corpora"`
	Questions int      `json:"questions"` // that were asked
	Without   int      `json:"without"`   // questions without evidence, left out
	Absent    int      `json:"absent"`    // questions none of whose documents is in the corpus, left out
	Unknown   int      `json:"unknown"`   // names of documents that are not in the corpus, left out
	Resumed   int      `json:"resumed"`   // measurements that an earlier run left
	Failed    int      `json:"failed"`    // searches that failed, which count as having found nothing; only with --run
	Methods   []Line   `json:"methods"`
}

// A Line holds the metrics of one variant, over all questions and by their type.
type Line struct {
	Method   string             `json:"method"`
	Settings map[string]float64 `json:"settings,omitempty"` // swept settings of the search

	score.RetrievalScore
}

// task is a question with its evidence.
type task struct {
	set    *Set
	q      Question
	wanted [][]string // addresses of the documents that each piece of evidence may come from
}

// ErrOtherEvidence means that an evaluation has a question with other evidence.
var ErrOtherEvidence = errors.New("the evaluation has this question with other documents: give it another id, or use another folder")

// Run measures every variant on every question, one at a time, so that times are
// as for a single user.
func Run(ctx context.Context, o Options) (_ Retrieval, err error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	result, tasks := prepare(o)
	if len(tasks) == 0 {
		return result, fmt.Errorf("measure retrieval: %w: none of %d has evidence in the corpus", ErrQuestions, result.Without+result.Absent)
	}
	job := o.job(tasks)
	if o.Folder != nil {
		err = o.prepareFolder()
		job.Cells = o.Folder.Searches
	} else {
		job.Cells, err = evalrun.CreateFile(o.Results, continues(job.Keys))
		defer func() {
			if cerr := job.Cells.Close(); err == nil && cerr != nil {
				err = fmt.Errorf("close results: %w", cerr)
			}
		}()
	}
	if err != nil {
		return result, err
	}
	result.Resumed = len(job.Keys) - job.Missing()
	count, err := evalrun.Run(ctx, o.Folder, job)
	if err != nil {
		return result, err
	}
	result.Failed = count.Failed
	var first []score.Ranking
	for i, v := range o.Variants {
		own := rankings(tasks, job.Cells, job.Keys[i*len(tasks):])
		result.Methods = append(result.Methods, Line{v.Method, v.Settings, score.Retrieval(first, own)})
		if i == 0 {
			first = own
		}
	}
	return result, nil
}

// job searches for each task by each variant.
func (o Options) job(tasks []task) evalrun.Job[evalrun.Search] {
	job := evalrun.Job[evalrun.Search]{Kind: "searches", Progress: o.Progress, Ends: o.Ends}
	if o.Folder == nil {
		job.Ends = func(error) bool { return true }
	}
	for _, v := range o.Variants {
		for _, t := range tasks {
			job.Keys = append(job.Keys, evalrun.SearchKey(o.condition(t.set, v).Key(), t.q))
		}
	}
	job.Make = func(ctx context.Context, i int) (evalrun.Search, error) {
		v, t := o.Variants[i/len(tasks)], tasks[i%len(tasks)]
		s, err := t.search(ctx, o.Clock, v)
		s.Condition = o.condition(t.set, v).Key()
		return s, err
	}
	return job
}

// condition returns the condition of the searches of a variant in the corpus of a set.
func (o Options) condition(set *Set, v Variant) evalrun.Condition {
	c := o.Condition
	c.Method, c.Corpus, c.State, c.Search = v.Method, set.Corpus, set.State, true
	c.Settings = v.settings()
	maps.Copy(c.Settings, o.Condition.Settings)
	return c
}

// prepareFolder adds the questions and the conditions to the evaluation. It refuses a question that
// the evaluation has with other evidence, so that no search is compared with one for something else.
func (o Options) prepareFolder() error {
	for _, set := range o.Sets {
		for _, q := range set.Questions {
			if known, ok := o.Folder.Questions.Get(q.Key()); ok && !slices.Equal(known.Documents, q.Documents) {
				return fmt.Errorf("%w: question %s: %w", ErrQuestions, q.ID, ErrOtherEvidence)
			}
			if err := o.Folder.Questions.Add(q); err != nil {
				return err
			}
		}
		for _, v := range o.Variants {
			if err := o.Folder.Conditions.Add(o.condition(&set, v)); err != nil {
				return err
			}
		}
	}
	return nil
}

// continues accepts the searches of an interrupted run with the same cells.
func continues(keys []string) func([]evalrun.Search) bool {
	wanted := map[string]bool{}
	for _, key := range keys {
		wanted[key] = true
	}
	return func(made []evalrun.Search) bool {
		other := slices.ContainsFunc(made, func(s evalrun.Search) bool { return !wanted[s.Key()] })
		return !other && len(made) < len(wanted)
	}
}

// prepare finds the documents of the evidence of each question.
func prepare(o Options) (Retrieval, []task) {
	var result Retrieval
	var tasks []task
	for i := range o.Sets {
		set := &o.Sets[i]
		result.Corpora = append(result.Corpora, set.Corpus)
		known := newDocumentNames(set.Documents)
		for _, q := range set.Questions {
			if len(q.Documents) == 0 {
				result.Without++
				continue
			}
			wanted, unknown := known.wanted(q.Documents)
			result.Unknown += unknown
			if len(wanted) == 0 {
				result.Absent++
				continue
			}
			tasks = append(tasks, task{set, q, wanted})
		}
	}
	result.Questions = len(tasks)
	return result, tasks
}

// search searches for the evidence of the question by a variant. The condition is not set yet.
func (t task) search(ctx context.Context, clock func() time.Time, v Variant) (evalrun.Search, error) {
	start := clock()
	found, neo4j, err := t.set.Search(ctx, v, t.q.Text)
	if err != nil {
		return evalrun.Search{}, fmt.Errorf("measure question %s with %s: %w", t.q.ID, v.Name(), err)
	}
	took := clock().Sub(start)
	return evalrun.Search{
		Question: t.q.Key(), Evidence: t.q.Documents, Ranks: ranks(found, t.wanted),
		MSNeo4j: milliseconds(neo4j), MSGo: milliseconds(max(took-neo4j, 0)),
	}, nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// ranks returns the rank, from 1, of each piece of evidence, and 0 if it was not found;
// ascending. If several documents contain it, the best rank counts.
func ranks(found []string, wanted [][]string) []int {
	out := make([]int, len(wanted))
	for i, names := range wanted {
		out[i] = slices.IndexFunc(found, func(d string) bool { return slices.Contains(names, d) }) + 1
	}
	slices.Sort(out)
	return out
}

// rankings returns what the cells with these keys have found for each task. A search that failed
// has found nothing.
func rankings(tasks []task, cells *evalrun.Cells[evalrun.Search], keys []string) []score.Ranking {
	out := make([]score.Ranking, len(tasks))
	for i, t := range tasks {
		out[i] = score.Ranking{Question: t.q, Ranks: make([]int, len(t.wanted))}
		if s, ok := cells.Get(keys[i]); ok {
			out[i].Ranks, out[i].MSNeo4j, out[i].MSGo = s.Ranks, s.MSNeo4j, s.MSGo
		}
	}
	return out
}
