package source

import (
	"path"
	"strings"
)

// packedExtension is that of a file of any format that is packed by gzip.
const packedExtension = ".gz"

func isPacked(name string) bool { return strings.EqualFold(path.Ext(name), packedExtension) }

// extensionOf returns the extension of the format, in lower case.
func extensionOf(name string) string {
	if isPacked(name) {
		name = name[:len(name)-len(packedExtension)]
	}
	return strings.ToLower(path.Ext(name))
}

// stem returns the base name without its extension.
func stem(name string) string {
	base := path.Base(name)
	if isPacked(base) {
		base = base[:len(base)-len(packedExtension)]
	}
	if s := strings.TrimSuffix(base, path.Ext(base)); s != "" {
		return s
	}
	return base
}
