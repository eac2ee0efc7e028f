// Package config reads a file of settings against the list of keys that a
// program has. Whatever is wrong in a file is said at once, each with its line; no
// error shows a value, since a key of a model may have been pasted there.
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
)

// Kind is what a value has to be.
type Kind int

// The kinds of values.
const (
	Text     Kind = iota
	Path          // a file or folder; in a file of settings it starts from that file's folder
	Variable      // name of an environment variable that holds a key
	Whole         // whole number
	Natural       // whole number from 0
	Number
	Switch     // true or false
	List       // texts
	Pairs      // names from Choices with texts: name=text
	Parameters // any names with JSON values: name=value, a dot in a name leads into an object
)

var kinds = [...]string{
	Text: "a text", Path: "a path", Variable: "the name of an environment variable", Whole: "a whole number", Natural: "a whole number from 0",
	Number: "a number", Switch: "true or false", List: "a list of texts", Pairs: "names with texts", Parameters: "names with values",
}

func (k Kind) String() string { return kinds[k] }

// A Key is a setting.
type Key struct {
	Name    string // dots lead into sections
	Kind    Kind
	Default []string // of List, Pairs and Parameters each item; else one or none
	Doc     string   // lines for a newcomer
	Choices []string // nil: any
}

var variableName = regexp.MustCompile(`^[A-Z][A-Z0-9_]*_API_KEY$`)

// Check tells what is wrong with a value, or an item of one, without showing it.
func (k Key) Check(text string) error {
	if secret(text) {
		return fmt.Errorf("%s looks like a key: keys stand in environment variables, and api_key_env names the variable", k.Name)
	}
	switch k.Kind {
	case Variable:
		if !variableName.MatchString(text) {
			return fmt.Errorf("%s is the name of the environment variable that holds the key, never the key: in capitals with _API_KEY at the end, such as NEORAG_API_KEY", k.Name)
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
	case Switch:
		return k.expected(text == "true" || text == "false")
	case Pairs:
		name, _, found := strings.Cut(text, "=")
		if !found || !slices.Contains(k.Choices, name) {
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

func (k Key) expected(ok bool) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%s: expected %s", k.Name, k.Kind)
}

var parameterName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$`)

// ownParameters are those fields of a request that prompts and answers rest on.
var ownParameters = []string{"model", "messages", "stream", "stream_options", "response_format", "n", "tools"}

// ParseParameter reads name=value, where the value is JSON or else a text.
func ParseParameter(text string) (name string, value any, err error) {
	name, raw, found := strings.Cut(text, "=")
	first, _, _ := strings.Cut(name, ".")
	switch {
	case !found || !parameterName.MatchString(name):
		return "", nil, errors.New("parameters: give NAME=VALUE; a name is of letters, digits and _, and dots lead into objects")
	case slices.Contains(ownParameters, strings.ToLower(first)):
		return "", nil, fmt.Errorf("parameters: %s is set by the program", first)
	case secretName(name):
		return "", nil, errors.New("parameters: a key is no parameter; api_key_env names the environment variable that holds it")
	}
	if json.Unmarshal([]byte(raw), &value) != nil {
		value = raw
	}
	return name, value, nil
}
