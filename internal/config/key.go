package config

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/text"
)

// Kind is the type of a setting's value.
type Kind int

// The kinds of values.
const (
	Text       Kind = iota
	Path            // a file or folder; in a file of settings it is relative to that file's folder
	Variable        // name of an environment variable that holds a key
	Whole           // integer, within Bounds
	Number          // within Bounds
	Duration        // such as 90s or 20m, longer than 0
	Switch          // true or false
	List            // texts
	Pairs           // names from Choices with texts: name=text
	Parameters      // any names with JSON values: name=value; a dot in a name leads into an object
)

var kinds = [...]string{
	Text: "a text", Path: "a path", Variable: "the name of an environment variable", Whole: "a whole number",
	Number: "a number", Duration: "a duration such as 90s or 20m", Switch: "true or false", List: "a list of texts", Pairs: "names with texts", Parameters: "names with values",
}

func (k Kind) String() string { return kinds[k] }

// hasItems reports whether a value consists of several items.
func (k Kind) hasItems() bool { return k == List || k == Pairs || k == Parameters }

// Bounds are the least and the greatest value of a number.
type Bounds struct{ Min, Max float64 }

// The greatest values of numbers. All numbers have one, so that no slip of a digit, and no file of
// somebody else, makes the program spend without end.
const (
	maxCount  = 10_000_000    // of what has no cost
	maxTokens = 2_000_000     // of one context, which no model exceeds
	maxCalls  = 10_000        // of one question
	maxRate   = 1_000_000_000 // tokens or requests in a minute
	maxPrice  = 1_000_000     // of a million tokens
	maxSeed   = 1<<53 - 1     // which a float64 holds exactly
	maxMB     = 16 << 20
)

// maxItems is how many items a value has at most, unless its key has another limit.
const maxItems = 1000

func between(least, greatest float64) *Bounds { return &Bounds{least, greatest} }

func (b *Bounds) String() string {
	if b == nil {
		return ""
	}
	return " from " + decimal(b.Min) + " to " + decimal(b.Max)
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

func (b *Bounds) hold(x float64) bool { return b == nil || x >= b.Min && x <= b.Max }

// A Key is the name and the type of a setting.
type Key struct {
	Name    string // dots lead into sections
	Kind    Kind
	Bounds  *Bounds  // of a Whole or a Number; never nil in a setting
	Most    int      // number of items; 0 means maxItems
	Word    bool     // an item is a name, as in text.IsName, because it becomes part of prompts
	Default []string // each item of a List, Pairs or Parameters; otherwise one or none
	Doc     string   // lines for a newcomer
	Choices []string // nil means any value
	Files   bool     // names of Pairs may follow a pattern of files and a colon, and values have commas
}

var variableName = regexp.MustCompile(`^[A-Z][A-Z0-9_]*_API_KEY$`)

// Check returns what is wrong with a value, or with one item of it, without
// showing it.
func (k Key) Check(text string) error {
	_, err := k.Parse(text)
	return err
}

// Parse returns a value, or one item of it, as an int, a float64, a time.Duration, a bool or
// else a string. The error does not show the value.
func (k Key) Parse(text string) (any, error) {
	if secret(text) {
		return nil, fmt.Errorf("%s looks like a key: put the key into an environment variable and name that variable in api_key_env", k.Name)
	}
	switch k.Kind {
	case Whole:
		n, err := strconv.Atoi(text)
		return n, k.expected(err == nil && k.Bounds.hold(float64(n)))
	case Number:
		x, err := strconv.ParseFloat(text, 64)
		return x, k.expected(err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) && k.Bounds.hold(x))
	case Duration:
		d, err := time.ParseDuration(text)
		return d, k.expected(err == nil && d > 0)
	case Switch:
		return text == "true", k.expected(text == "true" || text == "false")
	}
	return text, k.checkText(text)
}

// checkText returns what is wrong with a text.
func (k Key) checkText(value string) error {
	switch k.Kind {
	case Variable:
		if !variableName.MatchString(value) {
			return fmt.Errorf("%s is the name of the environment variable that holds the key, never the key: capital letters ending in _API_KEY, such as NEORAG_API_KEY", k.Name)
		}
	case Pairs:
		name, _, found := strings.Cut(value, "=")
		if !found || !k.has(name) {
			return fmt.Errorf("%s: give NAME=VALUE with one of the names %s", k.Name, strings.Join(k.Choices, ", "))
		}
	case Parameters:
		_, _, err := ParseParameter(value)
		return err
	default:
		if k.Word && !text.IsName(value) {
			return fmt.Errorf("%s: give at most %d letters, digits, spaces and hyphens", k.Name, text.MaxName)
		}
		if k.Choices != nil && !slices.Contains(k.Choices, value) {
			return fmt.Errorf("%s: choose %s", k.Name, strings.Join(k.Choices, " or "))
		}
	}
	return nil
}

// checkItems returns an error for too many items.
func (k Key) checkItems(n int) error {
	if most := cmp.Or(k.Most, maxItems); n > most {
		return fmt.Errorf("%s: give at most %d values", k.Name, most)
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
	return fmt.Errorf("%s: expected %s", k.Name, k.describe())
}

// describe says which values the key takes.
func (k Key) describe() string { return k.Kind.String() + k.Bounds.String() }

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

var keyShape = regexp.MustCompile(`^(Bearer )?(sk-|gsk_|hf_|xai-|nvapi-|AIza)[-_A-Za-z0-9]{16,}`)

// secret reports whether a value has the shape of a known kind of API key.
func secret(text string) bool {
	return keyShape.MatchString(text) && strings.ContainsAny(text, "0123456789")
}

// secretName reports whether a name denotes an API key or a password, which no
// file may hold.
func secretName(name string) bool {
	word := strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(lastWord(name)))
	return slices.Contains([]string{"apikey", "key", "openaiapikey", "token", "apitoken", "secret", "authorization", "password", "bearer"}, word)
}
