package llmtest

import (
	"cmp"
	"compress/gzip"
	"io"
	"net/http"
	"time"

	"github.com/neorag/neorag/internal/sys/wait"
)

// A Body is the body of an answer of any size and pace. The server sends Head, then Piece
// until it has sent Size bytes of pieces, then Tail.
type Body struct {
	Head, Piece, Tail string
	Size              int64         // negative: without end
	Every             time.Duration // between two pieces
	Stream            bool          // server-sent events, else JSON
	Kind              string        // the media type, instead of that of Stream; NoKind for none
	Gzip              bool          // compressed
}

// NoKind is the Kind of a body without a media type.
const NoKind = "none"

// countedWriter counts the bytes that a client, or the buffers in between, accepted.
type countedWriter struct {
	to     http.ResponseWriter
	server *Server
}

func (w countedWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	w.server.mu.Lock()
	w.server.bodyBytes += int64(n)
	w.server.mu.Unlock()
	return n, err
}

// sendBody sends a body until it is complete or the client leaves.
func (s *Server) sendBody(w http.ResponseWriter, r *http.Request, status int, b Body) {
	s.mu.Lock()
	s.bodies++
	s.mu.Unlock()
	kind := "application/json"
	if b.Stream {
		kind = "text/event-stream"
	}
	w.Header().Set("Content-Type", cmp.Or(b.Kind, kind))
	if b.Kind == NoKind {
		w.Header()["Content-Type"] = nil // so that none is guessed
	}
	var to io.Writer = countedWriter{w, s}
	if b.Gzip {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(to)
		defer func() { _ = z.Close() }() // an error means that the client went away
		to = z
	}
	w.WriteHeader(max(status, http.StatusOK))
	if _, err := io.WriteString(to, b.Head); err != nil {
		return
	}
	for sent := int64(0); b.Size < 0 || sent < b.Size; sent += int64(len(b.Piece)) {
		if b.Every > 0 {
			if f, ok := w.(http.Flusher); ok {
				f.Flush()
			}
			if wait.For(r.Context(), b.Every) != nil {
				return
			}
		}
		if _, err := io.WriteString(to, b.Piece); err != nil {
			return
		}
	}
	_, _ = io.WriteString(to, b.Tail) // an error means that the client went away
}
