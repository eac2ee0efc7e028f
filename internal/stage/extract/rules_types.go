package extract

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

// The entity types. In a tie between votes the first one wins.
const (
	concept = iota
	event
	location
	organization
	person
)

var typeNames = [...]string{"concept", "event", "location", "organization", "person"}

// typeVotes are the votes for each type of one name, in tenths.
type typeVotes [len(typeNames)]int

// minVotes is the number of votes needed for a type other than concept.
const minVotes = 8

func (b *typeVotes) total() int {
	return b[concept] + b[event] + max(0, b[location]) + b[organization] + max(0, b[person])
}

// statisticalType is the type of what statistics found in a script without capitals, of which the rules
// do not know whether it is a name.
const statisticalType = "phrase"

// winner returns the type with the most votes, "concept" if it has too few.
func (b *typeVotes) winner() string {
	best := b.best()
	if b[best] < minVotes {
		return typeNames[concept]
	}
	return typeNames[best]
}

// best returns the type with the most votes, the first one in a tie.
func (b *typeVotes) best() int {
	best := concept
	for k := range b {
		if b[k] > b[best] {
			best = k
		}
	}
	return best
}

// A mentionContext is a mention with the words around it.
type mentionContext struct {
	toks                     []textproc.Token
	a, b                     int
	first, last              *textproc.Word
	prev, prev2, next, next2 *textproc.Word // never nil
	listed                   *typeVotes     // what word lists say of the name, counted once
	technical                bool           // the text is
}

var noWord textproc.Word

func contextOf(m mention, toks []textproc.Token) mentionContext {
	at := func(i int) *textproc.Word {
		if i < 0 || i >= len(toks) {
			return &noWord
		}
		return toks[i].Word
	}
	return mentionContext{
		toks: toks, a: m.a, b: m.b, first: toks[m.a].Word, last: toks[m.b-1].Word,
		prev: at(m.a - 1), prev2: at(m.a - 2), next: at(m.b), next2: at(m.b + 1),
	}
}

func (s mentionContext) words() int { return s.b - s.a }

// anyWord reports whether a word of the name is in one of the classes.
func (s mentionContext) anyWord(c textproc.Class) bool { return anyIs(s.toks[s.a:s.b], c) }

// anyIs reports whether a token is in one of the classes.
func anyIs(toks []textproc.Token, c textproc.Class) bool {
	return slices.ContainsFunc(toks, func(t textproc.Token) bool { return t.Is(c) })
}

// vote counts what one mention indicates about the type and sex of its entity.
func (d *docReader) vote(m mention, toks []textproc.Token) {
	for len(d.votes) <= m.e {
		d.votes = append(d.votes, typeVotes{})
		d.listVotes = append(d.listVotes, typeVotes{})
		d.sex = append(d.sex, 0)
	}
	v, s := &d.votes[m.e], contextOf(m, toks)
	s.technical, s.listed = d.Technical, &d.listVotes[m.e]
	d.sex[m.e] += s.votePerson(v)
	s.voteOthers(v)
	s.votePlace(v)
	for k := m.b; k < min(m.b+12, len(toks)); k++ {
		if toks[k].IsOneOf(" its itself ") {
			v[organization] += 3
			break
		}
		male, female := toks[k].IsOneOf(" he his him himself "), toks[k].IsOneOf(" she her herself ")
		if male || female {
			if v[person] += 4; s.isFullName() {
				v[person]++
			}
			if male {
				d.sex[m.e]++
			} else {
				d.sex[m.e]--
			}
			break
		}
	}
}

