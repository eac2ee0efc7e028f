package eval

import "testing"

func TestIsOdd(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{"q13": true, "q12": false, "": false, "q": false, "1": true} {
		if isOdd(id) != want {
			t.Errorf("%q: %v", id, !want)
		}
	}
}
