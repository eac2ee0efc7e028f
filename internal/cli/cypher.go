package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/terminal"
)

// shownRows is how many rows are shown unless --limit says otherwise.
const shownRows = 100

func (c *command) cypher() *ucli.Command {
	return &ucli.Command{
		Name:      "cypher",
		Usage:     "look into the graph: a saved query by its name, or Cypher that only reads",
		ArgsUsage: "NAME | \"MATCH ...\" | -",
		Description: "`neorag cypher --list` lists the saved queries, `neorag cypher --list NAME` shows one; their parameters are flags, and what is left out is taken from the corpus.\n" +
			"In a statement of your own $corpus is the name of the corpus, and so is __corpus__ in labels such as Entity___corpus__; - reads it from standard input.\n" +
			"Tables are cut to the width of the terminal; --json and --csv give whole values.",
		Flags: slices.Concat([]ucli.Flag{
			corpusFlag(), dataFlag(),
			&ucli.GenericFlag{Name: "param", Value: &texts{}, Usage: "`NAME=VALUE` of a parameter: JSON, or else a text", DefaultText: "none"},
			&ucli.IntFlag{Name: "limit", Usage: "`ROWS` at most; 0 for all", DefaultText: fmt.Sprintf("%d, or as the saved query says", shownRows)},
			&ucli.DurationFlag{Name: "timeout", Value: time.Minute, Usage: "the server ends the statement after this `TIME`"},
			&ucli.BoolFlag{Name: "csv", Usage: "print CSV", DisableDefaultText: true},
			&ucli.BoolFlag{Name: "explain", Usage: "print how the server would run it", DisableDefaultText: true},
			&ucli.BoolFlag{Name: "print", Usage: "print the statement with its values, for Neo4j Browser", DisableDefaultText: true},
			&ucli.BoolFlag{Name: "list", Usage: "list the saved queries, those of a folder, or show one", DisableDefaultText: true},
		}, exploreFlags()),
		Action:       c.runCypher,
		BashComplete: c.completeCypher,
	}
}

// texts collects what a flag was given, each time it was given.
type texts []string

func (t *texts) Set(text string) error { *t = append(*t, text); return nil }
func (t *texts) String() string        { return strings.Join(*t, " ") }

// queryName is what a name looks like: no statement of Cypher does.
var queryName = regexp.MustCompile(`^[A-Za-z_/-]+$`)

func (c *command) runCypher(cc *ucli.Context) error {
	text := strings.TrimSpace(strings.Join(cc.Args().Slice(), " "))
	if cc.Bool("list") {
		return c.listQueries(cc, text)
	}
	if text == "" {
		return usage("cypher: give the name of a saved query, or a statement; `neorag cypher --list` lists them")
	}
	if cc.Int("limit") < 0 {
		return usage("cypher: --limit is a number of rows, and 0 for all")
	}
	if cc.Duration("timeout") < time.Millisecond {
		return usage("cypher: --timeout is a time such as 30s")
	}
	corpus, err := c.corpus(cc)
	if err != nil {
		return err
	}
	if text == "-" {
		if text, err = readStatement(c.env.Stdin); err != nil {
			return err
		}
	} else if queryName.MatchString(text) {
		q, ok := cypher.FindSavedQuery(text)
		if !ok {
			return usage("cypher: there is no query %q%s", text, nearestQuery(text))
		}
		return c.savedCypher(cc, corpus, q)
	}
	if flags := savedOnly(cc); len(flags) > 0 {
		return usage("cypher: --%s belongs to saved queries; give a statement --param %s=VALUE", flags[0], flags[0])
	}
	params, err := freeParams(cc, corpus)
	if err != nil {
		return err
	}
	if cc.Bool("print") {
		return usage("cypher: --print is for saved queries")
	}
	limit := shownRows
	if cc.IsSet("limit") {
		limit = cc.Int("limit")
	}
	question := neo4jstore.UserQuery{Text: strings.ReplaceAll(text, "__corpus__", corpus), Params: params, Limit: limit, Timeout: cc.Duration("timeout")}
	return c.withStore(cc.Context, cc, func(store *neo4jstore.Store) error { return c.askGraph(cc, store, "", question) })
}

// statementSize bounds a statement on standard input, in bytes.
const statementSize = 1 << 20

func readStatement(in io.Reader) (string, error) {
	body, err := io.ReadAll(io.LimitReader(in, statementSize+1))
	if err != nil {
		return "", fmt.Errorf("read the statement: %w", err)
	}
	if len(body) > statementSize {
		return "", usage("cypher: the statement is larger than 1 MB")
	}
	return string(body), nil
}

