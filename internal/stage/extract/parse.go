package extract

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
)

var (
	// endMark is <|COMPLETE|> in any spelling; it may follow a record without a gap.
	endMark = regexp.MustCompile(`(?i)<\s*\|?\s*COMPLETED?\s*\|?\s*>`)
	// recordHead opens a record: its kind and a delimiter, with or without quotes
	// and parentheses. It is never in the middle of a line, where the last word of
	// a field may also be a kind.
	recordHead = regexp.MustCompile(`(?im)(?:^[ \t]*(?:[-*•]|\d+[.)])?[ \t]*[(（\[{]*|#+[ \t]*[(（\[{]*|[(（\[{]+)[ \t]*` + quotes + `(entity|relationship|relation|claim|(?:content|high_level)_keywords)` + quotes + `[ \t]*(?:<[ \t]*\|[#|]?[ \t]*>|\|>|<\|)`)
	// delimiter separates fields; models sometimes drop one of its characters.
	delimiter = regexp.MustCompile(`<[ \t]*\|(?:#?\|)?[ \t]*>|\|>|<\|`)
	// separator separates records; headings, fences and list numbers may surround it.
	separator = regexp.MustCompile(`(?m)\s*(?:\*\*)?##+(?:\*\*)?\s*|^[ \t]*` + "```" + `\w*[ \t]*$`)
	// recordEnd is the end of a record in parentheses that is followed by more text.
	recordEnd   = regexp.MustCompile(`\)[ \t]*(?:\*\*)?[ \t]*(?:\r?\n|$)`)
	firstNumber = regexp.MustCompile(`-?(?:\d+(?:[.,]\d+)?|[.,]\d+)`)
	// plainNumber is a field that holds only a strength.
	plainNumber = regexp.MustCompile(`^\W*-?\d*[.,]?\d+\s*(?:/\s*10)?\W*$`)
)

const (
	quotes     = "[ \t\"'`“”‘’„«»*_]*"
	quoteSigns = "\"“”„«»"
)

// ParseTuples parses the records of a model's answer: fields are separated by
// <|>, records by ##, and <|COMPLETE|> marks the end. It tolerates the mistakes
// of models: the end mark anywhere, also without a gap; missing or doubled
// parentheses and quotes; line breaks instead of ##; blank records; any letter
// case; numbers and headings between records; a strength that is not a number or
// is out of range. Prose around the records is skipped. What looks like a record
// but cannot be parsed is counted in Unread.
func ParseTuples(answer string) graph.Extraction {
	var r recordReader
	answer = endMark.ReplaceAllString(strings.ToValidUTF8(answer, "\uFFFD"), "\n##\n")
	heads := recordHead.FindAllStringSubmatchIndex(answer, -1)
	first := len(answer)
	if len(heads) > 0 {
		first = heads[0][0]
	}
	r.readOutside(answer[:first])
	for i, h := range heads {
		end := len(answer)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		record, rest := cutRecord(answer[h[1]:end])
		r.addRecord(strings.ToLower(answer[h[2]:h[3]]), splitFields(record))
		r.readOutside(rest)
	}
	return r.Extraction
}

// recordReader collects the records of one answer.
type recordReader struct{ graph.Extraction }

// cutRecord splits the text after the head of a record at the record's end.
func cutRecord(s string) (record, rest string) {
	if at := separator.FindStringIndex(s); at != nil {
		record, rest = s[:at[0]], s[at[1]:]
	} else {
		record = s
	}
	// A description may contain such an end too, so the last one counts.
	if ends := recordEnd.FindAllStringIndex(record, -1); len(ends) > 0 {
		at := ends[len(ends)-1]
		return record[:at[0]+1], record[at[1]:] + "\n##\n" + rest
	}
	return record, rest
}

// readOutside looks through text outside of records. Claims may lack the word that
// opens them; anything else that has the separators of a record is unread.
func (r *recordReader) readOutside(s string) {
	if !delimiter.MatchString(s) {
		return
	}
	for _, piece := range separator.Split(s, -1) {
		for line := range strings.Lines(piece) {
			f := splitFields(line)
			switch {
			case len(f) < 2:
			case len(f) >= 7 && claimStatus(f[3]) != "":
				r.addClaim(f)
			default:
				r.Unread++
			}
		}
	}
}

func (r *recordReader) addRecord(kind string, f []string) {
	switch kind {
	case "entity":
		r.addEntity(f)
	case "relationship", "relation":
		r.addRelationship(f)
	case "claim":
		r.addClaim(f)
	}
}

// maxTypeWords is the maximum number of words of a type: more are a description.
const maxTypeWords = 4

