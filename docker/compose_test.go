package docker

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestComposeFile checks the Compose file of the server without Docker: it names settings that exist, the port of the
// server, and the version of Neo4j; Neo4j has no published port, and a token and a password are required.
func TestComposeFile(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	text, settings := read("docker/serve.compose.yaml"), read("docs/settings.md")
	neo4j, neorag, ok := strings.Cut(text, "\n  neorag:\n")
	if !ok {
		t.Fatal("no service neorag")
	}
	if strings.Contains(neo4j, "ports:") {
		t.Error("Neo4j has a published port")
	}
	if !strings.Contains(neo4j, "neo4j:"+Version+"-community") {
		t.Errorf("the image of Neo4j is not version %s", Version)
	}
	names := regexp.MustCompile(`(?m)^      ((?:NEORAG|NEO4J)_[A-Z_]+):`).FindAllStringSubmatch(neorag, -1)
	var named []string
	for _, n := range names {
		named = append(named, n[1])
		if !strings.Contains(settings, "`"+n[1]+"`") {
			t.Errorf("docs/settings.md has no variable %s", n[1])
		}
	}
	for _, want := range []string{"NEORAG_SERVE_ADDRESS", "NEORAG_SERVE_TOKEN", "NEO4J_URI", "NEO4J_PASSWORD", "NEORAG_HOME"} {
		if !slices.Contains(named, want) {
			t.Errorf("%s is not set", want)
		}
	}
	for _, required := range []string{"${NEO4J_PASSWORD:?", "${NEORAG_SERVE_TOKEN:?"} {
		if !strings.Contains(text, required) {
			t.Errorf("%s is not required", required)
		}
	}
	_, port, _ := strings.Cut(regexp.MustCompile("`serve.address`.*?`127.0.0.1(:\\d+)`").FindString(settings), "127.0.0.1:")
	if port = strings.Trim(port, "`"); port == "" || !strings.Contains(neorag, `0.0.0.0:`+port) || !strings.Contains(neorag, ":-"+port+"}:"+port) {
		t.Errorf("the port is not %q, as in docs/settings.md", port)
	}
}
