package extract

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/prompts"
)

// A Domain says what the documents of a corpus are about, for the prompts of extraction. The
// zero value says nothing. Its JSON is the file domain.json in a folder of prompts.
type Domain struct {
	// Description is what the documents are about, in one or two sentences.
	Description string    `json:"description,omitempty"`
	EntityTypes []string  `json:"entity_types,omitempty"`
	Examples    []Example `json:"examples,omitempty"`
}

// An Example is a short passage with the records that a model is to find in it. Strengths are
// from 1 to 10. Claims are shown where claims are asked for; absent if they are not known.
type Example struct {
	Text          string                     `json:"text"`
	Entities      []graph.EntityRecord       `json:"entities" types:"array,null"`
	Relationships []graph.RelationshipRecord `json:"relationships" types:"array,null"`
	Claims        []graph.ClaimRecord        `json:"claims,omitzero"`
}

// The limits of a domain, which every call for extraction repeats.
const (
	maxDomainText  = 500 // characters
	maxTypes       = 50
	maxShown       = 60 // characters of a wrong value in an error
	maxExamples    = 10
	maxExampleText = 4000 // characters of the passage of an example
)

// ParseDomain parses the JSON of a domain, or a list of examples alone.
func ParseDomain(data []byte) (Domain, error) {
	var d Domain
	decode := func(to any) error {
		decoder := json.NewDecoder(strings.NewReader(string(data)))
		decoder.DisallowUnknownFields()
		return decoder.Decode(to)
	}
	var err error
	if strings.HasPrefix(strings.TrimSpace(string(data)), "[") {
		err = decode(&d.Examples)
	} else {
		err = decode(&d)
	}
	if err != nil {
		return Domain{}, fmt.Errorf("parse the domain: %w", err)
	}
	for i, t := range d.EntityTypes {
		d.EntityTypes[i] = strings.ToLower(text.OneLine(t))
	}
	d.Description = text.OneLine(d.Description)
	return d, d.check()
}

// check returns an error for what is too long, or would not be an example.
func (d Domain) check() error {
	switch {
	case utf8.RuneCountInString(d.Description) > maxDomainText:
		return fmt.Errorf("the description of the domain has more than %d characters", maxDomainText)
	case len(d.EntityTypes) > maxTypes:
		return fmt.Errorf("the domain has %d entity types: give at most %d", len(d.EntityTypes), maxTypes)
	case len(d.Examples) > maxExamples:
		return fmt.Errorf("the domain has %d examples: give at most %d", len(d.Examples), maxExamples)
	}
	for _, t := range d.EntityTypes {
		if !text.IsName(t) {
			return fmt.Errorf("%q is not an entity type: give at most %d letters, digits, spaces and hyphens", text.Shorten(t, maxShown), text.MaxName)
		}
	}
	for i, e := range d.Examples {
		if err := e.check(); err != nil {
			return fmt.Errorf("example %d of the domain: %w", i+1, err)
		}
	}
	return nil
}

// check returns an error if a relationship or a claim has an end that is not among the entities.
func (e Example) check() error {
	if strings.TrimSpace(e.Text) == "" {
		return errors.New("it has no text")
	}
	if utf8.RuneCountInString(e.Text) > maxExampleText {
		return fmt.Errorf("its text has more than %d characters", maxExampleText)
	}
	for _, r := range e.Relationships {
		for _, end := range []string{r.Source, r.Target} {
			if !e.Has(end) {
				return fmt.Errorf("%q is an end of a relationship and none of its entities", text.Shorten(end, maxShown))
			}
		}
		if r.Strength < 1 || r.Strength > 10 {
			return fmt.Errorf("the strength of %q and %q is %d: give 1 to 10", r.Source, r.Target, r.Strength)
		}
	}
	for _, c := range e.Claims {
		switch {
		case !e.Has(c.Subject):
			return fmt.Errorf("%q is the subject of a claim and none of its entities", text.Shorten(c.Subject, maxShown))
		case c.Object != "" && c.Object != None && !e.Has(c.Object):
			return fmt.Errorf("%q is the object of a claim and none of its entities", text.Shorten(c.Object, maxShown))
		case !slices.Contains([]string{"TRUE", "FALSE", "SUSPECTED"}, c.Status):
			return fmt.Errorf("the status of a claim is %q: give TRUE, FALSE or SUSPECTED", text.Shorten(c.Status, maxShown))
		}
	}
	return nil
}

