package reportbook

import (
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// folders are the folders of the pages, by kind of node.
var folders = map[graph.Kind]string{
	graph.KindReport: "reports", graph.KindEntity: "entities", graph.KindRelationship: "relationships",
	graph.KindClaim: "claims", graph.KindChunk: "chunks",
}

// maxSlug is the most bytes of a name that its file name keeps.
const maxSlug = 40

// fileName returns a file name for a node that every file system accepts: readable,
// and unique by a hash of the key.
func fileName(key string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(graph.Local(key)) {
		switch {
		case b.Len() >= maxSlug:
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(strings.Trim(b.String(), "-")+"-"+graph.Hash(key)[:8], "-")
}

// pathOf returns where the export puts the page of a node, with "/" as separator and
// without an extension.
func (b *Book) pathOf(kind graph.Kind, key string) string {
	if at, known := b.keys[key]; known && kind == graph.KindReport {
		return "reports/" + reportFile(b.Entries[at].Label)
	}
	return folders[kind] + "/" + fileName(key)
}

// reportFile returns the file name of a report: its label, unless the prefix in the
// settings made that unsafe.
func reportFile(label string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return -1
	}, label)
	if safe == label && label != "" {
		return label
	}
	return fileName(label + "/" + label)
}
