package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPasswordStaysOnItsServer checks which server gets the password of Neo4j, with
// the server chosen in every layer.
func TestPasswordStaysOnItsServer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, file, variable, flag string // addresses
		sent                       bool
	}{
		{name: "a named file", file: "bolt://one", sent: true},
		{name: "a variable", variable: "bolt://one", sent: true},
		{name: "a variable over a file", file: "bolt://two", variable: "bolt://one", sent: true},
		{name: "a flag", flag: "bolt://one", sent: true},
		{name: "a flag over a file", file: "bolt://two", flag: "bolt://one", sent: true},
		{name: "a flag over a variable", variable: "bolt://one", flag: "bolt://two"},
		{name: "a flag with another port", variable: "bolt://one", flag: "bolt://one:7688"},
		{name: "a flag without TLS", variable: "neo4j+s://one", flag: "bolt://one"},
		{name: "a flag that accepts any certificate", variable: "neo4j+s://one", flag: "neo4j+ssc://one"},
		{name: "a flag for the same server", variable: "neo4j://one", flag: "bolt+s://ONE:7687", sent: true},
		{name: "neither", sent: true},
		{name: "no address", variable: "bolt://one", flag: "::"},
	} {
		file := filepath.Join(t.TempDir(), FileName)
		if err := os.WriteFile(file, []byte("neo4j: {uri: \""+tt.file+"\"}"), 0o600); err != nil {
			t.Fatal(err)
		}
		env := map[string]string{"NEO4J_URI": tt.variable, "NEO4J_PASSWORD": "secret"}
		c, err := Load(Sources{
			File: file, Getenv: func(name string) string { return env[name] },
			Flag: func(s Setting) ([]string, bool) { return []string{tt.flag}, s.Name == "neo4j.uri" && tt.flag != "" },
		})
		if err != nil {
			t.Fatal(err)
		}
		password, err := c.Neo4jPassword()
		if sent := password == "secret" && err == nil; sent != tt.sent || !sent && (password != "" || !strings.Contains(err.Error(), "set NEO4J_URI")) {
			t.Errorf("%s: got %q, %v, want it sent: %v", tt.name, password, err, tt.sent)
		}
	}
}
