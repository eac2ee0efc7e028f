package query

import "testing"

func TestIsCourtesy(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]bool{
		"thanks": true, "Thank you very much!": true, "ok": true, "ok, thanks": true, "Danke schön": true, "gracias": true, "谢谢": true,
		"thanks to whom was it built?": false, "Who is Ok?": false, "Hello World example": false, "": false,
	} {
		if got := isCourtesy(question); got != want {
			t.Errorf("%q is a courtesy: %v, want %v", question, got, want)
		}
	}
}
