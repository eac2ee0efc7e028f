//go:build unix

package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
)

// TestKnownServers runs a command twice against a server that refuses a response format. The second run
// does not try it, `cache` shows why, and after `cache forget` it is tried again.
func TestKnownServers(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Refuse: []string{"json_schema", "temperature"}})
	t.Cleanup(server.Close)
	cache := t.TempDir()
	env := map[string]string{"NEORAG_CACHE": cache, "NEORAG_BASE_URL": server.URL(), "NEORAG_MODEL": "simulated", "NEORAG_API_KEY": ownKey}
	docs := folder(t, "novel", novel)
	// tune returns how many calls are refused. Its answers are not taken from the cache.
	tune := func() int {
		t.Helper()
		for _, kind := range []string{"chat", "vector"} {
			if err := os.RemoveAll(filepath.Join(cache, kind)); err != nil {
				t.Fatal(err)
			}
		}
		server.Reset()
		if code, out, errs := command(t, env, "tune", "--quiet", "--overwrite", "--compare", "0", "-o", filepath.Join(t.TempDir(), "mine"), docs); code != 0 {
			t.Fatalf("exit %d\n%s%s", code, out, errs)
		}
		refused := 0
		for _, r := range server.Requests() {
			if r.Format == "json_schema" || strings.Contains(string(r.Body), `"temperature"`) {
				refused++
			}
		}
		return refused
	}
	if n := tune(); n == 0 {
		t.Fatal("the server refused nothing")
	}
	if n := tune(); n > 0 {
		t.Errorf("the second run made %d calls that the server is known to refuse", n)
	}
	var list struct {
		Servers []struct {
			Server, Model string
			Facts         struct {
				Without []string
				Format  string
			}
		}
	}
	code, out, errs := command(t, env, "cache", "servers", "--json")
	if err := json.Unmarshal([]byte(out), &list); err != nil || code != 0 || len(list.Servers) != 1 {
		t.Fatalf("exit %d, %v\n%s%s", code, err, out, errs)
	}
	if s := list.Servers[0]; s.Server != server.URL() || s.Model != "simulated" || s.Facts.Format != "json_object" || len(s.Facts.Without) != 1 {
		t.Errorf("%+v", s)
	}
	for args, want := range map[string]string{
		"servers": "refuses the parameters temperature; strictest response format json_object",
		"size":    "what is known of 1 model servers",
		"check":   "0 corrupt (the model is asked again), 0 unknown",
	} {
		if code, out, errs := command(t, env, "cache", args); code != 0 || !strings.Contains(out, want) {
			t.Errorf("cache %s: exit %d, %s%s, want %q", args, code, out, errs, want)
		}
	}
	files, err := filepath.Glob(filepath.Join(cache, "servers", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %q, %v", files, err)
	}
	if b, err := os.ReadFile(files[0]); err != nil || strings.Contains(string(b), ownKey) {
		t.Errorf("%s holds a key, %v", files[0], err)
	}
	if code, out, _ := command(t, env, "cache", "forget"); code != 0 || !strings.Contains(out, "1 records") {
		t.Errorf("forget: exit %d, %s", code, out)
	}
	if n := tune(); n == 0 {
		t.Error("what was forgotten is still known")
	}
}
