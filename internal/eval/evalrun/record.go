// Package evalrun keeps an evaluation in one folder of JSONL files: questions, conditions (methods
// with their settings), answers, judgements, verdicts, claims, searches and failures. A line is a cell, which
// has a key made of everything that decides it: an interrupted run continues with the cells
// that are missing, and a changed setting makes new cells.
package evalrun

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// A Record is one line of a file, a cell of an evaluation.
type Record interface {
	// Key names the cell. Records of a file with the same key are the same cell.
	Key() string
}

// A Question is a question of an evaluation. Only ID and Text are required.
type Question struct {
	ID        string   `json:"id"`
	Text      string   `json:"question"`
	Type      string   `json:"type,omitempty"`      // "null" if the documents do not answer it; results are shown by type
	Answer    string   `json:"answer,omitempty"`    // the known answer
	Documents []string `json:"documents,omitempty"` // names of the documents with the answer
	// Persona and Task are those that a generated question was made for (GraphRAG 3.2).
	Persona string `json:"persona,omitempty"`
	Task    string `json:"task,omitempty"`
}

// Key implements Record. A question with another text is another question.
func (q Question) Key() string { return graph.Hash("question", q.ID, q.Text)[:keyLength] }

// keyLength is the number of hexadecimal digits of a key: 80 bits.
const keyLength = 20

// A Condition is how questions are answered, or documents searched for: a method and everything else
// that affects the results.
type Condition struct {
	Method   string            `json:"method"`
	Settings map[string]string `json:"settings,omitempty"` // that differ from the defaults
	Corpus   string            `json:"corpus"`
	State    string            `json:"state"`             // changes when the corpus does
	Model    string            `json:"model,omitempty"`   // identity of the model that answers; absent for none
	Prompts  string            `json:"prompts,omitempty"` // fingerprint of the prompts of the model
	Version  string            `json:"version"`           // of the program
	// Search means that documents are searched for, and no answer is written.
	Search bool `json:"search,omitempty"`
	// Label is a short name in tables, such as C0; it is not part of the key.
	Label string `json:"label,omitempty"`
}

// Key implements Record.
func (c Condition) Key() string {
	parts := []string{"condition", c.Method, c.Corpus, c.State, c.Model, c.Prompts, c.Version}
	for _, name := range slices.Sorted(maps.Keys(c.Settings)) {
		parts = append(parts, name, c.Settings[name])
	}
	if c.Search {
		parts = append(parts, "search")
	}
	return graph.Hash(parts...)[:keyLength]
}

// Name is the label, or without one the method and its settings, sorted by name. Conditions that
// only differ in the state of the corpus, the model or the version have the same name.
func (c Condition) Name() string { return cmp.Or(c.Label, c.Variant()) }

// Variant is the method and its settings, sorted by name.
func (c Condition) Variant() string {
	parts := []string{c.Method}
	for _, setting := range slices.Sorted(maps.Keys(c.Settings)) {
		parts = append(parts, setting+"="+c.Settings[setting])
	}
	return strings.Join(parts, " ")
}

// An Answer is the answer to a question under a condition.
type Answer struct {
	Condition  string `json:"condition"` // key
	Question   string `json:"question"`  // key
	Text       string `json:"answer"`    // Markdown, holds [n]
	WrittenBy  string `json:"written_by"`
	References int    `json:"references"`
	// Citations are the statements with the quotes of their evidence.
	Citations []Citation `json:"citations,omitempty"`
	Uncited   int        `json:"uncited"` // statements without a reference
	Usage     Usage      `json:"usage"`
	// ContextTokens are the tokens of the texts, reports or records that the answer was made from.
	ContextTokens int `json:"context_tokens"`
	// ContextUnits is the number of these; 0 if it is not known.
	ContextUnits int     `json:"context_units,omitempty"`
	Seconds      float64 `json:"seconds"`
	// Notes say what the answer lacks, such as reports that could not be read.
	Notes []string `json:"notes,omitempty"`
}

// A Citation is a statement with the quote of a record that it cites.
type Citation struct {
	N         int    `json:"n"` // the reference [n] of the answer
	Statement string `json:"statement"`
	Quote     string `json:"quote"` // "" if no words of the record support the statement
}

// Key implements Record.
func (a Answer) Key() string { return AnswerKey(a.Condition, a.Question) }

