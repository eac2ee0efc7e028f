package biggraph

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// filler are words of one token each.
var filler = strings.Fields("the old house by the river was open in summer and people came from the other side with letters about work food and money")

// vocabulary is the number of words of the text of a graph with terms.
const vocabulary = 20_000

// filler returns a word of the text. In a graph with terms, every second one is from a vocabulary whose
// words are as uneven as in real text: the first has 1 of 50 uses, the hundredth 1 of 800.
func (m *maker) filler(random *rand.Rand) string {
	if m.options.Terms && random.IntN(2) == 0 {
		return Word(int(rand.NewZipf(random, 1.07, 8, vocabulary-1).Uint64()))
	}
	return filler[random.IntN(len(filler))]
}

// Word returns the word with a rank in the vocabulary, from 0.
func Word(rank int) string { return strings.ToLower(word(30_000 + rank)) }

// sectionBytes is about the size of a section, which is about a chunk.
const sectionBytes = 2200

// A sentence of a document names the two entities of a relationship, or one entity.
type sentence struct {
	pair   int // index of the relationship, or -1
	entity int // if pair is -1
	start  int // offset in the text
	text   string
}

// document returns a document with its text, and its sentences with names in the order of
// the text.
func (m *maker) document(i int) (graph.Document, []sentence) {
	random := rand.New(rand.NewPCG(m.sizes.Seed, uint64(i)+2))
	var b strings.Builder
	var sentences []sentence
	say := func(s sentence) {
		s.start = b.Len()
		b.WriteString(s.text)
		b.WriteByte(' ')
		sentences = append(sentences, s)
	}
	for section := i * sectionsOfDocument; section < (i+1)*sectionsOfDocument; section++ {
		end := b.Len() + sectionBytes
		for _, p := range m.pairsOf[section] {
			say(sentence{pair: int(p), text: m.meeting(int(p))})
		}
		for _, e := range m.loneOf[section] {
			say(sentence{pair: -1, entity: int(e), text: "It was " + m.name[e] + " who came."})
		}
		for b.Len() < end {
			words := 8 + random.IntN(8)
			b.WriteString("Then")
			for range words {
				b.WriteByte(' ')
				b.WriteString(m.filler(random))
			}
			b.WriteString(". ")
		}
		b.WriteString("\n\n")
	}
	key := m.documentKey(i)
	text := strings.TrimSpace(b.String()) + "\n"
	sum := sha256.Sum256([]byte(text))
	return graph.Document{
		Key: key, URI: graph.Local(key), Title: fmt.Sprintf("%06d", i), MIME: "text/plain", Text: text, SHA256: hex.EncodeToString(sum[:]),
	}, sentences
}

// meeting returns the sentence of a relationship.
func (m *maker) meeting(pair int) string {
	p := m.pairs[pair]
	return m.name[p.a] + " met " + m.name[p.b] + " in the town."
}

// documentKey returns the key of a document, which is in the folder of that name.
func (m *maker) documentKey(i int) string {
	folder := "made"
	if m.options.Folder != "" {
		folder = filepath.Base(m.options.Folder)
	}
	return graph.DocumentKey(m.corpus, fmt.Sprintf("%s/%03d/%06d.txt", folder, i/1000, i))
}

// writeFile writes the file of a document, if there are files.
func (m *maker) writeFile(i int, text string) error {
	if m.options.Folder == "" {
		return nil
	}
	folder := filepath.Join(m.options.Folder, fmt.Sprintf("%03d", i/1000))
	if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // made text
		return err
	}
	return os.WriteFile(filepath.Join(folder, fmt.Sprintf("%06d.txt", i)), []byte(text), 0o644) //nolint:gosec // made text
}
