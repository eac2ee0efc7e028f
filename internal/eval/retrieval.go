package eval

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
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
	parts := []string{v.Method}
	for _, name := range slices.Sorted(maps.Keys(v.Settings)) {
		parts = append(parts, name+"="+strconv.FormatFloat(v.Settings[name], 'g', -1, 64))
	}
	return strings.Join(parts, " ")
}

// Options are the questions and the variants to measure. All questions count equally.
type Options struct {
	Sets     []Set
	Variants []Variant
	Results  string                // file of the measurements, by which an interrupted run continues
	Settings string                // anything else that affects a result, such as filters
	Clock    func() time.Time      // nil for time.Now
	Progress func(done, total int) // may be nil
}

// A Retrieval is the result, as `eval retrieval --json` prints it.
type Retrieval struct {
	Corpora   []string `json:"corpora"`
	Questions int      `json:"questions"` // that were measured
	Without   int      `json:"without"`   // questions without evidence, left out
	Absent    int      `json:"absent"`    // questions none of whose documents is in the corpus, left out
	Unknown   int      `json:"unknown"`   // names of documents that are not in the corpus, left out
	Resumed   int      `json:"resumed"`   // measurements of an earlier, interrupted run
	Methods   []Line   `json:"methods"`
}

// A Line holds the metrics of one variant, over all questions and by their type.
type Line struct {
	Method   string             `json:"method"`
	Settings map[string]float64 `json:"settings,omitempty"`
	Metrics
	ByType map[string]Metrics `json:"by_type"`
	// Groups are all questions, those whose id ends in an odd digit, on which no setting may be
	// chosen, and those with several pieces of evidence: all, odd and several.
	Groups map[string]Group `json:"groups"`
}

// task is a question with its evidence.
type task struct {
	n      int // index of its set
	set    *Set
	q      Question
	wanted [][]string // addresses of the documents that each piece of evidence may come from
}

// Run measures every variant on every question, one at a time, so that times are those
// of a single user.
func Run(ctx context.Context, o Options) (_ Retrieval, err error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	result, tasks := prepare(o)
	if len(tasks) == 0 {
		return result, fmt.Errorf("measure retrieval: %w: none of %d has evidence in the corpus", ErrQuestions, result.Without+result.Absent)
	}
	total := len(tasks) * len(o.Variants)
	l, err := openResults(o.Results, resultHeader{fingerprint(o, tasks), total})
	if err != nil {
		return result, err
	}
	defer func() {
		if cerr := l.close(); err == nil && cerr != nil {
			err = fmt.Errorf("close results: %w", cerr)
		}
	}()
	result.Resumed = len(l.done)
	for _, v := range o.Variants {
		for _, t := range tasks {
			if _, known := l.done[measurementKey{t.n, t.q.ID, v.Name()}]; known {
				continue
			}
			m, err := t.measure(ctx, o.Clock, v)
			if err != nil {
				return result, err
			}
			if err := l.add(m); err != nil {
				return result, err
			}
			o.Progress(len(l.done), total)
		}
	}
	var first []Metrics
	for i, v := range o.Variants {
		own := metricsOfAll(v, tasks, l)
		if i == 0 {
			first = own
		}
		line := summarize(v, tasks, own)
		line.Groups = groupsOf(tasks, first, own, i == 0)
		result.Methods = append(result.Methods, line)
	}
	return result, nil
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
			tasks = append(tasks, task{i, set, q, wanted})
		}
	}
	result.Questions = len(tasks)
	return result, tasks
}

// fingerprint returns a hash of everything that affects a measurement.
func fingerprint(o Options, tasks []task) string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	for _, s := range o.Sets {
		_ = enc.Encode([]string{s.Corpus, s.State}) // writing to a hash cannot fail
	}
	for _, v := range o.Variants {
		_ = enc.Encode(v.Name())
	}
	for _, t := range tasks {
		_ = enc.Encode([]any{t.n, t.q, t.wanted})
	}
	_ = enc.Encode(o.Settings)
	return hex.EncodeToString(h.Sum(nil))
}

// measure measures a variant on the question.
func (t task) measure(ctx context.Context, clock func() time.Time, v Variant) (measurement, error) {
	start := clock()
	found, neo4j, err := t.set.Search(ctx, v, t.q.Text)
	if err != nil {
		return measurement{}, fmt.Errorf("measure question %s with %s: %w", t.q.ID, v.Name(), err)
	}
	took := clock().Sub(start)
	return measurement{
		Set: t.n, ID: t.q.ID, Variant: v.Name(), Ranks: ranks(found, t.wanted),
		MSNeo4j: milliseconds(neo4j), MSGo: milliseconds(max(took-neo4j, 0)),
	}, nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// metricsOfAll returns the metrics of a variant for each task.
func metricsOfAll(v Variant, tasks []task, l *resultFile) []Metrics {
	all := make([]Metrics, len(tasks))
	for i, t := range tasks {
		m := l.done[measurementKey{t.n, t.q.ID, v.Name()}]
		f := metricsOf(m.Ranks)
		f.MSNeo4j, f.MSGo, f.MS = m.MSNeo4j, m.MSGo, m.MSNeo4j+m.MSGo
		all[i] = f
	}
	return all
}

// summarize computes the metrics of a variant from those of each task.
func summarize(v Variant, tasks []task, all []Metrics) Line {
	byType := map[string][]Metrics{}
	for i, t := range tasks {
		if t.q.Type != "" {
			byType[t.q.Type] = append(byType[t.q.Type], all[i])
		}
	}
	line := Line{Method: v.Method, Settings: v.Settings, Metrics: mean(all), ByType: map[string]Metrics{}}
	for name, list := range byType {
		line.ByType[name] = mean(list)
	}
	return line
}
