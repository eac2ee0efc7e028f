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
	inBrackets  = regexp.MustCompile(`\(\s*([\p{L}\p{N}][\p{L}\p{N}\-]{0,8}[\p{L}\p{N}])\s*\)`)
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

// Abbreviations returns the abbreviations that a text introduces in brackets after their full
// forms, as they are spelled. (The method is from Schwartz and Hearst, 2003.)
func Abbreviations(text string) []Abbreviation {
	var out []Abbreviation
	for _, at := range inBrackets.FindAllStringSubmatchIndex(text, -1) {
		short := text[at[2]:at[3]]
		if !looksShort(short) {
			continue
		}
		before := text[max(0, at[0]-longForm):at[0]]
		for len(before) > 0 && !utf8.RuneStart(before[0]) {
			before = before[1:]
		}
		if end := strings.LastIndexAny(before, ".;:!?,()[]"); end >= 0 {
			before = before[end+1:]
		}
		if long := fullForm(strings.Join(strings.Fields(before), " "), short); long != "" {
			if p := (Abbreviation{long, short}); !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

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

// Introduce adds to the mentions of a chunk the abbreviations that its text introduces, if it
// mentions the abbreviation or the full form: both become mentions, which note the pair.
func Introduce(corpus, text string, m *Mentions) {
	for _, p := range Abbreviations(text) {
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
			m.addMention(corpus, name, keys, same)
		}
	}
	slices.SortFunc(m.Entities, func(a, b EntityMention) int { return strings.Compare(a.Key, b.Key) })
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
func (m *Mentions) addMention(corpus, name string, keys [2]string, same string) {
	key := graph.EntityKey(corpus, Normalise(name))
	if !slices.Contains(keys[:], key) || slices.ContainsFunc(m.Entities, func(e EntityMention) bool { return e.Key == key }) {
		return
	}
	name = Spelling(name)
	m.Entities = append(m.Entities, EntityMention{
		Key: key, Name: name, Names: []string{name}, Types: []string{graph.TypeUnknown}, Descriptions: []string{""}, Same: []string{same},
	})
}
