package httplimit

import (
	"fmt"
	"io"
)

// A TooLargeError is an answer with more bytes than its limit.
type TooLargeError struct{ Limit int64 }

// Error names the limit.
func (e *TooLargeError) Error() string {
	if e.Limit < 1<<20 {
		return fmt.Sprintf("the answer has more than %d kB", e.Limit>>10)
	}
	return fmt.Sprintf("the answer has more than %d MB", e.Limit>>20)
}

// Reader returns a reader of a body that fails with a TooLargeError after limit bytes.
func Reader(body io.Reader, limit int64) io.Reader {
	return &reader{from: body, left: limit, limit: limit}
}

type reader struct {
	from        io.Reader
	left, limit int64
}

// Read reads up to the limit. It fails only if there are more bytes.
func (r *reader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		var more [1]byte
		if n, err := r.from.Read(more[:]); n == 0 {
			return 0, err
		}
		return 0, &TooLargeError{r.limit}
	}
	n, err := r.from.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	return n, err
}
