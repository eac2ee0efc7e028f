package snapshot

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"unsafe"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/rank"
)

// A file is a magic, the checksum and the length of what follows them, a header in JSON
// that is padded to a multiple of eight bytes, and the lists of the graph, in the order of
// lists, each padded in the same way. Numbers have the byte order of the processor: the magic, read as
// a number, tells a file of another one.

const (
	magic   = uint64(0x4e454f5241470003) // the last bytes are the version
	preface = 24                         // bytes of magic, checksum and length
	align   = 8
)

// errDamaged means that a file is not a complete snapshot of this version.
var errDamaged = errors.New("the file is damaged or of another version")

// A header is what a file holds besides the lists.
type header struct {
	Corpus, State string
	Sections      []headerSection
	Documents     int
	Lengths       [9]int // of the lists, in numbers
}

type headerSection struct {
	Kind graph.Kind
	To   uint32
}

var table = crc32.MakeTable(crc32.Castagnoli)

// encode returns the content of the file.
func (s *Snapshot) encode() ([]byte, error) {
	g := s.graph
	h := header{Corpus: s.corpus, State: s.state, Documents: s.documents, Lengths: [9]int{
		len(g.Start), len(g.Neighbours), len(g.Weights), len(g.Kinds), len(s.offsets), len(s.names), len(s.termOffsets), len(s.terms), len(s.frequencies),
	}}
	for _, k := range s.sections {
		h.Sections = append(h.Sections, headerSection{k.kind, k.to})
	}
	head, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Write(make([]byte, preface))
	add := func(list []byte) {
		b.Write(list)
		b.Write(bytes.Repeat([]byte{' '}, padding(b.Len())))
	}
	add(append(head, '\n'))
	for _, list := range [][]byte{bytesOf(g.Start), bytesOf(g.Neighbours), bytesOf(g.Weights), g.Kinds, bytesOf(s.offsets), s.names, bytesOf(s.termOffsets), s.terms, bytesOf(s.frequencies)} {
		add(list)
	}
	out := b.Bytes()
	body := out[preface:]
	binary.NativeEndian.PutUint64(out, magic)
	binary.NativeEndian.PutUint64(out[8:], uint64(crc32.Checksum(body, table)))
	binary.NativeEndian.PutUint64(out[16:], uint64(len(body)))
	return out, nil
}

// padding returns how many bytes are missing to the next multiple of align.
func padding(n int) int { return (align - n%align) % align }

// decode returns the snapshot of a file, whose lists are parts of raw.
func decode(raw []byte) (*Snapshot, error) {
	if len(raw) < preface || binary.NativeEndian.Uint64(raw) != magic {
		return nil, errDamaged
	}
	body := raw[preface:]
	if binary.NativeEndian.Uint64(raw[16:]) != uint64(len(body)) || binary.NativeEndian.Uint64(raw[8:]) != uint64(crc32.Checksum(body, table)) {
		return nil, errDamaged
	}
	head, _, found := bytes.Cut(body, []byte{'\n'})
	var h header
	if !found || json.Unmarshal(head, &h) != nil {
		return nil, errDamaged
	}
	at := len(head) + 1
	at += padding(preface + at)
	s := &Snapshot{corpus: h.Corpus, state: h.State, documents: h.Documents}
	r := lists{rest: body[min(at, len(body)):]}
	s.graph = rank.Graph{
		Start: list[uint32](&r, h.Lengths[0]), Neighbours: list[uint32](&r, h.Lengths[1]),
		Weights: list[float32](&r, h.Lengths[2]), Kinds: list[uint8](&r, h.Lengths[3]),
	}
	s.offsets, s.names = list[uint32](&r, h.Lengths[4]), list[uint8](&r, h.Lengths[5])
	s.termOffsets, s.terms, s.frequencies = list[uint32](&r, h.Lengths[6]), list[uint8](&r, h.Lengths[7]), list[uint32](&r, h.Lengths[8])
	from := uint32(0)
	for _, k := range h.Sections {
		s.sections = append(s.sections, section{k.Kind, from, k.To})
		from = k.To
	}
	if r.short {
		return nil, errDamaged
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	return s, nil
}

// check returns an error if a list points outside of another one. The checksum finds
// damage; this finds a file that was made to do harm.
func (s *Snapshot) check() error {
	g, nodes := s.graph, len(s.offsets)-1
	switch {
	case nodes < 0 || len(g.Start) != nodes+1 || len(g.Weights) != len(g.Neighbours) || len(g.Kinds) != len(g.Neighbours):
		return errors.New("lists have different lengths")
	case len(s.termOffsets) != len(s.frequencies)+1 || !ascends(s.termOffsets, len(s.terms)):
		return errors.New("terms are missing")
	case !ascends(g.Start, len(g.Neighbours)) || !ascends(s.offsets, len(s.names)):
		return errors.New("a list does not ascend")
	}
	for _, n := range g.Neighbours {
		if int(n) >= nodes {
			return errors.New("a neighbour does not exist")
		}
	}
	for _, w := range g.Weights {
		if !(w > 0) {
			return errors.New("a weight is not positive")
		}
	}
	from := uint32(0)
	for _, k := range s.sections {
		if k.from != from || k.to < k.from || int(k.to) > nodes {
			return errors.New("nodes of a kind are missing")
		}
		from = k.to
	}
	return nil
}

// ascends reports whether a list ascends from 0 to last.
func ascends(list []uint32, last int) bool {
	before := uint32(0)
	for _, n := range list {
		if n < before {
			return false
		}
		before = n
	}
	return len(list) > 0 && list[0] == 0 && int(before) == last
}

// lists reads lists one after the other.
type lists struct {
	rest  []byte
	short bool // there were not enough bytes
}

// A number is what lists hold.
type number interface{ uint8 | uint32 | float32 }

// list returns the next list, of n numbers, without copying it.
func list[T number](r *lists, n int) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	if r.short || n < 0 || n > len(r.rest)/size {
		r.short = true
		return nil
	}
	whole := n * size
	own := r.rest[:whole]
	r.rest = r.rest[min(len(r.rest), whole+padding(whole)):]
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(own))), n)
}

// bytesOf returns the bytes of a list, without copying it.
func bytesOf[T number](list []T) []byte {
	if len(list) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*int(unsafe.Sizeof(list[0])))
}
