package report

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
)

const (
	maxHeadingRunes = 70
)

var (
	headingLink   = regexp.MustCompile(`!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?`)
	headingMarkup = regexp.MustCompile(`<[^>]*>|\{[^}]*\}|[` + "`" + `*¶#]|\b_|_\b`)
	codeSpan      = regexp.MustCompile("^`[^`]*`$")
	// headingNumber is what numbers a heading: "2.2.", "Kapitel 1.", "A.3 ", "IV."
	headingNumber = regexp.MustCompile(`^(?:\pL{3,}\s+(?:\d{1,3}|[IVXLC]+)\s*[.:–—-]\s+|(?:\d{1,3}|\pLu)(?:\.\d{1,3})+\.?\s+|\d{1,3}[.)]\s+|[IVXLC]+\.\s+)`)
	versionLike   = regexp.MustCompile(`^\pL*[\s.:-]*v?\d+(?:[.\-/]\w+)+|\d+\.\d+\.\d+|\d{4}-\d\d-\d\d`)
	codeLike      = regexp.MustCompile(`\w[_/\\=]\w|::|\w\(\)|\$\w|\w\.\w{1,4}$|[<>{}|]|\w\.\w+\.\w`)
)

// cleanHeading returns a heading of a text, or the title of a document, as a title shows it; ""
// for one that a reader would not take for a heading, such as a file name, a version or code.
func cleanHeading(s string) string {
	s = headingLink.ReplaceAllString(plainLine(s), "$1")
	if strings.HasPrefix(s, "-") || codeSpan.MatchString(headingNumber.ReplaceAllString(s, "")) {
		return ""
	}
	s = text.OneLine(headingMarkup.ReplaceAllString(s, ""))
	s = headingNumber.ReplaceAllString(s, "")
	s = strings.TrimRight(strings.TrimSpace(s), " .:;,…–—-")
	s = strings.TrimLeft(s, " .:;,…–—-→»")
	n := utf8.RuneCountInString(s)
	if n < 2 || n > maxHeadingRunes || versionLike.MatchString(s) || codeLike.MatchString(s) || isFileName(s) {
		return ""
	}
	letters := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	if 2*letters < n {
		return ""
	}
	if isShouted(s) {
		s = displayName(s, true)
	}
	return upperFirst(s)
}

// documentHeading returns the title of a document as a title shows it, "" if it is the name of its file.
func documentHeading(s graph.SectionMentions) string {
	name := strings.TrimSuffix(path.Base(s.Document), path.Ext(s.Document))
	if !strings.Contains(s.Title, " ") && strings.EqualFold(s.Title, name) {
		return ""
	}
	return cleanHeading(s.Title)
}

// isFileName reports whether a text is one word that joins several by marks or digits, as in stave-1.
func isFileName(s string) bool {
	if strings.ContainsAny(s, " \u00a0") {
		return false
	}
	return strings.ContainsAny(s, "_") || strings.ContainsAny(s, "0123456789") || strings.Contains(s, "-") && strings.ToLower(s) == s
}

// isShouted reports whether a text of several words is in capitals.
func isShouted(s string) bool {
	return strings.ToUpper(s) == s && strings.ToLower(s) != s && len(strings.Fields(s)) > 1
}

// areShouted reports whether all names are in capitals and are more than abbreviations.
func areShouted(entities []graph.Entity) bool {
	return inCapitals(entities) && slices.ContainsFunc(entities, func(e graph.Entity) bool { return len(e.Name) > maxAbbreviation })
}

// maxAbbreviation is the length of the longest abbreviation, in bytes.
const maxAbbreviation = 5
