package textproc

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/text/language"
)

// An Extreme is what a question asks for among several things: the one with the highest or the lowest value
// of a property.
type Extreme struct {
	Lowest  bool
	Version bool      // the things are versions or releases
	Columns []TermSet // of the names of columns that may have the property, the most likely first
	Word    string    // of the question, such as largest
}

// An extremeWord is how a question asks for an extreme, in English and German.
type extremeWord struct {
	words   string // a regular expression
	lowest  bool
	columns string // "" if the question names the property after the word: the most members
}

// Columns of tables by what they measure.
const (
	lengths = "length long duration distance länge dauer"
	heights = "height high altitude elevation höhe"
	depths  = "depth draught deep tiefe tiefgang"
	widths  = "width wide beam breite"
	weights = "weight mass gewicht"
	prices  = "price cost fee rate preis kosten gebühr"
	speeds  = "speed geschwindigkeit"
	ages    = "age alter"
	dates   = "built founded born opened released date year since baujahr gebaut gegründet datum jahr seit"
	sizes   = "size capacity area population members volume total length größe kapazität fläche einwohner mitglieder länge"
)

var extremeWords = []extremeWord{
	{`longest|längste\pL?`, false, lengths},
	{`shortest|kürzeste\pL?`, true, lengths},
	{`tallest|highest|höchste\pL?`, false, heights + " " + prices},
	{`lowest|niedrigste\pL?`, true, heights + " " + prices},
	{`deepest|tiefste\pL?`, false, depths},
	{`shallowest|flachste\pL?`, true, depths},
	{`widest|breiteste\pL?`, false, widths},
	{`narrowest|schmalste\pL?`, true, widths},
	{`heaviest|schwerste\pL?`, false, weights},
	{`lightest|leichteste\pL?`, true, weights},
	{`most expensive|dearest|teuerste\pL?`, false, prices},
	{`least expensive|cheapest|billigste\pL?|günstigste\pL?`, true, prices},
	{`fastest|quickest|schnellste\pL?`, false, speeds},
	{`slowest|langsamste\pL?`, true, speeds},
	{`farthest|furthest|weiteste\pL?`, false, "distance entfernung"},
	{`nearest|closest|nächste\pL?`, true, "distance entfernung"},
	{`newest|latest|youngest|last|most recent|current|neueste\pL?|jüngste\pL?|letzte\pL?|aktuelle\pL?`, false, dates},
	{`oldest|earliest|first|älteste\pL?|früheste\pL?|erste\pL?`, true, dates},
	{`largest|biggest|greatest|größte\pL?`, false, sizes},
	{`smallest|kleinste\pL?`, true, sizes},
	{`most|meisten`, false, ""},
	{`least|fewest|wenigsten`, true, ""},
}

// extremePatterns match extremeWords.
var extremePatterns = func() []func() *regexp.Regexp {
	out := make([]func() *regexp.Regexp, len(extremeWords))
	for i, w := range extremeWords {
		out[i] = lazily(`(?i)(?:^|\PL)(` + w.words + `)(?:\PL|$)`)
	}
	return out
}()

// versionsNamed match the things that have versions.
var versionsNamed = lazily(`(?i)(?:^|\PL)(?:versions?|releases?|versionen)(?:\PL|$)`)

// ExtremeOf returns what extreme a question in a language asks for, nil for none.
func ExtremeOf(l language.Language, question string) *Extreme {
	for i, w := range extremeWords {
		at := extremePatterns[i]().FindStringSubmatchIndex(question)
		if at == nil {
			continue
		}
		e := &Extreme{Lowest: w.lowest, Word: question[at[2]:at[3]], Version: versionsNamed().MatchString(question)}
		for column := range strings.FieldsSeq(w.columns) {
			e.Columns = append(e.Columns, TermSetIn(l, column))
		}
		if w.columns == "" {
			e.Columns = []TermSet{TermSetIn(l, question[at[3]:])}
		}
		return e
	}
	return nil
}

var (
	// amounts match the first number of a value, with its separators of thousands and its decimals.
	amounts = lazily(`-?\d(?:[\d.,]*\d)?(?:[ \x{a0}\x{2009}\x{202f}]\d{3}(?:[.,]\d+)?\b)*`)
	// isoDate matches a date, a month or a year.
	isoDate = lazily(`^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$`)
	// digitGroups match numbers whose thousands are separated by points.
	digitGroups = lazily(`^-?\d{1,3}(?:\.\d{3})+(?:,|$)`)
)

// Amount returns the number that a value of a table in a language begins with, of a date the years and the part
// of a year; false if it begins with none.
func Amount(l language.Language, value string) (float64, bool) {
	value = strings.TrimSpace(value)
	if m := isoDate().FindStringSubmatch(value); m != nil {
		year, _ := strconv.Atoi(m[1])
		month, _ := strconv.Atoi(m[2]) // 0 if not known: the year is before its months
		day, _ := strconv.Atoi(m[3])
		return float64(year) + float64(month*32+day)/500, true
	}
	at := amounts().FindStringIndex(value)
	if at == nil || strings.IndexFunc(value[:at[0]], isWordRune) >= 0 {
		return 0, false
	}
	thousands, decimal := ",", "."
	number := value[at[0]:at[1]]
	if l == language.German && (strings.Contains(number, ",") || digitGroups().MatchString(number)) {
		thousands, decimal = ".", ","
	}
	number = strings.ReplaceAll(strings.Join(strings.Fields(number), ""), thousands, "")
	n, err := strconv.ParseFloat(strings.Replace(number, decimal, ".", 1), 64)
	return n, err == nil
}

// CompareVersions orders versions such as 2.10.0 and 2.9 by their numbers.
func CompareVersions(a, b string) int {
	return slices.Compare(numbersIn(a), numbersIn(b))
}

// numbersIn returns the numbers of a version.
func numbersIn(version string) []int {
	var out []int
	for _, part := range strings.FieldsFunc(version, func(r rune) bool { return r < '0' || r > '9' }) {
		n, _ := strconv.Atoi(part[:min(len(part), 9)]) // digits alone
		out = append(out, n)
	}
	return out
}
