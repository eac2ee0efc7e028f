package resolve

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/text/tokens"
)

func describer(tb testing.TB, o Options) Describer {
	tb.Helper()
	c, err := tokens.Get("")
	if err != nil {
		tb.Fatal(err)
	}
	return Describer{Options: o, Counter: c}
}

func TestFragments(t *testing.T) {
	t.Parallel()
	got := Fragments([][]string{{"b", "", "a"}, {"c", "b"}}, Options{})
	if diff := cmp.Diff([]string{"b", "a", "c"}, got); diff != "" {
		t.Errorf("fragments (-want +got):\n%s", diff)
	}
}

// TestFragmentsOfAHub adds a description to many: at most one fragment changes.
func TestFragmentsOfAHub(t *testing.T) {
	t.Parallel()
	var all []string
	for i := range 200 {
		all = append(all, fmt.Sprintf("description %d", i))
	}
	before := Fragments([][]string{all}, Options{})
	if len(before) != 64 {
		t.Fatalf("%d fragments, want 64", len(before))
	}
	r := rand.New(rand.NewPCG(1, 2))
	if diff := cmp.Diff(before, Fragments([][]string{shuffle(r, all)}, Options{})); diff != "" {
		t.Errorf("fragments depend on order:\n%s", diff)
	}
	kept := map[string]bool{}
	for _, f := range before {
		kept[f] = true
	}
	after, fresh := Fragments([][]string{append(all, "one more")}, Options{}), 0
	for _, f := range after {
		if !kept[f] {
			fresh++
		}
	}
	if len(after) != 64 || fresh > 1 {
		t.Errorf("%d fragments, %d of them new, want 64 and at most 1", len(after), fresh)
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 12 {
		many = append(many, fmt.Sprintf("Scrooge did the thing number %d. Scrooge is a miser in London, they say for the %dth time", i, i))
	}
	for _, tc := range []struct {
		name      string
		options   Options
		fragments []string
		want      string // "" means a summary within MaxTokens
	}{
		{"none", Options{}, nil, ""},
		{"one is unchanged", Options{}, []string{"a miser"}, "a miser"},
		{"joined", Options{}, []string{"a miser", "An old man.", "He said \"humbug!\""}, "a miser. An old man. He said \"humbug!\""},
		{"repeated", Options{}, []string{
			"The wheel is the most common type of mill wheel.", "The wheel turns slowly. It is the most common mill wheel in the valley.", "The wheel is the most common type of mill wheel in the valley of the Ouse",
		}, "The wheel turns slowly. The wheel is the most common type of mill wheel in the valley of the Ouse."},
		{"the same words, another meaning", Options{}, []string{
			"Marley sold the house to Scrooge.", "Scrooge sold the house to Marley.", "Marley never sold the house to Scrooge.", "Marley sold 2 houses to Scrooge.", "Marley sold 3 houses to Scrooge.", "Marley sold the warehouse to Scrooge.",
		}, "Marley sold the house to Scrooge. Scrooge sold the house to Marley. Marley never sold the house to Scrooge. Marley sold 2 houses to Scrooge. Marley sold 3 houses to Scrooge. Marley sold the warehouse to Scrooge."},
		{"repeats that stay", Options{KeepsRepeated: true}, []string{"a miser", "A miser."}, "a miser. A miser."},
		{"too many", Options{MaxTokens: 60}, many, ""},
		{"too long", Options{MaxTokens: 40, MaxFragments: 100}, many, ""},
		{"no sentence fits", Options{MaxTokens: 5}, many, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d := describer(t, tc.options)
			got, err := d.Describe(context.Background(), "Scrooge", tc.fragments)
			if err != nil {
				t.Fatal(err)
			}
			if tc.want != "" {
				if got != tc.want {
					t.Errorf("description %q, want %q", got, tc.want)
				}
				return
			}
			if n := d.Counter.Count(got); n > tc.options.Limits().MaxTokens || (n == 0) != (len(tc.fragments) == 0) {
				t.Errorf("%d tokens: %q", n, got)
			}
			again, _ := d.Describe(context.Background(), "Scrooge", shuffle(rand.New(rand.NewPCG(3, 4)), tc.fragments))
			if again != got {
				t.Errorf("the summary depends on the order of fragments:\n%q\n%q", got, again)
			}
			if strings.Contains(got, "..") {
				t.Errorf("two full stops in a row: %q", got)
			}
		})
	}
}

func TestOptionsFingerprint(t *testing.T) {
	t.Parallel()
	if (Options{}).Fingerprint() != (Options{MaxFragments: 8, MaxTokens: 500, MaxDescriptions: 64}).Fingerprint() {
		t.Error("spelled out defaults have a different fingerprint")
	}
	if (Options{}).Fingerprint() == (Options{MaxTokens: 400}).Fingerprint() {
		t.Error("a different limit has the same fingerprint")
	}
}
