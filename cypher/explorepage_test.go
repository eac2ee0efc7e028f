package cypher

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestExplorePage holds docs/explore.md to the files.
func TestExplorePage(t *testing.T) {
	path := filepath.Join("..", "docs", "explore.md")
	want := explorePage(t)
	if os.Getenv("NEORAG_UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("run with NEORAG_UPDATE=1 (-want +got):\n%s", diff)
	}
}

func explorePage(t *testing.T) string {
	t.Helper()
	all, err := SavedQueries()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# Queries for people

%d queries look into the graph of a corpus, in Neo4j Browser or by `+"`neorag cypher`"+`. Each is a file below `+"`cypher/saved/`"+`; none writes, and each is bounded, stays in its corpus and is quick on a graph of 100,000 entities (`+"`make bench-explore`"+`).

`+"```sh"+`
neorag cypher --list                                   # all of them
neorag cypher entities/card --entity "Bob Cratchit"    # a table
neorag cypher communities/largest --level 1 --csv      # or CSV, or --json
neorag cypher communities/members --print              # the statement with its values, for Neo4j Browser
neorag cypher checks/labels --explain                  # how the server runs it
neorag cypher 'MATCH (e:Entity {corpus: $corpus}) WHERE e.degree > $least RETURN e.name' --param least=20
`+"```"+`

Parameters are flags, or `+"`--param name=value`"+`. One that is left out has the value below, or is computed from the corpus: the entity with most relationships, the largest community, the newest run.
A statement of your own runs in a mode in which the server refuses to write; `+"`$corpus`"+` stands for the corpus, and so does `+"`__corpus__`"+` in a label such as `+"`Entity___corpus__`"+`. At most 100 rows are shown unless `+"`--limit`"+` says otherwise, and `+"`--timeout`"+` ends what takes too long.
Those that draw return nodes, relationships or paths, which Browser shows as a picture.
`, len(all))
	for i, q := range all {
		if i == 0 || all[i-1].Category() != q.Category() {
			category := q.Category()
			fmt.Fprintf(&b, "\n## %s\n\n| query | shows | parameters |\n|---|---|---|\n", strings.ToUpper(category[:1])+category[1:])
		}
		text := q.Description
		if q.Draws {
			text += " Draws."
		}
		if q.Empty != "" {
			text += " No rows: " + q.Empty + "."
		}
		var params []string
		for _, p := range q.Params {
			value := " (computed)"
			if p.Default != nil {
				value = " (" + Literal(p.Default) + ")"
			}
			params = append(params, "`"+p.Name+"`"+value)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", q.Name, strings.ReplaceAll(text, "|", "\\|"), strings.Join(params, ", "))
	}
	return b.String()
}
