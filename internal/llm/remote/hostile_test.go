package remote_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/remote"
	"github.com/neorag/neorag/internal/testkit/natstest"
)

// client returns a client of a server that knows the token.
func client(t *testing.T, s *natstest.Server) (*nats.Conn, jetstream.JetStream) {
	t.Helper()
	conn, js, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn, js
}

// takeJob makes a consumer of jobs that are not served otherwise, and takes one.
func takeJob(t *testing.T, s *natstest.Server) jetstream.Msg {
	t.Helper()
	waitForJobs(t, s, 1)
	_, js := client(t, s)
	consumer, err := js.CreateOrUpdateConsumer(t.Context(), "NEORAG_JOBS", jetstream.ConsumerConfig{AckPolicy: jetstream.AckExplicitPolicy, Durable: "thief"})
	if err != nil {
		t.Fatal(err)
	}
	msg, err := consumer.Next()
	if err != nil {
		t.Fatal(err)
	}
	return msg
}

// send sends a result to a caller, and returns what that answers.
func send(t *testing.T, conn *nats.Conn, id, reply string, body []byte) string {
	t.Helper()
	m, err := conn.RequestMsg(&nats.Msg{Subject: reply, Header: nats.Header{"id": {id}}, Data: body}, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return string(m.Data)
}

// asking asks in the background.
func asking(t *testing.T, chat llm.Chat, req llm.Request) (ended chan error, answer *llm.Response) {
	t.Helper()
	ended, answer = make(chan error, 1), &llm.Response{}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		var err error
		*answer, err = chat.Chat(ctx, req)
		ended <- err
	}()
	t.Cleanup(func() { cancel(); <-done })
	return ended, answer
}

// TestForgedResults: a result for an id that nobody waits for is dropped, the first result of a job counts, and
// numbers in it cannot lower what the caller has spent.
func TestForgedResults(t *testing.T) {
	t.Parallel()
	s := natstest.New(t, token)
	ended, answer := asking(t, connect(t, s, nil).Chat(remote.Model{Name: "m"}, 0), ask("a"))
	msg := takeJob(t, s)
	id, reply := msg.Headers().Get("id"), msg.Headers().Get("reply")
	conn, _ := client(t, s)
	forged := []byte(`{"chat":{"Text":"forged","Finish":"stop"}}`)
	for _, other := range []string{"", "x", id[1:], strings.ToLower(id)} {
		if got := send(t, conn, other, reply, forged); got != "unasked" {
			t.Errorf("a result for %q: %s", other, got)
		}
	}
	right := []byte(`{"chat":{"Text":"right","Finish":"stop","Usage":{"calls":1,"tokens_in":-9,"tokens_out":5,"cost":-7}}}`)
	if got := send(t, conn, id, reply, right); got != "ok" {
		t.Errorf("the right result: %s", got)
	}
	if err := <-ended; err != nil || answer.Text != "right" || answer.Usage != (llm.Usage{Calls: 1, TokensOut: 5}) {
		t.Errorf("%+v, %v", answer, err)
	}
	for _, body := range [][]byte{right, forged, nil} {
		if got := send(t, conn, id, reply, body); got != "unasked" {
			t.Errorf("a replayed result: %s", got)
		}
	}
	if _, again := asking(t, connect(t, s, nil).Chat(remote.Model{Name: "m"}, 0), ask("a")); again.Text != "" {
		t.Errorf("the next call got %q", again.Text)
	}
}

// TestBadResults fails a call whose worker sends what is no result. One that would take much memory is refused
// before it is unpacked.
func TestBadResults(t *testing.T) {
	t.Parallel()
	for name, body := range map[string][]byte{"text": []byte("no result"), "half": []byte(`{"chat":`), "bomb": bomb(t), "list": []byte(`{"vectors":7}`)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := natstest.New(t, token)
			ended, _ := asking(t, connect(t, s, nil).Chat(remote.Model{Name: "m"}, 0), ask("a"))
			msg := takeJob(t, s)
			conn, _ := client(t, s)
			send(t, conn, msg.Headers().Get("id"), msg.Headers().Get("reply"), body)
			if err := <-ended; err == nil || errors.Is(err, zstd.ErrDecoderSizeExceeded) != (name == "bomb") {
				t.Errorf("%v", err)
			}
		})
	}
}

