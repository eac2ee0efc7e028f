// Package evalimport reads questions from JSON and JSONL files whose fields have any names.
package evalimport

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/eval/evalrun"
)

// ErrImport is the cause of errors about a file or about the names of its fields.
var ErrImport = errors.New("cannot import questions")

// Fields are the paths of what a question has. Only Question is required.
type Fields struct {
	Items    string // of the questions in the file; "" if they are its lines, or the elements of a list at the top level
	ID       string // one or more paths, separated by commas; "" numbers the questions from 1
	Question string
	Answer   string
	Type     string
	Evidence string // of the names of documents
	// EvidenceSeparator separates several names in one text, "" if each has its own.
	EvidenceSeparator string
	// Unanswerable is the type of questions that the documents do not answer, in any case; "" means "null".
	Unanswerable string
}

// An Import is what a file holds.
type Import struct {
	Questions      []evalrun.Question `json:"questions"`
	SeveralAnswers int                `json:"several_answers"` // questions with several known answers, of which the first is kept
}

// Unanswerable is the type of questions that the documents do not answer.
const Unanswerable = "null"

// maxQuestion is the longest line of a question that `neorag eval` reads, in bytes.
const maxQuestion = 1 << 20

// Read reads the questions of a file.
func Read(r io.Reader, f Fields) (Import, error) {
	in := importer{fields: f, out: Import{Questions: []evalrun.Question{}}, used: map[string]bool{}, known: map[string]string{}}
	err := in.parse()
	if err == nil {
		err = eachItem(r, in.items, in.add)
	}
	if err == nil {
		err = in.check()
	}
	if err != nil {
		return Import{}, fmt.Errorf("%w: %w", ErrImport, err)
	}
	return in.out, nil
}

type importer struct {
	fields                           Fields
	items                            *Path
	id                               []Path
	question, answer, kind, evidence *Path
	out                              Import
	used                             map[string]bool   // flags whose path led to something
	known                            map[string]string // where an id was used
	first                            any               // item, for messages
}

// parse reads the paths.
func (in *importer) parse() error {
	if in.fields.Question == "" {
		return errors.New("name the field of the question with --question")
	}
	for _, p := range []struct {
		flag, text string
		to         **Path
	}{
		{"--items", in.fields.Items, &in.items},
		{"--question", in.fields.Question, &in.question},
		{"--answer", in.fields.Answer, &in.answer},
		{"--type", in.fields.Type, &in.kind},
		{"--evidence", in.fields.Evidence, &in.evidence},
	} {
		if p.text == "" {
			continue
		}
		path, err := ParsePath(p.text)
		if err != nil {
			return fmt.Errorf("%s: %w", p.flag, err)
		}
		*p.to = &path
	}
	if in.fields.ID == "" {
		return nil
	}
	for text := range strings.SplitSeq(in.fields.ID, ",") {
		path, err := ParsePath(strings.TrimSpace(text))
		if err != nil {
			return fmt.Errorf("--id: %w", err)
		}
		in.id = append(in.id, path)
	}
	return nil
}

// add adds the question of one item.
func (in *importer) add(it item) error {
	if in.first == nil {
		in.first = it.value
	}
	q, err := in.questionOf(it)
	if err != nil {
		return fmt.Errorf("%s: %w", it.where, err)
	}
	if before, twice := in.known[q.ID]; twice {
		return fmt.Errorf("%s: its id %q is also the id of %s: name another field with --id, several separated by commas, or leave the flag out", it.where, q.ID, before)
	}
	in.known[q.ID] = it.where
	if line, err := json.Marshal(q); err != nil || len(line) >= maxQuestion {
		return fmt.Errorf("%s: the question has more than %d bytes with its answer and evidence: check the names of the fields", it.where, maxQuestion)
	}
	in.out.Questions = append(in.out.Questions, q)
	return nil
}

