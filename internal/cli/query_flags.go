package cli

import (
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/expand"
	"github.com/neorag/neorag/internal/query/methods/light"
	"github.com/neorag/neorag/internal/query/methods/qcg"
)

// queryUse are the models of a question.
var queryUse = config.Use{Chat: true, Tasks: []string{"map", "answer"}}

// queryModelFlags are the flags of the models of a question. --embedding-model, which
// has no effect, is hidden: a question is embedded with the model of its corpus.
func queryModelFlags() []ucli.Flag {
	return hide(modelFlags(queryUse.Tasks...), "embedding-model")
}

// queryFlags are the flags of a question itself.
func queryFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.StringFlag{Name: "method", Aliases: []string{"m"}, Value: "auto", Usage: "answer with the method `NAME`; `neorag methods` lists them"},
		&ucli.StringFlag{Name: "level", Value: "2", Usage: "read the reports of community level `L`: 0 (or root) has the largest communities, leaf the smallest; C1 means 1"},
		&ucli.BoolFlag{Name: "chat", Usage: "start a conversation, in which questions may refer to earlier ones"},
		&ucli.StringFlag{Name: "history", Usage: "continue the conversation in `FILE`, which is created if necessary, and append each question with its answer to it"},
		&ucli.BoolFlag{Name: "dry-run", Usage: "answer nothing; show how many reports and tokens global would read at each level"},
		&ucli.BoolFlag{Name: "explain", Usage: "show what made auto choose its method, or what fused, hyde, kgr, lazy, light, linear, mini, ppr, qcg or rq searched for and found"},
	}
}

// retrievalFlags configure how much is read, and how sources are ranked.
func retrievalFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.BoolFlag{Name: "dynamic", Category: retrievalGroup, Usage: "select reports from the root down to --level instead of reading the whole level (global, also if auto chooses it)"},
		&ucli.StringFlag{Name: "route", Category: retrievalGroup, Value: "rules", Usage: "choose the method by `MEANS`: rules or model (auto only)"},
		&ucli.IntFlag{Name: "map-tokens", Category: retrievalGroup, Value: 8000, Usage: "read at most `TOKENS` of reports or chunks at a time, and note the points that answer the question (global, also if auto chooses it, and text)"},
		&ucli.IntFlag{Name: "reduce-tokens", Category: retrievalGroup, Usage: "write the answer from at most `TOKENS` of these points, or of context with other methods", DefaultText: "8000; 4400 for local with a model"},
		&ucli.IntFlag{Name: "answer-tokens", Category: retrievalGroup, Value: 400, Usage: "limit an answer that is made without a model to `TOKENS`"},
		&ucli.IntFlag{Name: "max-calls", Category: retrievalGroup, Usage: "make at most `N` model calls (--dynamic and drift only); without a model, drift asks at most N follow-up questions", DefaultText: "16 for --dynamic, 8 for drift"},
		&ucli.IntFlag{Name: "max-tokens", Category: retrievalGroup, Usage: "read at most `TOKENS` of context in all (drift and light only)", DefaultText: "20000 for drift, 30000 for light"},
		&ucli.Uint64Flag{Name: "seed", Category: retrievalGroup, Usage: "shuffle reports and chunks with the random seed `N` before they are read"},
		&ucli.StringFlag{Name: "mode", Category: retrievalGroup, Value: "hybrid", Usage: "search as `MODE`: low for entities, high for relationships, hybrid for both, mix for chunks too (light only)"},
		&ucli.StringFlag{Name: "cite", Category: retrievalGroup, Value: "sentences", Usage: "have the model cite `WHAT`: sentences, which it is shown with numbers, or records, that is sources and reports as a whole"},
		&ucli.BoolFlag{Name: "check-quotes", Category: retrievalGroup, Usage: "have the model check quotes that are not the words of their statement, after it answered, and remove those that state nothing of it"},
		listFlag{&ucli.StringSliceFlag{Name: "low", Category: retrievalGroup, Usage: "search entities for `KEYWORD`, a name or a thing, instead of what the question names (light only)"}},
		listFlag{&ucli.StringSliceFlag{Name: "high", Category: retrievalGroup, Usage: "search relationships for `KEYWORD`, a theme, instead of those of the question (light only)"}},
		&ucli.BoolFlag{Name: "no-sources", Category: retrievalGroup, Usage: "answer from entities and relationships, without the text of the sources (light only)"},
		&ucli.IntFlag{Name: "passages", Category: retrievalGroup, Value: 1, Usage: "have the model write `N` passages to search for, from 1 to 8 (hyde and drift)"},
		&ucli.IntFlag{Name: "budget", Category: retrievalGroup, Value: 100, Usage: "test at most `N` chunks for relevance, each by a call of one word if there is a model (lazy only)"},
		&ucli.IntFlag{Name: "pairs", Category: retrievalGroup, Usage: "find at most `N` question-answer pairs by the question (qcg only)", DefaultText: "15; 10 for the preset dialogue"},
		&ucli.Float64Flag{Name: "gamma", Category: retrievalGroup, Usage: "take only pairs with at least the similarity `X`, from 0 to 2, calibrated for the vectors of the corpus (qcg only)", DefaultText: "1; 1.5 for the preset dialogue"},
		&ucli.IntFlag{Name: "hops", Category: retrievalGroup, Value: 1, Usage: "follow `N` links to similar pairs: 0, 1 or 2 (qcg only)"},
		&ucli.IntFlag{Name: "neighbours", Category: retrievalGroup, Usage: "follow the links to at most `N` similar pairs of each; 0 means all (qcg only)"},
		&ucli.IntFlag{Name: "top", Category: retrievalGroup, Value: 5, Usage: "answer from the best `N` chunks (qcg only)"},
		&ucli.StringFlag{Name: "node", Category: retrievalGroup, Value: "pair", Usage: "compare the question with `NODES`: pair, query, answer or sentence (qcg only)"},
		&ucli.BoolFlag{Name: "spread", Category: retrievalGroup, Usage: "also rank relationships by personalized PageRank from the question's entities (local only)"},
		&ucli.Float64Flag{Name: "diversity", Category: retrievalGroup, Usage: "lower the rank of chunks that repeat others by `X`, from 0 (not at all) to 1 (local only)"},
		listFlag{&ucli.StringSliceFlag{Name: "paths", Category: retrievalGroup, Usage: "find chunks by `NAMES` only, separated by commas: text, vectors of a model (basic, fused), feedback, entities, facts, graph (fused only)", DefaultText: "all that the index has"}},
	}
}

