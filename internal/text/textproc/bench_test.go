package textproc_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/testkit/testcorpora"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// benchText returns some megabytes of web pages.
func benchText(b *testing.B) string {
	b.Helper()
	paths, err := filepath.Glob(filepath.Join(testcorpora.Dir(b), "wild", "history", "docs", "*"))
	if err != nil {
		b.Fatal(err)
	}
	var text strings.Builder
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		text.Write(raw)
		text.WriteByte('\n')
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	return text.String()
}

func BenchmarkTerms(b *testing.B) {
	text := benchText(b)
	for b.Loop() {
		textproc.Terms(text)
	}
}

func BenchmarkClean(b *testing.B) {
	text := benchText(b)
	for b.Loop() {
		textproc.Clean(text, false)
	}
}

func BenchmarkPassages(b *testing.B) {
	lines := textproc.Clean(benchText(b), false)
	for b.Loop() {
		textproc.Passages(language.English, lines, 60)
	}
}

func BenchmarkIsChat(b *testing.B) {
	text := benchText(b)
	for b.Loop() {
		textproc.IsChat(text)
	}
}

func BenchmarkVector(b *testing.B) {
	text := benchText(b)
	text = text[:6000]
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		textproc.Vector(text)
	}
}

func BenchmarkCentrality(b *testing.B) {
	var sentences []string
	for _, line := range textproc.Clean(benchText(b), false) {
		if sentences = append(sentences, line.Text); len(sentences) == 2000 {
			break
		}
	}
	b.SetBytes(0)
	for b.Loop() {
		textproc.Centrality(sentences)
	}
}
