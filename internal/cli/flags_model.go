package cli

import (
	"cmp"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/stage/extract"
)

// modelOptions configure the calls to models. The settings determine which models,
// on which servers and with which keys.
type modelOptions struct {
	use         config.Use
	workers     int // --concurrency; 0 means the default of each stage
	prompts     string
	cacheDir    string
	costLimited bool
	maxCost     float64 // if costLimited
}

// concurrency returns the number of concurrent calls.
func (o modelOptions) concurrency() int { return cmp.Or(o.workers, llm.DefaultConcurrency) }

// taskHelp completes the usage of --model-TASK.
var taskHelp = map[string]string{
	"extract": "extract", "summarise": "summarise descriptions", "report": "write reports", "queries": "make question-answer pairs", "map": "read reports", "answer": "write answers",
}

// modelFlags choose the models of a command, with a flag for each of its tasks.
func modelFlags(tasks ...string) []ucli.Flag {
	flags := []ucli.Flag{&ucli.StringFlag{Name: "model", Usage: "use the chat model `NAME`"}}
	for _, task := range tasks {
		flags = append(flags, &ucli.StringFlag{Name: "model-" + task, Category: modelGroup, Usage: "use the chat model `NAME` to " + taskHelp[task] + "; models." + task + ".base_url in neorag.yaml sets another server"})
	}
	flags = append(flags, embeddingFlags()...)
	flags = append(flags, serverModelFlags()...)
	return append(flags,
		listFlag{&ucli.StringSliceFlag{Name: "parameter", Category: modelGroup, Usage: "add the field `NAME=VALUE` to each request to the chat model, such as top_p=0.9"}},
		&ucli.Float64Flag{Name: "price-in", Category: modelGroup, Usage: "show costs: `PRICE` of a million input tokens of the chat model, in any currency"},
		&ucli.Float64Flag{Name: "price-out", Category: modelGroup, Usage: "show costs: `PRICE` of a million output tokens of the chat model, in the same currency"},
		embeddingPriceFlag(),
		&ucli.StringFlag{Name: "prompts", Category: modelGroup, Usage: "use the prompts in `FOLDER` instead of the built-in ones of the same file name, which are in prompts/ of the repository"},
	)
}

// serverModelFlags apply to models of every kind.
func serverModelFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.BoolFlag{Name: "offline", Usage: "use no model, only rule-based text processing on this machine"},
		&ucli.StringFlag{Name: "base-url", Usage: "use the OpenAI-compatible server at `URL`, such as http://localhost:11434/v1"},
		&ucli.IntFlag{Name: "concurrency", Usage: "make at most `N` model calls at a time, or use N workers without a model"},
		&ucli.StringFlag{Name: "api-key-env", Category: modelGroup, Usage: "read the API key for the server of --base-url from the environment variable `VARIABLE`"},
		cacheDirFlag(),
	}
}

// embeddingFlags choose the embedding model.
func embeddingFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.StringFlag{Name: "embedding-model", Usage: "use the embedding model `NAME`; models.embedding.base_url in neorag.yaml sets its server, which needs no chat model"},
		&ucli.StringFlag{Name: "embedding-base-url", Hidden: true},
		&ucli.StringFlag{Name: "embedding-api-key-env", Hidden: true},
	}
}

func embeddingPriceFlag() ucli.Flag {
	return &ucli.Float64Flag{Name: "embedding-price-in", Category: modelGroup, Usage: "show costs: `PRICE` of a million tokens of the embedding model, in the same currency"}
}

func cacheDirFlag() ucli.Flag {
	return &ucli.StringFlag{Name: "cache-dir", Category: modelGroup, Usage: "cache model responses in `FOLDER` (" + config.EnvCache + ")"}
}

func maxCostFlag() ucli.Flag {
	return &ucli.Float64Flag{Name: "max-cost", Usage: "stop before the model calls of this run cost more than `AMOUNT`, in the currency of the prices, which are required; the next run continues", DefaultText: "no limit"}
}

