package parse

import (
	"path"
	"strings"
)

// packedExtension is the extension of a file of any format that is packed by gzip.
const packedExtension = ".gz"

// IsPacked reports whether a file of that name is packed by gzip.
func IsPacked(name string) bool { return strings.EqualFold(path.Ext(name), packedExtension) }

// Extension returns the extension of the format, in lower case.
func Extension(name string) string {
	if IsPacked(name) {
		name = name[:len(name)-len(packedExtension)]
	}
	return strings.ToLower(path.Ext(name))
}

// Stem returns the base name without its extension.
func Stem(name string) string {
	base := path.Base(name)
	if IsPacked(base) {
		base = base[:len(base)-len(packedExtension)]
	}
	if s := strings.TrimSuffix(base, path.Ext(base)); s != "" {
		return s
	}
	return base
}
