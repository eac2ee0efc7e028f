package query

import (
	"fmt"
	"strconv"
	"strings"
)

// An Artifact is a part of an index that not every corpus has.
type Artifact string

// The artifacts that methods read.
const (
	Reports Artifact = "reports" // not made with --without reports
	Vectors Artifact = "vectors" // of an embedding model
	Queries Artifact = "queries" // question-answer pairs, made with --with queries

	Sentences     Artifact = "sentences"      // with vectors, made with --with sentences
	Synonyms      Artifact = "synonyms"       // edges between entities with similar names, made with --with synonyms
	DocumentLinks Artifact = "document-links" // edges between similar documents, made with --with document-links
)

// JoinArtifacts returns artifacts as a list.
func JoinArtifacts(list []Artifact) string {
	names := make([]string, len(list))
	for i, a := range list {
		names[i] = string(a)
	}
	return strings.Join(names, ", ")
}

// A Profile is what is known of a method before it is asked.
type Profile struct {
	Reads      string     // for docs/methods.md
	Use        string     // what the method is for
	Needs      []Artifact // without which it returns ErrNotIndexed
	Uses       []Artifact // that it reads too if the index has them
	NeedsModel bool       // without a chat model it returns ErrNoModel
	Paper      Paper      // zero if the method is of no paper
	Calls      string     // to a chat model for a question, in words
	Cost       Cost
}

// A Paper is where a method was published.
type Paper struct {
	Name    string `json:"name"`
	URL     string `json:"url"`
	Section string `json:"section"`
}

// GraphRAG returns a section of the paper of that name.
func GraphRAG(section string) Paper {
	return Paper{Name: "GraphRAG", Section: section, URL: "https://arxiv.org/abs/2404.16130"}
}

// QCGRAG returns a section of the paper on QCG-RAG.
func QCGRAG(section string) Paper {
	return Paper{Name: "QCG-RAG", Section: section, URL: "https://arxiv.org/abs/2509.21237"}
}

// A Range is the least and the most of something.
type Range struct {
	Least int `json:"least"`
	Most  int `json:"most"`
}

func (r Range) String() string {
	if r.Least == r.Most {
		return strconv.Itoa(r.Least)
	}
	return fmt.Sprintf("%d to %d", r.Least, r.Most)
}

// A Cost is what questions take of a chat model with the default settings: ten questions about
// the sample, answered by the simulated model of the tests. A question about a corpus with
// vectors of a model is embedded by one more call for each search.
type Cost struct {
	Calls     Range `json:"calls"`
	TokensIn  Range `json:"tokens_in"`
	TokensOut Range `json:"tokens_out"`
}

// CostOf returns the cost of questions that take from the first to the second number of calls, from
// the third to the fourth number of tokens in, and from the fifth to the sixth number of tokens out.
func CostOf(leastCalls, mostCalls, leastIn, mostIn, leastOut, mostOut int) Cost {
	return Cost{Calls: Range{leastCalls, mostCalls}, TokensIn: Range{leastIn, mostIn}, TokensOut: Range{leastOut, mostOut}}
}
