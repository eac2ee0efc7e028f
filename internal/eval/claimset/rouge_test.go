package claimset

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestRougeL compares with rouge-score 0.1.2 of Google (PyPI): the field fmeasure of
// RougeScorer(['rougeL'], use_stemmer=False).
func TestRougeL(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want float64
	}{
		{"Marley was dead: to begin with.", "Marley was dead.", 0.6666666666666666},
		{"Scrooge signed the register of his burial", "The register of his burial was signed by the clergyman", 0.588235294117647},
		{"California implemented incentives", "New York implemented incentives for renewable energy", 0.4},
		{"The ghost of 1843 came at one o'clock", "At one o'clock, the Ghost came", 0.5},
		{"a b c d e f g", "g f e d c b a", 0.14285714285714285},
		{"Same words", "same words!", 1},
		{"Nothing", "shared here", 0},
		{"a b c b d a b", "b d c a b a", 0.6153846153846153},
		{"", "", 0},
		{"Größe zählt", "größe zählt", 1}, // rouge-score reads only letters from a to z
	} {
		if got := rougeL(Words(tt.a), Words(tt.b)); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("ROUGE-L of %q and %q = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestRougeLIsSymmetric: it is symmetric, within 0 and 1, and 1 for a text with words and itself.
func TestRougeLIsSymmetric(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([abc]{1,2} ?){0,9}`)
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		got := rougeL(Words(a), Words(b))
		if got != rougeL(Words(b), Words(a)) || got < 0 || got > 1 {
			t.Errorf("ROUGE-L of %q and %q is %v, and %v of the reverse", a, b, got, rougeL(Words(b), Words(a)))
		}
		if own := rougeL(Words(a), Words(a)); len(Words(a)) > 0 && own != 1 {
			t.Errorf("ROUGE-L of %q and itself is %v", a, own)
		}
	})
}

func TestUnique(t *testing.T) {
	t.Parallel()
	got := Unique([]string{"Marley was dead.", "Scrooge lived.", "marley was  dead", "...", "Marley was not dead."})
	if diff := cmp.Diff([]string{"Marley was dead.", "Scrooge lived.", "Marley was not dead."}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
