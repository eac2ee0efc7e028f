// Package graph holds the nouns of NeoRAG: documents, chunks, what is extracted
// from them, the entities, relationships and claims that these merge into, and
// communities with their reports. It also makes their keys. The package knows
// nothing of files, models or databases and imports the standard library alone.
package graph

// Kind names a kind of node, as its label in Neo4j.
type Kind string

// The kinds of nodes that stages make something of.
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
)

// TypeUnknown is the type of an entity that was named only as the end of a
// relationship or claim. It never outvotes a real type.
const TypeUnknown = "unknown"

// A Document is one text with its origin.
type Document struct {
	Key      string
	URI      string // base name of the given path and the path below it, "/" as separator
	Root     string // absolute path it came from; empty for standard input
	Title    string
	Text     string            // UTF-8, line ends "\n", no byte order mark
	SHA256   string            // hex, of the bytes it was read from
	MIME     string            // "text/plain", "text/markdown", "text/html"
	Date     string            // ISO 8601, or empty
	Metadata map[string]string // nil when there is none
}

// A Chunk is a window of a document's text: Text == document.Text[Start:End].
type Chunk struct {
	Key      string
	Document string // key of its document
	Text     string
	Index    int // position among its document's chunks, from 0
	NTokens  int
	Start    int // byte offset in the document's text
	End      int
}

// A Passage is a short window of a chunk that full text search finds.
type Passage struct {
	Key   string
	Chunk string // key of its chunk
	Terms string // space-joined index terms, the document's lead included
	Pairs string // space-joined word pairs
	Start int    // byte offset in the chunk's text
	End   int
}

// An Extraction is what one chunk says. Names are as written, not keys.
type Extraction struct {
	Chunk         string // key of the chunk
	Entities      []EntityRecord
	Relationships []RelationshipRecord
	Claims        []ClaimRecord
	Unread        int // records of a model's output that could not be read
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
	Strength    int      `json:"strength"` // hundredths, 100 to 1000
}

// A ClaimRecord is one extracted claim. Empty fields are unknown.
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

// An Entity is the merge of all records with one normalised name.
type Entity struct {
	Key         string
	Name        string
	Type        string
	Description string
	Degree      int // number of RELATED edges
	Frequency   int // number of chunks that mention it
	NTokens     int // of name and description
}

// A Relationship joins two entities, in key order.
type Relationship struct {
	Key         string
	Source      string // key of the end with the smaller key
	Target      string
	SourceName  string
	TargetName  string
	Description string
	Keywords    []string
	Weight      int // number of extracted instances
	Strength    int // sum, in hundredths
	NTokens     int // of the names and the description
}

// A Claim is a statement about one entity, perhaps towards another, made in one chunk.
type Claim struct {
	Key     string
	Chunk   string // key of the chunk that states it
	Subject string // key of an entity
	Object  string // key of an entity, or empty
	NTokens int
	ClaimRecord
}

// A Community is a set of entities at one level of the hierarchy; level 0 is the root level.
type Community struct {
	Key     string
	Level   int
	Ordinal int    // within its level, from 0; larger communities first, kept between runs
	Label   string // C<level>_<ordinal>
	Parent  string // key, empty at level 0
	Members []string
	Weight  int  // sum of the weights of the relationships inside
	Final   bool // has no children
}

// A Report describes one community.
type Report struct {
	Key               string
	Community         string // key
	Level             int
	Final             bool
	Size              int
	Weight            int
	Title             string
	Summary           string // carries [n]
	FullContent       string // markdown of the whole report, carries [n]
	Rating            float64
	RatingExplanation string
	Findings          []Finding
	References        []Reference // what [1], [2], ... stand for, in that order
	Model             string
	NTokens           int // of FullContent
}

// A Finding is one insight of a report. Its texts carry the numbers of the report's references.
type Finding struct {
	Summary     string `json:"summary"`
	Explanation string `json:"explanation"`
}

// A Reference points at the node that supports a statement.
type Reference struct {
	N    int // as in the text, from 1
	Kind Kind
	Key  string
}
