package bolt

import (
	"bytes"
	"testing"
)

// FuzzHandshake checks that only an answer with a proposed version is accepted, and that
// no more of it is read than the four bytes of the version.
func FuzzHandshake(f *testing.F) {
	for _, reply := range []string{"\x00\x00\x04\x04rest", "\x00\x00\x00\x00", "HTTP/1.1 400", "\x00\x00", ""} {
		f.Add([]byte(reply))
	}
	f.Fuzz(func(t *testing.T, reply []byte) {
		rest := bytes.NewReader(reply)
		err := Handshake(&peer{Reader: rest})
		if err == nil && (len(reply) < 4 || reply[0] != 0 || reply[3] < 4) {
			t.Fatalf("Handshake accepts % x", reply)
		}
		if read := len(reply) - rest.Len(); read > 4 {
			t.Fatalf("Handshake reads %d bytes", read)
		}
	})
}
