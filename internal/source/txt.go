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

// Source code is read as text.
var _ = register(format{
	mime: "text/x-source",
	extensions: []string{
		".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".go", ".java", ".js", ".jsx", ".ts", ".tsx", ".kt", ".swift", ".scala", ".py", ".rb", ".rs", ".php",
		".pl", ".lua", ".r", ".jl", ".m", ".sh", ".bash", ".ps1", ".sql", ".tex",
	},
	read: readText,
})

func readText(_ context.Context, raw []byte, doc graph.Document, with parsing) (graph.Document, []Failure, error) {
	text, err := decodeText(raw, with)
	if err != nil {
		return doc, nil, err
	}
	setText(&doc, text)
	return doc, nil, nil
}
