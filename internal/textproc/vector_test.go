package textproc_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/textproc"
)

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
		t.Fatalf("Vector(%q) differs from itself:\n%s", text, diff)
	}
}

func TestVectorHasLengthOne(t *testing.T) {
	t.Parallel()
	if got := textproc.Vector(""); got != nil {
		t.Errorf("the empty text has a vector: %v", got)
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

// What vectors are for: near texts stand nearer than far ones.
func TestVectorsCompare(t *testing.T) {
	t.Parallel()
	base := textproc.Vector("Hailey bakes bread for the festival in spring")
	for _, tc := range []struct{ near, far string }{
		{"Bread that Hailey baked for a spring festival", "The plumber repaired the sink in the kitchen"},
		{"Hailey's breads", "Wolfgang's guitars"},
		{"The festivals of springtime", "The winters of discontent"},
	} {
		near, far := textproc.Cosine(base, textproc.Vector(tc.near)), textproc.Cosine(base, textproc.Vector(tc.far))
		if near < far+.15 {
			t.Errorf("%q at %.3f, %q at %.3f", tc.near, near, tc.far, far)
		}
	}
}

// Vectors are stored, so they must never change by accident: a change here means
// that every index has to be made again.
func TestVectorIsStable(t *testing.T) {
	t.Parallel()
	v := textproc.Vector("Marley was dead: to begin with.")
	sum := 0.
	for i, x := range v {
		sum += float64(i+1) * float64(x)
	}
	if want := 16.0463; math.Abs(sum-want) > 1e-3 {
		t.Errorf("weighted sum of the vector is %.4f, want %.4f", sum, want)
	}
}

func TestCosine(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		a, b []float32
		want float64
	}{
		{nil, nil, 0},
		{[]float32{1}, []float32{1, 2}, 0},
		{[]float32{0, 0}, []float32{1, 0}, 0},
		{[]float32{3, 0}, []float32{2, 0}, 1},
		{[]float32{1, 0}, []float32{0, 5}, 0},
		{[]float32{1, 1}, []float32{-2, -2}, -1},
	} {
		if got := textproc.Cosine(tc.a, tc.b); math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("Cosine(%v, %v) = %g, want %g", tc.a, tc.b, got, tc.want)
		}
	}
}
