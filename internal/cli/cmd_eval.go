package cli

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/eval"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

func newEvalCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:  "eval",
		Usage: "measure the quality of retrieval, of answers, and of their evidence",
		Subcommands: []*ucli.Command{
			newEvalRetrievalCommand(env), newEvalQACommand(env), newEvalEvidenceCommand(env), newEvalClaimsCommand(env),
			newEvalQuestionsCommand(env), newEvalAnswerCommand(env), newEvalJudgeCommand(env), newEvalImportCommand(env),
			newEvalReportCommand(env), newEvalCostCommand(env), newEvalCompareCommand(env),
		}, HideHelpCommand: true,
		Action: func(*ucli.Context) error {
			return usage("eval: name what to measure: retrieval, qa, evidence or claims, a step of an evaluation in a folder: questions, answer, judge or import, or what to print of it: report, cost or compare; see `neorag eval retrieval --help`")
		},
	}
}

// readQuestionSets reads the files of questions.
func readQuestionSets(env *environment, args, corpora []string) ([]eval.Set, error) {
	var sets []eval.Set
	for _, arg := range args {
		corpus, name, paired := strings.Cut(arg, "=")
		if _, err := os.Stat(filepath.Join(env.Dir, arg)); err == nil || !paired {
			corpus, name = strings.Join(corpora, ","), arg
			if len(args) > 1 {
				return nil, usage("eval: with several files, give CORPUS=FILE for each")
			}
		}
		if err := graph.CheckCorpus(corpus); err != nil && paired {
			return nil, usageError(err)
		}
		questions, err := readQuestions(name)
		if err != nil {
			return nil, usageError(err)
		}
		sets = append(sets, eval.Set{Corpus: corpus, Questions: questions})
	}
	return sets, nil
}

func readQuestions(name string) ([]eval.Question, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read questions: %w", err)
	}
	defer func() { _ = f.Close() }()
	questions, err := eval.ReadQuestions(f)
	if err != nil {
		return nil, fmt.Errorf("read questions %s: %w", name, err)
	}
	return questions, nil
}

// stateOf returns a text that changes when one of the corpora does, and calls each for every
// document.
func stateOf(ctx context.Context, store *neo4jstore.Store, corpora []string, each func(neo4jstore.DocumentState)) (string, error) {
	var states []string
	for _, name := range corpora {
		documents, err := store.Documents(ctx, name)
		if err != nil {
			return "", err
		}
		if len(documents) == 0 {
			return "", fmt.Errorf("corpus %s: %w: it has no documents; run `neorag index PATH`", name, query.ErrNotIndexed)
		}
		for _, d := range documents {
			each(d)
			states = append(states, d.URI+" "+d.SHA256+" "+d.ChunkFP)
		}
		corpus, err := store.Corpus(ctx, name)
		if err != nil {
			return "", err
		}
		states = append(states, corpus.Mode, corpus.Embedder, strconv.FormatInt(corpus.Generation, 10))
		for _, stage := range slices.Sorted(maps.Keys(corpus.Settings)) {
			states = append(states, stage+" "+corpus.Settings[stage])
		}
	}
	return graph.Hash(states...), nil
}

// evalProgressInterval is the time between two notes on the progress.
const evalProgressInterval = 5 * time.Second

// countedProgress notes now and then how much of something is done.
func countedProgress(env *environment, did string) func(done, total int) {
	last := time.Now()
	return func(done, total int) {
		if done == total || time.Since(last) >= evalProgressInterval {
			last = time.Now()
			env.note("%s %d of %d", did, done, total)
		}
	}
}
