package service

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/view/reportbook"
)

// A CorpusLine is a corpus in a list.
type CorpusLine struct {
	Corpus  string    `json:"corpus"`
	Created time.Time `json:"created"`
	Mode    string    `json:"mode" doc:"offline, or the names of the models that indexed it"`
}

// A Corpus describes a corpus.
type Corpus struct {
	CorpusLine

	Counts  neo4jstore.Counts `json:"counts"`
	Updated *time.Time        `json:"updated,omitempty" doc:"End of the last run that wrote something"`
	Pending map[string]int    `json:"pending" doc:"By stage: nodes that may be out of date"`
	Failed  []FailedItem      `json:"failed" doc:"What the last run could not read or make; at most 100"`
}

// A FailedItem is an item on which a stage failed.
type FailedItem struct {
	Key    string `json:"key"`
	Stage  string `json:"stage"`
	Reason string `json:"reason"`
}

const maxFailed = 100

// Corpora returns the corpora that are shown, by name.
func (s *Service) Corpora(ctx context.Context) ([]CorpusLine, error) {
	all, err := s.options.Store.Corpora(ctx)
	if err != nil {
		return nil, err
	}
	shown := []CorpusLine{}
	for _, c := range all {
		if s.Shows(c.Name) && !c.Removing {
			shown = append(shown, lineOf(c))
		}
	}
	return shown, nil
}

func lineOf(c neo4jstore.Corpus) CorpusLine { return CorpusLine{c.Name, c.Created.UTC(), c.Mode} }

// Corpus describes a corpus.
func (s *Service) Corpus(ctx context.Context, name string) (Corpus, error) {
	c, err := s.shown(ctx, name)
	if err != nil {
		return Corpus{}, err
	}
	out := Corpus{CorpusLine: lineOf(c), Failed: []FailedItem{}}
	if out.Counts, err = s.options.Store.Counts(ctx, name); err != nil {
		return Corpus{}, err
	}
	if out.Pending, err = s.options.Store.Pending(ctx, name); err != nil {
		return Corpus{}, err
	}
	failed, err := s.options.Store.Failed(ctx, name, maxFailed)
	if err != nil {
		return Corpus{}, err
	}
	failed = c.WithUnread(failed)
	for _, f := range failed[:min(len(failed), maxFailed)] {
		out.Failed = append(out.Failed, FailedItem{f.Key, f.Stage, withoutPaths(f.Reason)})
	}
	runs, err := s.options.Store.Runs(ctx, name, 1)
	if len(runs) > 0 {
		finished := runs[0].Finished.UTC()
		out.Updated = &finished
	}
	return out, err
}

// An Overview is a corpus with the reports on its largest communities.
type Overview struct {
	Corpus

	Reports []reportbook.Entry `json:"reports" doc:"Of the largest communities, best rated first"`
}

// Overview describes a corpus, with at most limit reports.
func (s *Service) Overview(ctx context.Context, name string, limit int) (Overview, error) {
	c, err := s.Corpus(ctx, name)
	if err != nil {
		return Overview{}, err
	}
	reports, err := s.Reports(ctx, name, 0)
	if err != nil {
		return Overview{}, err
	}
	slices.SortStableFunc(reports, func(a, b reportbook.Entry) int { return cmp.Compare(b.Rating, a.Rating) })
	return Overview{c, reports[:min(len(reports), limit)]}, nil
}

// shown reads a corpus. The error is the same whether it does not exist or is not shown.
func (s *Service) shown(ctx context.Context, name string) (neo4jstore.Corpus, error) {
	if !s.Shows(name) {
		return neo4jstore.Corpus{}, NoCorpus(name)
	}
	c, err := s.options.Store.Corpus(ctx, name)
	if errors.Is(err, neo4jstore.ErrNoCorpus) || c.Removing {
		return neo4jstore.Corpus{}, NoCorpus(name)
	}
	return c, err
}

// Chosen returns the corpora of a question: the named ones, which must exist and be shown. For none it
// returns the only one that is shown, else the default.
func (s *Service) Chosen(ctx context.Context, named []string) ([]string, error) {
	if len(named) == 0 {
		all, err := s.Corpora(ctx)
		if err != nil {
			return nil, err
		}
		name, err := s.DefaultOf(all)
		return []string{name}, err
	}
	named = slices.Compact(slices.Sorted(slices.Values(named)))
	for _, name := range named {
		if _, err := s.shown(ctx, name); err != nil {
			return nil, err
		}
	}
	return named, nil
}

// DefaultOf returns the corpus of a question that names none, of the corpora that are shown: the only one, else the
// default, which must be one of them.
func (s *Service) DefaultOf(shown []CorpusLine) (string, error) {
	if len(shown) == 1 {
		return shown[0].Corpus, nil
	}
	if !slices.ContainsFunc(shown, func(c CorpusLine) bool { return c.Corpus == s.options.Default }) {
		return "", NoCorpus(s.options.Default)
	}
	return s.options.Default, nil
}

// A Method is a way to answer questions.
type Method struct {
	Method string `json:"method"`
	About  string `json:"about"`
}

// Methods returns the methods that can answer: without a chat model those that need none.
func (s *Service) Methods() []Method {
	out := []Method{}
	for _, m := range query.Methods() {
		if s.options.Model != "" || !m.NeedsModel {
			out = append(out, Method{m.Name, m.Summary})
		}
	}
	return out
}
