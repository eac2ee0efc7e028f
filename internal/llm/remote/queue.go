// Package remote sends calls of models as jobs through NATS JetStream to machines that fetch
// them. A Queue is the connection of both sides: its models are providers for a chain of package
// llm, and Work serves their jobs with the chain of a model server.
//
// The NATS server keeps jobs in memory, and may lose them: a call that waits for its answer publishes
// a lost job again, and takes the first answer. So a job can be worked on twice, and its answer
// counts once.
package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/neorag/neorag/internal/llm"
)

// Config is a queue. Only URL is required.
type Config struct {
	URL    string       // nats://HOST:PORT, or tls://HOST:PORT for a server that must have TLS
	Token  string       // of the NATS server; empty: none is sent
	Logger *slog.Logger // nil discards
	// AckWait is how long a worker may be silent until its job is given to another one, default 60 s.
	AckWait time.Duration
	// Check is how often a call that waits looks for its job, and how long a worker waits after an error of the
	// queue, default 1 s.
	Check time.Duration
	// NoteAfter is how long calls wait until it is logged that no worker serves them, default 10 s.
	NoteAfter time.Duration
	// Grace is how long a worker that has to stop lets its calls end, default 20 s.
	Grace time.Duration
	// Worker names this machine in the errors of its jobs.
	Worker string
}

func (c Config) withDefaults() Config {
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	c.AckWait = cmp.Or(c.AckWait, time.Minute)
	c.Check = cmp.Or(c.Check, time.Second)
	c.NoteAfter = cmp.Or(c.NoteAfter, 10*time.Second)
	c.Grace = cmp.Or(c.Grace, 20*time.Second)
	return c
}

// A Queue is a connection to a NATS server. It connects when it is first needed, and reconnects. It
// is safe for concurrent use.
type Queue struct {
	config Config
	server string
	reply  string // subject of the answers to this process

	mu      sync.Mutex
	conn    *nats.Conn
	js      jetstream.JetStream
	waiting map[string]chan []byte // by id of the job; each has room for one answer
	noted   map[string]bool        // subjects that no worker served
}

const (
	defaultPort = "4222"
	streamName  = "NEORAG_JOBS"
	maxStream   = 256 << 20     // bytes of jobs that wait
	maxAge      = 2 * time.Hour // of jobs whose caller has gone; others are published again
	dialTime    = 5 * time.Second
	// maxDown is how long a connection may be lost until the calls that wait fail.
	maxDown = time.Minute
	// inbox begins subjects of answers. A worker answers to no other subject: a job must not
	// have it publish just anything.
	inbox        = "_INBOX."
	headerID     = "id"
	headerReply  = "reply"
	replyOK      = "ok"
	replyUnasked = "unasked"
)

// IsAddress reports whether an address belongs to a queue and not to a model server.
func IsAddress(address string) bool {
	u, err := url.Parse(address)
	return err == nil && isScheme(u.Scheme)
}

func isScheme(scheme string) bool { return scheme == "nats" || scheme == "tls" }

// New returns a queue. It does not connect. The caller closes the queue.
func New(c Config) (*Queue, error) {
	u, err := url.Parse(c.URL)
	if err != nil || !isScheme(u.Scheme) || u.Hostname() == "" || strings.ContainsAny(u.Host, ", ") {
		return nil, errors.New("the address of the queue is not one such as nats://localhost:4222")
	}
	if u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("the address of the queue must contain only host and port: set the token in its own variable")
	}
	host := strings.ToLower(u.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return &Queue{
		config: c.withDefaults(), server: u.Scheme + "://" + host + ":" + cmp.Or(u.Port(), defaultPort), reply: inbox + rand.Text(),
		waiting: map[string]chan []byte{}, noted: map[string]bool{},
	}, nil
}

// Server returns the address of the NATS server in one form: scheme, host and port.
func (q *Queue) Server() string { return q.server }

