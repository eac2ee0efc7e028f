package cli

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/extract"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/tokens"
	"github.com/neorag/neorag/prompts"
)

const (
	envOpenAIKey = "OPENAI_API_KEY"
	envAPIKey    = "NEORAG_API_KEY"
	envCache     = "NEORAG_CACHE"

	openAIHost         = "api.openai.com"
	openAIChat         = "gpt-4.1-mini"
	openAIEmbedding    = "text-embedding-3-small"
	defaultConcurrency = 16
)

// modelFlags say which models are used and where they are.
func modelFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.BoolFlag{Name: "offline", Usage: "use no model: rules of language on this machine (the default without a model)"},
		&ucli.StringFlag{Name: "base-url", Usage: "`URL` of a server with the OpenAI interface, such as http://localhost:11434/v1 (default with " + envOpenAIKey + ": OpenAI's); its key, if it wants one, is " + envAPIKey},
		&ucli.StringFlag{Name: "model", Usage: "`NAME` of the chat model (default at OpenAI: " + openAIChat + ")"},
		&ucli.StringFlag{Name: "embedding-model", Usage: "`NAME` of the embedding model (default at OpenAI: " + openAIEmbedding + ", elsewhere vectors without a model)"},
		&ucli.IntFlag{Name: "concurrency", Usage: "`N` calls, or pieces of work, at once (default: 16 with a model, else the number of CPUs)"},
		&ucli.Float64Flag{Name: "price-in", Usage: "of the chat model, per million `TOKENS` in, for the cost that is shown"},
		&ucli.Float64Flag{Name: "price-out", Usage: "of the chat model, per million `TOKENS` out"},
		&ucli.StringFlag{Name: "prompts", Usage: "`FOLDER` of prompts that take the place of ours by name"},
		cacheFlag(),
	}
}

// extractFlags say how a model extracts.
func extractFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.IntFlag{Name: "gleanings", Value: 1, Usage: "ask up to `N` times for what was missed"},
		&ucli.BoolFlag{Name: "no-claims", Usage: "extract no claims with a model"},
		&ucli.StringFlag{Name: "extract-format", Usage: "how the model writes records: `json` or tuples (default json, tuples where it gives none)"},
	}
}

// models are the models that a command uses. Nil stands for none.
type models struct {
	clients []*openai.Client
	chat    llm.Chat
	vectors func(name string) (*index.ModelEmbedder, error)
	named   string // embedding model by flag or default; "" for none
	known   string // chat model at OpenAI, whose tokens may be known
	meter   *llm.Meter
	prompts prompts.Set
}

// models reads flags and environment. A key from the environment goes to no
// other host than the one it is for.
func (c *command) models(cc *ucli.Context) (*models, error) {
	base := cc.String("base-url")
	official := base == "" || isOpenAI(base)
	key := c.env.Getenv(envAPIKey)
	if key == "" && official {
		key = c.env.Getenv(envOpenAIKey)
	}
	switch {
	case cc.Bool("offline") && (base != "" || cc.IsSet("model") || cc.IsSet("embedding-model")):
		return nil, usage("--offline uses no model: leave out --base-url, --model and --embedding-model")
	case cc.Bool("offline"):
		return nil, nil
	case base == "" && key == "" && (cc.IsSet("model") || cc.IsSet("embedding-model")):
		return nil, usage("--model: set %s for OpenAI, or give --base-url of another server", envOpenAIKey)
	case base == "" && (key == "" || c.env.Getenv(envOpenAIKey) == ""):
		return nil, nil
	case !official && cc.String("model") == "":
		return nil, usage("--base-url: give --model NAME too")
	case official && key == "":
		return nil, usage("--base-url %s: set %s", base, envOpenAIKey)
	}
	if base == "" {
		key = c.env.Getenv(envOpenAIKey)
	}
	config := openai.Config{BaseURL: base, Key: key, Model: cc.String("model"), Concurrency: cmp.Or(cc.Int("concurrency"), defaultConcurrency)}
	named := cc.String("embedding-model")
	if official {
		config.Model, named = cmp.Or(config.Model, openAIChat), cmp.Or(named, openAIEmbedding)
	}
	return c.connectModels(cc, config, named, official)
}

