package cli

import (
	"cmp"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/stage/extract"
)

func corpusFlag() ucli.Flag {
	return ownFlag("corpus", "")
}

// corpusFrom returns the corpus of a command.
func corpusFrom(cc invocation) (string, error) { return corpusNamed(cc.settings.Text("corpus")) }

// corpusNamed returns the corpus of a name; "" means the default.
func corpusNamed(name string) (string, error) {
	name = cmp.Or(name, config.DefaultCorpus)
	if err := graph.CheckCorpus(name); err != nil {
		return "", usageError(err)
	}
	return name, nil
}

// anyCorpusFlag is the flag of commands that show or check all corpora unless one is
// named. The verb is what they do.
func anyCorpusFlag(verb string) ucli.Flag {
	s := config.Find("corpus")
	s.Usage, s.DefaultText = verb+" only the corpus `NAME` (NEORAG_CORPUS)", "all"
	return flagOf(s)
}

func corporaFlag() ucli.Flag {
	return ownFlag("corpus", "use the corpus `NAME`, or several separated by commas (NEORAG_CORPUS)")
}

// corporaFrom returns the corpora that a question is answered from, at least one.
func corporaFrom(cc invocation) ([]string, error) {
	corpora := strings.Split(cmp.Or(cc.settings.Text("corpus"), config.DefaultCorpus), ",")
	for i, name := range corpora {
		corpora[i] = strings.TrimSpace(name)
		if err := graph.CheckCorpus(corpora[i]); err != nil {
			return nil, usageError(err)
		}
	}
	return corpora, nil
}

// modelOptions configure the calls to models. The settings determine which models,
// on which servers and with which keys.
type modelOptions struct {
	use         config.Use
	workers     int // --concurrency; 0 means the default of each stage
	prompts     string
	cacheDir    string
	costLimited bool
	maxCost     float64   // if costLimited
	uncached    bool      // answers are neither taken from the cache nor stored
	retry       llm.Retry // of each call
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
	return &ucli.Float64Flag{Name: "max-cost", Usage: "stop before the model calls of this run cost more than `AMOUNT`, in the currency of the prices, which are required unless they are listed; the next run continues", DefaultText: "no limit"}
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

// filterFlags restrict the documents that questions are answered from.
func filterFlags() []ucli.Flag {
	return []ucli.Flag{
		listFlag{&ucli.StringSliceFlag{Name: "document", Category: filterGroup, Usage: "use only documents whose URI or file name matches `PATTERN`, such as 'minutes/*.md'"}},
		&ucli.StringFlag{Name: "after", Category: filterGroup, Usage: "use only documents dated `DATE` (2026, 2026-03 or 2026-03-14) or later; those without a date are left out"},
		&ucli.StringFlag{Name: "before", Category: filterGroup, Usage: "use only documents dated before `DATE`; those without a date are left out"},
		listFlag{&ucli.StringSliceFlag{Name: "type", Category: filterGroup, Usage: "use only text that mentions an entity of `TYPE`, such as person"}},
	}
}

func filterFrom(cc invocation) query.Filter {
	return query.Filter{Documents: cc.StringSlice("document"), After: cc.String("after"), Before: cc.String("before"), Types: cc.StringSlice("type")}
}

// outputOptions configure what is printed besides the result, and in which form.
type outputOptions struct {
	json    bool // print JSON, errors too
	quiet   bool // print no progress and no notes
	verbose bool // log details
}

// outputFlags are the flags of every command.
func outputFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.BoolFlag{Name: "json", Category: outputGroup, Usage: "print the result, or the error, as one JSON object", DisableDefaultText: true},
		&ucli.BoolFlag{Name: "quiet", Category: outputGroup, Aliases: []string{"q"}, Usage: "suppress progress and notes", DisableDefaultText: true},
	}
}

// rawFlag is a flag of commands that write CSV.
func rawFlag() ucli.Flag {
	return &ucli.BoolFlag{
		Name: "raw", DisableDefaultText: true,
		Usage: "write cells of CSV verbatim, for programs; otherwise an apostrophe precedes text that a spreadsheet would run as a formula",
	}
}

// verboseFlag is a flag of commands that log.
func verboseFlag() ucli.Flag {
	return &ucli.BoolFlag{Name: "verbose", Category: outputGroup, Usage: "log details, as --log-level debug does"}
}

func outputOptionsFrom(cc *ucli.Context) outputOptions {
	return outputOptions{json: cc.Bool("json"), quiet: cc.Bool("quiet"), verbose: cc.Bool("verbose")}
}

// serverFlags choose the Neo4j server. They are settings, which serverAddress reads.
func serverFlags() []ucli.Flag { return settingFlags("neo4j", "server.data") }
