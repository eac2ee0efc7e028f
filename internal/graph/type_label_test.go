package graph

import (
	"strings"
	"testing"
)

func TestTypeLabel(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ typ, want string }{
		{"person", "Person"},
		{"PERSON", "Person"},
		{"natural phenomenon", "NaturalPhenomenon"},
		{"natural_phenomenon", "NaturalPhenomenon"},
		{"chunk", ""},
		{"3d model", ""},
		{"", ""},
		{"über-held", "ÜberHeld"},
		{"behörde", "Behörde"},
		{"人物", "人物"},
		{"организация", "Организация"},
		{"व्यक्ति", "व्यक्ति"},
		{"🦊", ""},
		{"ship's crew", "ShipSCrew"},
		{"x`) DETACH DELETE n //", "XDetachDeleteN"},
		{strings.Repeat("long ", 30), ""},
	} {
		if got := TypeLabel(tc.typ); got != tc.want {
			t.Errorf("TypeLabel(%q) = %q, want %q", tc.typ, got, tc.want)
		}
	}
}

// FuzzTypeLabel checks that the label of an entity type is one that is valid, and not
// one that the program uses itself: models and documents name types.
func FuzzTypeLabel(f *testing.F) {
	for _, s := range []string{"person", "Legal entity", "x`) DETACH DELETE n //", "Entity", "Entity_letters", "C0_1", "ǆ", "1a", "İ", "\u0345a", "behörde", "व्यक्ति", "ŉ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, typ string) {
		label := TypeLabel(typ)
		if label == "" {
			return
		}
		if !IsTypeLabel(label) || strings.ContainsAny(label, "_`{}:.' ") || reservedLabels[strings.ToLower(label)] {
			t.Fatalf("TypeLabel(%q) = %q", typ, label)
		}
	})
}
