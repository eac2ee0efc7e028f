// Package extract reads what chunks say: entities, relationships and claims, by
// a model or by rules of language.
package extract

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/textproc"
)

// rulesVersion changes when the rules change what is extracted from some text.
const rulesVersion = "1"

// Caps of common nouns in 4,500 letters when Rules names none.
const (
	conceptsProse = 6
	conceptsNames = 3 // where names are many
	capLetters    = 4500
)

// maxName is the longest name that is kept, in runes.
const maxName = 200

// Rules extracts without a model, by lists of words, counts over the document and
// the words that stand around a name. It reads a whole document at once, since
// what a capital says depends on how the document writes the word elsewhere; a
// change anywhere in it can change the records of any of its chunks. Equal
// documents give equal records. The zero value works.
type Rules struct {
	// Concepts is the number of common nouns kept per 4,500 letters. 0 stands
	// for 6, or 3 where names are many; a negative number for none.
	Concepts int
}

// Fingerprint changes with the rules, the word lists and the options.
func (r Rules) Fingerprint() string {
	parts := append([]string{"rules", rulesVersion, strconv.Itoa(r.Concepts)}, textproc.ListTexts()...)
	return graph.Hash(parts...)
}

// Document extracts from the chunks of one document with that text, one
// extraction for each chunk in order. A sentence in the overlap of chunks counts
// for the first that holds it whole, or else for the one that holds most of it.
// Every record rests on a sentence of its chunk, and the ends of a relationship
// are entities of the same chunk.
func (r Rules) Document(ctx context.Context, text string, chunks []graph.Chunk) (out []graph.Extraction, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("extract document by rules: internal error: %v", p)
		}
	}()
	for _, c := range chunks {
		if c.Start < 0 || c.End > len(text) || c.Start > c.End {
			return nil, fmt.Errorf("extract chunk %s by rules: bytes %d to %d lie outside its document of %d bytes", c.Key, c.Start, c.End, len(text))
		}
	}
	d := newPaper(text, chunks)
	steps := []func(){
		d.readNames, d.joinAliases, d.readNouns, d.gather, func() { d.keepConcepts(r.Concepts) }, d.settle, d.relate,
	}
	for _, step := range steps {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("extract document by rules: %w", err)
		}
		step()
	}
	return d.records(chunks), nil
}

// A paper is one document while it is read. Names and common nouns are numbered
// as they appear; most fields are indexed by these numbers.
type paper struct {
	*textproc.Reading
	source  string
	written today
	letters []int // per chunk: letters that no chunk before it holds
	chunkOf []int // per sentence, -1 for none

	ids   map[string]int
	names []string

	spans   [][]mention // names per sentence
	nouns   [][]noun    // common nouns per sentence
	rows    [][]mention // both, as entities
	count   []int       // times a name was found
	running []int       // the same in running text
	alias   []int       // the name it stands for, itself mostly
	target  []bool      // some other name stands for it
	votes   []ballot
	sex     []int // above 0 male, below 0 female
	nounsIn []map[int]int
	kept    []map[int]bool // common nouns kept per chunk
	proper  []bool
	kind    []string
	speaker map[string]int // as written before a message
	speaks  map[int]bool

	pages []page
	pairs map[[2]int]*pair
}

// A mention is an entity at tokens a to b of a sentence.
type mention struct{ a, b, e int }

func newPaper(text string, chunks []graph.Chunk) *paper {
	d := &paper{
		Reading: textproc.Read(text), source: text, written: writtenOn(text), ids: map[string]int{}, speaker: map[string]int{}, speaks: map[int]bool{},
		pages: make([]page, len(chunks)), pairs: map[[2]int]*pair{},
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

// assign gives each sentence to a chunk.
func (d *paper) assign(chunks []graph.Chunk) {
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

// id is the number of a name.
func (d *paper) id(name string) int {
	if e, ok := d.ids[name]; ok {
		return e
	}
	name = strings.Clone(name) // not a part of the whole text
	e := len(d.names)
	d.ids[name] = e
	d.names = append(d.names, name)
	d.count = append(d.count, 0)
	d.running = append(d.running, 0)
	return e
}
