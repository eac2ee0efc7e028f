//go:build unix

package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/cli"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestClusterSchema checks cluster --json, with and without --write, against its schema.
func TestClusterSchema(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	schema := cli.StrictSchema(t, "cluster")
	edges := writeEdges(t, []namedEdge{{"a", "b", 1}, {"b", "c", 2}, {"d", "d", 1}})
	checkSchema(t, schema, "cluster of a file", p.ok("cluster", "--json", edges).stdout)
	label := p.load([]namedEdge{{"a", "b", 1}, {"b", "c", 2}})
	written := p.ok("cluster", "--json", "--nodes", label, "--write", "--prefix", "s"+strings.TrimPrefix(p.corpus, "t_")).stdout
	checkSchema(t, schema, "cluster --write", written)
	var result cli.Clustering
	if err := json.Unmarshal([]byte(written), &result); err != nil || result.Written == nil {
		t.Errorf("--write does not report what it wrote: %v in %s", err, written)
	}
}
