// Package prompts holds every prompt and its JSON schema, one file each. A
// user's folder overrides them by name. A prompt is text with placeholders such
// as {{question}}; what is put in for them is never read for placeholders again,
// so that no document can change a prompt. It imports the standard library alone.
package prompts

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed *.md *.schema.json
var files embed.FS

// The prompts. Each is the name of a file without its ending.
const (
	Extract      = "extract"
	FormatJSON   = "format-json"
	FormatTuples = "format-tuples"
	GleanAsk     = "glean-ask"
	Glean        = "glean"
	Claims       = "claims"
	ClaimsJSON   = "claims-json"
	ClaimsTuples = "claims-tuples"
	Summarise    = "summarise"
	Report       = "report"
	Map          = "map"
	Reduce       = "reduce"
	Answer       = "answer"
	Rate         = "rate"
	Drift        = "drift"
	DriftFollow  = "drift-follow"
	Local        = "local"
	Route        = "route"
	Rewrite      = "rewrite"
	fence        = "fence"
	separator    = "\n---\n"
	schemaEnding = ".schema.json"
	promptEnding = ".md"
	mostOverride = 1 << 20
	fenceForm    = "<<< %s >>>"
)

// placeholders are what each prompt is given, and so all that it may name.
var placeholders = map[string][]string{
	Extract: {"types", "format", "examples", "text"}, FormatJSON: {}, FormatTuples: {},
	GleanAsk: {"what"}, Glean: {"what"},
	Claims: {"types", "format", "text"}, ClaimsJSON: {}, ClaimsTuples: {},
	Summarise: {"limit", "name", "descriptions"},
	Report:    {"limit", "context"},
	Map:       {"kind", "question", "context"}, Reduce: {"kind", "question", "points"}, Answer: {"kind", "question", "context"},
	Rate:  {"question", "context"},
	Drift: {"kind", "question", "context"}, DriftFollow: {"kind", "question", "follow_up", "context"},
	Rewrite: {"question", "history"},
	Local:   {"question", "context"}, Route: {"question", "names"},
}

// material is what a prompt is of no use without.
var material = []string{"text", "descriptions", "context", "points", "question", "follow_up", "history"}

// ErrUnknown says that there is no prompt of a name.
var ErrUnknown = errors.New("there is no such prompt")

// Names are the names of all prompts, in alphabetical order.
func Names() []string {
	names := make([]string, 0, len(placeholders))
	for name := range placeholders {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// A Set is the prompts in effect: ours, and in place of them the files of the
// same names in Dir. The zero value is ours.
type Set struct{ Dir string }

// A Prompt is a text in two parts, and the schema of its answer if that is JSON.
type Prompt struct {
	Name   string
	System string // what is the same for every call comes first: servers keep it
	User   string
	Schema json.RawMessage // nil for text
}

// Get reads a prompt. A file of the user that names a placeholder which the
// prompt is not given, or leaves out the material, is an error.
func (s Set) Get(name string) (Prompt, error) {
	if _, ok := placeholders[name]; !ok {
		return Prompt{}, fmt.Errorf("prompt %s: %w: choose one of %s", name, ErrUnknown, strings.Join(Names(), ", "))
	}
	text, err := s.read(name + promptEnding)
	if err != nil {
		return Prompt{}, fmt.Errorf("prompt %s: %w", name, err)
	}
	schema, err := s.read(name + schemaEnding)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Prompt{}, fmt.Errorf("schema of prompt %s: %w", name, err)
	}
	p := Prompt{Name: name}
	if err == nil {
		if p.Schema = json.RawMessage(schema); !json.Valid(p.Schema) {
			return Prompt{}, fmt.Errorf("schema of prompt %s: it is not JSON", name)
		}
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if system, user, ok := strings.Cut(text, separator); ok {
		p.System, p.User = strings.TrimSpace(system), strings.TrimSpace(user)
	} else {
		p.User = strings.TrimSpace(text)
	}
	return p, p.check()
}

// read gives the user's file, else ours.
func (s Set) read(file string) (string, error) {
	if s.Dir != "" {
		b, err := readFile(filepath.Join(s.Dir, file))
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return b, err
		}
	}
	b, err := files.ReadFile(file)
	return string(b), err
}

func readFile(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.Size() > mostOverride {
		return "", fmt.Errorf("%s is larger than %d bytes", path, mostOverride)
	}
	b, err := os.ReadFile(path)
	return string(b), err
}

// check compares the placeholders that a prompt names with those it is given.
func (p Prompt) check() error {
	known := placeholders[p.Name]
	named := map[string]bool{}
	for _, part := range []string{p.System, p.User} {
		for _, name := range parse(part).names {
			if name != fence && !slices.Contains(known, name) {
				return fmt.Errorf("prompt %s: {{%s}} stands for nothing here: it may hold {{%s}}", p.Name, name, strings.Join(append(slices.Clone(known), fence), "}}, {{"))
			}
			named[name] = true
		}
	}
	for _, name := range known {
		if slices.Contains(material, name) && !named[name] {
			return fmt.Errorf("prompt %s: {{%s}} is missing: without it the model sees nothing of it", p.Name, name)
		}
	}
	return nil
}

// Fingerprint changes with the text of the prompt and its schema.
func (p Prompt) Fingerprint() string {
	sum := sha256.Sum256([]byte(p.Name + "\x1f" + p.System + "\x1f" + p.User + "\x1f" + string(p.Schema)))
	return hex.EncodeToString(sum[:16])
}

// Fingerprint is that of several prompts together. One that cannot be read
// counts as its error.
func (s Set) Fingerprint(names ...string) string {
	var all strings.Builder
	for _, name := range names {
		p, err := s.Get(name)
		if err != nil {
			all.WriteString(err.Error())
		}
		all.WriteString(p.Fingerprint())
	}
	sum := sha256.Sum256([]byte(all.String()))
	return hex.EncodeToString(sum[:16])
}

// Check reads every prompt and gives the first error.
func (s Set) Check() error {
	for _, name := range Names() {
		if _, err := s.Get(name); err != nil {
			return err
		}
	}
	return nil
}
