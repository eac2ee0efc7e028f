package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/stage/chunk"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/stage/tune"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/tokens"
	"github.com/neorag/neorag/internal/ui/terminal"
	"github.com/neorag/neorag/prompts"
)

// tuneUse are the models of neorag tune.
var tuneUse = config.Use{Chat: true, Tasks: []string{"extract"}}

func newTuneCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "tune",
		Usage:     "have a model propose entity types and examples for your documents, from a sample",
		ArgsUsage: "PATH...",
		Description: "Reads a sample of the chunks under the PATHs, and has the model write what they are about, which types of\n" +
			"entities they name, and a few examples of records. The result is domain.json in a folder for --prompts.\n" +
			"Then it extracts some chunks without and with it, and shows what that changes. It does not need Neo4j.",
		Flags: slices.Concat([]ucli.Flag{
			&ucli.StringFlag{Name: "output", Aliases: []string{"o"}, Value: "tuned-prompts", Usage: "write domain.json into `FOLDER`"},
			&ucli.BoolFlag{Name: "overwrite", Usage: "replace domain.json if it exists"},
			&ucli.IntFlag{Name: "sample", Value: 14, Usage: "read `N` chunks: with an embedding model, the chunks that differ most, else random ones"},
			&ucli.Uint64Flag{Name: "sample-seed", Usage: "choose the sample with the random seed `N`"},
			&ucli.IntFlag{Name: "compare", Value: 10, Usage: "extract `N` chunks of the sample without and with the result; 0 means none"},
			&ucli.IntFlag{Name: "example-count", Value: 2, Usage: "make `N` examples; each call for extraction repeats them"},
			maxCostFlag(),
		}, settingFlags("source.ignore"), modelFlags(tuneUse.Tasks...), documentFlags()),
		Action: action(env, tuneOptionsFrom, runTune),
	}
}

type tuneOptions struct {
	modelOptions

	paths                    []string
	output                   string
	overwrite                bool
	sample, compare, example int
	seed                     uint64
	source                   source.Options
	chunk                    chunk.Options
}

func tuneOptionsFrom(cc invocation) (o tuneOptions, err error) {
	o = tuneOptions{
		paths: cc.Args().Slice(), output: cc.String("output"), overwrite: cc.Bool("overwrite"),
		sample: cc.Int("sample"), compare: cc.Int("compare"), example: cc.Int("example-count"), seed: cc.Uint64("sample-seed"),
	}
	switch {
	case len(o.paths) == 0 || slices.Contains(o.paths, "-"):
		return o, usage("tune: give at least one PATH of files or folders")
	case o.sample < 1 || o.sample > 50 || o.compare < 0 || o.compare > o.sample:
		return o, usage("tune: --sample takes 1 to 50 chunks, and --compare at most as many")
	case o.example < 0 || o.example > 10:
		return o, usage("tune: --example-count takes 0 to 10")
	}
	if o.source, err = sourceOptionsFrom(cc.settings); err != nil {
		return o, err
	}
	if o.chunk = chunkOptionsFrom(cc.settings); o.chunk.Validate() != nil {
		return o, usageError(o.chunk.Validate())
	}
	o.modelOptions, err = modelOptionsFrom(cc, tuneUse)
	return o, err
}

// A Tuned is the shape of `tune --json`.
type Tuned struct {
	Chunks int            `json:"chunks"` // under the paths
	Sample int            `json:"sample"` // of them that were read
	File   string         `json:"file"`
	Domain extract.Domain `json:"domain"`
	Before *tune.Figures  `json:"before,omitempty"`
	After  *tune.Figures  `json:"after,omitempty"`
	Cost   float64        `json:"cost"` // of all calls
}

func runTune(ctx context.Context, env *environment, o tuneOptions) error {
	if err := checkOutput(o); err != nil {
		return err
	}
	m, err := newModels(ctx, env, o.modelOptions)
	if err != nil {
		return err
	}
	if !m.hasChat() {
		return failure(nil, "tune: no model is configured", "set OPENAI_API_KEY, or --base-url and --model; without a model, entity types and examples have no effect")
	}
	defer m.close()
	return m.tune(ctx, env, o)
}

// checkOutput checks the folder before anything is paid for.
func checkOutput(o tuneOptions) error {
	set := prompts.Set{Dir: o.output}
	if _, err := os.Stat(o.output); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err := set.CheckFolder(); err != nil {
		return usage("--output: %w", err)
	}
	if existing, err := set.Domain(); (existing != nil || err != nil) && !o.overwrite {
		return failure(err, fmt.Sprintf("%s exists in %s", prompts.DomainFile, o.output), "--overwrite replaces it, or name another folder with --output")
	}
	return nil
}

