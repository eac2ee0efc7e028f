package query

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseFollowUps(t *testing.T) {
	t.Parallel()
	got, err := parseFollowUps(`{"points": [], "follow_ups": [{"question": "A?", "score": "20"}, {"question": " ", "score": 1}, {"question": "B\n?", "score": 140}]}`)
	if diff := cmp.Diff([]FollowUp{{"B ?", 100}, {"A?", 20}}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, bad := range []string{`[]`, `{"follow_ups": [{"question": "A?", "score": "NaN"}]}`, `{"follow_ups": 3}`} {
		if _, err := parseFollowUps(bad); err == nil {
			t.Errorf("%s: got no error", bad)
		}
	}
}
