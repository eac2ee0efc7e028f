package cli

import (
	"errors"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/light"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/ui/terminal"
)

// queryUse are the models of a question.
var queryUse = config.Use{Chat: true, Tasks: []string{synth.TaskMap, synth.TaskAnswer}}

// queryModelFlags are the flags of the models of a question. The flags that name an embedding model
// are hidden: a question is embedded with the model of its corpus.
func queryModelFlags() []ucli.Flag {
	return hide(modelFlags(queryUse.Tasks...), "embedding-base-url", "embedding-model")
}

// queryFlags are the flags of a question that are not settings.
func queryFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.BoolFlag{Name: "chat", Usage: "start a conversation, in which questions may refer to earlier ones"},
		&ucli.StringFlag{Name: "history", Usage: "continue the conversation in `FILE`, which is created if necessary, and append each question with its answer to it"},
		&ucli.BoolFlag{Name: "context", Usage: "answer nothing; print what a model would be shown to answer, ready for the prompt of another program"},
		&ucli.BoolFlag{Name: "dry-run", Usage: "answer nothing; show how many reports and tokens global would read at each level, and with a model what calls, tokens and cost to expect"},
		&ucli.BoolFlag{Name: "explain", Usage: "show what made auto choose its method, or what fused, hyde, kgr, lazy, light, linear, mini, ppr, qcg or rq searched for and found"},
	}
}

// retrievalFlags say what to search for and how.
func retrievalFlags() []ucli.Flag {
	return []ucli.Flag{
		listFlag{&ucli.StringSliceFlag{Name: "low", Category: config.GroupRetrieval, Usage: "search entities for `KEYWORD`, a name or a thing, instead of what the question names (light only)"}},
		listFlag{&ucli.StringSliceFlag{Name: "high", Category: config.GroupRetrieval, Usage: "search relationships for `KEYWORD`, a theme, instead of the question's themes (light only)"}},
		listFlag{&ucli.StringSliceFlag{Name: "paths", Category: config.GroupRetrieval, Usage: "find chunks by `NAMES` only, separated by commas: text, vectors of a model (basic, fused), feedback, entities, facts, graph (fused only)", DefaultText: "all that the index has"}},
	}
}

type queryOptions struct {
	modelOptions

	corpora  []string
	question query.Question // without its history
	context  bool           // instead of an answer
	dryRun   bool
	chat     bool
	history  string // file of the conversation; "" for none
	explain  bool
}

func queryOptionsFrom(cc invocation) (o queryOptions, err error) {
	o = queryOptions{context: cc.Bool("context"), dryRun: cc.Bool("dry-run"), chat: cc.Bool("chat"), history: cc.String("history"), explain: cc.Bool("explain")}
	if o.context && (o.chat || o.dryRun) {
		return o, usage("query: --context prints what one question finds: leave out --chat and --dry-run")
	}
	if o.corpora, err = corporaFrom(cc); err != nil {
		return o, err
	}
	if o.question, err = questionFrom(cc); err != nil {
		return o, err
	}
	if !o.dryRun {
		o.question.Text, err = questionText(cc, o.question.Text, o.chat)
	}
	if err != nil {
		return o, err
	}
	o.modelOptions, err = modelOptionsFrom(cc, queryUse)
	return o, err
}

// questionText returns the text of a question: as it was given, or what standard input holds if it
// was given as "-", or not at all and nobody types there. A conversation reads questions itself.
func questionText(cc invocation, given string, chat bool) (string, error) {
	switch given = strings.TrimSpace(given); {
	case chat && given == "-":
		return "", usage("query: --chat reads its questions from standard input: leave out -")
	case chat || given != "" && given != "-":
		return given, nil
	case given == "" && terminal.IsTerminal(cc.App.Reader):
		return "", usage("query: give a question, or --chat to ask several")
	}
	text, err := readStandardInput(cc.Context.Context, cc.App.Reader, "query", "question")
	if errors.Is(err, errNoInput) && given == "" {
		err = usage("query: give a question, as an argument or on standard input, or --chat to ask several")
	}
	return text, err
}

func questionFrom(cc invocation) (query.Question, error) {
	q, err := query.NewQuestion(cc.settings)
	if err != nil {
		return q, usageError(err)
	}
	q.Text, q.Filter = strings.Join(cc.Args().Slice(), " "), filterFrom(cc)
	q.Paths = cc.StringSlice("paths")
	light.SetKeywords(&q, cc.StringSlice("low"), cc.StringSlice("high"))
	return q, nil
}