// rerankFlags name the reranking model.
func rerankFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.StringFlag{Name: "rerank-base-url", Category: retrievalGroup, Usage: "rerank chunks with the server at `URL`, which has /rerank"},
		&ucli.StringFlag{Name: "rerank-model", Category: retrievalGroup, Usage: "rerank with the model `NAME` of that server"},
		&ucli.StringFlag{Name: "rerank-api-key-env", Hidden: true},
	}
}

type queryOptions struct {
	corporaOptions
	modelOptions

	question query.Question // without its history
	dryRun   bool
	chat     bool
	history  string // file of the conversation; "" for none
	explain  bool
}

func queryOptionsFrom(cc *ucli.Context) (queryOptions, error) {
	o := queryOptions{dryRun: cc.Bool("dry-run"), chat: cc.Bool("chat"), history: cc.String("history"), explain: cc.Bool("explain")}
	var err error
	if o.corporaOptions, err = corporaOptionsFrom(cc); err != nil {
		return o, err
	}
	if o.question, err = questionFrom(cc); err != nil {
		return o, err
	}
	if strings.TrimSpace(o.question.Text) == "" && !o.chat && !o.dryRun {
		return o, usage("query: give a question, or --chat to ask several")
	}
	o.modelOptions, err = modelOptionsFrom(cc, queryUse)
	return o, err
}

func questionFrom(cc *ucli.Context) (query.Question, error) {
	level, err := query.ParseLevel(cc.String("level"))
	if err != nil {
		return query.Question{}, usageError(err)
	}
	route := cc.String("route")
	if route != "rules" && route != "model" {
		return query.Question{}, usage("--route %q: choose rules or model", route)
	}
	mode := cc.String("mode")
	if !slices.Contains(light.Modes(), mode) {
		return query.Question{}, usage("--mode %q: choose one of %s", mode, strings.Join(light.Modes(), ", "))
	}
	cites := cc.String("cite")
	if cites != "sentences" && cites != "records" {
		return query.Question{}, usage("--cite %q: choose sentences or records", cites)
	}
	hops, gamma := cc.Int("hops"), cc.Float64("gamma")
	if hops < 0 || hops > 2 {
		return query.Question{}, usage("--hops %d: choose 0, 1 or 2", hops)
	}
	if !(gamma >= 0 && gamma <= 2) {
		return query.Question{}, usage("--gamma %v: give a number from 0 to 2", gamma)
	}
	if node := cc.String("node"); !slices.Contains(qcg.Nodes(), node) {
		return query.Question{}, usage("--node %q: choose one of %s", node, strings.Join(qcg.Nodes(), ", "))
	}
	passages := cc.Int("passages")
	if passages < 1 || passages > expand.MaxPassages {
		return query.Question{}, usage("--passages %d: choose a number from 1 to %d", passages, expand.MaxPassages)
	}
	budget := cc.Int("budget")
	if budget < 1 {
		return query.Question{}, usage("--budget %d: give at least one test", budget)
	}
	diversity := cc.Float64("diversity")
	if !(diversity >= 0 && diversity <= 1) {
		return query.Question{}, usage("--diversity %v: give a number from 0 to 1", diversity)
	}
	return query.Question{
		Text: strings.Join(cc.Args().Slice(), " "), Method: cc.String("method"), Level: level, Seed: cc.Uint64("seed"),
		MapTokens: cc.Int("map-tokens"), ReduceTokens: cc.Int("reduce-tokens"), AnswerTokens: cc.Int("answer-tokens"),
		Dynamic: cc.Bool("dynamic"), MaxCalls: cc.Int("max-calls"), MaxTokens: cc.Int("max-tokens"),
		RouteByModel: route == "model", CiteRecords: cites == "records", CheckQuotes: cc.Bool("check-quotes"), PageRank: cc.Bool("spread"), Diversity: diversity,
		Mode: mode, NoSources: cc.Bool("no-sources"), Low: cc.StringSlice("low"), High: cc.StringSlice("high"), Paths: cc.StringSlice("paths"),
		Passages: passages, Budget: budget, Pairs: cc.Int("pairs"), Gamma: gamma, Hops: zeroAsNone(hops), Neighbours: cc.Int("neighbours"), TopChunks: cc.Int("top"), Node: cc.String("node"),
		Filter: filterFrom(cc),
	}, nil
}
