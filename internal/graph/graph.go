package graph

import (
	"cmp"
	"slices"
)

// A Kind is a kind of node, named as its label in Neo4j.
type Kind string

// The kinds of nodes.
const (
	KindDocument     Kind = "Document"
	KindChunk        Kind = "Chunk"
	KindPassage      Kind = "Passage"
	KindEntity       Kind = "Entity"
	KindRelationship Kind = "Relationship"
	KindClaim        Kind = "Claim"
	KindCommunity    Kind = "Community"
	KindReport       Kind = "Report"
	KindFinding      Kind = "Finding"
	KindQuery        Kind = "Query"
	KindSentence     Kind = "Sentence"
	KindNamePair     Kind = "NamePair"
)

// TypeUnknown is the type of an entity that appears only as an end of a relationship or
// claim. When types are merged, any other type has precedence over it.
const TypeUnknown = "unknown"

// A Document is a text with its origin.
type Document struct {
	Key      string
	URI      string // base name of the given path and the path below it, with "/" as separator
	Root     string // absolute path it was read from; empty for standard input
	Title    string
	Text     string            // UTF-8, line breaks "\n", no byte order mark
	SHA256   string            // in hex, of the bytes it was read from
	MIME     string            // one of the formats of package source, such as text/plain
	Date     string            // ISO 8601, or empty
	Language string            // ISO 639-1 code, or empty
	Metadata map[string]string // nil if there is none
	Places   Places
}

// A Chunk is a window of a document's text: Text == document.Text[Start:End].
type Chunk struct {
	Key      string
	Document string // key of its document
	Text     string
	Index    int // among its document's chunks, from 0
	NTokens  int
	Start    int // byte offset in the document's text
	End      int
	Place    ChunkPlace
}

// A Passage is a short window of a chunk, the unit of full-text search.
type Passage struct {
	Key   string
	Chunk string // key of its chunk
	Terms string // index terms separated by spaces, including the document's header terms
	Pairs string // word pairs separated by spaces
	Start int    // byte offset in the chunk's text
	End   int
}

// An Extraction is the records extracted from one chunk. Names are as written, not keys.
type Extraction struct {
	Chunk         string // key of the chunk
	Entities      []EntityRecord
	Relationships []RelationshipRecord
	Claims        []ClaimRecord
	Unread        int // number of records in a model's output that could not be parsed
	// Absent lists the names and quotes in the records that do not occur in the text of the
	// chunk, sorted. Only models write such.
	Absent []string
	// Alone means that the chunk was read without the others of its document, so that a claim in
	// the overlap of two chunks is extracted from both.
	Alone bool
}

// An EntityRecord is one extracted instance of an entity.
type EntityRecord struct {
	Name        string `json:"name"`
	Type        string `json:"type"` // lower case
	Description string `json:"description"`
}

// A RelationshipRecord is one extracted instance of a relationship.
type RelationshipRecord struct {
	Source      string   `json:"source"`
	Target      string   `json:"target"`
	Description string   `json:"description"`
	Keywords    []string `json:"keywords,omitempty"`
	Strength    int      `json:"strength"` // in hundredths, 100 to 1000; in examples of a domain 1 to 10
}

// A ClaimRecord is one extracted claim. Empty fields mean unknown.
type ClaimRecord struct {
	Subject     string `json:"subject"`
	Object      string `json:"object,omitempty"`
	Type        string `json:"type"`
	Status      string `json:"status"` // TRUE, FALSE or SUSPECTED
	StartDate   string `json:"start_date,omitempty"`
	EndDate     string `json:"end_date,omitempty"`
	Description string `json:"description"`
	SourceText  string `json:"source_text"`
}

// An Entity is merged from all records with the same normalised name.
type Entity struct {
	Key         string
	Name        string
	Type        string
	Description string
	Degree      int // number of RELATED edges
	Frequency   int // number of chunks that mention it
	NTokens     int // of name and description
}

// A Relationship is between two entities, in key order.
type Relationship struct {
	Key         string
	Source      string // key of the entity with the smaller key
	Target      string
	SourceName  string
	TargetName  string
	Description string
	Keywords    []string
	Weight      int // number of extracted instances
	Strength    int // sum, in hundredths
	NTokens     int // of the names and the description
}

