package office

import (
	"io"
	"strings"
	"testing"
)

func TestPartsShareOneSizeLimit(t *testing.T) {
	t.Parallel()
	f := Archive{Ctx: t.Context(), Left: 10}
	first := &partReader{file: &f, ReadCloser: io.NopCloser(strings.NewReader("12345678")), packed: 8}
	if _, err := first.Read(make([]byte, 8)); err != nil {
		t.Error(err)
	}
	second := &partReader{file: &f, ReadCloser: io.NopCloser(strings.NewReader("12345678")), packed: 8}
	if _, err := second.Read(make([]byte, 8)); err == nil {
		t.Error("16 bytes with a limit of 10: no error")
	}
}
