package cli

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/cypher"
)

// completeCypher prints completions: the names of the saved queries, or the
// parameters of the query that was chosen.
func completeCypher(env *environment, chosen string) {
	if q, ok := cypher.FindSavedQuery(chosen); ok {
		for _, p := range q.Params {
			env.printf("--%s:%s\n", p.Name, p.Doc)
		}
		return
	}
	all, err := cypher.SavedQueries()
	if err != nil {
		return
	}
	for _, q := range all {
		_, title, _ := strings.Cut(q.Title, ": ")
		env.printf("%s:%s\n", q.Name, title)
	}
	env.printf("--list:list the saved queries\n")
}

// savedQueries is the shape of `cypher --list --json`.
type savedQueries struct {
	Queries []savedQuery `json:"queries"`
}

type savedQuery struct {
	Name        string       `json:"name"`
	Title       string       `json:"title"`
	Description string       `json:"description"`
	Draws       bool         `json:"draws"` // it returns a graph, which Neo4j Browser draws
	Params      []savedParam `json:"params"`
	Cypher      string       `json:"cypher"`
}

type savedParam struct {
	Name    string `json:"name"`
	Type    string `json:"type" enum:"text,whole,number"`
	Doc     string `json:"doc"`
	Default any    `json:"default,omitempty" types:"string,integer,number"` // absent if the corpus provides it
}

// listQueries prints the saved queries of a folder, all of them, or a single one.
func listQueries(env *environment, name string) error {
	all, err := cypher.SavedQueries()
	if err != nil {
		return err
	}
	name = strings.TrimSuffix(name, "/")
	chosen := slices.DeleteFunc(all, func(q cypher.SavedQuery) bool { return name != "" && q.Name != name && q.Category() != name })
	if len(chosen) == 0 {
		return usage("cypher: there is no query %q%s", name, nearestQuery(name))
	}
	if env.json {
		out := savedQueries{[]savedQuery{}}
		for _, q := range chosen {
			s := savedQuery{Name: q.Name, Title: q.Title, Description: q.Description, Draws: q.Draws, Params: []savedParam{}, Cypher: q.Text}
			for _, p := range q.Params {
				s.Params = append(s.Params, savedParam{p.Name, p.Type, p.Doc, p.Default})
			}
			out.Queries = append(out.Queries, s)
		}
		return env.printJSON(out)
	}
	if len(chosen) == 1 && chosen[0].Name == name {
		showQuery(env, chosen[0])
		return nil
	}
	for i, q := range chosen {
		_, title, _ := strings.Cut(q.Title, ": ")
		if i > 0 && chosen[i-1].Category() != q.Category() {
			env.printf("\n")
		}
		var flags []string
		for _, p := range q.Params {
			flags = append(flags, "--"+p.Name)
		}
		env.printf("%-26s %s%s\n", q.Name, title, strings.TrimRight("  "+strings.Join(flags, " "), " "))
	}
	return nil
}

func showQuery(env *environment, q cypher.SavedQuery) {
	env.printf("%s\n%s\n", q.Title, q.Description)
	if q.Draws {
		env.printf("It returns a graph that Neo4j Browser draws; `neorag cypher %s --print` prints the query to paste there.\n", q.Name)
	}
	env.printf("\n")
	for _, p := range q.Params {
		value := "from the corpus"
		if p.Default != nil {
			value = cypher.Literal(p.Default)
		}
		env.printf("  --%-12s %s (%s)\n", p.Name, p.Doc, value)
	}
	env.printf("\n%s\n", q.Text)
}
