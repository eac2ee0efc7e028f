package extract

import (
	"strings"

	"github.com/neorag/neorag/internal/textproc"
)

// The types, in the order in which ties are decided.
const (
	concept = iota
	event
	location
	organization
	person
)

var kinds = [...]string{"concept", "event", "location", "organization", "person"}

// A ballot holds the votes for the types of one name, in tenths.
type ballot [len(kinds)]int

// leastVotes are needed for a type other than concept.
const leastVotes = 8

func (b *ballot) total() int {
	return b[concept] + b[event] + b[location] + b[organization] + b[person]
}

func (b *ballot) winner() string {
	best := concept
	for k := range b {
		if b[k] > b[best] {
			best = k
		}
	}
	if b[best] < leastVotes {
		return kinds[concept]
	}
	return kinds[best]
}

// A site is a mention with what stands around it.
type site struct {
	toks                    []textproc.Token
	a, b                    int
	first, last             *textproc.Word
	prev, prev2, next, then *textproc.Word // never nil
}

var nothing textproc.Word

func siteOf(m mention, toks []textproc.Token) site {
	at := func(i int) *textproc.Word {
		if i < 0 || i >= len(toks) {
			return &nothing
		}
		return toks[i].Word
	}
	return site{
		toks: toks, a: m.a, b: m.b, first: toks[m.a].Word, last: toks[m.b-1].Word,
		prev: at(m.a - 1), prev2: at(m.a - 2), next: at(m.b), then: at(m.b + 1),
	}
}

func (s site) words() int { return s.b - s.a }

// any reports whether a word of the name is in one of the classes.
func (s site) any(c textproc.Class) bool {
	for _, t := range s.toks[s.a:s.b] {
		if t.Is(c) {
			return true
		}
	}
	return false
}

// is reports whether a word is one of words, which stand between spaces.
func is(w *textproc.Word, words string) bool {
	n := len(w.Lower)
	for from := 1; n > 0; {
		i := strings.Index(words[from:], w.Lower)
		if i < 0 {
			return false
		}
		if from += i; words[from-1] == ' ' && words[from+n] == ' ' {
			return true
		}
		from++
	}
	return false
}

// vote counts what one mention says of the type and sex of its entity.
func (d *paper) vote(m mention, toks []textproc.Token) {
	for len(d.votes) <= m.e {
		d.votes = append(d.votes, ballot{})
		d.sex = append(d.sex, 0)
	}
	v, s := &d.votes[m.e], siteOf(m, toks)
	d.sex[m.e] += s.votePerson(v)
	s.voteOthers(v)
	s.votePlace(v)
	for k := m.b; k < min(m.b+12, len(toks)); k++ {
		if is(toks[k].Word, " its itself ") {
			v[organization] += 3
			break
		}
		male, female := is(toks[k].Word, " he his him himself "), is(toks[k].Word, " she her herself ")
		if male || female {
			v[person] += 4
			if male {
				d.sex[m.e]++
			} else {
				d.sex[m.e]--
			}
			break
		}
	}
}

// votePerson returns what the name says of the sex.
func (s site) votePerson(v *ballot) (sex int) {
	tail := s.last.Is(textproc.NameTails)
	owner := s.words() > 1 && s.toks[s.a+1].Has(textproc.PossessiveS) // King's Landing
	if s.first.Is(textproc.Title) && s.words() > 1 && !owner || s.prev.Is(textproc.Title) && !s.last.Is(textproc.OrganizationWord) {
		v[person] += 30
	}
	if s.any(textproc.Female) {
		sex -= 2
	}
	if s.words() > 2 && s.toks[s.a+1].Is(textproc.Title) { // Prime Minister
		v[person] += 20
	}
	if is(s.first, " mr. mr sir ") {
		sex += 2
	}
	if s.next.Is(textproc.SpeechVerb) || s.prev.Is(textproc.SpeechVerb) && is(s.next, " , . ; : ") {
		v[person] += 20
	}
	if is(s.next, " who whose himself herself ") {
		v[person] += 20
	}
	if s.next.Has(textproc.PossessiveS) && s.then.Is(textproc.PersonNoun|textproc.BodyPart) && s.then.Has(textproc.AllSmall) {
		v[person] += 15
	}
	if s.next.Is(textproc.PersonDoes) || s.next.Is(textproc.PastVerb) && !is(s.next, " led lay hit ") {
		v[person] += 10
	}
	if s.apposed() {
		v[person] += 20
	}
	for _, t := range s.toks[s.a:s.b] {
		if t.Base.Speaker {
			v[person] += 30
			break
		}
	}
	if s.words() == 1 && s.last.Is(textproc.PersonNoun) {
		v[person] += 10
	}
	if s.first.Is(textproc.GivenName) && !tail && !owner {
		v[person] += 20
	} else if s.fullName() && !tail && s.prev.Lower != "the" {
		v[person] += 3
	}
	if is(s.prev, " hey hi dear thanks hello ") || s.prev.Lower == "," && is(s.next, " ! ? ") {
		v[person] += 10
	}
	return sex
}

// apposed reports whether ", his clerk" or the like follows.
func (s site) apposed() bool {
	if s.next.Lower != "," || !is(s.then, " a an the his her ") {
		return false
	}
	for k := s.b + 1; k < min(s.b+6, len(s.toks)); k++ {
		if s.toks[k].Is(textproc.PersonNoun) {
			return true
		}
	}
	return false
}