// host returns the server without its scheme, for messages.
func (q *Queue) host() string { return q.server[strings.Index(q.server, "//")+2:] }

// Close closes the connection.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.conn != nil {
		q.conn.Close()
		q.conn = nil
	}
}

// A Model selects the jobs of one subject. A worker only serves calls for its model and parameters, so that
// answers do not depend on which worker gives them.
type Model struct {
	Name       string
	Parameters string // as llm.Parameters returns them
	Embeds     bool
}

// subject returns the last part of the subjects of a model.
func (m Model) subject() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%t\n%q\n%s", m.Embeds, m.Name, m.Parameters))
	return hex.EncodeToString(sum[:16])
}

func (m Model) jobs() string { return "neorag.job." + m.subject() }

// workers returns the subject that the workers of a model listen at, as long as they live.
func (m Model) workers() string { return "neorag.worker." + m.subject() }

// connect returns the connection, made if there is none.
func (q *Queue) connect() (*nats.Conn, jetstream.JetStream, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.conn != nil && !q.conn.IsClosed() {
		return q.conn, q.js, nil
	}
	log := q.config.Logger.With("queue", q.host())
	conn, err := nats.Connect(q.server, nats.Name("neorag"), nats.Token(q.config.Token), nats.Timeout(dialTime),
		nats.MaxReconnects(-1), nats.ReconnectWait(q.config.Check/2),
		// The token is for this server, not for others that it names.
		nats.IgnoreDiscoveredServers(),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log.Warn("an error of the queue", "error", err) }),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log.Warn("the connection to the queue is lost", "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { log.Info("the queue is connected again") }))
	if err != nil {
		return nil, nil, q.failure(err)
	}
	js, err := jetstream.New(conn)
	if err == nil {
		_, err = conn.Subscribe(q.reply, q.receive)
	}
	if err == nil {
		err = conn.FlushTimeout(dialTime)
	}
	if err != nil {
		conn.Close()
		return nil, nil, q.failure(err)
	}
	q.conn, q.js = conn, js
	return conn, js, nil
}

// failure returns an error of the connection as the error of a call.
func (q *Queue) failure(err error) error {
	cert, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	switch {
	case untrusted:
		return &llm.Error{Cause: err, Message: fmt.Sprintf("the queue %s presents a certificate that is not trusted: %v: name the certificate of its authority in SSL_CERT_FILE", q.host(), cert.Err)}
	case errors.Is(err, nats.ErrSecureConnWanted):
		return &llm.Error{Cause: err, Message: fmt.Sprintf("the queue %s has no TLS: configure it in nats-server, or use nats:// in a network that you trust", q.host())}
	case errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked):
		advice := "it rejects the token: check it, and that it belongs to this server"
		if q.config.Token == "" {
			advice = "it requires a token: set the variable for it"
		}
		return &llm.Error{Status: http.StatusUnauthorized, Cause: err, Message: fmt.Sprintf("the queue %s refuses the connection: %s", q.host(), advice)}
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return &llm.Error{Status: http.StatusNotFound, Cause: err, Message: fmt.Sprintf("the queue %s has no JetStream: start nats-server with -js", q.host())}
	default:
		return &llm.Error{Retryable: true, Cause: err, Message: fmt.Sprintf("the connection to the queue %s failed: %v", q.host(), err)}
	}
}

// stream returns the stream of jobs, created if there is none.
func stream(ctx context.Context, js jetstream.JetStream) (jetstream.Stream, error) {
	s, err := js.Stream(ctx, streamName)
	if !errors.Is(err, jetstream.ErrStreamNotFound) {
		return s, err
	}
	return js.CreateStream(ctx, jetstream.StreamConfig{
		Name: streamName, Subjects: []string{"neorag.job.*"}, Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew,
		Storage: jetstream.MemoryStorage, MaxBytes: maxStream, MaxMsgSize: 2 * maxJob, MaxAge: maxAge, AllowDirect: true,
	})
}
