package source

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/neorag/neorag/internal/source/mail"
)

// readMessages makes a document of each message that ReadMailbox found.
func readMessages(text io.Reader, r *records) error {
	messages := json.NewDecoder(text)
	r.fields = nil
	for {
		var m mail.Message
		if err := messages.Decode(&m); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		r.row++
		if m.Text == "" {
			continue // it failed
		}
		if err := r.add(0, map[string]string{"text": m.Text, "title": m.Title, "date": m.Date, "author": m.From, "to": m.To}, false); err != nil {
			return err
		}
	}
}
