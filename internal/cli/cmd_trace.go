package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/cli/userdata"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/ui/terminal"
)

func newTraceCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "trace",
		Usage:     "follow a reference of the last answer, or a node, to the source text",
		ArgsUsage: "N | KIND:NAME",
		Description: "N is the number of a reference in the last answer. KIND is document, chunk, entity, relationship, claim, community or report;\n" +
			"NAME is the name, title, label or key of such a node, in any letter case.",
		Flags: append([]ucli.Flag{
			corpusFlag(),
			&ucli.StringFlag{Name: "answer", Usage: "use the answer in `FILE`, as `neorag query --json` prints it, or the stored answer with that name, instead of the last one"},
		}, serverFlags()...),
		Action: action(env, traceOptionsFrom, runTrace),
	}
}

type traceOptions struct {
	corpus     string
	target     string // number of a reference, or kind:name
	answerFile string // "" means the last answer
}

func traceOptionsFrom(cc invocation) (o traceOptions, err error) {
	o = traceOptions{target: strings.Join(cc.Args().Slice(), " "), answerFile: cc.String("answer")}
	if o.target == "" {
		return o, usage("trace: give the number of a reference, or kind:name as in entity:Scrooge")
	}
	o.corpus, err = corpusFrom(cc)
	return o, err
}

func runTrace(ctx context.Context, env *environment, o traceOptions) error {
	n, err := strconv.Atoi(strings.Trim(o.target, "[]"))
	if err != nil {
		return traceNode(ctx, env, o.corpus, o.target)
	}
	a, err := userdata.Folder(env.home).ReadAnswer(o.answerFile)
	if errors.Is(err, userdata.ErrNoAnswer) {
		return failure(err, "trace: "+err.Error(), "ask a question with `neorag query` first")
	}
	if err != nil {
		return err
	}
	for _, r := range a.References {
		if r.N == n {
			return traceReference(ctx, env, a, r)
		}
	}
	return usage("trace: the answer has %s, but no reference %d", text.Count(len(a.References), "reference", "references"), n)
}

// traceReference prints the way from a reference of an answer to the source text, for each of
// its quotes.
func traceReference(ctx context.Context, env *environment, a query.Answer, r cite.Reference) error {
	if r.Quote == "" {
		env.note("no sentence of this source matches the answer; its own words follow")
	}
	corpus := cmp.Or(r.Corpus, a.Corpus)
	return withEngine(ctx, env, corpus, func(e *query.Engine) error {
		ref := graph.Reference{Kind: r.Kind, Key: r.Key}
		if err := printTrace(ctx, env, e, corpus, ref, r.Quote, r.Approximate); err != nil || env.json {
			return err
		}
		shown := []string{r.Quote}
		for _, c := range a.Citations {
			if c.N != r.N || c.Quote == "" || slices.Contains(shown, c.Quote) {
				continue
			}
			shown = append(shown, c.Quote)
			env.printf("\nAlso cited for: %s\n", c.Statement)
			if err := printTrace(ctx, env, e, corpus, ref, c.Quote, c.Match == cite.Approximate); err != nil {
				return err
			}
		}
		return nil
	})
}

// traceNode prints the way from a node, given as kind:name, to the source text.
func traceNode(ctx context.Context, env *environment, corpus, target string) error {
	return withEngine(ctx, env, corpus, func(e *query.Engine) error {
		ref, err := e.Find(ctx, target)
		if err != nil {
			return err
		}
		return printTrace(ctx, env, e, corpus, ref, "", false)
	})
}

// withEngine runs fn with an engine without models.
func withEngine(ctx context.Context, env *environment, corpus string, fn func(*query.Engine) error) error {
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		engine, err := query.New(store, query.Options{Corpus: corpus})
		if err != nil {
			return usageError(err)
		}
		return fn(engine)
	})
}

// traced is the shape of `trace --json`.
type traced struct {
	Corpus string      `json:"corpus"`
	Key    string      `json:"key"`
	Kind   graph.Kind  `json:"kind"`
	Steps  []cite.Step `json:"steps"` // from the reference down to the document
}

// printTrace prints the steps from a node to a quote. approximate means that the quote
// was found by similarity when the answer was made.
func printTrace(ctx context.Context, env *environment, e *query.Engine, corpus string, ref graph.Reference, quote string, approximate bool) error {
	steps, err := e.Trace(ctx, ref, quote)
	if err != nil {
		return err
	}
	if last := &steps[len(steps)-1]; last.Quote != "" && approximate {
		last.Approximate = true
	}
	return env.print(traced{corpus, ref.Key, ref.Kind, steps}, func() {
		for i, s := range steps {
			printStep(env, i, s)
		}
	})
}

func printStep(env *environment, depth int, s cite.Step) {
	indent := strings.Repeat("  ", depth)
	env.printf("%s%s: %s\n", indent, strings.ToLower(string(s.Kind)), cmp.Or(s.Title, s.Key))
	if s.Kind == graph.KindDocument {
		found := ""
		if s.Approximate {
			found = "approximately "
		}
		env.printf("%s%s%s\n\n%s\n", indent, found, s.Describe(s.Start, s.End), quoteInContext(s))
		return
	}
	if s.Text != "" && s.Kind != graph.KindChunk {
		env.printf("%s  %s\n", indent, text.Shorten(terminal.OneLine(s.Text), 300))
	}
}

// quoteInContext returns the quote, marked, with the text around it.
func quoteInContext(s cite.Step) string {
	return fmt.Sprintf("…%s»%s«%s…", s.Before, s.Quote, s.After)
}
