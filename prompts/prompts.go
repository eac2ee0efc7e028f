// Package prompts holds all prompts and their JSON schemas, one file each. Files in
// a folder of the user override them by name. A prompt is a text with placeholders
// such as {{question}}. Their values are never searched for placeholders, so that no
// document can change a prompt.
package prompts

import (
	"bytes"
	"cmp"
	"context"
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
	"strconv"
	"strings"
)

//go:embed *.md *.schema.json
var files embed.FS

// The names of the prompts: file names without the extension.
const (
	Extract      = "extract"
	FormatJSON   = "format-json"
	FormatTuples = "format-tuples"
	JointJSON    = "joint-json"
	JointTuples  = "joint-tuples"
	GleanList    = "glean-list"
	GleanAsk     = "glean-ask"
	Glean        = "glean"
	Claims       = "claims"
	ClaimsStep   = "claims-step"
	ClaimsJSON   = "claims-json"
	ClaimsTuples = "claims-tuples"
	Summarise    = "summarise"
	SameNames    = "same-names"
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
	Keywords     = "keywords"
	Queries      = "queries"
	QueriesMore  = "queries-more"
	HyDE         = "hyde"
	Refine       = "refine"
	Facts        = "facts"
	Relevance    = "relevance"
	AnswerTypes  = "answer-types"
	CheckQuotes  = "check-quotes"

	Tune    = "tune"
	Support = "support"

	AnswerClaims   = "answer-claims"
	AnswerCorrect  = "answer-correct"
	AnswerEvidence = "answer-evidence"

	CorpusDescription = "corpus-description"
	Personas          = "personas"
	PersonaTasks      = "persona-tasks"
	PersonaQuestions  = "persona-questions"

	HeadToHead                 = "head-to-head"
	CriterionComprehensiveness = "criterion-comprehensiveness"
	CriterionDiversity         = "criterion-diversity"
	CriterionEmpowerment       = "criterion-empowerment"
	CriterionDirectness        = "criterion-directness"
	CriterionOverall           = "criterion-overall"

	CiteSentences = "cite-sentences"
	CiteRecords   = "cite-records"
)

const (
	promptExtension = ".md"
	schemaExtension = ".schema.json"
	partSeparator   = "\n---\n" // between the system and the user message
	fenceName       = "fence"   // the placeholder that every prompt may use
	fenceFormat     = "<<< %s >>>"
	maxFileSize     = 1 << 20 // bytes of a file of the user
)

// placeholders lists, for each prompt, the placeholders that it may use besides
// {{fence}}.
var placeholders = map[string][]string{
	Extract: {"types", "claims", "format", "examples", "text"}, FormatJSON: {}, FormatTuples: {}, JointJSON: {}, JointTuples: {},
	GleanList: {"what", "empty"}, GleanAsk: {"what"}, Glean: {"what"},
	Claims: {"types", "claims", "format", "names", "text"}, ClaimsStep: {}, ClaimsJSON: {}, ClaimsTuples: {},
	Summarise: {"limit", "words", "language", "name", "descriptions"},
	SameNames: {"context"},
	Report:    {"kinds", "example", "limit", "words", "findings", "language", "context"},
	Map:       citing("count", "question", "context"), Reduce: citing("question", "points"),
	Answer: citing("question", "context"), Local: citing("question", "context"),
	Rate:  {"question", "context"},
	Drift: citing("question", "context"), DriftFollow: citing("question", "follow_up", "found", "context"),
	Rewrite: {"question", "history"},
	Route:   {"question", "names"}, Keywords: {"question"},
	HyDE: {"count", "question", "language"}, Refine: {"question"}, Facts: {"question", "context"}, Relevance: {"question", "text"}, AnswerTypes: {"question", "types"},
	CheckQuotes: {"text"},
	Queries:     {"count", "text"}, QueriesMore: {"have", "missing"},
	Tune:              {"count", "context"},
	CorpusDescription: {"context"}, Personas: {"count", "description", "known"},
	PersonaTasks:               {"count", "description", "persona", "known"},
	PersonaQuestions:           {"count", "description", "persona", "task", "known"},
	HeadToHead:                 {"definition", "question", "first", "second", "criterion"},
	CriterionComprehensiveness: {}, CriterionDiversity: {}, CriterionEmpowerment: {}, CriterionDirectness: {}, CriterionOverall: {},
	AnswerClaims: {"question", "text"}, AnswerCorrect: {"question", "known_answer", "text"}, AnswerEvidence: {"text"},
	Support: {"context"}, CiteSentences: {"kind"}, CiteRecords: {"kind"},
}

