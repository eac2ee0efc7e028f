package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is the type of a setting's value.
type Kind int

// The kinds of values.
const (
	Text     Kind = iota
	Path          // a file or folder; in a file of settings it is relative to that file's folder
	Variable      // name of an environment variable that holds a key
	Whole         // integer
	Natural       // integer of at least 0
	Number
	Duration   // such as 90s or 20m, longer than 0
	Switch     // true or false
	List       // texts
	Pairs      // names from Choices with texts: name=text
	Parameters // any names with JSON values: name=value; a dot in a name leads into an object
)

var kinds = [...]string{
	Text: "a text", Path: "a path", Variable: "the name of an environment variable", Whole: "a whole number", Natural: "a whole number of at least 0",
	Number: "a number", Duration: "a duration such as 90s or 20m", Switch: "true or false", List: "a list of texts", Pairs: "names with texts", Parameters: "names with values",
}

func (k Kind) String() string { return kinds[k] }

// hasItems reports whether a value consists of several items.
func (k Kind) hasItems() bool { return k == List || k == Pairs || k == Parameters }

// A Key is the name and the type of a setting.
type Key struct {
	Name    string // dots lead into sections
	Kind    Kind
	Default []string // each item of a List, Pairs or Parameters; otherwise one or none
	Doc     string   // lines for a newcomer
	Choices []string // nil means any value
	Files   bool     // names of Pairs may follow a pattern of files and a colon, and values have commas
}

var variableName = regexp.MustCompile(`^[A-Z][A-Z0-9_]*_API_KEY$`)

// Check returns what is wrong with a value, or with one item of it, without
// showing it.
func (k Key) Check(text string) error {
	if secret(text) {
		return fmt.Errorf("%s looks like a key: put the key into an environment variable and name that variable in api_key_env", k.Name)
	}
	switch k.Kind {
	case Variable:
		if !variableName.MatchString(text) {
			return fmt.Errorf("%s is the name of the environment variable that holds the key, never the key: capital letters ending in _API_KEY, such as NEORAG_API_KEY", k.Name)
		}
	case Whole:
		_, err := strconv.ParseInt(text, 10, 64)
		return k.expected(err == nil)
	case Natural:
		_, err := strconv.ParseUint(text, 10, 63)
		return k.expected(err == nil)
	case Number:
		n, err := strconv.ParseFloat(text, 64)
		return k.expected(err == nil && !math.IsNaN(n) && !math.IsInf(n, 0))
	case Duration:
		d, err := time.ParseDuration(text)
		return k.expected(err == nil && d > 0)
	case Switch:
		return k.expected(text == "true" || text == "false")
	case Pairs:
		name, _, found := strings.Cut(text, "=")
		if !found || !k.has(name) {
			return fmt.Errorf("%s has the names %s, as in %s=NAME", k.Name, strings.Join(k.Choices, ", "), k.Choices[0])
		}
	case Parameters:
		_, _, err := ParseParameter(text)
		return err
	}
	if k.Kind != Pairs && k.Choices != nil && !slices.Contains(k.Choices, text) {
		return fmt.Errorf("%s: choose %s", k.Name, strings.Join(k.Choices, " or "))
	}
	return nil
}

// has reports whether Pairs have a name.
func (k Key) has(name string) bool {
	if k.Files {
		name = name[strings.LastIndexByte(name, ':')+1:]
	}
	return slices.Contains(k.Choices, name)
}

func (k Key) expected(ok bool) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%s: expected %s", k.Name, k.Kind)
}

var parameterName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$`)

// reservedParameters are the fields of a request that the program sets itself.
var reservedParameters = []string{"model", "messages", "stream", "stream_options", "response_format", "n", "tools"}

// ParseParameter splits name=value. The value is JSON, or else taken as a text.
func ParseParameter(text string) (name string, value any, err error) {
	name, raw, found := strings.Cut(text, "=")
	first, _, _ := strings.Cut(name, ".")
	switch {
	case !found || !parameterName.MatchString(name):
		return "", nil, errors.New("parameters: give NAME=VALUE; a name has letters, digits and _, and dots lead into objects")
	case slices.Contains(reservedParameters, strings.ToLower(first)):
		return "", nil, fmt.Errorf("parameters: the program sets %s itself", first)
	case secretName(name):
		return "", nil, errors.New("parameters: a key cannot be a parameter; name the environment variable that holds it in api_key_env")
	}
	if json.Unmarshal([]byte(raw), &value) != nil {
		value = raw
	}
	return name, value, nil
}