// bomb returns a small message that would be a gigabyte when it is unpacked.
func bomb(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<20)
	for range 1 << 10 {
		if _, err := w.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestBadJobs: a worker answers jobs that it cannot read with an error, makes no call of a model for them or for
// jobs that nobody waits for, and never publishes to a subject that is no inbox.
func TestBadJobs(t *testing.T) {
	t.Parallel()
	s := natstest.New(t, token)
	server, chat, embedder := model(t, llmtest.Options{Handler: echo})
	ended, _ := asking(t, connect(t, s, nil).Chat(remote.Model{Name: "m"}, 0), ask("a"))
	msg := takeJob(t, s) // for its subject
	conn, js := client(t, s)
	if err := js.DeleteConsumer(t.Context(), "NEORAG_JOBS", "thief"); err != nil {
		t.Fatal(err)
	}
	work(t, connect(t, s, nil), services(chat, embedder))
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if n := len(server.Requests()); n != 1 {
		t.Fatalf("%d calls", n)
	}

	inbox := nats.NewInbox()
	results, err := conn.SubscribeSync(inbox)
	if err != nil {
		t.Fatal(err)
	}
	publish := func(id, reply string, body []byte) {
		t.Helper()
		if _, err := js.PublishMsg(t.Context(), &nats.Msg{Subject: msg.Subject(), Header: nats.Header{"id": {id}, "reply": {reply}}, Data: body}); err != nil {
			t.Fatal(err)
		}
	}
	good := msg.Data()
	publish("1", "_INBOX.nobody", good)
	publish("2", "$JS.API.STREAM.DELETE.NEORAG_JOBS", good)
	publish("3", "_INBOX.*", good)
	publish("", inbox, good)
	publish(strings.Repeat("x", 100), inbox, good)
	for i, body := range [][]byte{nil, []byte("{"), []byte("{}"), []byte(`{"texts":["a"]}`), bomb(t)} {
		id := fmt.Sprint("bad ", i)
		publish(id, inbox, body)
		for _, size := range []string{"a question", "a result"} {
			m, err := results.NextMsgWithContext(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got := m.Header.Get("id"); got != id || (size == "a result") != (len(m.Data) > 0) {
				t.Errorf("job %q: %s with %d bytes", got, size, len(m.Data))
			}
			var r struct{ Failure *struct{ Message string } }
			if size == "a result" && (json.Unmarshal(m.Data, &r) != nil || r.Failure == nil || r.Failure.Message == "") {
				t.Errorf("job %q: %s", id, m.Data)
			}
			_ = m.Respond([]byte("ok"))
		}
	}
	waitForJobs(t, s, 0)
	if n := len(server.Requests()); n != 1 {
		t.Errorf("%d calls", n)
	}
}

// TestWornJob answers a job that many workers got and did not end with an error.
func TestWornJob(t *testing.T) {
	t.Parallel()
	s := natstest.New(t, token)
	ended, _ := asking(t, connect(t, s, nil).Chat(remote.Model{Name: "m"}, 0), ask("a"))
	waitForJobs(t, s, 1)
	_, js := client(t, s)
	stream, err := js.Stream(t.Context(), "NEORAG_JOBS")
	if err != nil {
		t.Fatal(err)
	}
	server, chat, embedder := model(t, llmtest.Options{Handler: echo})
	stop := work(t, connect(t, s, nil), services(chat, embedder))
	if err := <-ended; err != nil { // so that there is a consumer
		t.Fatal(err)
	}
	stop()
	ended, _ = asking(t, connect(t, s, nil).Chat(remote.Model{Name: "m"}, 0), ask("b"))
	waitForJobs(t, s, 1)
	for names := stream.ConsumerNames(t.Context()); ; {
		name, more := <-names.Name()
		if !more {
			break
		}
		consumer, err := stream.Consumer(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if consumer.CachedInfo().NumPending == 0 {
			continue // of the other model
		}
		for range 5 {
			msg, err := consumer.Next()
			if err != nil {
				t.Fatal(err)
			}
			_ = msg.Nak()
		}
	}
	work(t, connect(t, s, nil), services(chat, embedder))
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "5 workers got this call") {
		t.Errorf("%v", err)
	}
	if n := len(server.Requests()); n != 1 {
		t.Errorf("%d calls", n)
	}
}

// incompressible returns a text of that many bytes.
func incompressible(n int) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-"
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[r.IntN(len(letters))]
	}
	return string(b)
}