func (r *recordReader) addEntity(f []string) {
	if len(f) < 2 || cleanName(f[0]) == "" {
		r.Unread++
		return
	}
	e := graph.EntityRecord{Name: cleanName(f[0]), Type: strings.ToLower(cleanName(f[1])), Description: strings.Join(f[2:], " ")}
	if len(f) == 2 && len(strings.Fields(f[1])) > maxTypeWords {
		e.Type, e.Description = "", f[1]
	}
	r.Entities = append(r.Entities, e)
}

func (r *recordReader) addRelationship(f []string) {
	if len(f) < 3 || cleanName(f[0]) == "" || cleanName(f[1]) == "" {
		r.Unread++
		return
	}
	rel := graph.RelationshipRecord{Source: cleanName(f[0]), Target: cleanName(f[1]), Description: f[2], Strength: minStrength}
	rest := f[3:]
	if n := len(rest); n > 0 && (n > 1 || plainNumber.MatchString(rest[n-1]) || !strings.Contains(rest[n-1], ",")) {
		rel.Strength = parseStrength(rest[n-1])
		rest = rest[:n-1]
	}
	rel.Keywords = splitKeywords(strings.Join(rest, ","))
	r.Relationships = append(r.Relationships, rel)
}

func (r *recordReader) addClaim(f []string) {
	if len(f) < 7 || cleanName(f[0]) == "" || f[6] == "" {
		r.Unread++
		return
	}
	c := graph.ClaimRecord{
		Subject: cleanName(f[0]), Object: cleanName(f[1]), Type: cleanName(f[2]), Status: claimStatus(f[3]),
		StartDate: cleanName(f[4]), EndDate: cleanName(f[5]), Description: f[6],
	}
	if c.Status == "" {
		c.Status = statusSuspected
	}
	c.SourceText = strings.Join(f[7:], " ")
	r.Claims = append(r.Claims, c)
}

const statusSuspected = "SUSPECTED"

// claimStatus returns the status in upper case, or "" if s is not a status.
func claimStatus(s string) string {
	switch s = strings.ToUpper(cleanName(s)); s {
	case "TRUE", "FALSE", statusSuspected:
		return s
	}
	return ""
}

// splitFields splits a record into fields and strips quotes, spaces and closing
// parentheses around them.
func splitFields(record string) []string {
	parts := delimiter.Split(record, -1)
	for i, p := range parts {
		if i == len(parts)-1 {
			p = strings.TrimRight(p, " \t\r\n*`,;")
			for strings.HasSuffix(p, ")") && strings.Count(p, ")") > strings.Count(p, "(") {
				p = strings.TrimRight(p[:len(p)-1], " \t\r\n*`,;")
			}
		}
		parts[i] = unquote(strings.TrimSpace(p))
	}
	return parts
}

// unquote strips the quotes around a field, even if one of them is missing. The
// quotes of a quotation at the end of the field are kept.
func unquote(s string) string {
	for s != "" {
		first, n := utf8.DecodeRuneInString(s)
		last, m := utf8.DecodeLastRuneInString(s)
		opens, closes := strings.ContainsRune(quoteSigns, first), strings.ContainsRune(quoteSigns, last)
		odd := countQuotes(s)%2 == 1
		switch {
		case opens && closes && len(s) > n:
			s = strings.TrimSpace(s[n : len(s)-m])
		case opens && odd:
			s = strings.TrimSpace(s[n:])
		case closes && odd:
			s = strings.TrimSpace(s[:len(s)-m])
		default:
			return s
		}
	}
	return s
}

func countQuotes(s string) int {
	n := 0
	for _, r := range s {
		if strings.ContainsRune(quoteSigns, r) {
			n++
		}
	}
	return n
}

// cleanName strips quotes, markup and an unmatched parenthesis around a name.
func cleanName(s string) string {
	s = strings.Trim(text.OneLine(s), " *`"+quoteSigns)
	if strings.HasPrefix(s, "(") && !strings.Contains(s, ")") {
		s = s[1:]
	}
	return strings.TrimSpace(s)
}

const (
	minStrength = 100
	maxStrength = 1000
)

// parseStrength returns the first number of s in hundredths, limited to the range
// of 1 to 10. Without a number it is 1.
func parseStrength(s string) int {
	v, err := strconv.ParseFloat(strings.ReplaceAll(firstNumber.FindString(s), ",", "."), 64)
	if err != nil {
		return minStrength
	}
	return hundredths(v)
}

func hundredths(v float64) int {
	if math.IsNaN(v) {
		return minStrength
	}
	return int(math.Round(min(max(v*100, minStrength), maxStrength)))
}

// splitKeywords splits a list at commas, semicolons and line breaks.
func splitKeywords(s string) []string {
	var out []string
	for _, k := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		if k = cleanName(k); k != "" {
			out = append(out, k)
		}
	}
	return out
}
