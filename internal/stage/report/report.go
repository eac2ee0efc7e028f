// Package report packs the records of a community into a context (Pack) and writes
// the community's report from it, with a language model (Model) or without one
// (Extractive).
//
// Reports are made bottom-up, the deepest level first: where the elements of a
// community do not fit into a context, the reports of its children replace them.
// Results depend only on the arguments: the same records in any order give the same
// context and the same extractive report.
package report

import (
	"cmp"
	"strconv"

	"github.com/neorag/neorag/internal/graph"
)

// Input holds the records of one community, in any order.
type Input struct {
	Community     graph.Community
	Entities      []graph.Entity
	Relationships []graph.Relationship // both ends inside
	Outside       []graph.Relationship // one end inside; the strongest are shown
	OutsideLeft   int                  // how many more of these there are
	Claims        []graph.Claim        // subject inside
	Children      []Child              // communities one level below

	// Sections are the sections of documents that mention an entity, by its key. Only reports
	// without a model use them.
	Sections map[string][]graph.SectionMentions
}

// report returns a report of the community without texts.
func (in Input) report(model string) graph.Report {
	c := in.Community
	return graph.Report{Community: c.Key, Level: c.Level, Final: c.Final, Size: len(c.Members), Weight: c.Weight, Model: model}
}

// A Child is a community inside another one, with its report. If the report has no
// FullContent it is missing, and the child's elements are used.
type Child struct {
	Report  graph.Report
	Label   string   // of the community
	Members []string // keys of entities
}

// Options bound contexts and reports. The zero value takes the defaults.
type Options struct {
	ContextTokens int // of a context; 0 means 8,000
	MaxTokens     int // of a report; 0 means 400, for reports without a model
	// Room is how many tokens of records the model can read in one call; 0 bounds nothing. No
	// fingerprint covers it.
	Room int
	// FewOutside shows at most five relationships to entities outside, and not how many more there
	// are, as for corpora of earlier editions.
	FewOutside bool
}

// Limits returns the options with the defaults for reports without a model.
func (o Options) Limits() Options {
	o.ContextTokens, o.MaxTokens = cmp.Or(o.ContextTokens, 8000), cmp.Or(o.MaxTokens, 400)
	return o
}

// room returns the tokens of a context.
func (o Options) room() int {
	if o.Room > 0 {
		return min(o.ContextTokens, o.Room)
	}
	return o.ContextTokens
}

// contextVersion changes when the same records give a different context.
const contextVersion = "1"

// fingerprint covers the options that affect a context.
func (o Options) fingerprint() string {
	return graph.Hash("context", contextVersion, strconv.Itoa(o.Limits().ContextTokens))
}
