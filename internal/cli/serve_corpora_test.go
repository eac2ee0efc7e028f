//go:build unix

package cli_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// A counter is a model that counts what it is asked for each case of a question, and names the secret words that it
// is shown.
type counter struct {
	*llmtest.Server

	mu   sync.Mutex
	used map[string]usage // by case
}

type usage struct {
	Calls     int64 `json:"calls"`
	TokensIn  int64 `json:"tokens_in"`
	TokensOut int64 `json:"tokens_out"`
}

var caseOf, secretWords = regexp.MustCompile(`case \d+`), regexp.MustCompile(`(?i)canary\w+`)

func newCounter(t *testing.T) *counter {
	t.Helper()
	c := &counter{used: map[string]usage{}}
	c.Server = llmtest.New(llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		c.mu.Lock()
		defer c.mu.Unlock()
		n := caseOf.FindString(r.Last())
		u := c.used[n]
		in, out := int64(1000+len(r.Last())), int64(10+len(c.used))
		c.used[n] = usage{u.Calls + 1, u.TokensIn + in, u.TokensOut + out}
		words := secretWords.FindAllString(r.Last(), -1)
		slices.Sort(words)
		return llmtest.Reply{Text: n + ": " + strings.Join(slices.Compact(words), " ") + " [Data: Sources (1)]", TokensIn: in, TokensOut: out}
	}})
	t.Cleanup(c.Close)
	return c
}

// secretOf returns the word that only one corpus has.
func secretOf(i int) string { return "Canary" + []string{"bellis", "dorvik", "fusano", "gelmor"}[i] }

// secretCorpora indexes four corpora, each with a document that has a word which no other corpus has.
func secretCorpora(t *testing.T, p *program) []string {
	t.Helper()
	var corpora []string
	for i := range 4 {
		corpora = append(corpora, neo4jtest.Borrow(t, "index"))
		docs := folder(t, "docs", map[string]string{
			"secret.txt": "The Harbour Museum was opened by " + secretOf(i) + " Vane. Clara Hale met " + secretOf(i) + " Vane at the Harbour Museum.",
			"other.txt":  "Mary Quill wrote to Clara Hale about the Harbour Museum. The Harbour Museum sells tickets.",
		})
		p.ok("index", "--offline", "--quiet", "--corpus", corpora[i], docs)
	}
	return corpora
}

// TestQuestionsOfCorporaApart asks a server 16 questions over four corpora at the same time: each answer has the
// usage that the model counted for it and only words of its corpora, the cache names exactly these corpora for each
// response, and when the document of a word is removed, no file has the word any more.
func TestQuestionsOfCorporaApart(t *testing.T) {
	t.Parallel()
	p, model := newProgram(t, neo4jtest.Server(t)), newCounter(t)
	p.env["NEORAG_CACHE"] = t.TempDir()
	corpora := secretCorpora(t, p)
	s := p.serveWith("--corpus", corpora[0], "--base-url", model.URL(), "--model", "simulated")
	asked := map[string][]string{} // corpora by case
	var g errgroup.Group
	for n := range 16 {
		of := []int{n % 4}
		if n >= 12 { // of two corpora, without the first
			of = []int{1 + n%3, 1 + (n+1)%3}
		}
		var names []string
		for _, i := range of {
			names = append(names, corpora[i])
		}
		slices.Sort(names)
		text := fmt.Sprintf("case %d", 100+n)
		asked[text] = names
		g.Go(func() error { return s.askApart(text, names, of, model) })
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(asked, cacheUsers(t, p.env["NEORAG_CACHE"])); diff != "" {
		t.Errorf("corpora by response in the cache (-asked +noted):\n%s", diff)
	}
	s.end()
	p.corpus, p.env["NEORAG_CORPUS"] = corpora[0], corpora[0]
	p.ok("remove", "--offline", "docs/secret.txt")
	for i := range corpora {
		word := strings.ToLower(secretOf(i))
		found := slices.Concat(filesWith(t, p.env["NEORAG_HOME"], word), filesWith(t, p.env["NEORAG_CACHE"], word))
		if (len(found) > 0) != (i > 0) {
			t.Errorf("after the removal from the first corpus, the word of corpus %d is in %v", i, found)
		}
	}
	if left := p.holding(strings.ToLower(secretOf(0))); len(left) > 0 {
		t.Errorf("the graph has the word in %v", left)
	}
}

// askApart asks a question over corpora, and returns an error unless answer and usage are of this question alone.
func (s served) askApart(text string, names []string, of []int, model *counter) error {
	var a struct {
		Answer string
		Usage  usage
	}
	body := fmt.Sprintf(`{"question":"Who opened the Harbour Museum in %s?","method":"local","corpora":["%s"]}`, text, strings.Join(names, `","`))
	if err := s.try(http.MethodPost, "/api/v1/ask", body, &a); err != nil {
		return err
	}
	model.mu.Lock()
	want := model.used[text]
	model.mu.Unlock()
	if want.Calls == 0 || a.Usage != want {
		return fmt.Errorf("%s: usage %+v, the model counted %+v", text, a.Usage, want)
	}
	for i := range 4 {
		if has := strings.Contains(a.Answer, secretOf(i)); has != slices.Contains(of, i) {
			return fmt.Errorf("%s of corpora %v: the answer is %q", text, of, a.Answer)
		}
	}
	return nil
}

// cacheUsers returns the users of each response in a cache, by its case.
func cacheUsers(t *testing.T, dir string) map[string][]string {
	t.Helper()
	users := map[string][]string{}
	lists, err := os.ReadDir(filepath.Join(dir, "users"))
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		keys, err := os.ReadFile(filepath.Join(dir, "users", list.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for key := range strings.FieldsSeq(string(keys)) {
			paths, err := filepath.Glob(filepath.Join(dir, "chat", key[:2], key[2:]))
			if err != nil || len(paths) != 1 {
				t.Fatalf("entry %s of the cache: %v, %v", key, paths, err)
			}
			response, err := os.ReadFile(paths[0])
			if err != nil {
				t.Fatal(err)
			}
			text := caseOf.FindString(string(response))
			users[text] = append(users[text], list.Name())
		}
	}
	return users
}