func (m *models) tune(ctx context.Context, env *environment, o tuneOptions) error {
	chat, err := m.chat("extract")
	if err != nil {
		return err
	}
	counter, err := tokens.Get(o.chunk.Encoding)
	if err != nil {
		return usageError(err)
	}
	out := Tuned{File: o.output + "/" + prompts.DomainFile}
	sample, err := m.sample(ctx, env, o, counter, &out)
	if err != nil {
		return err
	}
	t := &tune.Tuner{Chat: chat, Prompts: m.prompts, Counter: counter, Concurrency: o.concurrency(), Examples: zeroAsNone(o.example)}
	if out.Domain, err = t.Propose(ctx, sample); err != nil {
		return err
	}
	encoded, err := json.MarshalIndent(out.Domain, "", "  ")
	if err != nil {
		return err
	}
	if _, err := prompts.WriteFiles(o.output, map[string]string{prompts.DomainFile: string(encoded) + "\n"}, o.overwrite); err != nil {
		return err
	}
	if o.compare > 0 {
		if out.Before, out.After, err = compare(ctx, t, m.prompts, out.Domain, sample[max(0, len(sample)-o.compare):]); err != nil {
			return err
		}
	}
	out.Cost = m.meter.Total().Cost
	if env.json {
		out.File = env.withoutFolders(out.File)
		return env.printJSON(out)
	}
	printTuned(env, o, out)
	return nil
}

// compare extracts chunks with the domain that is in effect now, and with the new one.
func compare(ctx context.Context, t *tune.Tuner, set prompts.Set, domain extract.Domain, chunks []graph.Chunk) (before, after *tune.Figures, err error) {
	now, err := readDomain("", set)
	if err != nil {
		return nil, nil, err
	}
	if now == nil {
		now = &extract.Domain{}
	}
	first, err := t.Measure(ctx, *now, chunks)
	if err != nil {
		return nil, nil, err
	}
	second, err := t.Measure(ctx, domain, chunks)
	return &first, &second, err
}

// candidates is how many random chunks are embedded, to choose those that differ most.
const candidates = 200

// sample reads the documents and chooses chunks.
func (m *models) sample(ctx context.Context, env *environment, o tuneOptions, counter *tokens.Counter, out *Tuned) ([]graph.Chunk, error) {
	most := o.sample
	if m.embedding != "" {
		most = max(candidates, o.sample)
	}
	sampler := tune.NewSampler(most, o.seed)
	listing, err := source.List(ctx, o.paths, o.source)
	if err != nil {
		return nil, err
	}
	o.source.Sandbox = source.NewSandbox()
	defer o.source.Sandbox.Close()
	for _, f := range listing.Files {
		_, err := source.Documents(ctx, f, o.source, func(d graph.Document) error {
			d.Key = graph.Key("tune", d.URI)
			chunks, err := chunk.Split("tune", d, counter, o.chunk)
			for _, c := range chunks {
				sampler.Add(c)
			}
			return err
		})
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			env.note("skipped: %v", err)
		}
	}
	if out.Chunks = sampler.Seen; out.Chunks == 0 {
		return nil, failure(nil, "tune: the documents hold no text", "")
	}
	chunks := sampler.Chunks()
	if m.embedding != "" && len(chunks) > o.sample {
		if chunks, err = m.spread(ctx, chunks, o.sample); err != nil {
			return nil, err
		}
	}
	out.Sample = len(chunks)
	return chunks, nil
}

// spread chooses the chunks whose vectors differ most.
func (m *models) spread(ctx context.Context, chunks []graph.Chunk, n int) ([]graph.Chunk, error) {
	embedder, err := m.embedder(m.embedding)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(chunks))
	for i, c := range chunks {
		texts[i] = c.Text
	}
	vectors, err := embedder.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("embed the sample: %w", err)
	}
	var out []graph.Chunk
	for _, i := range tune.Spread(vectors, n) {
		out = append(out, chunks[i])
	}
	return out, nil
}

func printTuned(env *environment, o tuneOptions, out Tuned) {
	env.printf("Read %d of %d chunks\nDomain: %s\nEntity types: %s\nExamples: %d\n", out.Sample, out.Chunks,
		terminal.OneLine(out.Domain.Description), terminal.OneLine(strings.Join(out.Domain.EntityTypes, ", ")), len(out.Domain.Examples))
	if b, a := out.Before, out.After; b != nil && a != nil {
		env.printf("\nExtraction of %d chunks, without gleaning and claims:\n%-20s %9s %9s\n", b.Chunks, "", "before", "after")
		for _, row := range []struct {
			name          string
			before, after int64
		}{
			{"entities", int64(b.Entities), int64(a.Entities)},
			{"relationships", int64(b.Relationships), int64(a.Relationships)},
			{"types", int64(len(b.Types)), int64(len(a.Types))},
			{"records not read", int64(b.Unread), int64(a.Unread)},
			{"chunks failed", int64(b.Failed), int64(a.Failed)},
			{"calls", b.Calls, a.Calls},
			{"answers from cache", b.Cached, a.Cached},
			{"tokens in", b.TokensIn, a.TokensIn},
			{"tokens out", b.TokensOut, a.TokensOut},
		} {
			env.printf("%-20s %9d %9d\n", row.name, row.before, row.after)
		}
		env.printf("Types before: %s\nTypes after:  %s\n", typeCounts(b.Types), typeCounts(a.Types))
	}
	env.printf("\n%s is written%s: edit it, then run `neorag index --prompts %s PATH...`\n", out.File, env.costText(out.Cost), o.output)
}

// typeCounts formats types with their counts.
func typeCounts(types []tune.TypeCount) string {
	const shown = 12
	var parts []string
	for _, t := range types[:min(len(types), shown)] {
		parts = append(parts, fmt.Sprintf("%s %d", terminal.OneLine(text.Shorten(t.Type, 30)), t.Count))
	}
	if more := len(types) - shown; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more types", more))
	}
	return strings.Join(parts, ", ")
}
