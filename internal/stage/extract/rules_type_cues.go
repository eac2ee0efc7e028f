package extract

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/text/textproc"
)

// isCompany reports whether the words around the name indicate a company:
// "publisher X", "X's shares", "X, a maker of".
func (s mentionContext) isCompany() bool {
	const before = " company publisher developer studio firm giant maker startup corporation retailer manufacturer parent subsidiary "
	const owned = " ceo cto cfo employees shares shareholders headquarters customers website products founder co-founder subsidiary board "
	if s.prev.Has(textproc.AllLower) && s.prev.IsOneOf(before) || s.next.Has(textproc.PossessiveS) && s.next2.IsOneOf(owned) {
		return true
	}
	return s.next.Lower == "," && s.next2.IsOneOf(" a an the ") &&
		slices.ContainsFunc(s.toks[s.b+2:min(s.b+7, len(s.toks))], func(t textproc.Token) bool { return t.IsOneOf(before) })
}

// isOffice reports whether the name denotes an office, which a person holds
// (Secretary of State, Norwegian Ambassador).
func (s mentionContext) isOffice() bool {
	if s.words() < 2 {
		return false
	}
	const offices = " ambassador minister president secretary chancellor premier governor commissioner emperor chairman pope "
	return strings.Contains(offices, " "+s.last.Singular+" ") && s.toks[s.b-2].Lower != "of" || s.first.Is(textproc.Title) && s.toks[s.a+1].Lower == "of"
}

// isGeneral reports whether the first word is an adjective that is also a title: the
// General Assembly.
func (s mentionContext) isGeneral() bool {
	return s.first.IsOneOf(" general chief major ") && (s.prev.Lower == "the" || s.isThing() && !s.last.Is(textproc.GivenName))
}

// startsOrganization reports whether the name, or what follows its owner in it, begins
// as names of organizations do: Ministry of Defence, China's Ministry of Industry.
func (s mentionContext) startsOrganization() bool {
	for k := s.a; k < s.b; k++ {
		if (k == s.a || s.toks[k-1].Has(textproc.PossessiveS)) && s.toks[k].IsOneOf(" university ministry department bank institute ") {
			return true
		}
	}
	return false
}

// voteOthers votes for an organization, an event or a concept.
func (s mentionContext) voteOthers(v *typeVotes) {
	if !s.isOffice() && s.last.Is(textproc.OrganizationSuffix) && (!s.technical || s.last.Base.Lowercase == 0) || s.startsOrganization() {
		v[organization] += 60
	}
	if s.isCompany() {
		v[organization] += 30
	} else if s.words() == 1 && s.first.Is(textproc.KnownOrganization) {
		s.listed[organization] = 30
	}
	if s.words() == 1 && s.first.Has(textproc.AllUpper) && s.first.Runes > 1 {
		s.voteAcronym(v)
	}
	s.voteEvent(v)
	s.voteConcept(v)
	s.voteDefinition(v)
}

// voteAcronym votes for what a lone word in capitals names: an organization, unless it is
// listed as something else or is used like a common noun (a QVX, QVX files).
func (s mentionContext) voteAcronym(v *typeVotes) {
	isNoun := s.next.Has(textproc.AllLower) && !s.next.Is(textproc.FunctionWord) && !s.next.Has(textproc.Verb)
	switch {
	case s.first.Is(textproc.Acronym):
		s.listed[concept] = max(s.listed[concept], 20)
	case isNoun && s.next.Is(textproc.PersonNoun|textproc.OrganizationNoun):
		v[organization] += 10
	case s.prev.IsOneOf(" a an "):
		v[concept] += 15
	case isNoun || s.technical:
		v[concept] += 4
	default:
		v[organization] += 10
	}
}

