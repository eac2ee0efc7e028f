package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/cli/table"
	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/store/neo4jstore/usercypher"
)

// defaultRows is the limit of rows without --limit.
const defaultRows = 100

func newCypherCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "cypher",
		Usage:     "query the graph with a saved query or a read-only Cypher statement",
		ArgsUsage: "NAME | \"MATCH ...\" | -",
		Description: "`neorag cypher` alone lists the saved queries, and `neorag cypher --list NAME` shows a query with its parameters.\n" +
			"Each parameter is a flag. A flag that is not given has a default, or a value from the corpus, such as the entity with most relationships.\n" +
			"In your own statement, the parameter $corpus is the name of the corpus, and the text __corpus__ is replaced by it:\n" +
			"in the corpus main, the label Entity___corpus__ becomes Entity_main. Use - to read the statement from standard input.\n" +
			"Tables are cut to the width of the terminal; --json and --csv print whole values.",
		Flags: slices.Concat([]ucli.Flag{
			corpusFlag(),
			&ucli.BoolFlag{Name: "list", Usage: "list the saved queries, or the queries of the folder NAME, or show the query NAME", DisableDefaultText: true},
			&ucli.GenericFlag{Name: "param", Value: &paramList{}, Usage: "set a parameter: `NAME=VALUE`, where the value is JSON, or else a string (repeatable)", DefaultText: "none"},
			&ucli.IntFlag{Name: "limit", Usage: "return at most `N` rows; 0 for all", DefaultText: fmt.Sprintf("%d, or the limit of the saved query", defaultRows)},
			&ucli.IntFlag{Name: "max-memory", Value: 128, Usage: "stop a statement of yours when its result takes more than `MB` of memory; 0 for any size"},
			&ucli.DurationFlag{Name: "timeout", Value: time.Minute, Usage: "stop the statement after `DURATION`"},
			&ucli.BoolFlag{Name: "csv", Usage: "print CSV", DisableDefaultText: true},
			rawFlag(),
			&ucli.BoolFlag{Name: "explain", Usage: "print the query plan instead of running the statement", DisableDefaultText: true},
			&ucli.BoolFlag{Name: "print", Usage: "print the saved query with its values, for Neo4j Browser", DisableDefaultText: true},
		}, savedQueryFlags(), serverFlags()),
		Action:       action(env, cypherOptionsFrom, runCypher),
		BashComplete: func(cc *ucli.Context) { completeCypher(env, cc.Args().First()) },
	}
}

type cypherOptions struct {
	corpus  string
	text    string // name of a saved query, a statement, or "-"; with list a name, a folder or ""
	list    bool
	params  []string          // NAME=VALUE
	flags   map[string]string // parameters of saved queries that were given as flags
	limit   *int              // nil means the default
	timeout time.Duration
	memory  int // MB; 0 for any
	csv     bool
	raw     bool
	explain bool
	print   bool
	hint    bool // the list says what else the command does
}

// runs reports whether there are options that only a statement has a use for.
func (o cypherOptions) runs() bool {
	return len(o.params)+len(o.flags) > 0 || o.limit != nil || o.csv || o.raw || o.explain || o.print
}