func (in *importer) questionOf(it item) (evalrun.Question, error) {
	var q evalrun.Question
	all, err := in.texts("--question", in.question, it.value)
	if err != nil {
		return q, err
	}
	if len(all) != 1 {
		return q, fmt.Errorf("--question %s leads to %d texts, not one: the item is %s", in.question, len(all), fieldsOf(it.value))
	}
	q.Text = all[0]
	answers, err := in.texts("--answer", in.answer, it.value)
	if err != nil {
		return q, err
	}
	if len(answers) > 0 {
		q.Answer = answers[0]
	}
	if len(answers) > 1 {
		in.out.SeveralAnswers++
	}
	types, err := in.texts("--type", in.kind, it.value)
	if err != nil {
		return q, err
	}
	q.Type = strings.Join(types, " ")
	if unanswerable := in.fields.Unanswerable; strings.EqualFold(q.Type, Unanswerable) || unanswerable != "" && strings.EqualFold(q.Type, unanswerable) {
		q.Type = Unanswerable
	}
	if q.Documents, err = in.documents(it.value); err != nil {
		return q, err
	}
	q.ID, err = in.idOf(it)
	return q, err
}

// documents returns the names of the evidence, each once.
func (in *importer) documents(v any) ([]string, error) {
	texts, err := in.texts("--evidence", in.evidence, v)
	var out []string
	seen := map[string]bool{}
	for _, text := range texts {
		names := []string{text}
		if in.fields.EvidenceSeparator != "" {
			names = strings.Split(text, in.fields.EvidenceSeparator)
		}
		for _, name := range names {
			if name = strings.TrimSpace(name); name != "" && !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out, err
}

// idOf returns the id of an item.
func (in *importer) idOf(it item) (string, error) {
	if len(in.id) == 0 {
		if it.key != "" {
			return it.key, nil
		}
		return strconv.Itoa(len(in.out.Questions) + 1), nil
	}
	var parts []string
	for _, path := range in.id {
		texts, err := in.texts("--id", &path, it.value)
		if err != nil {
			return "", err
		}
		if len(texts) != 1 {
			return "", fmt.Errorf("--id %s leads to %d values, not one: the item is %s", path, len(texts), fieldsOf(it.value))
		}
		parts = append(parts, texts[0])
	}
	return strings.Join(parts, "/"), nil
}

// texts returns the texts that a path leads to, without empty ones. Lists count as their elements.
func (in *importer) texts(flag string, path *Path, v any) ([]string, error) {
	if path == nil {
		return nil, nil
	}
	var out []string
	for _, value := range path.Values(v) {
		if err := appendTexts(&out, value); err != nil {
			return nil, fmt.Errorf("%s %s leads to %w", flag, path, err)
		}
	}
	if len(out) > 0 {
		in.used[flag] = true
	}
	return out, nil
}

// appendTexts appends the texts in a value. The error is what the value is, if it has none.
func appendTexts(out *[]string, value any) error {
	text := ""
	switch v := value.(type) {
	case string:
		text = strings.TrimSpace(v)
	case json.Number:
		text = v.String()
	case bool:
		text = strconv.FormatBool(v)
	case []any:
		for _, element := range v {
			if err := appendTexts(out, element); err != nil {
				return err
			}
		}
	case map[string]any:
		return fmt.Errorf("%s: add the name of one of them to the path", fieldsOf(v))
	}
	if text != "" {
		*out = append(*out, text)
	}
	return nil
}

// check refuses a file without questions, and a path that leads to nothing in any item.
func (in *importer) check() error {
	if len(in.out.Questions) == 0 {
		return errors.New("the file has no items: if they are below a field, name it with --items")
	}
	for _, p := range []struct {
		flag string
		path *Path
	}{{"--answer", in.answer}, {"--type", in.kind}, {"--evidence", in.evidence}} {
		if p.path != nil && !in.used[p.flag] {
			return fmt.Errorf("%s %s leads to nothing in all %d items: the first is %s", p.flag, p.path, len(in.out.Questions), fieldsOf(in.first))
		}
	}
	return nil
}
