package textproc_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/text/textproc"
)

// checkVector fails unless the vector of a text has length one and is always the same.
func checkVector(t interface {
	Fatalf(format string, args ...any)
}, text string,
) {
	v := textproc.Vector(text)
	if len(v) != textproc.Dimension {
		t.Fatalf("Vector(%q) has %d dimensions", text, len(v))
	}
	norm := 0.
	for _, x := range v {
		norm += float64(x) * float64(x)
	}
	if math.Abs(norm-1) > 1e-5 {
		t.Fatalf("Vector(%q) has length %g", text, math.Sqrt(norm))
	}
	if diff := cmp.Diff(v, textproc.Vector(text)); diff != "" {
		t.Fatalf("a second call of Vector(%q) differs:\n%s", text, diff)
	}
}

func TestVectorHasLengthOne(t *testing.T) {
	t.Parallel()
	if got := textproc.Vector(""); got != nil {
		t.Errorf("empty text: got %v, want nil", got)
	}
	for _, text := range []string{" ", "!", "the", "to be or not to be", "a", "北", "\xff", strings.Repeat("word ", 10000)} {
		checkVector(t, text)
	}
	rapid.Check(t, func(t *rapid.T) { checkVector(t, rapid.StringN(1, 200, -1).Draw(t, "text")) })
}

func FuzzVector(f *testing.F) {
	f.Add("Marley was dead: to begin with.")
	f.Fuzz(func(t *testing.T, text string) {
		if text != "" {
			checkVector(t, text)
		}
	})
}

func TestSimilarTextsHaveSimilarVectors(t *testing.T) {
	t.Parallel()
	base := textproc.Vector("Hailey bakes bread for the festival in spring")
	for _, tc := range []struct{ similar, other string }{
		{"Bread that Hailey baked for a spring festival", "The plumber repaired the sink in the kitchen"},
		{"Hailey's breads", "Wolfgang's guitars"},
		{"The festivals of springtime", "The winters of discontent"},
	} {
		similar, other := qcg.Cosine(base, textproc.Vector(tc.similar)), qcg.Cosine(base, textproc.Vector(tc.other))
		if similar < other+.15 {
			t.Errorf("%q has cosine %.3f, %q has %.3f, want a larger difference", tc.similar, similar, tc.other, other)
		}
	}
}

// Vectors are stored: a change here means that every index must be rebuilt.
func TestVectorIsStable(t *testing.T) {
	t.Parallel()
	v := textproc.Vector("Marley was dead: to begin with.")
	sum := 0.
	for i, x := range v {
		sum += float64(i+1) * float64(x)
	}
	if want := 16.0463; math.Abs(sum-want) > 1e-3 {
		t.Errorf("weighted sum of the dimensions is %.4f, want %.4f", sum, want)
	}
}