// StrongerFirst compares relationships: the stronger one comes first, ties go to the weight and
// then to the key.
func StrongerFirst(a, b Relationship) int {
	return cmp.Or(cmp.Compare(b.Strength, a.Strength), cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Key, b.Key))
}

// A Claim is a statement about one entity, optionally in relation to another one, as a
// chunk states it.
type Claim struct {
	Key     string
	Chunk   string // key of the chunk
	Shared  bool   `json:",omitempty"` // other chunks of the document may state it too
	Subject string // key of an entity
	Object  string // key of an entity; may be empty
	Absent  bool   `json:",omitempty"` // its quote is not in the chunk
	NTokens int
	ClaimRecord
}

// NameDecisions are what a person decided about names of entities, and what a model answered. All
// names are normalised.
type NameDecisions struct {
	Merged [][2]string // names of the same entity, whatever rules and models say
	Split  []string    // names that neither a rule nor a model joins with others
	Asked  []NamePair  // that a model was asked about
}

// A NamePair is two names of which a model was asked whether they denote the same entity.
type NamePair struct {
	A, B string // normalised, A < B
	Same bool
}

// IsConfirmed reports whether a model joins a name with another one.
func (d NameDecisions) IsConfirmed(name string) bool {
	return slices.ContainsFunc(d.Asked, func(p NamePair) bool { return p.Same && (p.A == name || p.B == name) })
}

// Merge adds that two names denote the same entity.
func (d NameDecisions) Merge(a, b string) NameDecisions {
	pair := [2]string{min(a, b), max(a, b)}
	out := NameDecisions{Merged: slices.Clone(d.Merged), Asked: d.Asked}
	if !slices.Contains(out.Merged, pair) {
		out.Merged = append(out.Merged, pair)
		slices.SortFunc(out.Merged, func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	}
	out.Split = slices.Clone(d.Split)
	return out
}

// Unmerge undoes the merges of a name. Without any, or if a model joins the name too, it adds that
// neither a rule nor a model does.
func (d NameDecisions) Unmerge(name string) NameDecisions {
	out := NameDecisions{
		Merged: slices.DeleteFunc(slices.Clone(d.Merged), func(p [2]string) bool { return p[0] == name || p[1] == name }),
		Split:  slices.Clone(d.Split), Asked: d.Asked,
	}
	if (len(out.Merged) == len(d.Merged) || d.IsConfirmed(name)) && !slices.Contains(out.Split, name) {
		out.Split = append(out.Split, name)
		slices.Sort(out.Split)
	}
	return out
}

// A Community is a set of entities at one level of the hierarchy. Level 0 is the root
// level.
type Community struct {
	Key     string
	Level   int
	Ordinal int    // number within its level, from 0: larger communities first, stable between runs
	Label   string // <prefix><level>_<ordinal>, such as C1_3
	Parent  string // key; empty at level 0
	Members []string
	Weight  int  // total weight of the relationships inside
	Final   bool // has no children
}

// A Report describes one community.
type Report struct {
	Key               string
	Community         string // key of the community
	Level             int
	Final             bool
	Size              int
	Weight            int
	Title             string
	Summary           string // with citations [n]
	FullContent       string // the whole report in Markdown, with citations [n]
	Rating            float64
	RatingExplanation string
	Findings          []Finding
	References        []Reference // what the citations [1], [2], ... refer to, in that order
	Model             string
	NTokens           int // of FullContent

	// What was left out of what a model wrote: findings for want of room, and references that
	// its context did not offer. Neither is stored.
	DroppedFindings, DroppedReferences int
}

// A Finding is one insight of a report. Its texts have citations [n] of the report's
// references.
type Finding struct {
	Summary     string `json:"summary"`
	Explanation string `json:"explanation"`
}

// A Reference identifies a node that supports a statement.
type Reference struct {
	N    int // number of the citation in the text, from 1
	Kind Kind
	Key  string
}

// CommunityProperties are the properties of an entity in the store that depend on its
// communities, and are not evidence.
var CommunityProperties = []string{"communities", "community", "labels_set"}
