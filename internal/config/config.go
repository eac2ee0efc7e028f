// Package config holds the settings of the program: the list of them, the file
// neorag.yaml, the precedence of defaults, file, environment and flags, and which
// key goes to which model server. It knows no flag library: the command line hands
// over the values that were given.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// An Origin is the layer that a value comes from. Higher layers win.
type Origin int

// The layers, lowest first.
const (
	FromDefault Origin = iota
	FromFile
	FromEnv
	FromFlag
)

func (o Origin) String() string { return [...]string{"default", "file", "environment", "flag"}[o] }

// A Value is the value of a setting and where it comes from.
type Value struct {
	Setting

	Items  []string // of a List, Pairs or Parameters each item; else one or none
	Origin Origin
	Where  string // file with line, variable or flag; "" for a default
}

// Text returns the value of a setting that has one item; "" if it has none.
func (v Value) Text() string {
	if len(v.Items) == 0 {
		return ""
	}
	return v.Items[0]
}

// Sources are where Load looks for values above the defaults.
type Sources struct {
	Dir    string // folder in which neorag.yaml is read, if it exists
	File   string // another file, which must exist; "" means that of NEORAG_CONFIG, if any
	Getenv func(string) string
	Flag   func(Setting) (items []string, given bool) // value from the command line; nil means none
	Warn   func(message string)                       // receives warnings; nil discards them
}

// A Config is the value of every setting.
type Config struct {
	file   string
	values map[string]Value
	getenv func(string) string
	warn   func(string)
}

// Load reads the values of all settings. Its error joins one for every mistake in
// the file and the environment. Values from the command line are not checked.
func Load(s Sources) (*Config, error) {
	file, inFile, err := readFile(cmp.Or(s.File, s.Getenv(EnvConfig)), s.Dir)
	errs := []error{err}
	c := &Config{file: file, values: map[string]Value{}, getenv: s.Getenv, warn: s.Warn}
	for _, setting := range Settings() {
		v := Value{Setting: setting, Items: setting.Default}
		if f, given := inFile[setting.Name]; given {
			v.Items, v.Origin, v.Where = f.Items, FromFile, fmt.Sprintf("%s:%d", file, f.Line)
			if setting.Kind == Path && !filepath.IsAbs(f.Items[0]) {
				v.Items = one(filepath.Join(filepath.Dir(file), f.Items[0]))
			}
		}
		for _, name := range setting.Env {
			text := s.Getenv(name)
			if text == "" {
				continue
			}
			v.Items, v.Origin, v.Where = setting.split(text), FromEnv, name
			for _, item := range v.Items {
				if err := setting.Check(item); err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", name, err))
				}
			}
			break
		}
		if s.Flag != nil {
			if items, given := s.Flag(setting); given {
				v.Items, v.Origin, v.Where = items, FromFlag, "--"+setting.Flag
			}
		}
		c.values[setting.Name] = v
	}
	return c, errors.Join(errs...)
}

// split returns the items of an environment variable: commas separate those of a
// List, Pairs or Parameters.
func (s Setting) split(text string) []string {
	if !s.Kind.hasItems() {
		return one(text)
	}
	var out []string
	for item := range strings.SplitSeq(text, ",") {
		out = append(out, strings.TrimSpace(item))
	}
	return out
}

// File returns the path of the file that was read, "" if there was none.
func (c *Config) File() string { return c.file }

// Get returns the value of a key. An unknown key is a bug in the caller.
func (c *Config) Get(key string) Value {
	v, known := c.values[key]
	if !known {
		panic("config: no setting has the key " + key)
	}
	return v
}

// Values returns the values of all settings, in the order of the file.
func (c *Config) Values() []Value {
	out := make([]Value, 0, len(c.values))
	for _, s := range Settings() {
		out = append(out, c.values[s.Name])
	}
	return out
}

// text returns the value of a key with one item.
func (c *Config) text(key string) string { return c.Get(key).Text() }

// An Error is a mistake in the settings that a user can correct.
type Error struct{ message string }

func (e *Error) Error() string { return e.message }

func mistake(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }
