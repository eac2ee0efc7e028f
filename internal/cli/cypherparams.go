package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/cypher"
)

// exploreParams are the parameters of the saved queries by name, each once,
// without limit, which is a flag of its own.
func exploreParams() []cypher.SavedParam {
	all, err := cypher.SavedQueries()
	if err != nil {
		return nil // a test holds the files; the command itself says what is wrong
	}
	var params []cypher.SavedParam
	for _, q := range all {
		for _, p := range q.Params {
			if p.Name != "limit" && !slices.ContainsFunc(params, func(known cypher.SavedParam) bool { return known.Name == p.Name }) {
				params = append(params, p)
			}
		}
	}
	slices.SortFunc(params, func(a, b cypher.SavedParam) int { return strings.Compare(a.Name, b.Name) })
	return params
}

// exploreFlags are the parameters of the saved queries as flags.
func exploreFlags() []ucli.Flag {
	var flags []ucli.Flag
	for _, p := range exploreParams() {
		flags = append(flags, &ucli.StringFlag{Name: p.Name, Usage: "of a saved query: " + strings.ReplaceAll(p.Doc, "`", ""), DefaultText: "as the query says"})
	}
	return flags
}

// savedOnly are the flags of saved queries that were given.
func savedOnly(cc *ucli.Context) []string {
	var given []string
	for _, p := range exploreParams() {
		if cc.IsSet(p.Name) {
			given = append(given, p.Name)
		}
	}
	return given
}

func givenParams(cc *ucli.Context) []string {
	given, ok := cc.Generic("param").(*texts)
	if !ok {
		return nil
	}
	return *given
}

// savedParams are the values that were given for a saved query.
func savedParams(cc *ucli.Context, q cypher.SavedQuery) (map[string]any, error) {
	written := map[string]string{}
	for _, item := range givenParams(cc) {
		name, value, ok := strings.Cut(item, "=")
		if !ok {
			return nil, usage("cypher: --param %s: give NAME=VALUE", item)
		}
		written[name] = value
	}
	for _, name := range append(savedOnly(cc), "limit") {
		if cc.IsSet(name) {
			written[name] = fmt.Sprint(cc.Value(name))
		}
	}
	values := map[string]any{}
	for _, p := range q.Params {
		text, ok := written[p.Name]
		if !ok {
			continue
		}
		delete(written, p.Name)
		value, err := p.Parse(text)
		if err != nil {
			return nil, usage("cypher: %s: %v", q.Name, err)
		}
		if n, ok := value.(int64); ok && n < 0 {
			return nil, usage("cypher: %s: %s is at least 0", q.Name, p.Name)
		}
		values[p.Name] = value
		if p.Name == "limit" && value == int64(0) {
			values[p.Name] = int64(1 << 53)
		}
	}
	for name := range written {
		return nil, usage("cypher: %s has no parameter %s%s", q.Name, name, paramsOf(q))
	}
	return values, nil
}

func paramsOf(q cypher.SavedQuery) string {
	var names []string
	for _, p := range q.Params {
		names = append(names, "--"+p.Name)
	}
	if len(names) == 0 {
		return "; it has none"
	}
	return "; it has " + strings.Join(names, ", ")
}

var paramName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// freeParams are the parameters of a person's own statement.
func freeParams(cc *ucli.Context, corpus string) (map[string]any, error) {
	params := map[string]any{"corpus": corpus}
	for _, item := range givenParams(cc) {
		name, text, ok := strings.Cut(item, "=")
		if !ok || !paramName.MatchString(name) {
			return nil, usage("cypher: --param %s: give NAME=VALUE; a name is of letters, digits and _", item)
		}
		params[name] = typed(text)
	}
	return params, nil
}

// typed reads JSON, with whole numbers as such; anything else is a text.
func typed(text string) any {
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return text
	}
	if _, err := decoder.Token(); err != io.EOF {
		return text
	}
	return numbers(value)
}

func numbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		if n, err := v.Float64(); err == nil {
			return n
		}
		return v.String()
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = numbers(v[name])
		}
	}
	return value
}

// completeCypher offers the names of the saved queries, and then the flags of
// the one that was chosen.
func (c *command) completeCypher(cc *ucli.Context) {
	if q, ok := cypher.FindSavedQuery(cc.Args().First()); ok {
		for _, p := range q.Params {
			c.printf("--%s:%s\n", p.Name, p.Doc)
		}
		return
	}
	all, err := cypher.SavedQueries()
	if err != nil {
		return
	}
	for _, q := range all {
		_, title, _ := strings.Cut(q.Title, ": ")
		c.printf("%s:%s\n", q.Name, title)
	}
	c.printf("--list:list the saved queries\n")
}

// savedQuery is the shape of a saved query in `cypher --list --json`.
type savedQuery struct {
	Name        string       `json:"name"`
	Title       string       `json:"title"`
	Description string       `json:"description"`
	Draws       bool         `json:"draws"` // returns what a picture shows
	Params      []savedParam `json:"params"`
	Cypher      string       `json:"cypher"`
}

type savedParam struct {
	Name    string `json:"name"`
	Type    string `json:"type"` // text, whole or number
	Doc     string `json:"doc"`
	Default any    `json:"default,omitempty"` // absent where the corpus decides
}

// listQueries lists saved queries, those of a folder, or shows one.
func (c *command) listQueries(cc *ucli.Context, name string) error {
	all, err := cypher.SavedQueries()
	if err != nil {
		return err
	}
	name = strings.TrimSuffix(name, "/")
	chosen := slices.DeleteFunc(all, func(q cypher.SavedQuery) bool { return name != "" && q.Name != name && q.Category() != name })
	if len(chosen) == 0 {
		return usage("cypher: there is no query %q%s", name, nearestQuery(name))
	}
	if cc.Bool("json") {
		out := []savedQuery{}
		for _, q := range chosen {
			s := savedQuery{Name: q.Name, Title: q.Title, Description: q.Description, Draws: q.Draws, Params: []savedParam{}, Cypher: q.Text}
			for _, p := range q.Params {
				s.Params = append(s.Params, savedParam{p.Name, p.Type, p.Doc, p.Default})
			}
			out = append(out, s)
		}
		return c.printJSON(map[string]any{"queries": out})
	}
	if len(chosen) == 1 && chosen[0].Name == name {
		c.showQuery(chosen[0])
		return nil
	}
	for i, q := range chosen {
		_, title, _ := strings.Cut(q.Title, ": ")
		if i > 0 && chosen[i-1].Category() != q.Category() {
			c.printf("\n")
		}
		var flags []string
		for _, p := range q.Params {
			flags = append(flags, "--"+p.Name)
		}
		c.printf("%-26s %s%s\n", q.Name, title, strings.TrimRight("  "+strings.Join(flags, " "), " "))
	}
	return nil
}

func (c *command) showQuery(q cypher.SavedQuery) {
	c.printf("%s\n%s\n", q.Title, q.Description)
	if q.Draws {
		c.printf("It returns what Neo4j Browser draws: `neorag cypher %s --print` prints it for there.\n", q.Name)
	}
	c.printf("\n")
	for _, p := range q.Params {
		value := "from the corpus"
		if p.Default != nil {
			value = cypher.Literal(p.Default)
		}
		c.printf("  --%-12s %s (%s)\n", p.Name, p.Doc, value)
	}
	c.printf("\n%s\n", q.Text)
}
