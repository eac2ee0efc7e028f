package extract

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/prompts"
)

// modelVersion changes when the same model answers give different records.
const modelVersion = "2"

// A Format is the format in which a model writes records.
type Format string

// The formats. The zero value means JSON, or tuples for the chunks for which the model
// writes no JSON.
const (
	FormatJSON   Format = "json"
	FormatTuples Format = "tuples"
)

// A ClaimMode is how a model is asked for claims.
type ClaimMode string

// The ways to ask for claims. The zero value means ClaimsJoint.
const (
	ClaimsJoint    ClaimMode = "joint"    // in the call that asks for entities and relationships
	ClaimsSeparate ClaimMode = "separate" // in a call that shows the names of the entities that were found
	ClaimsNone     ClaimMode = "none"     // not at all
)

// A Gleaning is the way in which a model is asked for what it missed.
type Gleaning string

// The ways of gleaning. The zero value means GleanList.
const (
	GleanList Gleaning = "list" // one call, answered with what is missing, possibly nothing
	GleanAsk  Gleaning = "ask"  // a question for yes or no first (GraphRAG 3.1.2 and appendix E)
)

// TaskExtract is the task under which calls are counted.
const TaskExtract = "extract"

// A Model extracts with a language model, chunk by chunk. One call asks for entities,
// relationships and claims, and each further one for what was missed. Only Chat is
// required. A Model is safe for concurrent use, and what it extracts from a chunk does
// not depend on other chunks.
type Model struct {
	Chat    llm.Chat
	Prompts prompts.Set
	// Types of entities to look for; nil means the types of Domain, else DefaultTypes.
	Types    []string
	Domain   Domain // its types count only if Types is nil
	Language string // in which descriptions are written; empty means the language of the passage
	// Gleanings is the maximum number of times the model is asked for what it
	// missed: 0 means once, a negative number never.
	Gleanings int
	Gleaning  Gleaning
	Claims    ClaimMode
	Format    Format
	// YesNo biases the answer to the tokens of YES and NO; set it only if the
	// model's tokenizer is known.
	YesNo map[string]int64

	tally tally
}

// DefaultTypes are the types of entities that a model is asked for where a corpus names none.
var DefaultTypes = []string{"organization", "person", "location", "event", "product", "work", "substance", "organ", "condition", "method", "thing", "concept"}

// FirstTypes are the default types of the first four editions, and the types of entities that rules find. (The
// prompts of GraphRAG and LightRAG have them.)
var FirstTypes = []string{"organization", "person", "location", "event", "concept"}

// Fingerprint covers everything that affects what is extracted from a chunk.
func (m *Model) Fingerprint() string {
	names := []string{prompts.Extract}
	mode := m.ClaimMode()
	if mode == ClaimsJoint {
		names = append(names, prompts.JointJSON, prompts.JointTuples, prompts.ClaimsStep)
	} else {
		names = append(names, prompts.FormatJSON, prompts.FormatTuples)
	}
	if mode == ClaimsSeparate {
		names = append(names, prompts.Claims, prompts.ClaimsStep, prompts.ClaimsJSON, prompts.ClaimsTuples)
	}
	switch {
	case m.Rounds() == 0:
	case m.asksFirst():
		names = append(names, prompts.GleanAsk, prompts.Glean)
	default:
		names = append(names, prompts.GleanList)
	}
	return graph.Hash(
		"model", modelVersion, llm.Identity(m.Chat), m.Prompts.Fingerprint(names...), strings.Join(m.types(), ","), m.Domain.prompt(false, mode == ClaimsJoint, m.Language),
		strconv.Itoa(m.Rounds()), strconv.FormatBool(m.asksFirst()), string(mode), string(m.Format),
	)
}

func (m *Model) types() []string {
	switch {
	case len(m.Types) > 0:
		return m.Types
	case len(m.Domain.EntityTypes) > 0:
		return m.Domain.EntityTypes
	}
	return DefaultTypes
}

// typeList returns the types as prompts name them. Those that somebody chose are in quotes.
func (m *Model) typeList() string {
	list := slices.Clone(m.types())
	for i, t := range list {
		if !slices.Contains(DefaultTypes, t) {
			list[i] = prompts.Name(t)
		}
	}
	return strings.Join(list, ", ")
}

// Rounds returns the maximum number of gleanings per chunk.
func (m *Model) Rounds() int {
	if m.Gleanings == 0 {
		return 1
	}
	return max(0, m.Gleanings)
}