func (c *command) connectModels(cc *ucli.Context, config openai.Config, named string, official bool) (*models, error) {
	client, err := openai.New(config)
	if err != nil {
		return nil, &userError{code: exitUsage, message: "--base-url: " + err.Error(), cause: err}
	}
	m := &models{clients: []*openai.Client{client}, named: named, meter: &llm.Meter{}, prompts: prompts.Set{Dir: cc.String("prompts")}}
	if official {
		m.known = config.Model
	}
	log := c.logger(cc)
	cache := &llm.Cache{Dir: c.cacheFolder(cc), Warn: func(err error) { log.WarnContext(cc.Context, "an answer could not be kept", "error", err) }}
	gate := llm.NewGate(llm.Limits{Concurrent: config.Concurrency})
	price := llm.Price{In: cc.Float64("price-in"), Out: cc.Float64("price-out")}
	m.chat = llm.New(llm.Config{Provider: client.Chat(), Price: price, Meter: m.meter, Cache: cache, Gate: gate})
	m.vectors = func(name string) (*index.ModelEmbedder, error) {
		of := config
		of.EmbeddingModel = name
		client, err := openai.New(of)
		if err != nil {
			return nil, err
		}
		m.clients = append(m.clients, client)
		return &index.ModelEmbedder{Vectors: llm.NewEmbedder(llm.EmbedConfig{Provider: client.Embedder(), Meter: m.meter, Cache: cache, Gate: gate})}, nil
	}
	return m, nil
}

func isOpenAI(base string) bool {
	u, err := url.Parse(base)
	return err == nil && u.Scheme == "https" && strings.EqualFold(u.Hostname(), openAIHost)
}

func (m *models) close() {
	if m == nil {
		return
	}
	for _, client := range m.clients {
		client.Close()
	}
}

// index puts the models into the options of a run.
func (m *models) index(cc *ucli.Context, o *index.Options) error {
	if m == nil {
		return nil
	}
	format := extract.Format(cc.String("extract-format"))
	if format != "" && format != extract.FormatJSON && format != extract.FormatTuples {
		return usage("--extract-format %q: choose json or tuples", format)
	}
	gleanings := cc.Int("gleanings")
	if gleanings == 0 {
		gleanings = -1
	}
	o.Meter = m.meter
	o.Model = &index.Model{
		Extract: m.chat, Summarise: m.chat, Report: m.chat, Prompts: m.prompts,
		Gleanings: gleanings, WithoutClaims: cc.Bool("no-claims"), Format: format, YesNo: yesNo(m.known),
	}
	if m.named == "" {
		return nil
	}
	embedder, err := m.vectors(m.named)
	if err != nil {
		return err
	}
	o.Embedder = embedder
	return nil
}

// query puts the models into the options of a question. Vectors are those that
// the corpus has.
func (m *models) query(cc *ucli.Context, store *neo4jstore.Store, o *query.Options) error {
	if m == nil {
		return nil
	}
	o.Meter = m.meter
	o.Model = &query.Model{Map: m.chat, Answer: m.chat, Prompts: m.prompts}
	corpus, err := store.Corpus(cc.Context, o.Corpus)
	if errors.Is(err, neo4jstore.ErrNoCorpus) {
		return nil // the engine says so in its own words
	}
	if err != nil {
		return err
	}
	name := index.EmbedderModel(corpus.Embedder)
	if name == "" {
		return nil
	}
	embedder, err := m.vectors(name)
	if err != nil {
		return err
	}
	o.Embedder = embedder
	return nil
}

// yesNo are the tokens of YES and NO, for models of OpenAI whose tokenizer we have
// and that take a bias.
func yesNo(model string) map[string]int64 {
	var encoding string
	switch {
	case strings.HasPrefix(model, "gpt-4o"), strings.HasPrefix(model, "gpt-4.1"):
		encoding = string(tokens.O200k)
	case strings.HasPrefix(model, "gpt-4-"), model == "gpt-4", strings.HasPrefix(model, "gpt-3.5"):
		encoding = string(tokens.Cl100k)
	default:
		return nil
	}
	counter, err := tokens.Get(encoding)
	if err != nil {
		return nil
	}
	bias := map[string]int64{}
	for _, word := range []string{"YES", "NO"} {
		id, single := counter.ID(word)
		if !single {
			return nil
		}
		bias[strconv.Itoa(id)] = 100
	}
	return bias
}

// cost is the cost of a run for a person; without prices it is not known.
func cost(c float64) string {
	if c == 0 {
		return ""
	}
	return fmt.Sprintf(", cost %.4f", c)
}