// TestSizes: a job that is too large is refused before it is published, with what to do; a batch of texts is divided
// instead, also if its vectors are too large for a message.
func TestSizes(t *testing.T) {
	t.Parallel()
	s := natstest.New(t, token)
	const dimension = 8192
	server, chat, embedder := model(t, llmtest.Options{Handler: echo, Dimension: dimension})
	work(t, connect(t, s, nil), services(chat, embedder))
	q := connect(t, s, nil)
	_, err := llm.New(llm.Config{Provider: q.Chat(remote.Model{Name: "m"}, 0), Retry: quick}).Chat(t.Context(), ask(incompressible(800<<10)))
	refused, ok := errors.AsType[*llm.Error](err)
	if !ok || !refused.RefusesContent() || refused.Status != http.StatusRequestEntityTooLarge || !strings.Contains(err.Error(), "use smaller chunks or budgets") {
		t.Errorf("%v", err)
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d calls", n)
	}

	caller := llm.NewEmbedder(llm.EmbedConfig{Provider: q.Embedder("e"), Retry: quick, Batch: llm.Batch{Tokens: 1 << 20}})
	long := []string{incompressible(300 << 10), incompressible(310 << 10), incompressible(320 << 10)}
	var short []string
	for i := range 60 {
		short = append(short, fmt.Sprint("text ", i))
	}
	for name, texts := range map[string][]string{"long texts": long, "long vectors": short} {
		vectors, _, err := caller.Embed(t.Context(), texts)
		if err != nil || len(vectors) != len(texts) || len(vectors[0]) != dimension {
			t.Errorf("%s: %d vectors, %v", name, len(vectors), err)
		}
	}
	var sent int // the worker has the vectors of a result that was too large in its cache
	for _, r := range server.Requests() {
		sent += len(r.Input)
	}
	if sent != len(long)+len(short) {
		t.Errorf("%d texts were embedded, want %d", sent, len(long)+len(short))
	}
}

// TestTokenStays: a server that ends the connection and names another one gets the token again, and that one does not.
func TestTokenStays(t *testing.T) {
	t.Parallel()
	var listeners [2]net.Listener
	for i := range listeners {
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		listeners[i] = l
	}
	var others atomic.Int64
	var accepting sync.WaitGroup
	defer accepting.Wait()
	accepting.Go(func() {
		for {
			conn, err := listeners[1].Accept()
			if err != nil {
				return
			}
			others.Add(1)
			_ = conn.Close()
		}
	})
	defer func() { _ = listeners[1].Close() }()
	q, err := remote.New(remote.Config{URL: "nats://" + listeners[0].Addr().String(), Token: token, Check: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	asking(t, q.Chat(remote.Model{Name: "m"}, 0), ask("a"))
	for i := range 4 {
		conn, err := listeners[0].Accept()
		if err != nil {
			t.Fatal(err)
		}
		_, _ = fmt.Fprintf(conn, `INFO {"server_id":"x","version":"2.15.3","proto":1,"headers":true,"max_payload":1048576,"auth_required":true,"jetstream":true,"connect_urls":[%q]}`+"\r\n", listeners[1].Addr())
		pings := 0
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "CONNECT") && !strings.Contains(lines.Text(), token) {
				t.Errorf("without the token: %s", lines.Text())
			}
			if lines.Text() == "PING" {
				pings++
				_, _ = fmt.Fprint(conn, "PONG\r\n")
			}
			if i == 0 && pings == 2 || i > 0 && pings == 1 { // when it first connects, the client asks twice
				break
			}
		}
		_ = conn.Close()
	}
	if n := others.Load(); n > 0 {
		t.Errorf("the other server got %d connections", n)
	}
}
