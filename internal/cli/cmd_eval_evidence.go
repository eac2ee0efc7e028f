package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/eval"
	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/prompts"
)

func newEvalEvidenceCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "evidence",
		Usage:     "measure how well the quotes of answers support their statements",
		ArgsUsage: "ANSWERS.json... | --run FOLDER",
		Description: "ANSWERS holds one or more answers as `neorag query --json` prints them, of corpora that are on the server. With --run the answers of\n" +
			"`neorag eval answer` in the folder are measured, and no server is needed.\n" +
			"Prints for each method: the share of statements with a reference, of citations with a quote, of quotes that are in the document, and of a\n" +
			"statement's terms that its quotes hold. With --judge a model decides which quotes support their statements. With --run it also decides which\n" +
			"statements their quotes support together, and its verdicts are kept: precision is the share of the citations that support all of their\n" +
			"statement, recall the share of the statements that are supported, with 95 % intervals.",
		Flags: slices.Concat([]ucli.Flag{
			measuredRunFlag(),
			&ucli.BoolFlag{Name: "judge", Usage: "have the model judge each quote, twenty in one call"},
			maxCostFlag(),
		}, hide(modelFlags(), "embedding-base-url", "embedding-model", "embedding-price-in"), serverFlags(), []ucli.Flag{verboseFlag()}),
		Action: action(env, evidenceOptionsFrom, runEvalEvidence),
	}
}

type evidenceOptions struct {
	modelOptions

	files []string
	run   string // folder of an evaluation; "" for files
	judge bool
}

func evidenceOptionsFrom(cc invocation) (o evidenceOptions, err error) {
	o = evidenceOptions{files: cc.Args().Slice(), run: cc.String("run"), judge: cc.Bool("judge")}
	if o.run != "" && len(o.files) > 0 {
		return o, usage("eval evidence: give files of answers or --run, not both")
	}
	if len(o.files) == 0 && o.run == "" {
		return o, usage("eval evidence: give a file of answers, as `neorag query --json` prints them")
	}
	o.modelOptions, err = modelOptionsFrom(cc, judgeUse)
	return o, err
}

func runEvalEvidence(ctx context.Context, env *environment, o evidenceOptions) error {
	if o.run != "" {
		return runEvalEvidenceOfRun(ctx, env, o)
	}
	var answers []eval.Answered
	for _, name := range o.files {
		own, err := readAnswers(name)
		if err != nil {
			return usageError(err)
		}
		answers = append(answers, own...)
	}
	judge, done, err := judgeOf(ctx, env, o)
	if err != nil {
		return err
	}
	defer done()
	var result eval.Evidence
	err = withStore(ctx, env, func(store *neo4jstore.Store) error {
		chunks, err := quotedChunks(ctx, store, answers)
		if err != nil {
			return err
		}
		result, err = eval.MeasureEvidence(ctx, answers, func(c cite.Citation) bool { return c.IsIn(chunks[c.Chunk]) }, judge)
		return err
	})
	if err != nil {
		return err
	}
	return env.printTable(result)
}

// runEvalEvidenceOfRun measures the evidence of the answers of an evaluation.
func runEvalEvidenceOfRun(ctx context.Context, env *environment, o evidenceOptions) error {
	var result score.EvidenceScores
	err := judgeRun(ctx, env, o.run, o.judge, o.modelOptions, assessment{"evidence", prompts.AnswerEvidence, score.JudgeEvidence}, func(f *evalrun.Folder, judge string) error {
		result = score.Evidence(f, judge)
		return nil
	})
	if err != nil {
		return err
	}
	return env.printTable(result)
}

// readAnswers reads the answers in a file: one or more JSON objects.
func readAnswers(name string) ([]eval.Answered, error) {
	body, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read answers: %w", err)
	}
	var out []eval.Answered
	decoder := json.NewDecoder(bytes.NewReader(body))
	for {
		var a query.Answer
		err := decoder.Decode(&a)
		if errors.Is(err, io.EOF) && len(out) > 0 {
			return out, nil
		}
		if err == nil && a.Method == "" {
			err = errors.New("no answer of `neorag query --json`")
		}
		if err != nil {
			return nil, fmt.Errorf("read answer %d of %s: %w", len(out)+1, name, err)
		}
		out = append(out, eval.Answered{
			Method: a.Method, Citations: a.Citations, Uncited: a.Uncited,
			Calls: a.Usage.Calls, Tokens: a.Usage.TokensIn + a.Usage.TokensOut,
		})
	}
}

// judgeOf returns what asks the model for verdicts, nil without --judge, and what ends its use.
func judgeOf(ctx context.Context, env *environment, o evidenceOptions) (prompts.Asker, func(), error) {
	if !o.judge {
		return nil, func() {}, nil
	}
	m, chat, err := requiredModels(ctx, env, o.modelOptions, "evidence --judge")
	if err != nil {
		return nil, nil, err
	}
	return askerOf(m, chat, score.Task), m.close, nil
}

// quotedChunks reads the chunks that answers quote, by their keys.
func quotedChunks(ctx context.Context, store *neo4jstore.Store, answers []eval.Answered) (map[string]neo4jstore.PlacedChunk, error) {
	wanted := map[string][]string{} // by corpus
	for _, a := range answers {
		for _, c := range a.Citations {
			if corpus := graph.CorpusOf(c.Chunk); c.Quote != "" && !slices.Contains(wanted[corpus], c.Chunk) {
				wanted[corpus] = append(wanted[corpus], c.Chunk)
			}
		}
	}
	chunks := map[string]neo4jstore.PlacedChunk{}
	for corpus, keys := range wanted {
		found, err := store.ChunkPlaces(ctx, corpus, keys)
		if err != nil {
			return nil, err
		}
		for _, c := range found {
			chunks[c.Key] = c
		}
	}
	return chunks, nil
}
