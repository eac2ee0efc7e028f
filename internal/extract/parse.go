package extract

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

var (
	// endMark is <|COMPLETE|> in any spelling; it may be glued to a record.
	endMark = regexp.MustCompile(`(?i)<\s*\|?\s*COMPLETED?\s*\|?\s*>`)
	// recordHead opens a record: its kind and a delimiter, with quotes and
	// parentheses or without, but never amid a line: the last word of a field may
	// be a kind too.
	recordHead = regexp.MustCompile(`(?im)(?:^[ \t]*(?:[-*•]|\d+[.)])?[ \t]*[(（\[{]*|#+[ \t]*[(（\[{]*|[(（\[{]+)[ \t]*` + quotes + `(entity|relationship|relation|claim|(?:content|high_level)_keywords)` + quotes + `[ \t]*(?:<[ \t]*\|[#|]?[ \t]*>|\|>|<\|)`)
	// delimiter parts fields; models lose one of its signs now and then.
	delimiter = regexp.MustCompile(`<[ \t]*\|(?:#?\|)?[ \t]*>|\|>|<\|`)
	// separator parts records; headings, fences and list numbers stand around it.
	separator = regexp.MustCompile(`(?m)\s*(?:\*\*)?##+(?:\*\*)?\s*|^[ \t]*` + "```" + `\w*[ \t]*$`)
	// closed is the end of a record in parentheses, with something after it.
	closed   = regexp.MustCompile(`\)[ \t]*(?:\*\*)?[ \t]*(?:\r?\n|$)`)
	digitsOf = regexp.MustCompile(`-?(?:\d+(?:[.,]\d+)?|[.,]\d+)`)
	// plainNumber is a field that holds a strength and nothing else.
	plainNumber = regexp.MustCompile(`^\W*-?\d*[.,]?\d+\s*(?:/\s*10)?\W*$`)
)

const (
	quotes     = "[ \t\"'`“”‘’„«»*_]*"
	quoteSigns = "\"“”„«»"
)

// ParseTuples reads records from a model's answer: fields parted by <|>,
// records by ##, the end marked by <|COMPLETE|>. It takes what models make of
// that: the end mark glued to a record and anywhere, parentheses and quotes that
// are missing or doubled, new lines in place of ##, blank records, any letter
// case, numbers and headings between records, a strength that is no number or
// out of range. Prose around the records is passed over; what looks like a
// record and cannot be read is counted in Unread.
func ParseTuples(answer string) graph.Extraction {
	var r reading
	text := endMark.ReplaceAllString(strings.ToValidUTF8(answer, "\uFFFD"), "\n##\n")
	heads := recordHead.FindAllStringSubmatchIndex(text, -1)
	first := len(text)
	if len(heads) > 0 {
		first = heads[0][0]
	}
	r.headless(text[:first])
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		record, rest := body(text[h[1]:end])
		r.record(strings.ToLower(text[h[2]:h[3]]), fields(record))
		r.headless(rest)
	}
	return r.Extraction
}

// reading collects the records of one answer.
type reading struct{ graph.Extraction }

// body cuts what follows the head of a record at its end.
func body(text string) (record, rest string) {
	if at := separator.FindStringIndex(text); at != nil {
		record, rest = text[:at[0]], text[at[1]:]
	} else {
		record = text
	}
	// A description may hold such an end too: the last one counts.
	if ends := closed.FindAllStringIndex(record, -1); len(ends) > 0 {
		at := ends[len(ends)-1]
		return record[:at[0]+1], record[at[1]:] + "\n##\n" + rest
	}
	return record, rest
}

// headless looks through text outside of records. Claims may come without the
// word that opens them; anything else that is parted like a record is unread.
func (r *reading) headless(text string) {
	if !delimiter.MatchString(text) {
		return
	}
	for _, piece := range separator.Split(text, -1) {
		for line := range strings.Lines(piece) {
			f := fields(line)
			switch {
			case len(f) < 2:
			case len(f) >= 7 && claimStatus(f[3]) != "":
				r.claim(f)
			default:
				r.Unread++
			}
		}
	}
}

func (r *reading) record(kind string, f []string) {
	switch kind {
	case "entity":
		r.entity(f)
	case "relationship", "relation":
		r.relationship(f)
	case "claim":
		r.claim(f)
	}
}