func cypherOptionsFrom(cc invocation) (o cypherOptions, err error) {
	o = cypherOptions{
		text: strings.TrimSpace(strings.Join(cc.Args().Slice(), " ")), list: cc.Bool("list"), params: givenParams(cc), flags: map[string]string{},
		timeout: cc.Duration("timeout"), memory: cc.Int("max-memory"), csv: cc.Bool("csv"), raw: cc.Bool("raw"), explain: cc.Bool("explain"), print: cc.Bool("print"),
	}
	for _, p := range savedQueryParams() {
		if cc.IsSet(p.Name) {
			o.flags[p.Name] = cc.String(p.Name)
		}
	}
	if cc.IsSet("limit") {
		limit := cc.Int("limit")
		o.limit = &limit
	}
	switch {
	case o.list:
		return o, nil
	case o.text == "" && !o.runs():
		o.list, o.hint = true, true
		return o, nil
	case o.text == "":
		return o, usage("cypher: give the name of a saved query, or a statement; `neorag cypher` alone lists the queries")
	case o.limit != nil && *o.limit < 0:
		return o, usage("cypher: --limit takes a number of rows, or 0 for all")
	case o.memory < 0:
		return o, usage("cypher: --max-memory takes a number of MB, or 0 for any size")
	case o.raw && !o.csv:
		return o, usage("cypher: --raw is for --csv")
	case o.timeout < time.Millisecond:
		return o, usage("cypher: --timeout takes a duration such as 30s")
	}
	o.corpus, err = corpusFrom(cc)
	return o, err
}

// A paramList collects the values of a flag that is given several times.
type paramList []string

func (l *paramList) Set(text string) error { *l = append(*l, text); return nil }
func (l *paramList) String() string        { return strings.Join(*l, " ") }

func givenParams(cc invocation) []string {
	given, ok := cc.Generic("param").(*paramList)
	if !ok {
		return nil
	}
	return *given
}

// queryName matches names of saved queries, and no Cypher statement.
var queryName = regexp.MustCompile(`^[A-Za-z_/-]+$`)

func runCypher(ctx context.Context, env *environment, o cypherOptions) error {
	if o.list {
		err := listQueries(env, o.text)
		if o.hint && err == nil {
			env.note("\n`neorag cypher NAME` runs a query, `neorag cypher --list NAME` shows it, and `neorag cypher 'MATCH ...'` runs your own read-only statement")
		}
		return err
	}
	statement := o.text
	if statement == "-" {
		var err error
		if statement, err = readStandardInput(ctx, env.Stdin, "cypher", "statement"); err != nil {
			return err
		}
	} else if queryName.MatchString(statement) {
		q, ok := cypher.FindSavedQuery(statement)
		if !ok {
			return usage("cypher: there is no query %q%s", statement, nearestQuery(statement))
		}
		return runSavedQuery(ctx, env, o, q)
	}
	if flags := slices.Sorted(maps.Keys(o.flags)); len(flags) > 0 {
		return usage("cypher: --%s is a parameter of saved queries; for a statement use --param %s=VALUE", flags[0], flags[0])
	}
	params, err := statementParams(o.params, o.corpus)
	if err != nil {
		return err
	}
	if o.print {
		return usage("cypher: --print is for saved queries")
	}
	limit := defaultRows
	if o.limit != nil {
		limit = *o.limit
	}
	q := usercypher.Query{
		Text: cypher.ForCorpus(statement, o.corpus), Params: params, Limit: limit, Timeout: o.timeout, MaxBytes: int64(o.memory) << 20,
		TooLarge: func(err error) { env.end(cypherError(err)) },
	}
	return withStore(ctx, env, func(store *neo4jstore.Store) error { return runUserQuery(ctx, env, o, store, "", q, nil) })
}

// runSavedQuery runs a saved query with the given parameters; the corpus provides
// the others.
func runSavedQuery(ctx context.Context, env *environment, o cypherOptions, q cypher.SavedQuery) error {
	params, err := savedParams(o, q)
	if err != nil {
		return err
	}
	given := maps.Clone(params)
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		if strings.Contains(q.Text, "corpus") {
			if _, err := store.Corpus(ctx, o.corpus); err != nil {
				return err
			}
		}
		rest := q
		rest.Params = slices.DeleteFunc(slices.Clone(q.Params), func(p cypher.SavedParam) bool { return params[p.Name] != nil })
		defaults, err := store.SavedQueryDefaults(ctx, o.corpus, rest)
		if err != nil {
			return err
		}
		for _, p := range rest.Params {
			value, ok := defaults[0][p.Name]
			if !ok {
				return failure(nil, fmt.Sprintf("cypher: the corpus has no value for --%s (%s)", p.Name, p.Doc), "index documents first, or give a value")
			}
			params[p.Name] = value
		}
		if o.print {
			text, err := q.WithParams(o.corpus, params)
			if err != nil {
				return err
			}
			env.printf("%s\n", text)
			return nil
		}
		params["corpus"] = o.corpus
		return runUserQuery(ctx, env, o, store, q.Name, usercypher.Query{Text: q.ForCorpus(o.corpus), Params: params, Timeout: o.timeout, Trusted: true}, given)
	})
}

