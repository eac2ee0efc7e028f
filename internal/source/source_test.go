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
	for _, bad := range [][]string{{"body"}, {"words=body"}, {"text="}, {"text=a", "text=b"}, {"text=a", "title=a"}} {
		if _, err := ParseFields(bad); err == nil {
			t.Errorf("ParseFields(%q): no error", bad)
		}
	}
	plain := Options{}.Fingerprint()
	same, other := Options{Fields: map[string]string{"text": "text"}}, Options{Fields: fields}
	if same.Fingerprint() != plain || other.Fingerprint() == plain {
		t.Error("the fingerprint does not depend on the fields, or depends on defaults that are spelled out")
	}
}
