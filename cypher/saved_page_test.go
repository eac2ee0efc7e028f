package cypher

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// docs/explore.md is generated from the files.
func TestSavedQueriesPage(t *testing.T) {
	path := filepath.Join("..", "docs", "explore.md")
	want := savedQueriesPage(t)
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

func savedQueriesPage(t *testing.T) string {
	t.Helper()
	all, err := SavedQueries()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# Saved queries

%d queries explore the graph of a corpus, in Neo4j Browser or with `+"`neorag cypher`"+`. Each is a file in `+"`cypher/saved/`"+`. All of them only read, are bounded, stay in their corpus and are fast on a graph of 100,000 entities (`+"`make bench-explore`"+`).

`+"```sh"+`
neorag cypher --list                                   # all of them
neorag cypher entities/card --entity "Bob Cratchit"    # a table
neorag cypher communities/largest --level 1 --csv      # or CSV, or --json
neorag cypher communities/members --print              # the statement and its parameters, for Neo4j Browser
neorag cypher checks/labels --explain                  # the plan of the server
neorag cypher 'MATCH (e:Entity {corpus: $corpus}) WHERE e.degree > $least RETURN e.name' --param least=20
`+"```"+`

Parameters are flags, or `+"`--param name=value`"+`. The default of a parameter is in the table, or computed from the corpus: the entity with most relationships, the largest community, the latest run.
Your own statement runs in the read mode of the server. It is checked first: procedures and functions of plugins are allowed by a list, and `+"`LOAD CSV`"+`, other databases and whatever cannot be checked are refused. `+"`$corpus`"+` is the name of the corpus, and so is `+"`__corpus__`"+` in a label such as `+"`Entity___corpus__`"+`, which is quoted where the name has a dash or a dot. `+"`--limit`"+` is 100 rows by default, and `+"`--timeout`"+` ends a slow statement. With `+"`--csv`"+` an apostrophe precedes text that a spreadsheet would run as a formula, unless `+"`--raw`"+` is given.
Queries that draw return nodes, relationships or paths, which Browser shows as a picture.
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
