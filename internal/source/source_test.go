package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseFields(t *testing.T) {
	t.Parallel()
	fields, err := ParseFields([]string{"text=body", "date=When made"})
	if diff := cmp.Diff(map[string]string{"text": "body", "date": "When made"}, fields); err != nil || diff != "" {
		t.Errorf("ParseFields: %v (-want +got):\n%s", err, diff)
	}
	for _, bad := range [][]string{{"body"}, {"words=body"}, {"text="}, {"text=a", "text=b"}, {"text=a", "title=a"}, {"*.csv:words=a"}} {
		if _, err := ParseFields(bad); err == nil {
			t.Errorf("ParseFields(%q): no error", bad)
		}
	}
	fields, err = ParseFields([]string{"text=title,body", "reviews*.csv:text=review"})
	if diff := cmp.Diff(map[string]string{"text": "title,body", "reviews*.csv:text": "review"}, fields); err != nil || diff != "" {
		t.Errorf("several columns, and a pattern: %v (-want +got):\n%s", err, diff)
	}
	for uri, want := range map[string]string{"a/b.csv": "title,body", "a/reviews-1.csv": "review"} {
		if got := (Options{Fields: fields}).fieldsOf(uri)["text"]; got != want {
			t.Errorf("the text of %s is in %q, want %q", uri, got, want)
		}
	}
	plain := Options{}.Fingerprint()
	same, other := Options{Fields: map[string]string{"text": "text"}}, Options{Fields: fields}
	if same.Fingerprint() != plain || other.Fingerprint() == plain {
		t.Error("the fingerprint does not depend on the fields, or depends on defaults that are spelled out")
	}
}
