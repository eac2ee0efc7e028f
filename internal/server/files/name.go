package files

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the longest name of a file, in bytes.
const maxName = 200

// reserved are names that Windows gives to devices, with any extension.
var reserved = map[string]bool{
	"con": true, "prn": true, "aux": true, "nul": true,
	"com1": true, "com2": true, "com3": true, "com4": true, "com5": true, "com6": true, "com7": true, "com8": true, "com9": true,
	"lpt1": true, "lpt2": true, "lpt3": true, "lpt4": true, "lpt5": true, "lpt6": true, "lpt7": true, "lpt8": true, "lpt9": true,
}

// cleanName returns the last part of a name, if that is a name for a file on every system.
func cleanName(name string) (string, error) {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	stem, _, _ := strings.Cut(name, ".")
	switch {
	case name == "", isHidden(name), len(name) > maxName, !utf8.ValidString(name),
		strings.ContainsFunc(name, isRefused), strings.TrimRight(name, ". ") != name, reserved[strings.ToLower(strings.TrimSpace(stem))]:
		return "", fmt.Errorf("%.200q: %w", name, ErrName)
	}
	return name, nil
}

// isRefused reports whether a name may not have a character: it cannot be seen, or some system gives it a
// meaning. A # would separate a record from its file in the name of a document.
func isRefused(r rune) bool {
	return strings.ContainsRune(`<>:"|?*#`, r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError
}
