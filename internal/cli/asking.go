package cli

import (
	"strconv"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/llm/rerank"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/terminal"
)

// askingFlags say how sources are found and how auto chooses.
func askingFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.BoolFlag{Name: "explain", Usage: "auto: show what the choice of a method rests on"},
		&ucli.StringFlag{Name: "route", Value: "rules", Usage: "auto: what chooses a method, `rules` or model"},
		&ucli.BoolFlag{Name: "spread", Usage: "local: rank relationships by PageRank from the question's entities too"},
		&ucli.Float64Flag{Name: "diversity", Usage: "local: from 0 to 1, how much a source loses for what others say"},
		&ucli.StringFlag{Name: "rerank-base-url", Usage: "`URL` of a server that ranks sources anew by /rerank"},
		&ucli.StringFlag{Name: "rerank-model", Usage: "`NAME` of the model there"},
		&ucli.StringFlag{Name: "rerank-api-key-env", Hidden: true},
	}
}

// ways puts those flags into a question and its options. The function that it
// returns closes connections.
func (c *command) ways(cc *ucli.Context, q *query.Question) (change func(*query.Options), done func(), err error) {
	route := cc.String("route")
	if route != "rules" && route != "model" {
		return nil, nil, usage("--route %q: choose rules or model", route)
	}
	q.RouteByModel, q.Spread, q.Diversity = route == "model", cc.Bool("spread"), cc.Float64("diversity")
	if !(q.Diversity >= 0 && q.Diversity <= 1) {
		return nil, nil, usage("--diversity %v: give a number from 0 to 1", q.Diversity)
	}
	client, err := c.reranker(cc)
	if err != nil || client == nil {
		return func(*query.Options) {}, func() {}, err
	}
	return func(o *query.Options) { o.Reranker = client }, client.Close, nil
}

// reranker returns the client of the reranking model; nil without one, and offline.
func (c *command) reranker(cc *ucli.Context) (*rerank.Client, error) {
	off, err := c.config.Offline(modelUse(cc))
	if err != nil {
		return nil, err
	}
	if base := c.config.Get("models.rerank.base_url").Text(); off && base != "" {
		c.note(cc, "the sources are not reranked by %s: --offline uses no model", config.HostOf(base))
	}
	if off {
		return nil, nil
	}
	at, err := c.config.RerankEndpoint()
	if err != nil || at.BaseURL == "" {
		return nil, err
	}
	client, err := rerank.New(rerank.Config{BaseURL: at.BaseURL, Key: at.Key, Model: at.Model})
	if err != nil {
		return nil, &userError{code: exitUsage, message: "--rerank-base-url: " + err.Error(), cause: err}
	}
	return client, nil
}

// printChoice says which method auto took; with explain also by what.
func (c *command) printChoice(choice *query.Choice, explain bool) {
	if choice == nil {
		return
	}
	c.printf("\nauto took %s: %s.\n", choice.Method, strings.TrimSuffix(terminal.Sanitize(choice.Why), "."))
	if !explain {
		return
	}
	f := choice.Features
	list := func(words []string) string {
		if len(words) == 0 {
			return "none"
		}
		return terminal.Sanitize(strings.Join(words, ", "))
	}
	asks := f.Asks
	if asks == "" {
		asks = "none"
	}
	for _, line := range [][2]string{
		{"chosen by", choice.By},
		{"about the whole", strconv.FormatBool(f.Overview)},
		{"words for that", list(f.Broad)},
		{"names of the graph", list(f.Names)},
		{"who or what is it", strconv.FormatBool(f.Identity)},
		{"words for links", list(f.Relates)},
		{"exact words", strconv.FormatBool(f.Quote)},
		{"one fact", asks},
		{"entities near it", strconv.Itoa(f.Entities)},
		{"chunks near it", strconv.Itoa(f.Chunks)},
		{"reports", strconv.FormatBool(f.Reports)},
	} {
		c.printf("  %-18s %s\n", line[0], line[1])
	}
}