// votePerson votes for a person. It returns what the name indicates about the sex:
// positive for male, negative for female.
func (s mentionContext) votePerson(v *typeVotes) (sex int) {
	if s.isCapitals() {
		return 0
	}
	tail := s.last.Is(textproc.NameSuffix | textproc.ConceptSuffix)
	owner := s.words() > 1 && slices.ContainsFunc(s.toks[s.a+1:s.b], func(t textproc.Token) bool { return t.Has(textproc.PossessiveS) }) // King's Landing
	if s.isOffice() || s.first.Is(textproc.Title) && s.words() > 1 && !owner && !s.isGeneral() && !text.HasAnySuffix(s.last.Lower, "ship", "ships") || s.prev.Is(textproc.Title) && !s.last.Is(textproc.OrganizationSuffix) {
		v[person] += 30
	}
	if s.isSuccessor() {
		v[person] += 20
	}
	if s.isCited() {
		v[person] += 15
	}
	if s.isFullName() && !isCamelCase(s.first.Text) && !isCamelCase(s.last.Text) && s.isAuthor() {
		v[person] += 8
	}
	if s.anyWord(textproc.FemaleWord) {
		sex -= 2
	}
	if s.words() > 2 && s.toks[s.a+1].Is(textproc.Title) { // Prime Minister
		v[person] += 20
	}
	if s.first.IsOneOf(" mr. mr sir ") {
		sex += 2
	}
	if s.next.Is(textproc.SpeechVerb) || s.prev.Is(textproc.SpeechVerb) && s.next.IsOneOf(" , . ; : ") {
		v[person] += 20
	}
	if s.next.IsOneOf(" who whose himself herself ") {
		v[person] += 20
	}
	if s.next.Has(textproc.PossessiveS) && s.next2.Is(textproc.PersonNoun|textproc.BodyPart) && s.next2.Has(textproc.AllLower) {
		v[person] += 15
	}
	if s.next.Is(textproc.PersonVerb) || s.next.Is(textproc.PastVerb) && !s.next.IsOneOf(" led lay hit ") {
		v[person] += 10
	}
	if s.hasApposition() {
		v[person] += 20
	}
	if slices.ContainsFunc(s.toks[s.a:s.b], func(t textproc.Token) bool { return t.Base.Speaker }) {
		v[person] += 30
	}
	if s.words() == 1 && s.last.Is(textproc.PersonNoun) {
		v[person] += 10
	}
	if s.first.Is(textproc.GivenName) && !tail && !owner && !s.isThing() {
		s.listed[person] = max(s.listed[person], s.firstName())
	} else if s.isFullName() && !tail && s.prev.Lower != "the" {
		v[person] += 3
	}
	if s.prev.IsOneOf(" hey hi dear thanks hello ") || s.prev.Lower == "," && s.next.IsOneOf(" ! ? ") {
		v[person] += 10
	}
	return sex
}

// firstName returns what the list of first names says. Versions and machines of technical texts have
// first names too: one alone needs a word that shows a person.
func (s mentionContext) firstName() int {
	if s.technical && s.words() == 1 {
		return minVotes - 1
	}
	return 20
}

// isSuccessor reports whether a noun for a person and "is" are before the name: her successor is X.
func (s mentionContext) isSuccessor() bool {
	return s.prev.IsOneOf(" is was ") && (s.prev2.IsOneOf(" successor predecessor boss chair owner founder inventor ") || s.prev2.Is(textproc.PersonNoun) && s.prev2.Has(textproc.AllLower)) &&
		!s.first.Has(textproc.AllUpper)
}

// isCited reports whether a year shows that the name is of an author: (X, 1999), X (1999).
func (s mentionContext) isCited() bool {
	year := func(w *textproc.Word) bool {
		return w.Has(textproc.AllDigits) && w.Runes == 4 && (w.Text[:2] == "19" || w.Text[:2] == "20")
	}
	return s.words() < 3 && !s.first.Has(textproc.AllUpper) && !s.last.Is(textproc.KnownPlace|textproc.NameSuffix|textproc.ConceptSuffix) &&
		(s.next.IsSymbol(',') && year(s.next2) && s.prev.IsOneOf(" ( ; ") || s.next.IsSymbol('(') && year(s.next2) && s.b+2 < len(s.toks) && s.toks[s.b+2].IsOneOf(" , ) : "))
}

// isThing reports whether the last word of a name with a first name is a common noun of the text:
// Cassandra Backend.
func (s mentionContext) isThing() bool { return s.words() > 1 && s.last.Base.Lowercase > 0 }

// isAuthor reports whether the words around a name show that it did or wrote something: "fixed by X",
// "thanks to X", an address after X.
func (s mentionContext) isAuthor() bool {
	by := s.prev.Lower == "by" && (s.prev2.Has(textproc.MainVerb) || s.prev2.Is(textproc.ConceptNoun))
	thanks := s.prev.Lower == "to" && s.prev2.IsOneOf(" thanks credit credits kudos ")
	return by || thanks || s.next.IsSymbol('<') && slices.ContainsFunc(s.toks[s.b:min(s.b+8, len(s.toks))], func(t textproc.Token) bool { return t.IsSymbol('@') })
}

