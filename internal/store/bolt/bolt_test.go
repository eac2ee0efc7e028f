package bolt

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

type peer struct {
	io.Reader
	got bytes.Buffer
}

func (p *peer) Write(b []byte) (int, error) { return p.got.Write(b) }

func TestHandshake(t *testing.T) {
	for _, c := range []struct {
		reply string
		want  error
	}{
		{"\x00\x00\x08\x05", nil},
		{"\x00\x00\x04\x04", nil},
		{"\x00\x00\x00\x00", ErrVersion},
		{"HTTP/1.1 400 Bad Request", ErrHTTP},
		{"SSH-", ErrNotBolt},
		{"\x00\x00\x00\x03", ErrNotBolt},
		{"\x00", ErrNotBolt},
		{"", ErrNotBolt},
	} {
		p := &peer{Reader: strings.NewReader(c.reply)}
		if err := Handshake(p); !errors.Is(err, c.want) {
			t.Errorf("reply %q: %v, want %v", c.reply, err, c.want)
		}
		if p.got.Len() != 20 {
			t.Errorf("sent %d bytes, want 20", p.got.Len())
		}
	}
	if !errors.Is(ErrHTTP, ErrNotBolt) {
		t.Error("ErrHTTP is not an ErrNotBolt")
	}
}