// typeWords is how many words a type has at most: more are a description.
const typeWords = 4

func (r *reading) entity(f []string) {
	if len(f) < 2 || name(f[0]) == "" {
		r.Unread++
		return
	}
	e := graph.EntityRecord{Name: name(f[0]), Type: strings.ToLower(name(f[1])), Description: strings.Join(f[2:], " ")}
	if len(f) == 2 && len(strings.Fields(f[1])) > typeWords {
		e.Type, e.Description = "", f[1]
	}
	r.Entities = append(r.Entities, e)
}

func (r *reading) relationship(f []string) {
	if len(f) < 3 || name(f[0]) == "" || name(f[1]) == "" {
		r.Unread++
		return
	}
	rel := graph.RelationshipRecord{Source: name(f[0]), Target: name(f[1]), Description: f[2], Strength: leastStrength}
	rest := f[3:]
	if n := len(rest); n > 0 && (n > 1 || plainNumber.MatchString(rest[n-1]) || !strings.Contains(rest[n-1], ",")) {
		rel.Strength = strength(rest[n-1])
		rest = rest[:n-1]
	}
	rel.Keywords = keywords(strings.Join(rest, ","))
	r.Relationships = append(r.Relationships, rel)
}

func (r *reading) claim(f []string) {
	if len(f) < 7 || name(f[0]) == "" || f[6] == "" {
		r.Unread++
		return
	}
	c := graph.ClaimRecord{
		Subject: name(f[0]), Object: name(f[1]), Type: name(f[2]), Status: claimStatus(f[3]),
		StartDate: name(f[4]), EndDate: name(f[5]), Description: f[6],
	}
	if c.Status == "" {
		c.Status = statusSuspected
	}
	c.SourceText = strings.Join(f[7:], " ")
	r.Claims = append(r.Claims, c)
}

const statusSuspected = "SUSPECTED"

// claimStatus reads a status; "" stands for what is none.
func claimStatus(s string) string {
	switch s = strings.ToUpper(name(s)); s {
	case "TRUE", "FALSE", statusSuspected:
		return s
	}
	return ""
}

// fields parts a record and takes off what stands around each field.
func fields(record string) []string {
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

// unquote takes off the quotes around a field, also where one is missing. A
// quote inside that ends with the field keeps its sign.
func unquote(s string) string {
	for s != "" {
		opens := strings.ContainsRune(quoteSigns, firstRune(s))
		closes := strings.ContainsRune(quoteSigns, lastRune(s))
		odd := countQuotes(s)%2 == 1
		switch {
		case opens && closes && s != string(firstRune(s)):
			s = strings.TrimSpace(s[len(string(firstRune(s))) : len(s)-len(string(lastRune(s)))])
		case opens && odd:
			s = strings.TrimSpace(s[len(string(firstRune(s))):])
		case closes && odd:
			s = strings.TrimSpace(s[:len(s)-len(string(lastRune(s)))])
		default:
			return s
		}
	}
	return s
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

func lastRune(s string) rune {
	runes := []rune(s[max(0, len(s)-4):])
	return runes[len(runes)-1]
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

// name takes off all that models put around a name.
func name(s string) string {
	s = strings.Trim(strings.Join(strings.Fields(s), " "), " *`"+quoteSigns)
	if strings.HasPrefix(s, "(") && !strings.Contains(s, ")") {
		s = s[1:]
	}
	return strings.TrimSpace(s)
}

const (
	leastStrength = 100
	mostStrength  = 1000
)

// strength reads a strength in hundredths, from 1 to 10; what is no number is 1.
func strength(s string) int {
	v, err := strconv.ParseFloat(strings.ReplaceAll(digitsOf.FindString(s), ",", "."), 64)
	if err != nil {
		return leastStrength
	}
	return hundredths(v)
}

func hundredths(v float64) int {
	if math.IsNaN(v) {
		return leastStrength
	}
	return int(math.Round(min(max(v*100, leastStrength), mostStrength)))
}

// keywords parts a list.
func keywords(s string) []string {
	var out []string
	for _, k := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		if k = name(k); k != "" {
			out = append(out, k)
		}
	}
	return out
}
