package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/terminal"
)

func (c *command) trace() *ucli.Command {
	return &ucli.Command{
		Name:      "trace",
		Usage:     "follow a reference of the last answer, or a node, down to the words of a document",
		ArgsUsage: "N | KIND:NAME",
		Flags: []ucli.Flag{
			corpusFlag(), dataFlag(),
			&ucli.StringFlag{Name: "answer", Usage: "`FILE` with another answer than the last"},
		},
		Action: c.runTrace,
	}
}

func (c *command) runTrace(cc *ucli.Context) error {
	if cc.NArg() == 0 {
		return usage("trace: give the number of a reference, or kind:name as in entity:Scrooge")
	}
	spec := strings.Join(cc.Args().Slice(), " ")
	n, err := strconv.Atoi(strings.Trim(spec, "[]"))
	if err != nil {
		return c.traceNode(cc, spec)
	}
	a, err := c.readAnswer(cc.String("answer"))
	if errors.Is(err, errNoAnswer) {
		return &userError{code: exitFailure, message: "trace: " + err.Error(), hint: "ask a question with `neorag query` first", cause: err}
	}
	if err != nil {
		return err
	}
	for _, r := range a.References {
		if r.N == n {
			return c.printTrace(cc, cmp.Or(r.Corpus, a.Corpus), graph.Reference{Kind: r.Kind, Key: r.Key}, r.Quote)
		}
	}
	return usage("trace: the answer has %d references, none of them is %d", len(a.References), n)
}

func (c *command) traceNode(cc *ucli.Context, spec string) error {
	corpus, err := c.corpus(cc)
	if err != nil {
		return err
	}
	var ref graph.Reference
	err = c.withEngine(cc, corpus, func(e *query.Engine) error {
		ref, err = e.Find(cc.Context, spec)
		return err
	})
	if err != nil {
		return err
	}
	return c.printTrace(cc, corpus, ref, "")
}

func (c *command) withEngine(cc *ucli.Context, corpus string, fn func(*query.Engine) error) error {
	return c.withStore(cc.Context, cc, func(store *neo4jstore.Store) error {
		engine, err := query.New(store, query.Options{Corpus: corpus, Logger: c.logger(cc)})
		if err != nil {
			return err
		}
		return fn(engine)
	})
}

func (c *command) printTrace(cc *ucli.Context, corpus string, ref graph.Reference, quote string) error {
	return c.withEngine(cc, corpus, func(e *query.Engine) error {
		steps, err := e.Trace(cc.Context, ref, quote)
		if err != nil {
			return err
		}
		if cc.Bool("json") {
			return c.printJSON(map[string]any{"corpus": corpus, "kind": ref.Kind, "key": ref.Key, "steps": steps})
		}
		for i, s := range steps {
			c.printStep(i, s)
		}
		return nil
	})
}

func (c *command) printStep(depth int, s query.Step) {
	indent := strings.Repeat("  ", depth)
	c.printf("%s%s: %s\n", indent, strings.ToLower(string(s.Kind)), terminal.Sanitize(cmp.Or(s.Title, s.Key)))
	if s.Kind == graph.KindDocument {
		c.printf("%sbytes %d to %d\n\n%s\n", indent, s.Start, s.End, quoted(s))
		return
	}
	if s.Text != "" && s.Kind != graph.KindChunk {
		c.printf("%s  %s\n", indent, shorten(terminal.Sanitize(strings.Join(strings.Fields(s.Text), " ")), 300))
	}
}

// quoted shows the words with what stands around them.
func quoted(s query.Step) string {
	return terminal.Sanitize(fmt.Sprintf("…%s»%s«%s…", s.Before, s.Quote, s.After))
}

// shorten cuts a text at a rune.
func shorten(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return string(runes[:limit]) + "…"
}
