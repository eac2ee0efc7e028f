package httplimit

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// A body of exactly the limit is read whole; one more byte is an error.
func TestReader(t *testing.T) {
	t.Parallel()
	const limit = 1 << 10
	for size, fails := range map[int]bool{0: false, limit - 1: false, limit: false, limit + 1: true, 3 * limit: true} {
		text := strings.Repeat("x", size)
		for name, from := range map[string]io.Reader{"whole": strings.NewReader(text), "bytes": iotest.OneByteReader(strings.NewReader(text)), "end with data": iotest.DataErrReader(strings.NewReader(text))} {
			got, err := io.ReadAll(Reader(from, limit))
			var large *TooLargeError
			if errors.As(err, &large) != fails || err != nil && !fails || len(got) != min(size, limit) {
				t.Errorf("%d bytes, %s: read %d, %v", size, name, len(got), err)
			}
		}
	}
	failed := errors.New("broken")
	if _, err := io.ReadAll(Reader(io.MultiReader(strings.NewReader("x"), iotest.ErrReader(failed)), 1)); !errors.Is(err, failed) {
		t.Errorf("an error at the limit: got %v", err)
	}
}
