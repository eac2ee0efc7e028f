package cli

import (
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/terminal"
)

func (c *command) query() *ucli.Command {
	return &ucli.Command{
		Name:      "query",
		Usage:     "ask a question over a corpus",
		ArgsUsage: "QUESTION | --chat",
		Flags: append([]ucli.Flag{
			corpusFlag(), dataFlag(),
			&ucli.StringFlag{Name: "method", Aliases: []string{"m"}, Value: "global", Usage: "`NAME` of the method; `neorag methods` lists them"},
			&ucli.StringFlag{Name: "level", Value: "2", Usage: "of the communities: a number, C0 to C3, root or leaf"},
			&ucli.Uint64Flag{Name: "seed", Usage: "of the order in which reports are read"},
			&ucli.IntFlag{Name: "map-tokens", Value: 8000, Usage: "`TOKENS` of one map window"},
			&ucli.IntFlag{Name: "reduce-tokens", Value: 8000, Usage: "`TOKENS` of the points that the answer is made of, or of the context"},
			&ucli.IntFlag{Name: "answer-tokens", Value: 400, Usage: "`TOKENS` of an answer without a model"},
			&ucli.BoolFlag{Name: "dynamic", Usage: "choose the reports of global from the roots down to --level, in place of reading all of that level"},
			&ucli.IntFlag{Name: "max-calls", Value: 16, Usage: "`N` calls at most to choose reports with --dynamic, or of drift; without a model its follow-up questions"},
			&ucli.IntFlag{Name: "max-tokens", Value: 48000, Usage: "`TOKENS` that drift reads at most"},
			&ucli.BoolFlag{Name: "dry-run", Usage: "ask nothing: say how many reports and tokens each level would read"},
			&ucli.BoolFlag{Name: "chat", Usage: "ask several questions, each one understood by those before"},
			&ucli.StringFlag{Name: "history", Usage: "`FILE` of the conversation that the question goes on with, a turn a line"},
			&ucli.BoolFlag{Name: "verbose", Usage: "log what is done"},
		}, append(append(askingFlags(), filterFlags()...), modelFlags("map", "answer")...)...),
		Action: c.runQuery,
	}
}

func (c *command) runQuery(cc *ucli.Context) error {
	if cc.Bool("dry-run") {
		return c.runDryRun(cc)
	}
	corpora, err := c.corpora(cc)
	if err != nil {
		return err
	}
	level, err := query.ParseLevel(cc.String("level"))
	if err != nil {
		return &userError{code: exitUsage, message: err.Error()}
	}
	q := query.Question{
		Text: strings.Join(cc.Args().Slice(), " "), Method: cc.String("method"), Level: level, Seed: cc.Uint64("seed"),
		MapTokens: cc.Int("map-tokens"), ReduceTokens: cc.Int("reduce-tokens"), AnswerTokens: cc.Int("answer-tokens"),
		Dynamic: cc.Bool("dynamic"), MaxCalls: cc.Int("max-calls"), MaxTokens: cc.Int("max-tokens"),
		Filter: filterOf(cc),
	}
	if strings.TrimSpace(q.Text) == "" && !cc.Bool("chat") {
		return usage("query: give a question, or --chat to ask several")
	}
	past, err := readHistory(cc.String("history"))
	if err != nil {
		return err
	}
	m, err := c.models(cc)
	if err != nil {
		return err
	}
	defer m.close()
	return c.withStore(cc.Context, cc, func(store *neo4jstore.Store) error {
		ways, done, err := c.ways(cc, &q)
		if err != nil {
			return err
		}
		defer done()
		engine, err := c.engine(cc, store, m, corpora, ways)
		if err != nil {
			return err
		}
		if cc.Bool("chat") {
			return c.runChat(cc, m, engine, q, past)
		}
		q.History = past.turns
		a, err := c.ask(cc.Context, cc, m, engine, q)
		if err != nil {
			return err
		}
		if err := past.add(a.Answer); err != nil {
			return err
		}
		if cc.Bool("json") {
			return c.printJSON(a.Answer)
		}
		c.printAnswer(a.Answer, a.shown)
		if len(a.References) > 0 {
			c.printf("\n`neorag trace 1` shows the words behind reference 1.\n")
		}
		c.printChoice(a.Choice, cc.Bool("explain"))
		return nil
	})
}

// printAnswer shows an answer with its references to a person.
func (c *command) printAnswer(a query.Answer, shown bool) {
	if !shown {
		terminal.PrintMarkdown(c.env.Stdout, c.env.Getenv, a.Answer)
	}
	if len(a.References) > 0 {
		c.printf("\nReferences\n")
	}
	for _, r := range a.References {
		c.printf("  [%d] %s: %s", r.N, strings.ToLower(string(r.Kind)), terminal.Sanitize(r.Title))
		if r.Document != "" {
			c.printf(" — %s, bytes %d to %d", terminal.Sanitize(r.Document), r.Start, r.End)
		}
		if r.Corpus != a.Corpus {
			c.printf(" (corpus %s)", r.Corpus)
		}
		c.printf("\n")
	}
	for _, n := range a.Notes {
		c.printf("%s\n", terminal.Sanitize(n))
	}
}
