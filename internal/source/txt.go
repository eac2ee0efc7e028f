package source

import (
	"context"

	"github.com/neorag/neorag/internal/graph"
)

var _ = register(format{
	mime:       "text/plain",
	extensions: []string{".txt", ".text", ".log", ".rst", ".adoc", ".org"},
	read:       readText,
})

func readText(_ context.Context, raw []byte, doc graph.Document, with parsing) (graph.Document, []Failure, error) {
	text, err := decodeText(raw, with)
	if err != nil {
		return doc, nil, err
	}
	setText(&doc, text)
	return doc, nil, nil
}
