package config

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
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
	Dir    string     // folder in which neorag.yaml is found, if it exists
	File   string     // another file, which must exist; "" means the file that NEORAG_CONFIG names, if any
	Trust  TrustStore // decides whether restricted settings of a found file count
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

	trusted  bool
	trustErr error
	ignored  []Value
}

// Load reads the values of all settings, and checks them. Its error joins one for every
// mistake, which names the line, the variable or the flag that the value is from.
func Load(s Sources) (*Config, error) {
	named := cmp.Or(s.File, s.Getenv(EnvConfig))
	file, content, err := readFile(named, s.Dir)
	c := &Config{file: file, values: map[string]Value{}, getenv: s.Getenv, warn: s.Warn, trusted: true}
	errs := []error{err}
	var inFile map[string]fileValue
	if file != "" && err == nil {
		inFile, err = parseFile(file, string(content), keys())
		errs = append(errs, err)
		if named == "" {
			c.trusted, c.trustErr = s.trusts(file, content, inFile)
		}
	}
	for _, setting := range Settings() {
		v := Value{Setting: setting, Items: setting.Default}
		var untrusted *Value
		if f, given := inFile[setting.Name]; given {
			fromFile := setting.fromFile(file, f)
			if c.trusted || !setting.Restricted() {
				v = fromFile
			} else if !setting.isDefault(f.Items) {
				untrusted = &fromFile
			}
		}
		v, err = s.above(v)
		if untrusted != nil && v.Origin == FromDefault {
			c.ignored = append(c.ignored, *untrusted)
		}
		errs = append(errs, err)
		c.values[setting.Name] = v
	}
	return c, errors.Join(errs...)
}

// trusts reports whether the user trusts a file that was found, with what its values refer to.
func (s Sources) trusts(file string, content []byte, values map[string]fileValue) (bool, error) {
	at, err := place(file)
	if err != nil {
		return false, fmt.Errorf("check trust: %w", err)
	}
	f := File{Path: file, Content: content}
	if f.References, err = references(filepath.Dir(at), values); err != nil {
		return false, fmt.Errorf("check trust: %w", err)
	}
	return s.Trust.Trusted(f)
}

// fromFile returns the value of a setting in a file.
func (s Setting) fromFile(file string, f fileValue) Value {
	v := Value{Setting: s, Items: f.Items, Origin: FromFile, Where: fmt.Sprintf("%s:%d", file, f.Line)}
	if s.Kind == Path && !filepath.IsAbs(f.Items[0]) {
		v.Items = one(filepath.Join(filepath.Dir(file), f.Items[0]))
	}
	return v
}

func (s Setting) isDefault(items []string) bool { return slices.Equal(items, s.Default) }

// above returns the value of a setting in the environment or on the command line, or
// else the given one.
func (s Sources) above(v Value) (Value, error) {
	for _, name := range v.Env {
		if text := s.Getenv(name); text != "" {
			v.Items, v.Origin, v.Where = v.split(text), FromEnv, name
			break
		}
	}
	err := v.checkOutside()
	if s.Flag != nil {
		if items, given := s.Flag(v.Setting); given {
			v.Items, v.Origin, v.Where = v.join(items), FromFlag, "--"+v.Flag
			err = errors.Join(err, v.checkOutside())
		}
	}
	return v, err
}

// checkOutside returns what is wrong with the items of a value from the environment or the
// command line. An empty text means a default that depends on something.
func (v Value) checkOutside() error {
	if v.Origin < FromEnv || v.Text() == "" && v.Kind <= Variable && len(v.Default) == 0 {
		return nil
	}
	var errs []error
	if err := v.checkItems(len(v.Items)); err != nil {
		errs = append(errs, fmt.Errorf("%s: %w", v.Where, err))
	}
	for _, item := range v.Items {
		if err := v.Check(item); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", v.Where, err))
		}
	}
	return errors.Join(errs...)
}

// split returns the items of an environment variable: commas separate the items of a
// List, Pairs or Parameters.
func (s Setting) split(text string) []string {
	if !s.Kind.hasItems() {
		return one(text)
	}
	var out []string
	for item := range strings.SplitSeq(text, ",") {
		out = append(out, strings.TrimSpace(item))
	}
	return s.join(out)
}

// join returns items that were separated by commas, which the values of a name may have too.
func (s Setting) join(items []string) []string {
	if !s.Files {
		return items
	}
	return JoinValues(items)
}

// JoinValues joins the values of a name that were separated at their commas: an item without a
// name is another value of the name before it.
func JoinValues(items []string) []string {
	var out []string
	for _, item := range items {
		if n := len(out); n > 0 && !strings.Contains(item, "=") {
			out[n-1] += "," + item
			continue
		}
		out = append(out, item)
	}
	return out
}

// File returns the path of the file that was read, "" if there was none.
func (c *Config) File() string { return c.file }

// Ignored returns the values of a found file that have no effect because the user does
// not trust the file. Values that the environment or a flag overrides are left out. The
// error is why existing records of trust were not believed, nil for none.
func (c *Config) Ignored() ([]Value, error) { return c.ignored, c.trustErr }

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

// Parsed returns the value of a key as Key.Parse does, nil if it is empty. A key with several
// items has its first.
func (c *Config) Parsed(key string) any {
	v := c.Get(key)
	if v.Text() == "" {
		return nil
	}
	x, _ := v.Parse(v.Text()) // Load checked it
	return x
}

// Text returns the value of a key as a text.
func (c *Config) Text(key string) string { return c.Get(key).Text() }

// Items returns the items of a key; nil for none.
func (c *Config) Items(key string) []string { return c.Get(key).Items }

// Int returns the value of a Whole; 0 if it is empty.
func (c *Config) Int(key string) int { return parsed[int](c, key) }

// Float returns the value of a Number; 0 if it is empty.
func (c *Config) Float(key string) float64 { return parsed[float64](c, key) }

// Bool returns the value of a Switch.
func (c *Config) Bool(key string) bool { return parsed[bool](c, key) }

// parsed returns the value of a key; the zero value if it is empty.
func parsed[T any](c *Config, key string) (value T) {
	override(c, &value, key)
	return value
}

// override replaces what to points to by the value of a key, and reports whether there is one.
// A key of another type is a bug in the caller.
func override[T any](c *Config, to *T, key string) bool {
	value := c.Parsed(key)
	if value == nil {
		return false
	}
	*to = value.(T)
	return true
}

// An Error is a mistake in the settings that a user can correct.
type Error struct{ message string }

func (e *Error) Error() string { return e.message }

func mistake(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }
