package localmodels_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm/localmodels"
)

// serve starts a server and returns its address.
func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

// lists answers GET /v1/models with models of these names.
func lists(names ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" || r.Method != http.MethodGet || r.Header.Get("Authorization") != "" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		var data []string
		for _, name := range names {
			data = append(data, fmt.Sprintf(`{"id":%q,"object":"model"}`, name))
		}
		_, _ = fmt.Fprintf(w, `{"object":"list","data":[%s]}`, strings.Join(data, ","))
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		handler          http.HandlerFunc
		chat, embeddings []string
	}{
		"Ollama": {lists("qwen3:8b", "nomic-embed-text:latest", "llama3.2:3b"), []string{"qwen3:8b", "llama3.2:3b"}, []string{"nomic-embed-text:latest"}},
		"embedding models": {
			lists("bge-m3:latest", "mxbai-embed-large", "text-embedding-nomic-embed-text-v1.5", "all-minilm", "intfloat/multilingual-e5-large", "Alibaba-NLP/gte-large", "google/embeddinggemma-300m"), nil,
			[]string{"bge-m3:latest", "mxbai-embed-large", "text-embedding-nomic-embed-text-v1.5", "all-minilm", "intfloat/multilingual-e5-large", "Alibaba-NLP/gte-large", "google/embeddinggemma-300m"},
		},
		"other work":            {lists("bge-reranker-v2-m3", "whisper-1", "stablediffusion", "tts-1", "phi4"), []string{"phi4"}, nil},
		"path of a file":        {lists("/models/Qwen3-8B-Q4_K_M.gguf"), []string{"/models/Qwen3-8B-Q4_K_M.gguf"}, nil},
		"names for a shell":     {lists("$(touch x)", "a;b", "--offline", "a b", "x\x1b[2J", "'", strings.Repeat("a", 300)), nil, nil},
		"no models":             {lists(), nil, nil},
		"a web page":            {func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "<html>hello</html>") }, nil, nil},
		"another JSON document": {func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, `{"data":"x"}`) }, nil, nil},
		"a refusal":             {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, nil, nil},
		"too much": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintf(w, `{"data":[{"id":"a"}],"x":"%s"}`, strings.Repeat("x", 2<<20))
		}, nil, nil},
		"no end": {func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := fmt.Fprint(w, strings.Repeat(" ", 1<<10)); err != nil {
					return
				}
			}
		}, nil, nil},
		"no answer": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := serve(t, tt.handler)
			var want []localmodels.Server
			if len(tt.chat)+len(tt.embeddings) > 0 {
				want = []localmodels.Server{{BaseURL: "http://" + address + "/v1", Chat: tt.chat, Embeddings: tt.embeddings}}
			}
			got := localmodels.Find(t.Context(), []string{address})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Find (-want +got):\n%s", diff)
			}
		})
	}
}

// TestFindFollowsNoRedirect sends no request to an address that was not named.
func TestFindFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 1)
	other := serve(t, func(w http.ResponseWriter, r *http.Request) { asked <- struct{}{}; lists("a")(w, r) })
	from := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://"+other+"/v1/models", http.StatusFound)
	})
	if got := localmodels.Find(t.Context(), []string{from}); got != nil {
		t.Errorf("Find of a redirect = %v, want none", got)
	}
	select {
	case <-asked:
		t.Error("Find followed a redirect")
	default:
	}
}

// TestFindKeepsOrder returns the servers in the order of the addresses, and leaves out those
// where nothing listens.
func TestFindKeepsOrder(t *testing.T) {
	t.Parallel()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	first, second := serve(t, lists("a")), serve(t, lists("b"))
	var got []string
	for _, s := range localmodels.Find(t.Context(), []string{closed, second, closed, first}) {
		got = append(got, s.BaseURL)
	}
	if diff := cmp.Diff([]string{"http://" + second + "/v1", "http://" + first + "/v1"}, got); diff != "" {
		t.Errorf("Find (-want +got):\n%s", diff)
	}
}

// BenchmarkFind measures what a command waits if nothing listens at the usual addresses.
func BenchmarkFind(b *testing.B) {
	for b.Loop() {
		localmodels.Find(b.Context(), localmodels.UsualAddresses())
	}
}
