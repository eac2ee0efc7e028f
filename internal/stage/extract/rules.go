// Package extract extracts entities, relationships and claims from chunks, with
// a language model (Model) or by rules that need none (Rules).
package extract

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/textproc"
)

// rulesVersion changes when the rules extract something different from some text.
const rulesVersion = "10"

// Limits of common nouns per 4,500 letters when Rules.Concepts is 0.
const (
	conceptsProse = 6
	conceptsNames = 3 // in text with many names
	capLetters    = 4500
)

// maxName is the longest name that is kept, in runes.
const maxName = 200

// Rules extracts without a model, by word lists, counts over the document and the
// words around a name. It reads a whole document, because whether a capital marks
// a name depends on how the document writes the word elsewhere. A change anywhere
// in the document can therefore change the records of any of its chunks. Equal
// documents give equal records. The zero value works.
type Rules struct {
	// Concepts is the number of common nouns kept per 4,500 letters. 0 means 6, or
	// 3 in text with many names; a negative number means none.
	Concepts int
}

// Fingerprint changes with the rules, the word lists and the options.
func (r Rules) Fingerprint() string {
	parts := append([]string{"rules", rulesVersion, strconv.Itoa(r.Concepts)}, textproc.ListTexts()...)
	return graph.Hash(parts...)
}

// Document extracts from the chunks of a document and returns one extraction per chunk,
// in order. text is the whole text of the document. A sentence in the overlap of chunks
// counts for the first chunk that holds the complete sentence, or else for the chunk that
// holds most of it. Every record is supported by a sentence of its chunk, and the ends of
// a relationship are entities of the same chunk.
func (r Rules) Document(ctx context.Context, text string, chunks []graph.Chunk) (out []graph.Extraction, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("extract document by rules: internal error: %v", p)
		}
	}()
	for _, c := range chunks {
		if c.Start < 0 || c.End > len(text) || c.Start > c.End {
			return nil, fmt.Errorf("extract chunk %s by rules: bytes %d to %d are outside its document of %d bytes", c.Key, c.Start, c.End, len(text))
		}
	}
	d := newDocReader(text, chunks)
	steps := []func(){
		d.readNames, d.readLists, d.joinAliases, d.readNouns, d.collectMentions, func() { d.chooseConcepts(r.Concepts) }, d.decideTypes, d.relate,
	}
	for _, step := range steps {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("extract document by rules: %w", err)
		}
		step()
	}
	return d.records(chunks), nil
}

// A docReader holds the state of reading one document. Names and common nouns are
// entities, numbered in order of appearance; most fields are indexed by these
// numbers.
type docReader struct {
	*textproc.Analysis
	text    string
	written documentDate
	letters []int // per chunk: letters that no chunk before it holds
	chunkOf []int // per sentence, -1 for none

	ids   map[string]int
	names []string

	nameMentions  [][]mention // names per sentence
	nouns         [][]noun    // common nouns per sentence
	mentions      [][]mention // names and nouns per sentence, with aliases resolved
	nameCount     []int       // occurrences of a name
	runningCount  []int       // occurrences in running text
	lists         []nameList
	listed        []bool // by name: in a list of people
	alias         []int  // the name that a name is an alias of, usually itself
	isAliasTarget []bool // another name is an alias of it
	votes         []typeVotes
	listVotes     []typeVotes // of word lists, which count once
	sex           []int       // positive for male, negative for female
	nounCounts    []map[int]int
	keptConcepts  []map[int]bool // common nouns kept per chunk
	isName        []bool
	types         []string
	speakerOf     map[string]int // entity by the name written before a message
	isSpeaker     map[int]bool

	findings []chunkFindings
	pairs    map[[2]int]*entityPair
}

// A mention is entity e at tokens a to b-1 of a sentence.
type mention struct{ a, b, e int }

// inOrder compares mentions by their places in a sentence.
func inOrder(x, y mention) int { return cmp.Or(x.a-y.a, x.b-y.b) }

func newDocReader(text string, chunks []graph.Chunk) *docReader {
	d := &docReader{
		Analysis: textproc.Analyze(text), text: text, written: writtenOn(text), ids: map[string]int{}, speakerOf: map[string]int{}, isSpeaker: map[int]bool{},
		findings: make([]chunkFindings, len(chunks)), pairs: map[[2]int]*entityPair{},
	}
	d.assign(chunks)
	d.letters = make([]int, len(chunks))
	end := 0
	for i, c := range chunks {
		if start := max(c.Start, end); start < c.End {
			d.letters[i] = utf8.RuneCountInString(text[start:c.End])
			end = c.End
		}
	}
	return d
}

// assign assigns each sentence to a chunk.
func (d *docReader) assign(chunks []graph.Chunk) {
	d.chunkOf = make([]int, len(d.Sentences))
	first := 0
	for i, s := range d.Sentences {
		for first < len(chunks) && chunks[first].End <= s.Start {
			first++
		}
		best, most := -1, 0
		for c := first; c < len(chunks) && chunks[c].Start < s.End; c++ {
			if held := min(s.End, chunks[c].End) - max(s.Start, chunks[c].Start); held > most {
				best, most = c, held
			}
			if most == s.End-s.Start {
				break
			}
		}
		d.chunkOf[i] = best
	}
}

// id returns the number of a name, a new one if the name was not seen before.
func (d *docReader) id(name string) int {
	if e, ok := d.ids[name]; ok {
		return e
	}
	name = strings.Clone(name) // do not keep the whole text in memory
	e := len(d.names)
	d.ids[name] = e
	d.names = append(d.names, name)
	d.nameCount = append(d.nameCount, 0)
	d.runningCount = append(d.runningCount, 0)
	return e
}
