package source

import "github.com/neorag/neorag/internal/graph"

var _ = register(format{
	mime:       "text/plain",
	extensions: []string{".txt", ".text", ".log", ".rst", ".adoc", ".org"},
	read:       readText,
})

func readText(raw []byte, doc graph.Document) ([]graph.Document, error) {
	text, err := decodeText(raw)
	if err != nil {
		return nil, err
	}
	describe(&doc, text)
	return []graph.Document{doc}, nil
}