// voteEvent votes for an event. After "of", a word for events makes a title or an office:
// Lords of War, Secretary of War.
func (s mentionContext) voteEvent(v *typeVotes) {
	const dates = " day year season eve "
	ofSomething := slices.ContainsFunc(s.toks[s.a:s.b], func(t textproc.Token) bool { return t.Lower == "of" })
	switch {
	case s.first.IsOneOf(" battle operation typhoon hurricane cyclone treaty siege "),
		ofSomething && s.first.Is(textproc.EventSuffix) && !s.first.IsOneOf(dates), !ofSomething && s.last.Is(textproc.EventSuffix):
		v[event] += 60
	}
	if s.first.Is(textproc.DefiniteEvent) || !ofSomething && s.anyWord(textproc.DefiniteEvent) {
		v[event] += 50
	}
	if s.prev.IsOneOf(" during since ") && !s.technical {
		v[event] += 20
	}
}

// voteConcept votes for a concept: a religion, a people, a language, a work or a product.
func (s mentionContext) voteConcept(v *typeVotes) {
	const using = " using use used uses install installed installing run running runs play played playing plays buy bought download" +
		" downloaded titled entitled read wrote watch watched reading watching "
	const versions = " version versions user users port copy copies fans edition "
	const software = " user users version versions client driver drivers software app apps kernel edition engine gameplay franchise trailer sequel "
	otherSuffix := textproc.OrganizationSuffix | textproc.LocationSuffix | textproc.EventSuffix | textproc.KnownPlace
	switch {
	case s.first.Is(textproc.KnownConcept) && (s.words() == 1 || !s.last.Is(otherSuffix)):
		s.listed[concept] = 30
	case s.words() > 1 && s.last.Is(textproc.ConceptSuffix):
		v[concept] += 40
	case s.words() == 1 && len(s.first.Text) > 5 && strings.HasSuffix(s.first.Lower, "ism"):
		v[concept] += 30
	case s.words() > 1 && s.last.Has(textproc.AllDigits):
		v[concept] += 25
	case s.words() == 1 && strings.ContainsFunc(s.first.Text, unicode.IsDigit):
		v[concept] += 20
	case s.words() == 1 && isCamelCase(s.first.Text):
		v[concept] += 10
	}
	if s.prev.IsOneOf(" \" “ ") && (s.next.IsOneOf(" \" ” ") || s.next2.IsOneOf(" \" ” ")) || // the title of a work
		s.prev.Is(textproc.ConceptNoun) && s.prev.Has(textproc.AllLower) {
		v[concept] += 20
	}
	if s.a > 0 && s.next.IsSymbol(':') && s.next2.Has(textproc.Capital) || s.prev.IsOneOf(" of for ") && s.prev2.IsOneOf(versions) {
		v[concept] += 10
	}
	if s.next.Has(textproc.AllLower) && s.next.IsOneOf(software) || s.prev.IsOneOf(using) {
		v[concept] += 8
	}
	if s.prev.Lower == "the" && s.words() == 1 {
		v[concept] += 8
	}
}

// surnamePrefix matches the beginning of surnames such as McDonald or DeLuca.
var surnamePrefix = regexp.MustCompile(`^(?:Mc|Mac|De|Di|Du|La|Le|Van|Fitz)`)

// isCamelCase reports whether a word has a capital after a small letter, and is not a
// surname.
func isCamelCase(w string) bool {
	at := strings.IndexFunc(w, unicode.IsLower) + 1
	if at == 0 || !strings.ContainsFunc(w[at:], unicode.IsUpper) {
		return false
	}
	return !strings.ContainsAny(w, "-'’") && !surnamePrefix.MatchString(w)
}

// voteDefinition votes for the type of the noun that defines the name: "X is a town",
// "X, a novel".
func (s mentionContext) voteDefinition(v *typeVotes) {
	apposition := s.next.Lower == "," && s.next2.IsOneOf(" a an ")
	if !apposition && (!s.next.IsOneOf(" is was are were ") || !s.next2.IsOneOf(" a an the ")) {
		return
	}
	head := &noWord
	for _, t := range s.toks[min(s.b+2, len(s.toks)):min(s.b+9, len(s.toks))] {
		if !t.Has(textproc.Letters) || t.Is(textproc.FunctionWord&^textproc.Adverb) || head != &noWord && strings.HasSuffix(t.Lower, "ed") {
			break
		}
		if t.Has(textproc.AllLower) {
			head = t.Word
		}
	}
	switch c := head.Class | head.SingularClass; {
	case c&textproc.ConceptNoun != 0:
		v[concept] += 30
	case c&textproc.OrganizationNoun != 0:
		v[organization] += 30
	case c&textproc.PlaceNoun != 0:
		v[location] += 30
	case c&textproc.PersonNoun != 0:
		v[person] += 20
	case c&textproc.EventNoun != 0:
		v[event] += 20
	}
}