// AnswerKey returns the key of the answer to a question under a condition.
func AnswerKey(condition, question string) string {
	return graph.Hash("answer", condition, question)[:keyLength]
}

// Usage is what calls to models took, with what answers from the cache took when they were made,
// so that a method costs the same however often it is measured.
type Usage struct {
	Calls     int64   `json:"calls"`
	TokensIn  int64   `json:"tokens_in"`
	TokensOut int64   `json:"tokens_out"`
	Cost      float64 `json:"cost"` // in the currency of the prices
}

// A Judgement is a comparison of two answers to one question by one criterion (GraphRAG 3.3).
type Judgement struct {
	First     string `json:"first"`  // key of the answer that the judge read first
	Second    string `json:"second"` // key of the other answer
	Criterion string `json:"criterion"`
	Replicate int    `json:"replicate"` // from 0
	Judge     string `json:"judge"`     // identity of the model and of its prompt
	Winner    int    `json:"winner"`    // 1 the first, 2 the second, 0 neither
	Reasoning string `json:"reasoning"`
	Usage     Usage  `json:"usage"`
}

// Key implements Record.
func (j Judgement) Key() string {
	return graph.Hash("judgement", j.First, j.Second, j.Criterion, strconv.Itoa(j.Replicate), j.Judge)[:keyLength]
}

// A Verdict is what a judge says of one answer: whether it agrees with the known answer, or how
// well its citations support their statements.
type Verdict struct {
	Answer    string `json:"answer"` // key
	Kind      string `json:"kind"`   // VerdictCorrect or VerdictEvidence
	Judge     string `json:"judge"`  // identity of the model and of its prompt
	Correct   bool   `json:"correct"`
	Reasoning string `json:"reasoning,omitempty"`
	// Supported and Partly count the citations of Citations whose quote supports all or a part of
	// the statement; Covered counts the statements of Statements that their quotes support together.
	Supported  int   `json:"supported,omitempty"`
	Partly     int   `json:"partly,omitempty"`
	Citations  int   `json:"citations,omitempty"`
	Covered    int   `json:"covered,omitempty"`
	Statements int   `json:"statements,omitempty"`
	Usage      Usage `json:"usage"`
}

// The kinds of verdicts.
const (
	VerdictCorrect  = "correct"
	VerdictEvidence = "evidence"
)

// Key implements Record.
func (v Verdict) Key() string { return graph.Hash("verdict", v.Answer, v.Kind, v.Judge)[:keyLength] }

// Claims are the self-contained claims of one answer, without duplicates (GraphRAG 4.2).
type Claims struct {
	Answer    string   `json:"answer"`    // key
	Extractor string   `json:"extractor"` // identity of the model and of its prompt
	Claims    []string `json:"claims"`
	Usage     Usage    `json:"usage"`
}

// Key implements Record.
func (c Claims) Key() string { return graph.Hash("claims", c.Answer, c.Extractor)[:keyLength] }

// A Search is where a method ranked the documents that hold the answer to a question.
type Search struct {
	Condition string   `json:"condition"` // key
	Question  string   `json:"question"`  // key
	Evidence  []string `json:"evidence"`  // names of the documents, as the question has them
	// Ranks are the ranks of the evidence that is in the corpus, from 1, ascending; 0 for what was not
	// found.
	Ranks   []int   `json:"ranks"`
	MSNeo4j float64 `json:"ms_neo4j"` // from sending the reads to their last row
	MSGo    float64 `json:"ms_go"`    // the rest
}

// Key implements Record. A search for other evidence is another cell.
func (s Search) Key() string {
	return graph.Hash(append([]string{"search", s.Condition, s.Question}, s.Evidence...)...)[:keyLength]
}

// SearchKey returns the key of the search for the evidence of a question under a condition.
func SearchKey(condition string, q Question) string {
	return Search{Condition: condition, Question: q.Key(), Evidence: q.Documents}.Key()
}

// A Failure is a cell that could not be made. It counts as a failure until a later run makes it.
type Failure struct {
	Kind  string `json:"kind"` // name of the file of the cell
	Cell  string `json:"cell"` // key
	Error string `json:"error"`
}

// Key implements Record. A cell that fails again with the same error is one failure.
func (f Failure) Key() string { return graph.Hash("failure", f.Kind, f.Cell, f.Error)[:keyLength] }
