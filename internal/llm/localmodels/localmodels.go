// Package localmodels finds the model servers that run on this machine.
//
// In: addresses of this machine. Out: the servers with the OpenAI interface at these
// addresses, with the names of their models. It sends no key and nothing of a document.
package localmodels

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/llm/httplimit"
)

// UsualAddresses returns where model servers listen unless they are configured otherwise:
// Ollama, LM Studio, llama.cpp and LocalAI, vLLM, GPT4All, Jan, KoboldCpp.
func UsualAddresses() []string {
	return []string{
		"127.0.0.1:11434", "127.0.0.1:1234", "127.0.0.1:8080", "127.0.0.1:8000", "127.0.0.1:4891", "127.0.0.1:1337", "127.0.0.1:5001",
	}
}

// A Server is a model server that runs.
type Server struct {
	BaseURL    string
	Chat       []string // names of models that answer, in the order of the server
	Embeddings []string // names of models that make vectors
}

const (
	timeLimit  = 200 * time.Millisecond // of all requests together
	maxList    = 1 << 20                // bytes of a list of models
	maxHeaders = 64 << 10
	maxModels  = 200 // names that are read of a list
)

// Find asks the addresses concurrently and returns the servers that list models within 200
// milliseconds, in the order of the addresses. Whatever else listens there is left out.
func Find(ctx context.Context, addresses []string) []Server {
	ctx, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	direct := &http.Transport{DisableKeepAlives: true, MaxResponseHeaderBytes: maxHeaders} // no proxy
	client := &http.Client{
		Transport:     httplimit.Transport(httplimit.Options{Base: direct}),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	defer client.CloseIdleConnections()
	asked := make([]Server, len(addresses))
	var wait sync.WaitGroup
	for i, address := range addresses {
		wait.Go(func() { asked[i] = list(ctx, client, "http://"+address+"/v1") })
	}
	wait.Wait()
	var found []Server
	for _, s := range asked {
		if len(s.Chat)+len(s.Embeddings) > 0 {
			found = append(found, s)
		}
	}
	return found
}

// list returns the models at a base URL, none if another program answers.
func list(ctx context.Context, client *http.Client, base string) Server {
	s := Server{BaseURL: base}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/models", nil)
	if err != nil {
		return s
	}
	res, err := client.Do(req)
	if err != nil {
		return s
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return s
	}
	b, err := io.ReadAll(httplimit.Reader(res.Body, maxList))
	if err != nil {
		return s
	}
	var models struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if json.Unmarshal(b, &models) != nil {
		return s
	}
	for _, m := range models.Data[:min(len(models.Data), maxModels)] {
		switch {
		case !plainName.MatchString(m.ID) || otherWork.MatchString(m.ID):
		case Embeds(m.ID):
			s.Embeddings = append(s.Embeddings, m.ID)
		default:
			s.Chat = append(s.Chat, m.ID)
		}
	}
	return s
}

// plainName matches the names that a shell takes as they are. Any program may listen at an
// address, and users copy what it says into a shell.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_.:/@+-]{0,199}$`)

// embedding and otherWork match parts of the names of models that do not answer questions.
var (
	embedding = regexp.MustCompile(`embed|minilm|(?:^|[/_.-])(?:bge|e5|gte|gtr)(?:[:/_.-]|$)`)
	otherWork = regexp.MustCompile(`(?i)rerank|whisper|stable-?diffusion|flux|(?:^|[/_.-])(?:tts|sdxl?|clip)(?:[:/_.-]|$)`)
)

// Embeds reports whether a model makes vectors, by its name.
func Embeds(name string) bool { return embedding.MatchString(strings.ToLower(name)) }
