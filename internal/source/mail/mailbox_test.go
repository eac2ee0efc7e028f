package mail

import (
	"context"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/parse"
)

func FuzzReadEmail(f *testing.F) {
	f.Add([]byte("From: zoe@example.org\r\nSubject: x\r\n" + "\r\nThe ship."))
	f.Add([]byte("From: zoe@example.org\r\nSubject: x\r\n" + "Content-Type: multipart/mixed; boundary=A\r\n\r\n--A\r\nContent-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\ny\r\n--A--\r\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		_, _, _ = Read(context.Background(), raw, graph.Document{URI: "a.eml"}, parse.Options{})
		for _, m := range splitMailbox(raw) {
			if len(m) > len(raw) {
				t.Errorf("message of %d bytes in %d", len(m), len(raw))
			}
		}
	})
}