// cypherPlan is the shape of `cypher --explain --json`.
type cypherPlan struct {
	Plan []usercypher.PlanStep `json:"plan"`
}

// runUserQuery prints the rows of a statement, or its plan. Name is the name of a saved query, ""
// for any other statement, and given are the parameters that were given for it.
func runUserQuery(ctx context.Context, env *environment, o cypherOptions, store *neo4jstore.Store, name string, q usercypher.Query, given map[string]any) error {
	if o.explain {
		plan, err := store.Explain(ctx, q)
		if err != nil {
			return cypherError(err)
		}
		return env.print(cypherPlan{plan.Steps}, func() { env.printf("%s\n", plan.Text) })
	}
	result, err := store.RunReadOnly(ctx, q)
	switch {
	case err != nil:
		return cypherError(err)
	case env.json:
		return env.printJSON(table.ToJSON(name, result))
	case o.csv:
		return table.WriteCSV(env.Stdout, result, o.raw)
	}
	table.Write(env.Stdout, result)
	if saved, ok := cypher.FindSavedQuery(name); ok && len(result.Rows) == 0 {
		if noted, err := noteUnknownName(ctx, env, store, o.corpus, saved, given); noted || err != nil {
			return err
		}
	}
	limit, _ := q.Params["limit"].(int64)
	noteRows(env, name, result, limit)
	return nil
}

// noteRows notes how many rows there are, and why none or not all are shown.
func noteRows(env *environment, name string, result usercypher.Table, limit int64) {
	saved, _ := cypher.FindSavedQuery(name)
	switch {
	case result.More:
		env.note("%s, and there are more; --limit sets the limit, 0 for all", rowCount(len(result.Rows)))
	case len(result.Rows) == 0 && saved.Empty != "":
		env.note("no rows: %s", saved.Empty)
	case name != "" && limit > 0 && int64(len(result.Rows)) == limit:
		env.note("%s, which is the limit; --limit sets another", rowCount(len(result.Rows)))
	default:
		env.note("%s", rowCount(len(result.Rows)))
	}
}

func rowCount(n int) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

// cypherError adds hints to the errors of a statement.
func cypherError(err error) error {
	switch {
	case errors.Is(err, usercypher.ErrSize):
		return failure(err, "cypher: "+err.Error(), "return less, such as single properties or fewer rows, or raise --max-memory")
	case errors.Is(err, usercypher.ErrTimeLimit):
		return failure(err, "cypher: "+err.Error(), "raise --timeout, or read less: --explain shows what the statement reads")
	}
	return fmt.Errorf("cypher: %w", err)
}

// nearestQuery suggests the saved query with the closest name.
func nearestQuery(typed string) string {
	all, err := cypher.SavedQueries()
	if err != nil {
		return ""
	}
	distance := func(name string) int {
		_, last, _ := strings.Cut(name, "/")
		if last == typed || strings.HasPrefix(name, typed) {
			return 0
		}
		return min(config.Distance(typed, name), 1+config.Distance(typed, last))
	}
	best := slices.MinFunc(all, func(a, b cypher.SavedQuery) int { return cmp.Compare(distance(a.Name), distance(b.Name)) })
	if distance(best.Name) > 3 {
		return "; `neorag cypher --list` lists all queries"
	}
	return fmt.Sprintf("; did you mean %s?", best.Name)
}