// savedCypher runs a saved query with what was given and what the corpus has.
func (c *command) savedCypher(cc *ucli.Context, corpus string, q cypher.SavedQuery) error {
	given, err := savedParams(cc, q)
	if err != nil {
		return err
	}
	return c.withStore(cc.Context, cc, func(store *neo4jstore.Store) error {
		if strings.Contains(q.Text, "corpus") {
			if _, err := store.Corpus(cc.Context, corpus); err != nil {
				return err
			}
		}
		rest := q
		rest.Params = slices.DeleteFunc(slices.Clone(q.Params), func(p cypher.SavedParam) bool { return given[p.Name] != nil })
		defaults, err := store.SavedQueryDefaults(cc.Context, corpus, rest)
		if err != nil {
			return err
		}
		for _, p := range rest.Params {
			value, ok := defaults[0][p.Name]
			if !ok {
				return &userError{code: exitFailure, message: fmt.Sprintf("cypher: the corpus has nothing for --%s (%s)", p.Name, p.Doc), hint: "index documents first, or give a value"}
			}
			given[p.Name] = value
		}
		if cc.Bool("print") {
			text, err := q.WithParams(corpus, given)
			if err != nil {
				return err
			}
			c.printf("%s\n", text)
			return nil
		}
		given["corpus"] = corpus
		return c.askGraph(cc, store, q.Name, neo4jstore.UserQuery{Text: q.ForCorpus(corpus), Params: given, Timeout: cc.Duration("timeout"), Trusted: true})
	})
}

// askGraph prints what the server answers, or how it would.
func (c *command) askGraph(cc *ucli.Context, store *neo4jstore.Store, name string, q neo4jstore.UserQuery) error {
	if cc.Bool("explain") {
		plan, err := store.Explain(cc.Context, q)
		if err != nil {
			return askFailed(err)
		}
		if cc.Bool("json") {
			return c.printJSON(map[string]any{"plan": plan.Steps})
		}
		c.printf("%s\n", terminal.Sanitize(plan.Text))
		return nil
	}
	table, err := store.RunReadOnly(cc.Context, q)
	if err != nil {
		return askFailed(err)
	}
	if cc.Bool("json") {
		return c.printJSON(jsonTable(name, table))
	}
	if cc.Bool("csv") {
		return writeCSV(c.env.Stdout, table)
	}
	writeTable(c.env.Stdout, table)
	saved, _ := cypher.FindSavedQuery(name)
	limit, _ := q.Params["limit"].(int64)
	switch {
	case table.More:
		c.note(cc, "%d rows, and there are more; --limit gives others, 0 all", len(table.Rows))
	case len(table.Rows) == 0 && saved.Empty != "":
		c.note(cc, "no rows: %s", saved.Empty)
	case name != "" && limit > 0 && int64(len(table.Rows)) == limit:
		c.note(cc, "%s, which is the limit; --limit gives more", counted(len(table.Rows), "row"))
	default:
		c.note(cc, "%s", counted(len(table.Rows), "row"))
	}
	return nil
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// askFailed says how a statement can be mended.
func askFailed(err error) error {
	switch {
	case errors.Is(err, neo4jstore.ErrReadOnly):
		return &userError{code: exitFailure, message: "cypher: " + err.Error(), hint: "use Neo4j Browser or cypher-shell for what changes something", cause: err}
	case errors.Is(err, neo4jstore.ErrStatement):
		return &userError{code: exitUsage, message: "cypher: " + terminal.Sanitize(err.Error()), cause: err}
	case errors.Is(err, neo4jstore.ErrTimeLimit):
		return &userError{code: exitFailure, message: "cypher: " + err.Error(), hint: "give it more --timeout, or ask for less: --explain shows what it reads", cause: err}
	}
	return err
}

// nearestQuery offers the query of the nearest name.
func nearestQuery(typed string) string {
	all, err := cypher.SavedQueries()
	if err != nil {
		return ""
	}
	near := func(name string) int {
		_, last, _ := strings.Cut(name, "/")
		if last == typed || strings.HasPrefix(name, typed) {
			return 0
		}
		return min(config.Distance(typed, name), 1+config.Distance(typed, last))
	}
	best := slices.MinFunc(all, func(a, b cypher.SavedQuery) int { return cmp.Compare(near(a.Name), near(b.Name)) })
	if near(best.Name) > 3 {
		return "; `neorag cypher --list` lists all"
	}
	return fmt.Sprintf("; did you mean %s?", best.Name)
}