// company reports whether the words around the name are those of a company:
// "publisher X", "X's shares", "X, a maker of".
func (s site) company() bool {
	const before = " company publisher developer studio firm giant maker startup corporation retailer manufacturer parent subsidiary "
	const owned = " ceo cto cfo employees shares shareholders headquarters customers website products founder co-founder subsidiary board "
	if s.prev.Has(textproc.AllSmall) && is(s.prev, before) || s.next.Has(textproc.PossessiveS) && is(s.then, owned) {
		return true
	}
	if s.next.Lower != "," || !is(s.then, " a an the ") {
		return false
	}
	for k := s.b + 2; k < min(s.b+7, len(s.toks)); k++ {
		if is(s.toks[k].Word, before) {
			return true
		}
	}
	return false
}

// fullName reports whether two plain capitalised words that never stand in lower case make the name.
func (s site) fullName() bool {
	if s.words() != 2 {
		return false
	}
	for _, t := range s.toks[s.a:s.b] {
		if !t.Has(textproc.AllLetters) || t.Base.Small > 0 || t.Has(textproc.AllCapital) || t.Runes < 2 {
			return false
		}
	}
	return true
}

func (s site) voteOthers(v *ballot) {
	if s.last.Is(textproc.OrganizationWord) || is(s.first, " university ministry department bank institute ") {
		v[organization] += 60
	}
	if s.company() || s.words() == 1 && s.first.Is(textproc.KnownOrganization) {
		v[organization] += 30
	}
	if s.words() == 1 && s.first.Is(textproc.Acronym) {
		v[concept] += 20
	} else if s.words() == 1 && s.first.Has(textproc.AllCapital) && s.first.Runes > 1 {
		v[organization] += 10
	}
	if is(s.prev, " \" “ ") && (is(s.next, " \" ” ") || is(s.then, " \" ” ")) { // the title of a work
		v[concept] += 20
	}
	if s.last.Is(textproc.EventWord) || is(s.first, " battle operation typhoon hurricane cyclone treaty siege ") {
		v[event] += 60
	}
	if s.any(textproc.HardEvent) {
		v[event] += 50
	}
	if is(s.prev, " during since ") {
		v[event] += 20
	}
	if s.prev.Lower == "the" && s.words() == 1 {
		v[concept] += 8
	}
}

func (s site) votePlace(v *ballot) {
	if s.last.Is(textproc.LocationWord) || is(s.first, " mount lake port cape north south new san los saint ") {
		v[location] += 40
	}
	if !s.next.Has(textproc.PossessiveS) {
		if is(s.prev, " in near across throughout outside ") {
			v[location] += 20
		} else if is(s.prev, " at from to towards ") {
			v[location] += 7
		}
	}
	if s.prev.Lower == "," && s.prev2.Has(textproc.Capital) && is(s.next, " , . ") {
		v[location] += 5
	}
	if s.prev.Lower == "the" && is(s.prev2, " in across throughout near outside ") {
		v[location] += 10
	}
	if s.last.Is(textproc.KnownPlace) && (!s.first.Is(textproc.Title) || s.words() <= 2) || s.first.Is(textproc.KnownPlace) && s.words() < 3 && !s.last.Is(textproc.OrganizationWord|textproc.EventWord) {
		v[location] += 30
	}
	if s.words() > 1 && (s.first.Is(textproc.LocationWord) || s.last.OneClass&textproc.LocationWord != 0) {
		v[location] += 20
	}
}

// nounKind is the type of a common noun, by its last word.
func nounKind(name string) string {
	h := name[strings.LastIndexByte(name, ' ')+1:]
	switch c := textproc.ClassOf(h) | textproc.ClassOf(textproc.Singular(h)); {
	case c&textproc.PersonNoun != 0:
		return kinds[person]
	case c&textproc.EventNoun != 0:
		return kinds[event]
	case c&textproc.PlaceNoun != 0:
		return kinds[location]
	case c&textproc.GroupNoun != 0:
		return kinds[organization]
	}
	if len(h) > 5 && endsIn(h, "ist", "ists", "man", "men", "woman", "women", "keeper", "keepers", "maker", "makers") {
		return kinds[person]
	}
	return kinds[concept]
}

// settle drops what no evidence supports and fixes every entity's type.
func (d *paper) settle() {
	n := len(d.names)
	d.votes = append(d.votes, make([]ballot, n-min(n, len(d.votes)))...)
	d.sex = append(d.sex, make([]int, n-min(n, len(d.sex)))...)
	d.proper, d.kind = make([]bool, n), make([]string, n)
	folded := map[string]int{}
	for e, name := range d.names {
		d.proper[e] = d.count[e] > 0 || d.target[e]
		d.kind[e] = nounKind(name)
		if d.proper[e] {
			d.kind[e] = d.votes[e].winner()
		}
		if d.proper[e] && !d.weak(e) && d.alias[e] == e {
			folded[strings.ToLower(name)] = e
		}
	}
	for _, e := range d.speaker {
		d.proper[e], d.kind[e] = true, kinds[person]
	}
	for i, row := range d.rows {
		kept := row[:0]
		for _, m := range row {
			switch {
			case d.proper[m.e]:
				if d.weak(m.e) {
					continue
				}
			case d.chunkOf[i] < 0 || !d.kept[d.chunkOf[i]][m.e]:
				continue
			default:
				if e, ok := folded[d.names[m.e]]; ok {
					m.e = e
				}
			}
			kept = append(kept, m)
		}
		d.rows[i] = kept
	}
}

// weak reports whether a name is one word, seen once, without a sign of its type,
// that also stands in lower case.
func (d *paper) weak(e int) bool {
	name := d.names[e]
	return d.count[e] == 1 && d.alias[e] == e && !d.target[e] && d.votes[e].total() < 10 &&
		strings.IndexByte(name, ' ') < 0 && d.Small(name) > 0
}