// citing adds the placeholders that say how to cite: the kinds of records, the preferred kind,
// what an example of a citation names, and which numbers to use.
func citing(names ...string) []string {
	return append([]string{"kind", "kinds", "example", "numbers"}, names...)
}

// required lists the placeholders that a prompt must use if it has a value for them.
var required = []string{"text", "descriptions", "context", "points", "question", "follow_up", "history", "description", "persona", "task", "first", "second", "known_answer"}

// An Asker asks a model for the JSON of a prompt. An answer that valid refuses is asked for
// again.
type Asker func(ctx context.Context, prompt string, values Values, valid func(answer string) error) (string, error)

// Ask has ask answer a prompt, refuses answers that parse cannot read, and returns what parse read.
func Ask[T any](ctx context.Context, ask Asker, prompt string, values Values, parse func(answer string) (T, error)) (T, error) {
	answer, err := ask(ctx, prompt, values, func(answer string) error { _, err := parse(answer); return err })
	if err != nil {
		var none T
		return none, err
	}
	return parse(answer)
}

// ErrUnknown means that no prompt has the given name.
var ErrUnknown = errors.New("unknown prompt")

// Names returns the names of all prompts in alphabetical order.
func Names() []string {
	names := make([]string, 0, len(placeholders))
	for name := range placeholders {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Files returns the names of the files in a folder of a user that are obeyed, in alphabetical order.
func Files() []string {
	all := []string{DomainFile}
	for name := range placeholders {
		all = append(all, name+promptExtension, name+schemaExtension)
	}
	slices.Sort(all)
	return all
}

// A Set is the prompts in effect: the built-in ones, overridden by files of the same
// names in Dir. The zero value is the built-in prompts.
type Set struct{ Dir string }

// A Prompt is a template of two messages, and the schema of the answer.
type Prompt struct {
	Name   string
	System string // starts with what is the same in all calls, which servers cache
	User   string
	Schema json.RawMessage // nil if the answer is text
}

// Get returns a prompt. It is an error if a file of the user has a placeholder that
// the prompt does not know, or lacks one that it requires.
func (s Set) Get(name string) (Prompt, error) {
	if _, ok := placeholders[name]; !ok {
		return Prompt{}, fmt.Errorf("%w %q: choose one of %s", ErrUnknown, name, strings.Join(Names(), ", "))
	}
	text, err := s.read(name + promptExtension)
	if err != nil {
		return Prompt{}, fmt.Errorf("read prompt %s: %w", name, err)
	}
	schema, err := s.read(name + schemaExtension)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Prompt{}, fmt.Errorf("read schema of prompt %s: %w", name, err)
	}
	p := Prompt{Name: name}
	if err == nil {
		if p.Schema = json.RawMessage(schema); !json.Valid(p.Schema) {
			return Prompt{}, fmt.Errorf("schema of prompt %s: not valid JSON", name)
		}
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if system, user, ok := strings.Cut(text, partSeparator); ok {
		p.System, p.User = strings.TrimSpace(system), strings.TrimSpace(user)
	} else {
		p.User = strings.TrimSpace(text)
	}
	return p, p.check()
}

// read returns the user's file if there is one, else the built-in file.
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
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a regular file", path)
	}
	if info.Size() > maxFileSize {
		return "", fmt.Errorf("%s is larger than %d bytes", path, maxFileSize)
	}
	b, err := os.ReadFile(path)
	return string(b), err
}

// DomainFile is the name of a file in a folder of prompts that says what the documents are about.
const DomainFile = "domain.json"

