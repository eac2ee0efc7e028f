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

// modelFlags choose the models of a command, with a flag for each of its tasks.
func modelFlags(tasks ...string) []ucli.Flag {
	names := []string{"models.chat"}
	for _, task := range tasks {
		names = append(names, "models."+task)
	}
	return settingFlags(append(names, "models.embedding", "offline", "concurrency", "cache_dir", "prompts")...)
}

func maxCostFlag() ucli.Flag {
	return &ucli.Float64Flag{Name: "max-cost", Usage: "stop before the model calls of this run cost more than `AMOUNT`, in the currency of the prices, which are required; the next run continues", DefaultText: "no limit"}
}

// modelOptionsFrom reads the flags of a command that uses the given models.
func modelOptionsFrom(cc invocation, use config.Use) (modelOptions, error) {
	o := modelOptions{
		use: use, workers: cc.settings.Int("concurrency"), prompts: cc.settings.Text("prompts"), cacheDir: cc.settings.Text("cache_dir"),
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

func extractOptionsFrom(settings *config.Config) extractOptions {
	return extractOptions{
		gleanings: settings.Int("extract.gleanings"), gleaning: extract.Gleaning(settings.Text("extract.gleaning")),
		claims: extract.ClaimMode(settings.Text("extract.claims")), format: extract.Format(settings.Text("extract.format")),
		maxReports: settings.Int("reports.max"), reportSmall: settings.Bool("reports.small"), examples: settings.Text("extract.examples"),
	}
}