// modelOptionsFrom reads the flags of a command that uses the given models.
func modelOptionsFrom(cc *ucli.Context, use config.Use) (modelOptions, error) {
	o := modelOptions{
		use: use, workers: cc.Int("concurrency"), prompts: cc.String("prompts"), cacheDir: cc.String("cache-dir"),
		costLimited: cc.IsSet("max-cost"), maxCost: cc.Float64("max-cost"),
	}
	if o.costLimited && !(o.maxCost > 0) {
		return o, usage("--max-cost: give an amount above 0")
	}
	return o, nil
}

// extractOptions configure how a model extracts and writes reports.
type extractOptions struct {
	gleanings   int
	gleaning    extract.Gleaning
	claims      extract.ClaimMode
	format      extract.Format // "" means json, or tuples for the chunks for which the model writes no JSON
	maxReports  int
	reportSmall bool
	examples    string // file with a domain; "" means domain.json in the folder of prompts
}

func extractFlags() []ucli.Flag {
	return []ucli.Flag{
		entityTypeFlag(),
		&ucli.StringFlag{Name: "examples", Category: extractGroup, Usage: "show the model the examples of records in the JSON file `FILE`, as neorag tune writes it; the corpus remembers them"},
		&ucli.StringFlag{Name: "language", Category: extractGroup, Usage: "have the model write descriptions and reports in `LANGUAGE`, such as German; the corpus remembers it, and documents undoes it"},
		&ucli.StringFlag{Name: "resolve", Category: extractGroup, Usage: "take names for those of one entity if they are equal except for number, hyphens and abbreviations (exact), or also if they are similar and a model confirms it (similar): `MODE`; without a model, strict rules decide; the corpus remembers it", DefaultText: "as before, at first exact"},
		&ucli.IntFlag{Name: "gleanings", Category: extractGroup, Value: 1, Usage: "ask a model up to `N` more times for what it missed in a chunk"},
		&ucli.StringFlag{Name: "gleaning", Category: extractGroup, Value: string(extract.GleanList), Usage: "have a model list what it missed in one call (list), or answer yes or no first, as in the paper (ask): `PROTOCOL` list or ask"},
		&ucli.StringFlag{Name: "claims", Category: extractGroup, Value: string(extract.ClaimsJoint), Usage: "ask a model for claims in the call for entities (joint), in a call that shows the entities (separate), or not at all (none): `MODE`; without a model, rules find them"},
		&ucli.StringFlag{Name: "extract-format", Category: extractGroup, Usage: "have the model write records in `FORMAT`: json or tuples"},
		&ucli.IntFlag{Name: "max-reports", Category: communityGroup, Value: 10_000, Usage: "have the model write at most `N` reports; the others consist of the best sentences"},
	}
}

func extractOptionsFrom(cc *ucli.Context) (extractOptions, error) {
	o := extractOptions{
		gleanings: cc.Int("gleanings"), gleaning: extract.Gleaning(cc.String("gleaning")), claims: extract.ClaimMode(cc.String("claims")),
		format: extract.Format(cc.String("extract-format")), maxReports: cc.Int("max-reports"),
		reportSmall: cc.Bool("report-small"), examples: cc.String("examples"),
	}
	if o.format != "" && o.format != extract.FormatJSON && o.format != extract.FormatTuples {
		return o, usage("--extract-format %q: choose json or tuples", o.format)
	}
	if o.gleaning != extract.GleanList && o.gleaning != extract.GleanAsk {
		return o, usage("--gleaning %q: choose list or ask", o.gleaning)
	}
	if o.claims != extract.ClaimsJoint && o.claims != extract.ClaimsSeparate && o.claims != extract.ClaimsNone {
		return o, usage("--claims %q: choose joint, separate or none", o.claims)
	}
	return o, nil
}

func entityTypeFlag() ucli.Flag {
	return listFlag{&ucli.StringSliceFlag{Name: "entity-type", Category: extractGroup, Usage: "have the model look for entities of `TYPE`; entities of this type get a Neo4j label; the corpus remembers them"}}
}