func (m *Model) asksFirst() bool { return m.Gleaning == GleanAsk }

// ClaimMode returns how claims are asked for. A prompt of the user that has no place for
// claims cannot ask for them, so they get a call.
func (m *Model) ClaimMode() ClaimMode {
	if m.Claims == ClaimsSeparate || m.Claims == ClaimsNone {
		return m.Claims
	}
	if p, err := m.Prompts.Get(prompts.Extract); err == nil && !p.Uses("claims") { // an error comes again when the prompt is used
		return ClaimsSeparate
	}
	return ClaimsJoint
}

// maxHalvings is how often a chunk is halved whose answers are cut off, or that is too long for
// the context of the model.
const maxHalvings = 2

// Chunk extracts the records of one chunk. It returns an error if the chunk could not be
// read completely; records that the model wrote but that cannot be parsed are only
// counted, in Unread.
func (m *Model) Chunk(ctx context.Context, c graph.Chunk) (graph.Extraction, error) {
	x, err := m.readText(ctx, c.Text, maxHalvings)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return graph.Extraction{}, err
	}
	x.Chunk, x.Alone = c.Key, true
	removeRepeats(&x)
	checkWords(&x, c.Text)
	return x, nil
}

// readText extracts the records of a text. If an answer is cut off at its token limit, the
// halves of the text are read too, and of the cut answer counts what they do not have. A text
// that is too long for the context of the model is read in halves.
func (m *Model) readText(ctx context.Context, text string, halvings int) (graph.Extraction, error) {
	first, second, ok := halve(text)
	ok = ok && halvings > 0
	cut, err := m.readWhole(ctx, text, !ok)
	if !ok || !errors.Is(err, llm.ErrTruncated) && !errors.Is(err, llm.ErrTooLong) {
		return cut, err
	}
	m.tally.halved.Add(1)
	var out graph.Extraction
	for _, half := range []string{first, second} {
		x, err := m.readText(ctx, half, halvings-1)
		if err != nil {
			return out, err
		}
		appendRecords(&out, x)
	}
	addMissing(&out, cut)
	return out, nil
}

// readWhole extracts the records of a text that is not divided. An answer that is cut off
// is llm.ErrTruncated, and the records are those that came before. The gleaning of a text
// that cannot be divided, in the last resort, only counts as failed.
func (m *Model) readWhole(ctx context.Context, text string, last bool) (graph.Extraction, error) {
	mode := m.ClaimMode()
	a := m.entityTask(text, mode == ClaimsJoint, last)
	x, t, err := m.readRecords(ctx, a, m.Format == FormatTuples)
	if mode == ClaimsJoint && isRefusal(err) {
		// What the model refuses may be the claims alone.
		a = m.entityTask(text, false, last)
		if x, t, err = m.readRecords(ctx, a, m.Format == FormatTuples); err == nil {
			m.tally.refused.Add(1)
		}
	}
	if err != nil {
		return x, err
	}
	if err := m.glean(ctx, a, &t, &x); err != nil || mode != ClaimsSeparate {
		return x, err
	}
	return x, m.readClaims(ctx, text, &x, t.schema == nil, last)
}

// readClaims adds the claims of a text whose entities are known. A model that answers in
// prose makes no claims: it refuses, or finds none.
func (m *Model) readClaims(ctx context.Context, text string, x *graph.Extraction, asTuples, last bool) error {
	a := m.claimTask(text, x.Entities, last)
	found, t, err := m.readRecords(ctx, a, asTuples)
	if isRefusal(err) {
		m.tally.refused.Add(1)
		return nil
	}
	appendRecords(x, found)
	if err != nil {
		return err
	}
	return m.glean(ctx, a, &t, x)
}

// isRefusal reports whether the model answered in prose, twice.
func isRefusal(err error) bool {
	reply, ok := errors.AsType[*llm.AnswerError](err)
	return ok && errors.Is(err, llm.ErrInvalid) && strings.TrimSpace(reply.Text) != "" &&
		!strings.ContainsAny(reply.Text, "{[") && !delimiter.MatchString(reply.Text)
}

func appendRecords(to *graph.Extraction, x graph.Extraction) {
	to.Entities = append(to.Entities, x.Entities...)
	to.Relationships = append(to.Relationships, x.Relationships...)
	to.Claims = append(to.Claims, x.Claims...)
	to.Unread += x.Unread
}

func isEmpty(x graph.Extraction) bool {
	return len(x.Entities)+len(x.Relationships)+len(x.Claims) == 0
}
