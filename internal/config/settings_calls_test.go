package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestCallLimits(t *testing.T) {
	t.Parallel()
	const chat = "models: {chat: {base_url: http://one.test/v1, model: m, timeout: 20m, requests_per_minute: 60}, "
	ofChat := CallLimits{Timeout: 20 * time.Minute, RequestsPerMinute: 60, Section: "models.chat"}
	for _, tt := range []struct {
		name, file string
		task       CallLimits
		embedding  CallLimits
		rerank     CallLimits
		err        string
	}{
		{
			name: "inherited by a task only", file: chat + "rerank: {base_url: http://two.test}}",
			task: ofChat, embedding: CallLimits{Section: "models.embedding"}, rerank: CallLimits{Section: "models.rerank"},
		},
		{
			name:      "own limits",
			file:      chat + "map: {timeout: 5m, idle_timeout: 30s}, embedding: {model: e, timeout: 90s, tokens_per_minute: 1000}, rerank: {base_url: http://two.test, timeout: 3s}}",
			task:      CallLimits{Timeout: 5 * time.Minute, IdleTimeout: 30 * time.Second, RequestsPerMinute: 60, Section: "models.map"},
			embedding: CallLimits{Timeout: 90 * time.Second, TokensPerMinute: 1000, Section: "models.embedding"},
			rerank:    CallLimits{Timeout: 3 * time.Second, Section: "models.rerank"},
		},
		{
			name: "another model has other rates", file: chat + "map: {model: other}}",
			task: CallLimits{Timeout: 20 * time.Minute, Section: "models.chat"}, embedding: CallLimits{Section: "models.embedding"},
		},
		{name: "no unit", file: chat + "map: {timeout: 30}}", err: "models.map.timeout: expected a duration such as 90s or 20m"},
		{name: "no time", file: chat + "map: {idle_timeout: 0s}}", err: "models.map.idle_timeout: expected a duration such as 90s or 20m"},
		{name: "a negative rate", file: chat + "embedding: {tokens_per_minute: -1}}", err: "models.embedding.tokens_per_minute: expected a number from 0 to 1000000000"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, FileName), []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := limitsOf(dir)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("got %v, want the error %q", err, tt.err)
				}
				return
			}
			if diff := cmp.Diff([]CallLimits{ofChat, tt.task, tt.embedding, tt.rerank}, got); diff != "" || err != nil {
				t.Errorf("%v, limits (-want +got):\n%s", err, diff)
			}
		})
	}
}

// limitsOf returns the limits of the models for chat, map, embedding and reranking.
func limitsOf(dir string) ([]CallLimits, error) {
	source := Sources{File: filepath.Join(dir, FileName), Getenv: func(string) string { return "" }}
	general, task, err := endpoints(source)
	if err != nil {
		return nil, err
	}
	c, err := Load(source)
	if err != nil {
		return nil, err
	}
	embedding, err := c.EmbeddingEndpoint(general)
	if err != nil {
		return nil, err
	}
	rerank, err := c.RerankEndpoint()
	return []CallLimits{general.Calls, task.Calls, embedding.Calls, rerank.Calls}, err
}

// Every setting that a message of the model clients names exists. In a message,
// %s.timeout is the timeout of any section of models.
func TestMessagesNameSettings(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, s := range Settings() {
		known[s.Name] = true
	}
	sections := []string{"models.chat", "models.embedding"}
	for _, task := range Tasks() {
		sections = append(sections, "models."+task.Name)
	}
	named := 0
	check := func(path, key string) {
		if named++; !known[key] {
			t.Errorf("%s names the setting %s, which does not exist", path, key)
		}
	}
	full, short := regexp.MustCompile(`models\.[a-z]+\.[a-z_]+`), regexp.MustCompile(`%s\.([a-z_]+)`)
	err := filepath.WalkDir(filepath.Join("..", "llm"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		b, err := os.ReadFile(path)
		for _, key := range full.FindAllString(string(b), -1) {
			check(path, key)
		}
		for _, m := range short.FindAllStringSubmatch(string(b), -1) {
			for _, section := range sections {
				check(path, section+"."+m[1])
			}
		}
		return err
	})
	if err != nil || named < 4 {
		t.Errorf("found %d names, %v", named, err)
	}
}
