//go:build unix

package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/docker"
	"github.com/neorag/neorag/internal/store/localneo4j"
)

// admin runs neo4j-admin on the data folder of a server that does not run, and returns
// what it printed.
func admin(t *testing.T, data string, args ...string) (string, error) {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	lib := filepath.Join(cache, "neorag", "neo4j-"+docker.Version, "lib", "*")
	java := []string{"-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", lib, "org.neo4j.cli.AdminTool"}
	cmd := exec.CommandContext(t.Context(), "java", append(java, args...)...)
	cmd.Dir = t.TempDir() // for reports of the check
	cmd.Env = append(os.Environ(), "NEO4J_HOME="+data, "NEO4J_CONF="+filepath.Join(data, "conf"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// checkDatabase stops a server, and lets Neo4j check the consistency of its records,
// indexes and counts.
func checkDatabase(t *testing.T, o localneo4j.Options) {
	t.Helper()
	stopServer(t, o)
	for _, name := range []string{"neo4j", "system"} {
		if out, err := admin(t, o.Data, "database", "check", name); err != nil || !strings.Contains(out, "Index structure consistency check") {
			t.Errorf("neo4j-admin database check %s: %v\n%s", name, err, out)
		}
	}
}

// checkDamageIsFound checks that checkDatabase can fail: it overwrites a record of a stopped
// server, which the check must find.
func checkDamageIsFound(t *testing.T, data string) {
	t.Helper()
	path := filepath.Join(data, "data", "databases", "neo4j", "neostore.relationshipstore.db")
	store, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(store) / 4; i < len(store)/4+100; i++ {
		store[i] ^= 0x5a
	}
	if err := os.WriteFile(path, store, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := admin(t, data, "database", "check", "neo4j"); err == nil {
		t.Errorf("neo4j-admin database check does not find overwritten records:\n%s", out)
	}
}
