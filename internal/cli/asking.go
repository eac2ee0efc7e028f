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

// reranker is the server that ranks sources anew; nil without one, and offline.
func (c *command) reranker(cc *ucli.Context) (*rerank.Client, error) {
	base := c.get(cc, "rerank-base-url")
	off, err := c.offline(cc)
	if err != nil || base.text() == "" {
		return nil, err
	}
	if off {
		c.note(cc, "the sources are not ranked by %s: --offline uses no model", host(base.text()))
		return nil, nil
	}
	at := endpoint{base: base.text(), chosen: base.from, official: isOpenAI(base.text())}
	key, err := c.key(cc, at, "rerank-api-key-env", "")
	if err != nil {
		return nil, err
	}
	client, err := rerank.New(rerank.Config{BaseURL: at.base, Key: key, Model: c.get(cc, "rerank-model").text()})
	if err != nil {
		return nil, &userError{code: exitUsage, message: "--rerank-base-url: " + err.Error(), cause: err}
	}
	return client, nil
}

// rerankSettings say where sources are ranked anew.
func rerankSettings() []setting {
	return []setting{
		{Key: config.Key{Name: "models.rerank.base_url", Doc: "Address of a server with /rerank, such as http://localhost:8080/v1. Empty: sources stay as found."}, flag: "rerank-base-url", auto: "sources stay as found"},
		{Key: config.Key{Name: "models.rerank.model"}, flag: "rerank-model", auto: "the server's"},
		{Key: config.Key{Name: "models.rerank.api_key_env", Kind: config.Variable}, flag: "rerank-api-key-env", auto: "none, or " + envAPIKey + " on its own server"},
	}
}

// waySettings change how sources are found and how auto chooses.
func waySettings() []setting {
	return []setting{
		{Key: config.Key{Name: "query.route", Default: one("rules"), Choices: []string{"rules", "model"}, Doc: "What chooses the method of auto: rules, or one call to the model."}, flag: "route"},
		{Key: config.Key{Name: "query.spread", Kind: config.Switch, Default: one("false"), Doc: "true: local ranks relationships by PageRank from the question's entities too."}, flag: "spread"},
		{Key: config.Key{Name: "query.diversity", Kind: config.Number, Default: one("0"), Doc: "From 0 to 1: how much a source of local loses for what others say."}, flag: "diversity"},
	}
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
