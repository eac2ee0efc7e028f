package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
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

// modelFlags say which models are used and where they are, for those tasks that
// a command has.
func modelFlags(tasks ...string) []ucli.Flag {
	flags := []ucli.Flag{
		&ucli.BoolFlag{Name: "offline", Usage: "use no model: rules of language on this machine, as without a model"},
		&ucli.StringFlag{Name: "base-url", Usage: "`URL` of a server with the OpenAI interface, such as http://localhost:11434/v1"},
		&ucli.StringFlag{Name: "model", Usage: "`NAME` of the chat model"},
	}
	for _, task := range tasks {
		flags = append(flags, &ucli.StringFlag{Name: "model-" + task, Usage: "`NAME` of another chat model to " + verbs[task]})
	}
	flags = append(flags,
		&ucli.StringFlag{Name: "embedding-model", Usage: "`NAME` of the embedding model"},
		&ucli.StringFlag{Name: "api-key-env", Usage: "`VARIABLE` that holds the key of the server"},
		&ucli.StringSliceFlag{Name: "parameter", Usage: "`NAME=VALUE`: a further field of requests to the chat model"},
		&ucli.IntFlag{Name: "concurrency", Usage: "`N` calls, or pieces of work, at once"},
		&ucli.Float64Flag{Name: "price-in", Usage: "`PRICE` of a million tokens in, of the chat model, for the cost that is shown"},
		&ucli.Float64Flag{Name: "price-out", Usage: "`PRICE` of a million tokens out"},
		&ucli.Float64Flag{Name: "embedding-price-in", Usage: "`PRICE` of a million tokens, of the embedding model"},
		&ucli.StringFlag{Name: "prompts", Usage: "`FOLDER` of prompts that take the place of ours by name"},
		cacheFlag(),
		// What few need is in the file of settings, and has flags that --help leaves out.
		&ucli.StringFlag{Name: "embedding-base-url", Hidden: true}, &ucli.StringFlag{Name: "embedding-api-key-env", Hidden: true},
	)
	for _, task := range tasks {
		flags = append(flags,
			&ucli.StringFlag{Name: "base-url-" + task, Hidden: true}, &ucli.StringFlag{Name: "api-key-env-" + task, Hidden: true},
			&ucli.StringSliceFlag{Name: "parameter-" + task, Hidden: true},
			&ucli.Float64Flag{Name: "price-in-" + task, Hidden: true}, &ucli.Float64Flag{Name: "price-out-" + task, Hidden: true},
		)
	}
	return flags
}

// verbs say in a flag's help what a model of a task does.
var verbs = map[string]string{
	"extract": "extract with", "summarise": "summarise with", "report": "write reports with", "map": "read reports with", "answer": "write answers with",
}

// extractFlags say how a model extracts.
func extractFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.IntFlag{Name: "gleanings", Value: 1, Usage: "ask up to `N` times for what was missed"},
		&ucli.BoolFlag{Name: "no-claims", Usage: "extract no claims with a model"},
		&ucli.StringFlag{Name: "extract-format", Usage: "how the model writes records: `json` or tuples"},
		&ucli.IntFlag{Name: "max-reports", Value: 10_000, Usage: "at most `N` reports are written by a model, the others from sentences"},
		&ucli.StringSliceFlag{Name: "entity-type", Value: ucli.NewStringSlice(index.DefaultEntityTypes...), Usage: "`TYPE` to look for, which becomes a label"},
	}
}

// models are the models that a command uses. Nil stands for none.
type models struct {
	c       *command
	cc      *ucli.Context
	clients []*openai.Client
	general endpoint // the chat model, for tasks without one of their own
	named   string   // embedding model by setting or default; "" for none
	chats   map[string]llm.Chat
	gates   map[string]*llm.Limiter // by server
	cache   *llm.Cache
	meter   *llm.Meter
	prompts prompts.Set
	budget  *llm.Budget // of all calls together; nil for none
}

