package service

import (
	"cmp"
	"context"
	"path"
	"slices"
	"time"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Options configure a Service. Store and Engine are required.
type Options struct {
	Store *neo4jstore.Store
	// Engine returns an engine over some corpora, of which there is at least one. It is called for each
	// question, with corpora that are shown.
	Engine  func(ctx context.Context, corpora []string) (*query.Engine, error)
	Default string // the corpus of a question that names none
	// Question has what the settings of the server say of answers; its text is not used.
	Question query.Question
	// Corpora are patterns of the corpora that are shown, such as news*; none means all.
	Corpora   []string
	Model     string // that writes answers; empty if sentences are chosen without one
	Questions int    // how many are answered at the same time, 8 by default; as many again may wait
}

// A Service answers requests. It is safe for concurrent use.
type Service struct {
	options Options
	turns   turns
	maps    *maps
}

const (
	defaultQuestions = 8
	answerTime       = 15 * time.Minute // of one question
)

// New returns a service.
func New(o Options) *Service {
	if o.Questions <= 0 {
		o.Questions = defaultQuestions
	}
	return &Service{o, newTurns(o.Questions), newMaps()}
}

// Model returns the name of the chat model, empty if there is none.
func (s *Service) Model() string { return s.options.Model }

// Method returns the name of the method of a question that names none.
func (s *Service) Method() string { return cmp.Or(s.options.Question.Method, "auto") }

// Shows reports whether a corpus of that name is shown, if it exists.
func (s *Service) Shows(corpus string) bool {
	return len(s.options.Corpora) == 0 || slices.ContainsFunc(s.options.Corpora, func(pattern string) bool {
		ok, err := path.Match(pattern, corpus)
		return err == nil && ok
	})
}

// Ping returns an error if Neo4j does not answer.
func (s *Service) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, pingTime)
	defer cancel()
	_, err := s.options.Store.Corpora(ctx)
	return err
}

// pingTime is how long Neo4j may take to answer.
const pingTime = 5 * time.Second
