package resolve

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
)

const pairSeparator = "\x1f"

var (
	inBrackets  = regexp.MustCompile(`\(\s*([^()\s][^()]{0,80}[^()\s])\s*\)`)
	shortWord   = regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N}\-]{0,8}[\p{L}\p{N}]$`)
	nameBracket = regexp.MustCompile(`^(.+?) \(([^()]+)\)$`)
)

// bracketed splits a normalised name that is a full form with its abbreviation in brackets. The
// abbreviation is empty for any other name.
func bracketed(name string) (long, short string) {
	if !strings.HasSuffix(name, ")") {
		return name, ""
	}
	m := nameBracket.FindStringSubmatch(name)
	if m == nil || strings.Contains(m[2], " ") || fullForm(m[1], m[2]) != m[1] {
		return name, ""
	}
	return m[1], m[2]
}

// Abbreviations returns the short names that a text introduces with their full forms, as they are
// spelled: "renal cell carcinoma (RCC)", "T-cell lymphocytes (T lymphocytes)", "RCC (renal cell carcinoma)".
// Earlier rules find the first kind only. (The method is from Schwartz and Hearst, 2003.)
func Abbreviations(text string, rules NameRules) []Abbreviation {
	find := introduced
	if rules == EarlierNameRules {
		find = introducedShort
	} else {
		text = withoutSymbols(text)
	}
	var out []Abbreviation
	for _, at := range inBrackets.FindAllStringSubmatchIndex(text, -1) {
		before := text[max(0, at[0]-longForm):at[0]]
		for len(before) > 0 && !utf8.RuneStart(before[0]) {
			before = before[1:]
		}
		if end := strings.LastIndexAny(before, ".;:!?,()[]"); end >= 0 {
			before = before[end+1:]
		}
		p, ok := find(strings.Join(strings.Fields(before), " "), strings.Join(strings.Fields(text[at[2]:at[3]]), " "))
		if ok && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// introducedShort returns the abbreviation in brackets with its full form, which a text ends with.
func introducedShort(before, inside string) (p Abbreviation, ok bool) {
	if !shortWord.MatchString(inside) || !looksShort(inside) {
		return p, false
	}
	long := fullForm(before, inside)
	return Abbreviation{long, inside}, long != ""
}

// introduced returns the name in brackets with the name that a text ends with, if one is a shorter
// form of the other.
func introduced(before, inside string) (p Abbreviation, ok bool) {
	if p, ok = introducedShort(before, inside); ok {
		return p, true
	}
	words := strings.Fields(before)
	if len(words) > 0 && isShortForm(words[len(words)-1], inside) && shortWord.MatchString(words[len(words)-1]) {
		return Abbreviation{inside, words[len(words)-1]}, true
	}
	n := len(strings.Fields(inside))
	for size := max(2, n); n > 1 && size <= min(len(words), n+maxWordsMore); size++ {
		if long := strings.Join(words[len(words)-size:], " "); isShortForm(inside, long) {
			return Abbreviation{long, inside}, true
		}
	}
	return p, false
}

// maxWordsMore is how many words more than a short form of several words its full form may have.
const maxWordsMore = 5

// longForm is how many bytes before a bracket may belong to a full form.
const longForm = 160

// looksShort reports whether a word has two capitals and no more than ten characters.
func looksShort(s string) bool {
	capitals := 0
	for _, r := range s {
		if unicode.IsUpper(r) {
			capitals++
		}
	}
	return capitals > 1 && utf8.RuneCountInString(s) <= 10
}

// fullForm returns the shortest end of a text whose letters contain the letters of an abbreviation in
// order, the first of them at the beginning of a word; "" for none.
func fullForm(text, short string) string {
	long, abbreviation := []rune(strings.ToLower(text)), []rune(strings.ToLower(strings.TrimSuffix(short, "s")))
	words := strings.Fields(text)
	if limit := min(len(abbreviation)+5, 2*len(abbreviation)); len(words) > limit {
		return fullForm(strings.Join(words[len(words)-limit:], " "), short)
	}
	at := len(long) - 1
	for i, c := range slices.Backward(abbreviation) {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			continue
		}
		for at >= 0 && (long[at] != c || i == 0 && at > 0 && (unicode.IsLetter(long[at-1]) || unicode.IsDigit(long[at-1]))) {
			at--
		}
		if at < 0 {
			return ""
		}
		at--
	}
	start := at + 1
	for start > 0 && long[start-1] != ' ' {
		start--
	}
	found := string([]rune(text)[start:])
	if utf8.RuneCountInString(found) <= len(abbreviation) || strings.EqualFold(found, short) {
		return ""
	}
	return found
}

// FullForms returns the normalised full forms of an abbreviation in what mentions note as the same, see
// EntityMention.Same: the one that most mentions note first.
func FullForms(short string, same []string) []string {
	short = Normalise(short)
	n := map[string]int{}
	for _, s := range same {
		if long, of, _ := strings.Cut(s, pairSeparator); of == short {
			n[long]++
		}
	}
	return byCount(n)
}

// Introduce adds to the mentions of a chunk the abbreviations that its text introduces, if it
// mentions the abbreviation or the full form: both become mentions, which note the pair. Longer names
// in which the abbreviation is a word note their pair too.
func Introduce(corpus, text string, rules NameRules, m *Mentions) {
	pairs := Abbreviations(text, rules)
	for _, p := range pairs {
		long, short := m.ofClass(corpus, p.Long), m.ofClass(corpus, p.Short)
		if long < 0 && short < 0 {
			continue
		}
		keys := [2]string{m.mentioned(corpus, long, p.Long), m.mentioned(corpus, short, p.Short)}
		if keys[0] == "" || keys[1] == "" || keys[0] == keys[1] {
			continue
		}
		same := graph.Local(keys[0]) + pairSeparator + graph.Local(keys[1])
		for i, e := range m.Entities {
			if slices.Contains(keys[:], e.Key) && !slices.Contains(e.Same, same) {
				m.Entities[i].Same = append(slices.Clip(e.Same), same)
				slices.Sort(m.Entities[i].Same)
			}
		}
		for _, name := range []string{p.Long, p.Short} {
			m.addMention(corpus, name, keys, []string{same})
		}
	}
	if rules != EarlierNameRules {
		for _, p := range pairs {
			m.introduceLonger(p)
		}
	}
	slices.SortFunc(m.Entities, func(a, b EntityMention) int { return strings.Compare(a.Key, b.Key) })
}

// AddIntroduced adds to the mentions of a chunk the full forms that its text introduces with an abbreviation
// and that it does not mention: who reads a text by rules finds names by their capitals, and many full forms
// have none.
func AddIntroduced(corpus, text string, rules NameRules, m *Mentions) {
	for _, p := range Abbreviations(text, rules) {
		if m.ofClass(corpus, p.Long) < 0 && m.ofClass(corpus, p.Short) < 0 {
			key := m.mentioned(corpus, -1, p.Long)
			m.addMention(corpus, p.Long, [2]string{key, key}, nil)
		}
	}
}

// introduceLonger notes for every name that has an abbreviation among its words, such as "clear cell
// RCC", the pair with the name that has the full form instead.
func (m *Mentions) introduceLonger(p Abbreviation) {
	long, short := Normalise(p.Long), Normalise(p.Short)
	for i, e := range m.Entities {
		name := graph.Local(e.Key)
		full := replaceWords(name, short, long)
		if name == short || name == full || strings.Contains(name, long) {
			continue
		}
		if same := full + pairSeparator + name; !slices.Contains(e.Same, same) {
			m.Entities[i].Same = append(slices.Clip(e.Same), same)
			slices.Sort(m.Entities[i].Same)
		}
	}
}

// replaceWords replaces words in a text of words with single spaces.
func replaceWords(s, old, with string) string {
	return strings.TrimSpace(strings.ReplaceAll(" "+s+" ", " "+old+" ", " "+with+" "))
}

// A LongForms finds short names of names that hold a full form: clear cell RCC for clear cell renal cell
// carcinoma.
type LongForms map[string][]Abbreviation // normalised, by the first word of the full form

// Add adds an entity with its spellings.
func (f LongForms) Add(name string, spellings ...string) {
	for _, s := range spellings {
		if short := Normalise(s); short != name && abbreviates(s, name) {
			first, _, _ := strings.Cut(name, " ")
			f[first] = append(f[first], Abbreviation{name, short})
		}
	}
}

// Shortened returns a normalised name with each of the full forms in it replaced by its abbreviation.
func (f LongForms) Shortened(name string) []string {
	var out []string
	for w := range strings.FieldsSeq(name) {
		for _, p := range f[w] {
			if s := replaceWords(name, p.Long, p.Short); s != name && s != p.Short {
				out = append(out, s)
			}
		}
	}
	return out
}

// ofClass returns the index of the first entity of the class of a name, -1 for none.
func (m *Mentions) ofClass(corpus, name string) int {
	name = Normalise(name)
	if i := slices.IndexFunc(m.Entities, func(e EntityMention) bool { return e.Key == graph.EntityKey(corpus, name) }); i >= 0 {
		return i
	}
	c := Class(name)
	return slices.IndexFunc(m.Entities, func(e EntityMention) bool { return Class(graph.Local(e.Key)) == c })
}

// mentioned returns the key of the entity at an index, or the key of a name.
func (m *Mentions) mentioned(corpus string, at int, name string) string {
	if at >= 0 {
		return m.Entities[at].Key
	}
	var d Dropped
	if name, ok := d.checkName(name); ok {
		return graph.EntityKey(corpus, name)
	}
	return ""
}

// addMention adds a name as a mention of type unknown if one of the keys has it and the
// chunk does not mention it.
func (m *Mentions) addMention(corpus, name string, keys [2]string, same []string) {
	key := graph.EntityKey(corpus, Normalise(name))
	if !slices.Contains(keys[:], key) || slices.ContainsFunc(m.Entities, func(e EntityMention) bool { return e.Key == key }) {
		return
	}
	name = Spelling(name)
	m.Entities = append(m.Entities, EntityMention{
		Key: key, Name: name, Names: []string{name}, Types: []string{graph.TypeUnknown}, Descriptions: []string{""}, Same: same,
	})
}