// Domain returns the file DomainFile in Dir, nil if there is none.
func (s Set) Domain() ([]byte, error) {
	if s.Dir == "" {
		return nil, nil
	}
	text, err := readFile(filepath.Join(s.Dir, DomainFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return []byte(text), err
}

// Uses reports whether the prompt has a placeholder of that name.
func (p Prompt) Uses(placeholder string) bool {
	return slices.Contains(parse(p.System).names, placeholder) || slices.Contains(parse(p.User).names, placeholder)
}

// SchemaWith returns the schema of the answer, where a list of strings replaces the text
// "{{name}}" of a placeholder.
func (p Prompt) SchemaWith(name string, list []string) (json.RawMessage, error) {
	value, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("schema of prompt %s: %w", p.Name, err)
	}
	return bytes.ReplaceAll(p.Schema, []byte(`"{{`+name+`}}"`), value), nil
}

// SchemaOf returns the schema of the answer, where a whole number among the values replaces the text
// "{{name}}" of its placeholder, so that the schema and the prompt name the same limit.
func (p Prompt) SchemaOf(values Values) json.RawMessage {
	schema := p.Schema
	for name, value := range values {
		if n, err := strconv.Atoi(value); err == nil {
			schema = bytes.ReplaceAll(schema, []byte(`"{{`+name+`}}"`), []byte(strconv.Itoa(n)))
		}
	}
	return schema
}

// check compares the placeholders of a prompt with those that it may and must use.
func (p Prompt) check() error {
	known := placeholders[p.Name]
	used := map[string]bool{}
	for _, part := range []string{p.System, p.User} {
		for _, name := range parse(part).names {
			if name != fenceName && !slices.Contains(known, name) {
				return fmt.Errorf("prompt %s: unknown placeholder {{%s}}: use {{%s}}", p.Name, name, strings.Join(append(slices.Clone(known), fenceName), "}}, {{"))
			}
			used[name] = true
		}
	}
	for _, name := range known {
		if slices.Contains(required, name) && !used[name] {
			return fmt.Errorf("prompt %s: {{%s}} is missing: the model would not see its value", p.Name, name)
		}
	}
	return nil
}

// sameResults maps the hash of a built-in prompt to that of its earlier text, where what was
// made with the earlier text may stay: corpora have paid for it. Hashes of texts between the two stay too: a
// folder of the user may hold a copy.
var sameResults = map[string]string{
	"67d45c2a3a04a94b2656991e24f8ba43": "8e27cbf11eea45c65793ec29ae4286e8", // extract
	"675f84c9e9a926dffe17400928c6718c": "8e27cbf11eea45c65793ec29ae4286e8", // extract
	"b65cf9d97faa410b2bac0c9c929c2031": "577390e003201e1a2d16b4e32027f52b", // claims-step
	"30ff0f3b75a487c9dea38eeb9ca3c4fb": "c84f660c0ad20d66025a36ef93c2bb1d", // glean-list
	"31026f8a8ff8c03b4e49086f8d87b29c": "c744be487ce4b34ebad6130243929b39", // claims
	"8a0f6605137b078363b8bbb6c23b7279": "2902b8bab54f60e3042772b645ffc239", // report
	"7c040c404ad81727acc78c02f4a77558": "519f3c4b6d40498bcb0da1e6045b6435", // summarise
}

// Fingerprint returns a hash of the text of the prompt and its schema. It stays the same when a
// built-in prompt changes in a way that leaves earlier results valid.
func (p Prompt) Fingerprint() string {
	sum := sha256.Sum256([]byte(p.Name + "\x1f" + p.System + "\x1f" + p.User + "\x1f" + string(p.Schema)))
	hash := hex.EncodeToString(sum[:16])
	return cmp.Or(sameResults[hash], hash)
}

// Fingerprint returns a hash of several prompts. A prompt that cannot be read counts
// with its error.
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

// Check reads all prompts and returns the first error.
func (s Set) Check() error {
	if err := s.CheckFolder(); err != nil {
		return err
	}
	for _, name := range Names() {
		if _, err := s.Get(name); err != nil {
			return err
		}
	}
	return nil
}

// CheckFolder returns an error if Dir is no folder, or if the name of a file in it looks
// like that of a prompt and is not: the file would have no effect. A README is allowed.
func (s Set) CheckFolder() error {
	if s.Dir == "" {
		return nil
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return fmt.Errorf("read the folder of prompts: %w", err)
	}
	for _, e := range entries {
		file := e.Name()
		extension := strings.ToLower(filepath.Ext(file))
		name, isSchema := strings.CutSuffix(file, schemaExtension)
		if !isSchema {
			name = strings.TrimSuffix(file, promptExtension)
		}
		_, known := placeholders[name]
		known = known && name != file
		looksLike := slices.Contains([]string{promptExtension, ".json", ".txt"}, extension) && !e.IsDir() && !strings.HasPrefix(file, ".")
		if looksLike && !known && file != DomainFile && !strings.EqualFold(file, "README"+promptExtension) {
			return fmt.Errorf("%q in %s is not the file of a prompt and would have no effect: name it NAME%s or NAME%s, where NAME is one of %s",
				file, s.Dir, promptExtension, schemaExtension, strings.Join(Names(), ", "))
		}
	}
	return nil
}
