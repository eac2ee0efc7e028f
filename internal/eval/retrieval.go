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

// A Set is questions over one corpus, or several that are searched as one.
type Set struct {
	Corpus    string
	Documents []string // addresses of all documents that a search may find
	State     string   // changes when the corpus does
	Questions []Question
	// Search gives the addresses of documents in the order of their worth, and how
	// long the database took of that.
	Search func(ctx context.Context, v Variant, question string) (documents []string, neo4j time.Duration, err error)
}

// A Variant is a method with some settings of its search.
type Variant struct {
	Method   string
	Settings map[string]float64 // nil for its own
}

// Name is the method and its settings in the order of their names.
func (v Variant) Name() string {
	parts := []string{v.Method}
	for _, name := range slices.Sorted(maps.Keys(v.Settings)) {
		parts = append(parts, name+"="+strconv.FormatFloat(v.Settings[name], 'g', -1, 64))
	}
	return strings.Join(parts, " ")
}

// Options say what is measured. All questions of all sets count alike.
type Options struct {
	Sets     []Set
	Variants []Variant
	Results  string // file that keeps what was measured
	Settings string // whatever else changes a result, such as filters
	Clock    func() time.Time
	Progress func(done, total int) // may be nil
}

// A Retrieval is the result, in the shape of `eval retrieval --json`.
type Retrieval struct {
	Corpora   []string `json:"corpora"`
	Questions int      `json:"questions"` // that were asked
	Without   int      `json:"without"`   // questions without evidence, left out
	Absent    int      `json:"absent"`    // questions none of whose documents is in the corpus, left out
	Unknown   int      `json:"unknown"`   // names of documents that are not in the corpus, left out
	Resumed   int      `json:"resumed"`   // measurements that an earlier run left
	Methods   []Line   `json:"methods"`
}

// A Line is what one method, with its settings, reached.
type Line struct {
	Method   string             `json:"method"`
	Settings map[string]float64 `json:"settings,omitempty"`
	Figures
	ByType map[string]Figures `json:"by_type"`
}

// task is one question with its evidence.
type task struct {
	n      int // index of its set
	set    *Set
	q      Question
	wanted [][]string
}

// Run asks every question by every variant, one at a time, so that times are
// those of one reader.
func Run(ctx context.Context, o Options) (_ Retrieval, err error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	result, tasks := prepare(o)
	if len(tasks) == 0 {
		return result, fmt.Errorf("measure retrieval: %w: none of %d questions has evidence in the corpus", ErrQuestions, result.Without+result.Absent)
	}
	total := len(tasks) * len(o.Variants)
	l, err := openLedger(o.Results, ledgerHead{fingerprint(o, tasks), total})
	if err != nil {
		return result, err
	}
	defer func() {
		if cerr := l.close(); err == nil && cerr != nil {
			err = fmt.Errorf("keep results: %w", cerr)
		}
	}()
	result.Resumed = len(l.done)
	for _, v := range o.Variants {
		for _, t := range tasks {
			if _, known := l.done[measuredKey{t.n, t.q.ID, v.Name()}]; known {
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
	for _, v := range o.Variants {
		result.Methods = append(result.Methods, lineOf(v, tasks, l))
	}
	return result, nil
}

// prepare finds the documents of each question's evidence.
func prepare(o Options) (Retrieval, []task) {
	var result Retrieval
	var tasks []task
	for i := range o.Sets {
		set := &o.Sets[i]
		result.Corpora = append(result.Corpora, set.Corpus)
		known := newNames(set.Documents)
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

// fingerprint covers all that changes what is found or how it is measured.
func fingerprint(o Options, tasks []task) string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	for _, s := range o.Sets {
		_ = enc.Encode([]string{s.Corpus, s.State}) // a hash takes all
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

func (t task) measure(ctx context.Context, clock func() time.Time, v Variant) (measured, error) {
	start := clock()
	found, neo4j, err := t.set.Search(ctx, v, t.q.Text)
	if err != nil {
		return measured{}, fmt.Errorf("question %s by %s: %w", t.q.ID, v.Name(), err)
	}
	took := clock().Sub(start)
	return measured{
		Set: t.n, ID: t.q.ID, Variant: v.Name(), Ranks: ranks(found, t.wanted),
		MSNeo4j: milliseconds(neo4j), MSGo: milliseconds(max(took-neo4j, 0)),
	}, nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// lineOf sums up what a variant reached, in all and by type of question.
func lineOf(v Variant, tasks []task, l *ledger) Line {
	var all []Figures
	byType := map[string][]Figures{}
	for _, t := range tasks {
		m := l.done[measuredKey{t.n, t.q.ID, v.Name()}]
		f := figuresOf(m.Ranks)
		f.MSNeo4j, f.MSGo, f.MS = m.MSNeo4j, m.MSGo, m.MSNeo4j+m.MSGo
		all = append(all, f)
		if t.q.Type != "" {
			byType[t.q.Type] = append(byType[t.q.Type], f)
		}
	}
	line := Line{Method: v.Method, Settings: v.Settings, Figures: mean(all), ByType: map[string]Figures{}}
	for name, list := range byType {
		line.ByType[name] = mean(list)
	}
	return line
}