// models finds the models by the settings.
func (c *command) models(cc *ucli.Context) (*models, error) {
	if off, err := c.offline(cc); off || err != nil {
		return nil, err
	}
	general, err := c.generalEndpoint(cc)
	if err != nil || general.base == "" {
		return nil, err
	}
	log := c.logger(cc)
	cache := &llm.Cache{Dir: c.cacheFolder(cc), Warn: func(err error) { log.WarnContext(cc.Context, "an answer could not be kept", "error", err) }}
	m := &models{
		c: c, cc: cc, general: general, named: c.get(cc, "embedding-model").text(), cache: cache, meter: &llm.Meter{},
		chats: map[string]llm.Chat{}, gates: map[string]*llm.Limiter{}, prompts: prompts.Set{Dir: cc.String("prompts")},
	}
	err = m.check()
	if err == nil {
		m.budget, err = m.bound()
	}
	if err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

// check finds what is wrong with any model of the command before it does anything.
func (m *models) check() error {
	for _, task := range tasks {
		if hasFlag(m.cc, "model-"+task.name) {
			if _, _, err := m.chat(task.name); err != nil {
				return err
			}
		}
	}
	at, err := m.c.embeddingEndpoint(m.cc, m.general)
	if err != nil {
		return err
	}
	if m.named == "" && at.official {
		m.named = openAIEmbedding
	}
	if m.named == "" && m.c.get(m.cc, "embedding-base-url").text() != "" {
		return usage("--embedding-base-url: give --embedding-model NAME too")
	}
	return nil
}

// hasFlag tells that a command has a flag.
func hasFlag(cc *ucli.Context, name string) bool {
	return slices.ContainsFunc(cc.Command.Flags, func(f ucli.Flag) bool { return f.Names()[0] == name })
}

// chat is the chain of a task's model; tasks with equal models share one.
func (m *models) chat(task string) (llm.Chat, endpoint, error) {
	at, err := m.c.taskEndpoint(m.cc, task, m.general)
	if err != nil {
		return nil, at, err
	}
	if chat, known := m.chats[at.name()]; known {
		return chat, at, nil
	}
	client, err := m.client(at)
	if err != nil {
		return nil, at, err
	}
	chat := llm.New(llm.Config{Provider: client.Chat(), Price: at.price, Meter: m.meter, Cache: m.cache, Budget: m.budget, Limiter: m.gate(at)})
	m.chats[at.name()] = chat
	return chat, at, nil
}

// vectors is the embedding model of that name.
func (m *models) vectors(name string) (*index.ModelEmbedder, error) {
	at, err := m.c.embeddingEndpoint(m.cc, m.general)
	if err != nil {
		return nil, err
	}
	at.model, at.embedding = "", name
	client, err := m.client(at)
	if err != nil {
		return nil, err
	}
	return &index.ModelEmbedder{BatchEmbedder: llm.NewEmbedder(llm.EmbedConfig{Provider: client.Embedder(), Price: at.price, Meter: m.meter, Cache: m.cache, Budget: m.budget, Limiter: m.gate(at)})}, nil
}

func (m *models) concurrency() int { return cmp.Or(m.cc.Int("concurrency"), defaultConcurrency) }

func (m *models) client(at endpoint) (*openai.Client, error) {
	client, err := openai.New(openai.Config{
		BaseURL: at.base, Key: at.key, Model: at.model, EmbeddingModel: at.embedding, Params: at.params, Concurrency: m.concurrency(),
	})
	if err != nil {
		return nil, &userError{code: exitUsage, message: "--base-url: " + err.Error(), cause: err}
	}
	m.clients = append(m.clients, client)
	return client, nil
}

// gate is that of a server.
func (m *models) gate(at endpoint) *llm.Limiter {
	if m.gates[at.base] == nil {
		m.gates[at.base] = llm.NewLimiter(llm.Limits{Concurrent: m.concurrency()})
	}
	return m.gates[at.base]
}

func (m *models) close() {
	if m == nil {
		return
	}
	for _, client := range m.clients {
		client.Close()
	}
}

// orNone is a number of which 0 means none, as an option of which 0 means the
// default and less means none.
func orNone(n int) int {
	if n == 0 {
		return -1
	}
	return n
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
	o.Meter = m.meter
	extractor, at, err := m.chat("extract")
	if err != nil {
		return err
	}
	summariser, _, err := m.chat("summarise")
	if err != nil {
		return err
	}
	reporter, _, err := m.chat("report")
	if err != nil {
		return err
	}
	o.Model = &index.Model{
		Extract: extractor, Summarise: summariser, Report: reporter, Prompts: m.prompts,
		Gleanings: orNone(cc.Int("gleanings")), WithoutClaims: cc.Bool("no-claims"), Format: format, MaxReports: orNone(cc.Int("max-reports")),
	}
	if at.official {
		o.Model.YesNo = yesNo(at.model)
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
	mapper, _, err := m.chat("map")
	if err != nil {
		return err
	}
	answerer, _, err := m.chat("answer")
	if err != nil {
		return err
	}
	o.Model = &query.Model{Map: mapper, Answer: answerer, Prompts: m.prompts}
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
