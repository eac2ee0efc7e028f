package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/cypher"
)

// savedQueryParams returns the parameters of all saved queries by name, without
// duplicates and without limit, which is a flag of every statement.
func savedQueryParams() []cypher.SavedParam {
	all, err := cypher.SavedQueries()
	if err != nil {
		return nil // a test checks the files, and the command reports the error
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

// savedQueryFlags are the parameters of saved queries as flags.
func savedQueryFlags() []ucli.Flag {
	var flags []ucli.Flag
	for _, p := range savedQueryParams() {
		flags = append(flags, &ucli.StringFlag{Name: p.Name, Category: savedGroup, Usage: paramUsage(p) + " (" + queriesWith(p.Name) + ")"})
	}
	return flags
}

var placeholder = regexp.MustCompile(`\b[A-Z]+\b`)

// paramUsage returns the usage of a parameter as a flag. The first word in capitals is
// the placeholder of its value.
func paramUsage(p cypher.SavedParam) string {
	at := placeholder.FindStringIndex(p.Doc)
	if at == nil {
		return p.Doc
	}
	return p.Doc[:at[0]] + "`" + p.Doc[at[0]:at[1]] + "`" + p.Doc[at[1]:]
}

// queriesWith lists the saved queries that have a parameter or, if there are more than
// two, their folders.
func queriesWith(param string) string {
	all, err := cypher.SavedQueries()
	if err != nil {
		return ""
	}
	var names, folders []string
	for _, q := range all {
		if slices.ContainsFunc(q.Params, func(p cypher.SavedParam) bool { return p.Name == param }) {
			names, folders = append(names, q.Name), append(folders, q.Category())
		}
	}
	if len(names) > 2 {
		names = slices.Compact(folders) // queries are in name order
	}
	return strings.Join(names, ", ")
}

// savedParams returns the given parameters of a saved query, with their types.
func savedParams(o cypherOptions, q cypher.SavedQuery) (map[string]any, error) {
	given := map[string]string{}
	for _, item := range o.params {
		name, value, ok := strings.Cut(item, "=")
		if !ok {
			return nil, usage("cypher: --param %s: give NAME=VALUE", item)
		}
		given[name] = value
	}
	maps.Copy(given, o.flags)
	if o.limit != nil {
		given["limit"] = strconv.Itoa(*o.limit)
	}
	values := map[string]any{}
	for _, p := range q.Params {
		text, ok := given[p.Name]
		if !ok {
			continue
		}
		delete(given, p.Name)
		value, err := p.Parse(text)
		if err != nil {
			return nil, usage("cypher: %s: %v", q.Name, err)
		}
		if n, ok := value.(int64); ok && n < 0 {
			return nil, usage("cypher: %s: %s must be at least 0", q.Name, p.Name)
		}
		values[p.Name] = value
		if p.Name == "limit" && value == int64(0) {
			values[p.Name] = int64(1 << 53) // no limit; a double holds it exactly
		}
	}
	for name := range given {
		return nil, usage("cypher: %s has no parameter %s%s", q.Name, name, listParams(q))
	}
	return values, nil
}

// listParams completes an error with the parameters that a query has.
func listParams(q cypher.SavedQuery) string {
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

// statementParams returns the parameters of a user's statement, which include the
// corpus.
func statementParams(given []string, corpus string) (map[string]any, error) {
	params := map[string]any{"corpus": corpus}
	for _, item := range given {
		name, text, ok := strings.Cut(item, "=")
		if !ok || !paramName.MatchString(name) {
			return nil, usage("cypher: --param %s: give NAME=VALUE; a name has letters, digits and _", item)
		}
		params[name] = parseParam(text)
	}
	return params, nil
}

// parseParam decodes JSON, with integers as int64; anything else is a text.
func parseParam(text string) any {
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return text
	}
	if _, err := decoder.Token(); err != io.EOF {
		return text
	}
	return convertNumbers(value)
}

// convertNumbers replaces each json.Number by an int64 or else a float64.
func convertNumbers(value any) any {
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
			v[i] = convertNumbers(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = convertNumbers(v[name])
		}
	}
	return value
}
