package cli

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/remote"
)

// defaultAckWait and leastAckWait are for --ack-wait.
const (
	defaultAckWait = time.Minute
	leastAckWait   = time.Second
)

func newWorkCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:  "work",
		Usage: "make the model calls of commands on other machines, which use the same queue",
		Description: "Fetches calls from a NATS server with JetStream, makes them with the model of --base-url or --embedding-base-url,\n" +
			"and sends the answers back, until you press Ctrl-C. Commands with --base-url of the queue and the same model and\n" +
			"parameters are served. " + config.EnvQueueToken + " holds the token of the NATS server. No port is opened.",
		Flags: slices.Concat([]ucli.Flag{
			&ucli.StringFlag{Name: "queue", Usage: "fetch calls from the NATS server at `URL`, nats://HOST:PORT, or tls://HOST:PORT for one that must have TLS"},
			&ucli.DurationFlag{Name: "ack-wait", Value: defaultAckWait, Usage: "give a call to another worker when its worker is silent for `DURATION`; the same for all workers of a model"},
		}, settingFlags("models.chat", "models.embedding", "concurrency", "cache_dir"), []ucli.Flag{verboseFlag()}),
		Action: action(env, workOptionsFrom, runWork),
	}
}

type workOptions struct {
	modelOptions

	queue   string
	ackWait time.Duration
}

// workUse are the models that a worker serves.
var workUse = config.Use{Chat: true}

func workOptionsFrom(cc invocation) (o workOptions, err error) {
	o.queue, o.ackWait = cc.String("queue"), cc.Duration("ack-wait")
	if o.queue == "" {
		return o, usage("work: give --queue nats://HOST:PORT, the NATS server that commands use as --base-url")
	}
	if o.ackWait < leastAckWait {
		return o, usage("--ack-wait: give at least %v", leastAckWait)
	}
	o.modelOptions, err = modelOptionsFrom(cc, workUse)
	return o, err
}

func runWork(ctx context.Context, env *environment, o workOptions) error {
	host, _ := os.Hostname() // only for messages
	q, err := remote.New(remote.Config{
		URL: o.queue, Token: env.Getenv(config.EnvQueueToken), Logger: env.progressLogger(), AckWait: o.ackWait, Worker: host,
	})
	if err != nil {
		return usage("--queue: %w", err)
	}
	defer q.Close()
	m, err := newModels(ctx, env, o.modelOptions)
	if err != nil {
		return err
	}
	defer m.close()
	services, err := m.services()
	if err != nil {
		return err
	}
	var names []string
	for _, s := range services {
		names = append(names, s.Model.Name)
	}
	env.handlesSignals.Store(true)
	env.note("serving %s through the queue %s (Ctrl-C stops it)", strings.Join(names, " and "), q.Server())
	return q.Work(ctx, services)
}

// services returns the models of a worker as services of a queue.
func (m *models) services() ([]remote.Service, error) {
	var all []remote.Service
	if m.hasChat() {
		at, err := m.settings.TaskEndpoint("chat", m.general)
		if err != nil {
			return nil, err
		}
		s, err := m.service(at)
		if err == nil {
			s.Chat, err = m.chat("chat")
		}
		if err != nil {
			return nil, err
		}
		s.Model.Parameters = llm.Parameters(s.Chat)
		all = append(all, s)
	}
	if m != nil && m.embedding != "" {
		at, err := m.settings.EmbeddingEndpoint(m.general)
		if err != nil {
			return nil, err
		}
		s, err := m.service(at)
		if err != nil {
			return nil, err
		}
		embedder, err := m.embedder(m.embedding)
		if err != nil {
			return nil, err
		}
		s.Model.Embeds, s.Embedder = true, embedder.BatchEmbedder
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, usage("work: give the model that this machine serves: --base-url URL and --model NAME, or --embedding-base-url URL and --embedding-model NAME")
	}
	return all, nil
}

// service returns the service of a model without its chain: as many jobs at a time as its servers take.
func (m *models) service(at config.Endpoint) (remote.Service, error) {
	var limiters []*llm.Limiter
	for _, one := range at.Servers() {
		if remote.IsAddress(one.BaseURL) {
			return remote.Service{}, usage("work: %s is a queue: give --base-url the address of a model server that this machine can reach", one.BaseURL)
		}
		limiters = append(limiters, m.limiter(one))
	}
	return remote.Service{Model: remote.Model{Name: at.Model}, Slots: len(limiters) * m.options.concurrency(), Allowed: func() int {
		n := 0
		for _, l := range limiters {
			n += l.Stats().Limit
		}
		return n
	}}, nil
}