// votePlace votes for a location. Things are also "in" something now and then: what is
// rarely a place is none.
func (s mentionContext) votePlace(v *typeVotes) {
	before := v[location]
	if s.last.Is(textproc.LocationSuffix) && !s.isOffice() || s.first.IsOneOf(" mount lake port cape north south new san los saint ") {
		v[location] += 40
	}
	if !s.next.Has(textproc.PossessiveS) && !s.isModifier() && !isCamelCase(s.last.Text) && !isShouted(s.first.Text) {
		v[location] += s.placeVotes()
	}
	if s.prev.Lower == "," && s.prev2.Has(textproc.Capital) && s.next.IsOneOf(" , . ") {
		v[location] += 5
	}
	if !s.technical && s.prev.Lower == "the" && s.prev2.IsOneOf(" in across throughout near outside ") {
		v[location] += 10
	}
	if s.prev.Lower == "from" && s.next.Lower == "to" && s.next2.Has(textproc.Capital) || s.prev.Lower == "to" && s.prev2.Has(textproc.Capital) {
		v[location] += 3
	}
	if s.prev.Lower == "of" && s.prev2.IsOneOf(" city town village province island region district capital port county state republic ") {
		v[location] += 30
	}
	if s.prev.Lower == "," && s.prev2.Is(textproc.KnownPlace) || s.next.Lower == "," && s.next2.Is(textproc.KnownPlace) {
		v[location] += 8
	}
	s.listed[location] = max(s.listed[location], s.listedPlace())
	if s.words() > 1 && !s.isOffice() && (s.first.Is(textproc.LocationSuffix) || s.last.SingularClass&textproc.LocationSuffix != 0) {
		v[location] += 20
	}
	if v[location] == before {
		v[location]--
	}
}

// isShouted reports whether a word begins with two capitals and has small letters, as no place does.
func isShouted(w string) bool {
	return len(w) > 2 && 'A' <= w[0] && w[0] <= 'Z' && 'A' <= w[1] && w[1] <= 'Z' && strings.ContainsFunc(w, unicode.IsLower)
}

// isModifier reports whether a noun in lower case follows the name, which then is what that noun is of:
// in Unicode messages.
func (s mentionContext) isModifier() bool {
	return s.next.Has(textproc.AllLower) && !s.next.Has(textproc.Verb) && !s.next.Is(textproc.FunctionWord|textproc.Negation) && s.next.Runes > 2
}

// placeVotes returns what the word before a name says about a place. Manuals say "in" and "at" of
// programs, files and formats.
func (s mentionContext) placeVotes() int {
	switch {
	case s.technical:
		return 0
	case s.prev.IsOneOf(" in near across throughout outside "):
		return 20
	case s.prev.Lower == "at":
		return minVotes
	case s.prev.IsOneOf(" from to towards "):
		return 7
	}
	return 0
}

// listedPlace returns what the list of known places says about the name: less than what surrounds it, if
// the word is also a first name, or the last name of a person.
func (s mentionContext) listedPlace() int {
	last := s.last.Is(textproc.KnownPlace) && (!s.first.Is(textproc.Title) || s.words() <= 2)
	first := s.first.Is(textproc.KnownPlace) && s.words() < 3 && !s.last.Is(textproc.OrganizationSuffix|textproc.EventSuffix)
	switch {
	case !last && !first:
		return 0
	case s.words() == 2 && s.first.Is(textproc.GivenName):
		return 10
	case s.words() == 2 && !last:
		return 20
	}
	return 30
}
