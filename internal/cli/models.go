package cli

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/known"
	"github.com/neorag/neorag/internal/llm/remote"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/tokens"
	"github.com/neorag/neorag/prompts"
)

// models are the models of a command. Nil means that no model is used.
type models struct {
	options   modelOptions
	settings  *config.Config
	clients   []interface{ Close() }
	queues    map[string]*remote.Queue // by address and key
	general   config.Endpoint          // the chat model of tasks that have no separate one; empty without one
	embedding string                   // name of the embedding model; "" for none
	chats     map[string]llm.Chat
	limiters  map[string]*llm.Limiter // by server, and by server and model
	log       *slog.Logger
	cache     *llm.Cache
	known     *known.Folder
	meter     *llm.Meter
	prompts   prompts.Set
	budget    *llm.Budget // shared by all calls; nil means no limit
	note      func(format string, args ...any)
	observer  func(config.Endpoint) (llm.Observer, error)
	activity  *llm.Activity
}

// newModels finds the models of a command and checks them before the command does
// anything. The caller closes them.
func newModels(ctx context.Context, env *environment, o modelOptions) (*models, error) {
	if offline, err := env.settings.Offline(o.use); offline || err != nil {
		return nil, err
	}
	if err := env.requireTrust("models.", "prompts", "cache_dir"); err != nil {
		return nil, err
	}
	general, err := env.settings.ChatEndpoint(o.use)
	if err != nil || general.BaseURL == "" && env.settings.Text("models.embedding.base_url") == "" {
		return nil, err
	}
	dir, err := env.cacheFolder(o.cacheDir)
	if err != nil {
		return nil, err
	}
	log := env.logger()
	cache := &llm.Cache{
		Dir:  dir,
		Warn: func(err error) { log.WarnContext(ctx, "cannot write to the cache of model responses", "error", err) },
	}
	m := &models{
		options: o, settings: env.settings, general: general, cache: cache, known: serversFolder(dir), meter: &llm.Meter{}, log: log, note: env.note, observer: env.observer, activity: &env.activity,
		chats: map[string]llm.Chat{}, limiters: map[string]*llm.Limiter{}, queues: map[string]*remote.Queue{}, prompts: prompts.Set{Dir: o.prompts},
	}
	m.known.Warn = cache.Warn
	if o.uncached {
		m.cache = nil
	}
	if err = m.prompts.CheckFolder(); err != nil {
		err = usage("--prompts: %w", err)
	}
	if err == nil {
		err = m.check()
	}
	if err == nil {
		m.budget, err = m.newBudget()
	}
	if err == nil {
		env.priceDate, err = m.priceDate()
	}
	if o.costLimited && env.priceDate != "" {
		pricing{listed: env.priceDate}.note(env)
	}
	if err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

// hasChat reports whether there is a chat model, and not only one that embeds.
func (m *models) hasChat() bool { return m != nil && m.general.BaseURL != "" }

// tasks returns the tasks of the chat model, none without one.
func (m *models) tasks() []string {
	if !m.hasChat() {
		return nil
	}
	return m.options.use.Tasks
}

// check builds the chat models and names the embedding model.
func (m *models) check() error {
	if _, err := m.chatsOf(m.tasks()); err != nil {
		return err
	}
	at, err := m.settings.EmbeddingEndpoint(m.general)
	m.embedding = at.Model
	return err
}

// chat returns the chat model of a task; tasks with equal endpoints share one, with the
// token limit of each.
func (m *models) chat(task string) (llm.Chat, error) {
	at, err := m.settings.TaskEndpoint(task, m.general)
	if err != nil {
		return nil, err
	}
	chat, known := m.chats[at.ID()]
	if !known {
		servers, err := serversOf(at, m.chatServer)
		if err != nil {
			return nil, err
		}
		observe, err := m.observer(at)
		if err != nil {
			return nil, err
		}
		chat = llm.New(llm.Config{Provider: servers[0].Provider, Price: at.Price, Meter: m.meter, Cache: m.cache, Budget: m.budget, Retry: m.options.retry, Limiter: servers[0].Limiter, More: servers[1:], Known: m.known.Server(at.BaseURL, at.Model), Observe: observe, Logger: m.log})
		m.chats[at.ID()] = chat
	}
	return llm.WithMaxTokens(chat, at.AnswerLimit()), nil
}

// chatsOf returns the chat models of tasks, by task.
func (m *models) chatsOf(tasks []string) (map[string]llm.Chat, error) {
	chats := map[string]llm.Chat{}
	for _, task := range tasks {
		chat, err := m.chat(task)
		if err != nil {
			return nil, err
		}
		chats[task] = chat
	}
	return chats, nil
}

// embedder returns the embedding model of that name.
func (m *models) embedder(name string) (*index.ModelEmbedder, error) {
	at, err := m.settings.EmbeddingEndpointOf(name, m.general)
	if err == nil && m.budget != nil {
		err = checkPriced(at)
	}
	if err != nil {
		return nil, err
	}
	var addresses []string
	servers, err := serversOf(at, func(at config.Endpoint) (llm.Server[llm.Embedder], error) {
		server, address, err := m.embeddingServer(name, at)
		addresses = append(addresses, address)
		return server, err
	})
	if err != nil {
		return nil, err
	}
	observe, err := m.observer(at)
	if err != nil {
		return nil, err
	}
	embedder := llm.NewEmbedder(llm.EmbedConfig{Provider: servers[0].Provider, Price: at.Price, Meter: m.meter, Cache: m.cache, Budget: m.budget, Retry: m.options.retry, Limiter: servers[0].Limiter, More: servers[1:], Known: m.known.Server(at.BaseURL, name), Observe: observe, Context: at.Context})
	return &index.ModelEmbedder{BatchEmbedder: embedder, Server: addresses[0], More: addresses[1:]}, nil
}

func (m *models) close() {
	if m == nil {
		return
	}
	for _, client := range m.clients {
		client.Close()
	}
}

// configureIndex sets the models of an index run.
func (m *models) configureIndex(options *index.Options, o extractOptions) error {
	if m == nil {
		return nil
	}
	options.Meter = m.meter
	if m.hasChat() {
		if err := m.configureExtraction(options, o); err != nil {
			return err
		}
	}
	if m.embedding == "" {
		return nil
	}
	embedder, err := m.embedder(m.embedding)
	if err != nil {
		return err
	}
	options.Embedder = embedder
	return nil
}

// configureExtraction sets the chat models of an index run.
func (m *models) configureExtraction(options *index.Options, o extractOptions) (err error) {
	if options.Domain, err = readDomain(o.examples, m.prompts); err != nil {
		return err
	}
	chats, err := m.chatsOf(indexUse.Tasks)
	if err != nil {
		return err
	}
	options.Model = &index.Model{
		Queries: chats["queries"], Extract: chats["extract"], Summarise: chats["summarise"], Report: chats["report"], Prompts: m.prompts,
		Gleanings: zeroAsNone(o.gleanings), Gleaning: o.gleaning, Claims: o.claims, Format: o.format, MaxReports: zeroAsNone(o.maxReports), ReportSmall: o.reportSmall,
	}
	options.Model.YesNo, err = m.yesNo("extract")
	return err
}

// configureQuery sets the models of a question. The embedding model is the one that
// the corpus was embedded with.
func (m *models) configureQuery(ctx context.Context, store *neo4jstore.Store, options *query.Options) error {
	if m == nil {
		return nil
	}
	options.Logger = m.log
	if m.hasChat() {
		if err := m.configureAnswers(options); err != nil {
			return err
		}
	}
	corpus, err := store.Corpus(ctx, options.Corpus)
	if errors.Is(err, neo4jstore.ErrNoCorpus) {
		return nil // the engine reports it
	}
	if err != nil {
		return err
	}
	name := index.EmbedderModel(corpus.Embedder)
	if name == "" {
		return nil
	}
	embedder, err := m.embedder(name)
	if err != nil {
		return err
	}
	if made := index.EmbedderServer(corpus.Embedder); made != "" && made != embedder.Server && !slices.Contains(embedder.More, made) {
		m.note("the vectors of corpus %s were made by %s at %s, and the question is embedded at %s: unless that is the same model, run neorag embed --again", options.Corpus, name, made, embedder.Server)
	}
	options.Embedder = embedder
	return nil
}

// configureAnswers sets the chat models of a question.
func (m *models) configureAnswers(options *query.Options) error {
	chats, err := m.chatsOf(queryUse.Tasks)
	if err != nil {
		return err
	}
	options.Model = &synth.Model{Map: chats[synth.TaskMap], Answer: chats[synth.TaskAnswer], Prompts: m.prompts}
	options.Model.YesNo, err = m.yesNo(synth.TaskMap)
	return err
}

// yesNo returns the logit bias for the tokens YES and NO of a task's model; nil for one that is not
// at OpenAI.
func (m *models) yesNo(task string) (map[string]int64, error) {
	at, err := m.settings.TaskEndpoint(task, m.general)
	if err != nil || !at.OpenAI {
		return nil, err
	}
	return yesNoBias(at.Model), nil
}

// zeroAsNone converts a count where 0 means none to an option where 0 means the
// default and -1 means none.
func zeroAsNone(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

// yesNoBias returns the logit bias for the tokens YES and NO; nil for a model that
// does not support it, or whose tokenizer is not built in.
func yesNoBias(model string) map[string]int64 {
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
