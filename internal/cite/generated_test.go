package cite

import (
	"testing"
)

func TestRenumber(t *testing.T) {
	t.Parallel()
	numbers := []int{2, 0, 1, 2} // of the statements 1 to 4; the second resolved to nothing
	for in, want := range map[string]string{
		" [1][3]": " [2][1]", "[1] [4]": "[2]", " [2]": "", " [2][3]": " [1]", " [9]": "",
	} {
		if got := renumber(in, numbers); got != want {
			t.Errorf("renumber(%q): got %q, want %q", in, got, want)
		}
	}
}