// isCapitals reports whether the name is several words in capitals, as in headings and tables, where a
// word such as MAX is seldom a given name. Speakers of dialogues may be written so.
func (s mentionContext) isCapitals() bool {
	return s.words() > 1 && !slices.ContainsFunc(s.toks[s.a:s.b], func(t textproc.Token) bool {
		return !t.Has(textproc.AllUpper) || t.Base.Speaker || t.Is(textproc.Title)
	})
}

// hasApposition reports whether an apposition such as ", his clerk" follows.
func (s mentionContext) hasApposition() bool {
	return s.next.Lower == "," && s.next2.IsOneOf(" a an the his her ") && anyIs(s.toks[s.b+1:min(s.b+6, len(s.toks))], textproc.PersonNoun)
}

// isFullName reports whether the name consists of two plain capitalised words that
// the text never writes in lower case.
func (s mentionContext) isFullName() bool {
	return s.words() == 2 && !slices.ContainsFunc(s.toks[s.a:s.b], func(t textproc.Token) bool {
		return !t.Has(textproc.AllLetters) || t.Base.Lowercase > 0 || t.Has(textproc.AllUpper) || t.Runes < 2
	})
}

// nounType returns the type of a common noun by its last word.
func nounType(name string) string {
	h := name[strings.LastIndexByte(name, ' ')+1:]
	switch c := textproc.ClassOf(h) | textproc.ClassOf(textproc.Singular(h)); {
	case c&textproc.PersonNoun != 0:
		return typeNames[person]
	case c&textproc.EventNoun != 0:
		return typeNames[event]
	case c&textproc.PlaceNoun != 0:
		return typeNames[location]
	case c&textproc.OrganizationNoun != 0:
		return typeNames[organization]
	}
	if len(h) > 5 && text.HasAnySuffix(h, "ist", "ists", "man", "men", "woman", "women", "keeper", "keepers", "maker", "makers") {
		return typeNames[person]
	}
	return typeNames[concept]
}

// decideTypes drops mentions without enough evidence and decides the type of every
// entity.
func (d *docReader) decideTypes() {
	n := len(d.names)
	d.votes = append(d.votes, make([]typeVotes, n-min(n, len(d.votes)))...)
	d.sex = append(d.sex, make([]int, n-min(n, len(d.sex)))...)
	for e, listed := range d.listVotes {
		for k, n := range listed {
			d.votes[e][k] += n
		}
	}
	d.voteLists()
	d.isName, d.types = make([]bool, n), make([]string, n)
	byLower := map[string]int{} // names by their lower case form
	for e, name := range d.names {
		d.isName[e] = d.nameCount[e] > 0 || d.isAliasTarget[e]
		if d.types[e] = typeNames[concept]; !d.Technical {
			d.types[e] = nounType(name)
		}
		if d.isName[e] {
			d.types[e] = d.votes[e].winner()
		}
		if d.isName[e] && !d.Language.HasCapitals() {
			d.types[e] = statisticalType
		}
		if d.isName[e] && !d.weak(e) && d.alias[e] == e {
			byLower[strings.ToLower(name)] = e
		}
	}
	for _, e := range d.speakerOf {
		d.isName[e], d.types[e] = true, typeNames[person]
	}
	for i, mentions := range d.mentions {
		kept := mentions[:0]
		for _, m := range mentions {
			switch {
			case d.isName[m.e]:
				if d.weak(m.e) {
					continue
				}
			case d.chunkOf[i] < 0 || !d.keptConcepts[d.chunkOf[i]][m.e]:
				continue
			default:
				if e, ok := byLower[d.names[m.e]]; ok {
					m.e = e
				}
			}
			kept = append(kept, m)
		}
		d.mentions[i] = kept
	}
}

// weak reports whether a name is a single word that occurs once, with hardly any
// vote for a type, and is also written in lower case.
func (d *docReader) weak(e int) bool {
	name := d.names[e]
	return d.nameCount[e] == 1 && d.alias[e] == e && !d.isAliasTarget[e] && d.votes[e].total() < 10 &&
		strings.IndexByte(name, ' ') < 0 && d.LowerCount(name) > 0
}
