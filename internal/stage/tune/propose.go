package tune

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
	"github.com/neorag/neorag/internal/text/tokens"
	"github.com/neorag/neorag/prompts"
)

const (
	// maxTypes is how many entity types a model is asked for at most.
	maxTypes = 12
	// exampleTokens is the length of the passage of an example at most. Every call for extraction
	// repeats it.
	exampleTokens = 120
	// maxDescription is the length of a description in characters.
	maxDescription = 400
)

// A Tuner makes domains with a model. Chat and Counter are required.
type Tuner struct {
	Chat        llm.Chat
	Prompts     prompts.Set
	Counter     *tokens.Counter
	Concurrency int // concurrent calls; 0 means llm.DefaultConcurrency
	Examples    int // passages with records; 0 means 2, negative none
}

// Propose makes the domain of the collection that a sample was taken from.
func (t *Tuner) Propose(ctx context.Context, sample []graph.Chunk) (extract.Domain, error) {
	if len(sample) == 0 {
		return extract.Domain{}, errors.New("propose a domain: there is no text to read")
	}
	d, err := t.askDomain(ctx, sample)
	if err != nil {
		return d, err
	}
	most := cmp.Or(t.Examples, 2)
	for _, c := range sample {
		if len(d.Examples) >= most {
			break
		}
		e, err := t.example(ctx, d, c)
		if err != nil {
			return d, err
		}
		if e != nil {
			d.Examples = append(d.Examples, *e)
		}
	}
	return d, nil
}

// askDomain asks for the description and the types.
func (t *Tuner) askDomain(ctx context.Context, sample []graph.Chunk) (extract.Domain, error) {
	p, err := t.Prompts.Get(prompts.Tune)
	if err != nil {
		return extract.Domain{}, err
	}
	var passages strings.Builder
	for i, c := range sample {
		fmt.Fprintf(&passages, "Passage %d\n%s\n\n", i+1, strings.TrimSpace(c.Text))
	}
	system, user := p.Render(prompts.Values{"count": strconv.Itoa(maxTypes), "context": passages.String()})
	domain, err := llm.Parsed(ctx, t.Chat, llm.Request{
		Task:     extract.TaskExtract,
		Messages: []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}},
		Schema:   &llm.Schema{Name: prompts.Tune, JSON: p.Schema},
	}, parseProposal)
	if err != nil {
		return extract.Domain{}, fmt.Errorf("propose a domain: %w", err)
	}
	return domain, nil
}

// parseProposal parses the answer of a model. What it says was read from documents, so it is
// put on one line, shortened, and has no marks.
func parseProposal(answer string) (extract.Domain, error) {
	var raw struct {
		Description string   `json:"description"`
		EntityTypes []string `json:"entity_types"`
	}
	if err := json.Unmarshal([]byte(answer), &raw); err != nil {
		return extract.Domain{}, fmt.Errorf("the proposal is not of the form asked for: %w", err)
	}
	d := extract.Domain{Description: text.Shorten(text.OneLine(plain(raw.Description)), maxDescription)}
	for _, name := range raw.EntityTypes {
		name = strings.ToLower(text.OneLine(plain(name)))
		if isType := text.IsName(name) && len(strings.Fields(name)) <= 4; isType && !slices.Contains(d.EntityTypes, name) && len(d.EntityTypes) < maxTypes {
			d.EntityTypes = append(d.EntityTypes, name)
		}
	}
	if d.Description == "" || len(d.EntityTypes) < 2 {
		return d, errors.New("the proposal has no description, or fewer than two entity types")
	}
	return d, nil
}

// plain removes what could pose as a mark of a prompt or of a format.
func plain(s string) string {
	return strings.NewReplacer("<", "", ">", "", "{", "", "}", "", "|", "").Replace(s)
}

// example has the model find the records of a passage of a chunk; nil if they connect nothing.
func (t *Tuner) example(ctx context.Context, d extract.Domain, c graph.Chunk) (*extract.Example, error) {
	c.Text = t.passage(c.Text)
	if c.Text == "" {
		return nil, nil
	}
	m := extract.Model{Chat: t.Chat, Prompts: t.Prompts, Domain: d, Gleanings: -1}
	x, err := m.Chunk(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("find the records of an example: %w", err)
	}
	e := &extract.Example{Text: c.Text, Claims: []graph.ClaimRecord{}}
	for _, n := range x.Entities {
		if !e.Has(n.Name) {
			e.Entities = append(e.Entities, n)
		}
	}
	for _, r := range x.Relationships {
		if r.Strength = min(max((r.Strength+50)/100, 1), 10); e.Has(r.Source) && e.Has(r.Target) {
			e.Relationships = append(e.Relationships, r)
		}
	}
	for _, r := range x.Claims {
		if r.Object = strings.TrimSpace(r.Object); r.Object == extract.None {
			r.Object = ""
		}
		if e.Has(r.Subject) && (r.Object == "" || e.Has(r.Object)) && strings.Contains(c.Text, r.SourceText) {
			e.Claims = append(e.Claims, r)
		}
	}
	if len(e.Relationships) == 0 {
		return nil, nil
	}
	return e, nil
}

// passage returns whole sentences from the middle of a text, "" if none fits.
func (t *Tuner) passage(s string) string {
	spans := textproc.Sentences(s)
	if len(spans) > 2 { // the first and the last one may be cut
		spans = spans[1 : len(spans)-1]
	}
	from := len(spans) / 4
	end := from
	for end < len(spans) && t.Counter.Count(s[spans[from].Start:spans[end].End]) <= exampleTokens {
		end++
	}
	if end == from {
		return ""
	}
	return strings.TrimSpace(s[spans[from].Start:spans[end-1].End])
}