// Has reports whether an entity has a name.
func (e Example) Has(name string) bool {
	return slices.ContainsFunc(e.Entities, func(n graph.EntityRecord) bool { return n.Name == name })
}

// languageRule returns the sentence that asks for a language, which is not empty.
func languageRule(language string) string {
	return "Write all descriptions and keywords in " + language + ", also where the passage is in another language; names stay as the passage spells them."
}

// prompt returns what the domain adds to the prompt of extraction, "" for nothing. language, if
// not empty, is that in which descriptions are written. The texts of examples are between marks
// that they do not contain, because they come from documents. Their claims are shown if
// withClaims is set.
func (d Domain) prompt(asTuples, withClaims bool, language string) string {
	var parts []string
	if language != "" {
		parts = append(parts, languageRule(language))
	}
	if d.Description != "" {
		parts = append(parts, "The passages are about this: "+d.Description)
	}
	for i, e := range d.Examples {
		if !withClaims {
			e.Claims = nil
		}
		mark := prompts.Fence(e.Text)
		answer := e.json()
		if asTuples {
			answer = e.tuples()
		}
		parts = append(parts, "Example "+strconv.Itoa(i+1)+". For the passage between the two marks\n"+mark+"\n"+strings.TrimSpace(e.Text)+"\n"+mark+"\nthe answer is\n"+answer)
	}
	return strings.Join(parts, "\n\n")
}

// None is the value of a field of a claim that is not known, as the prompts ask for it.
const None = "NONE"

// json returns the answer of the example as a model writes it.
func (e Example) json() string {
	type relationship struct {
		Source      string   `json:"source"`
		Target      string   `json:"target"`
		Description string   `json:"description"`
		Keywords    []string `json:"keywords"`
		Strength    int      `json:"strength"`
	}
	type claim struct {
		Subject     string `json:"subject"`
		Object      string `json:"object"`
		Type        string `json:"type"`
		Status      string `json:"status"`
		StartDate   string `json:"start_date"`
		EndDate     string `json:"end_date"`
		Description string `json:"description"`
		SourceText  string `json:"source_text"`
	}
	out := struct {
		Entities      []graph.EntityRecord `json:"entities"`
		Relationships []relationship       `json:"relationships"`
		Claims        []claim              `json:"claims,omitzero"`
	}{Entities: append([]graph.EntityRecord{}, e.Entities...), Relationships: []relationship{}}
	for _, r := range e.Relationships {
		r.Keywords = append([]string{}, r.Keywords...)
		out.Relationships = append(out.Relationships, relationship(r))
	}
	if e.Claims != nil {
		out.Claims = []claim{}
	}
	for _, c := range e.Claims {
		c.Object, c.StartDate, c.EndDate = cmp.Or(c.Object, None), cmp.Or(c.StartDate, None), cmp.Or(c.EndDate, None)
		out.Claims = append(out.Claims, claim(c))
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(out); err != nil { // texts and numbers can be encoded
		return "{}"
	}
	return strings.TrimSpace(b.String())
}

// tuples returns the answer of the example in the format of tuples.
func (e Example) tuples() string {
	var records []string
	add := func(fields ...string) {
		for i, f := range fields {
			fields[i] = strings.NewReplacer("<|", "<", "|>", ">", "##", "#").Replace(text.OneLine(f))
		}
		records = append(records, "("+strconv.Quote(fields[0])+"<|>"+strings.Join(fields[1:], "<|>")+")")
	}
	for _, n := range e.Entities {
		add("entity", n.Name, n.Type, n.Description)
	}
	for _, r := range e.Relationships {
		add("relationship", r.Source, r.Target, r.Description, strings.Join(r.Keywords, ", "), strconv.Itoa(r.Strength))
	}
	for _, c := range e.Claims {
		add("claim", c.Subject, cmp.Or(c.Object, None), c.Type, c.Status, cmp.Or(c.StartDate, None), cmp.Or(c.EndDate, None), c.Description, c.SourceText)
	}
	return strings.Join(records, "##\n") + "<|COMPLETE|>"
}
