// Package report packs what is known about a community into a context and
// writes the community's report from it.
//
// Reports are made bottom-up, the deepest level first: a community whose
// elements do not fit into a context is told by the reports of its children.
// Every function is one of its arguments: the same records in any order give
// the same context and the same report.
package report

import (
	"cmp"
	"strconv"

	"github.com/neorag/neorag/internal/graph"
)

// Input is what lies inside one community, in any order.
type Input struct {
	Community     graph.Community
	Entities      []graph.Entity
	Relationships []graph.Relationship // both ends inside
	Claims        []graph.Claim        // subject inside
	Children      []Child              // communities one level below
}

// A Child is a community inside another, with its report. A report without
// FullContent is missing: the child's elements then stand for themselves.
type Child struct {
	Report  graph.Report
	Members []string // keys of entities
}

// Options bound contexts and reports. The zero value takes the defaults.
type Options struct {
	ContextTokens int // of a context; 0 means 8,000
	MaxTokens     int // of a report; 0 means 400, for reports without a model
}

// Limits are the options as they take effect without a model.
func (o Options) Limits() Options { return o.withDefaults() }

func (o Options) withDefaults() Options {
	return Options{ContextTokens: cmp.Or(o.ContextTokens, 8000), MaxTokens: cmp.Or(o.MaxTokens, 400)}
}

// contextVersion changes when the same records give another context.
const contextVersion = "1"

// fingerprint covers what of the options changes a context.
func (o Options) fingerprint() string {
	return graph.Hash("context", contextVersion, strconv.Itoa(o.withDefaults().ContextTokens))
}
