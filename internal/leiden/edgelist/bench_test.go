package edgelist_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/neorag/neorag/internal/leiden/edgelist"
)

// generated returns a list of edges between random nodes whose names are a prefix and a
// number. suffix is added to each line.
func generated(nodes, edges int, prefix, suffix string) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 0, edges*(2*(len(prefix)+7)+len(suffix)+2))
	for range edges {
		for range 2 {
			text = append(text, prefix...)
			text = strconv.AppendInt(text, int64(random.IntN(nodes)), 10)
			text = append(text, ' ')
		}
		text = append(append(text, suffix...), '\n')
	}
	return text
}

func BenchmarkRead(b *testing.B) {
	const nodes, edges = 100_000, 1_000_000
	for name, text := range map[string][]byte{
		"numbers":          generated(nodes, edges, "", ""),
		"names":            generated(nodes, edges, "node/", ""),
		"numbers,weighted": generated(nodes, edges, "", "0.25"),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := edgelist.Read(context.Background(), bytes.NewReader(text), edgelist.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/edges, "ns/edge")
		})
	}
}
