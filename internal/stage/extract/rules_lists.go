package extract

import (
	"github.com/neorag/neorag/internal/text/textproc"
)

// Bounds of lists of names.
const (
	minListed     = 3  // names of a list
	maxListGap    = 14 // tokens between two names of a list
	maxRoleWords  = 5  // words that say what a member of a list is
	listVotes     = 20
	peopleVotes   = 40 // more than what a list of places says
	pairVotes     = 10 // for a name that is joined to one with a strong type
	strongVotes   = 20
	minFirstNames = 3 // one of this number of members has a known first name, where all are people
)

// A nameList is a list of names in one sentence, or in lines that follow one another.
type nameList struct {
	members []int // names
	full    bool  // every member is two or three plain words with capitals
	roles   int   // members with a role in brackets after them
	label   bool  // a word for people is before the list
	first   int   // members that begin with a known first name
}

// people reports whether the list shows by itself that its members are people.
func (l nameList) people() bool {
	n := len(l.members)
	return l.label && (l.full || l.first > 0) || l.full && (minFirstNames*l.first >= n || l.roles == n) && n >= minListed
}

// readLists finds lists of names: in a sentence, names with commas and the roles of people between
// them; and lines one after another that begin with a name, as lists of authors do.
func (d *docReader) readLists() {
	d.listed = make([]bool, len(d.names))
	var lines nameList
	end := func() {
		d.addList(lines)
		lines = nameList{full: true}
	}
	lines.full = true
	for i, s := range d.Sentences {
		ms := d.nameMentions[i]
		for k := 0; k < len(ms); {
			n := k + 1
			for n < len(ms) && joinsList(s.Tokens, ms[n-1], ms[n]) {
				n++
			}
			l := nameList{full: true, label: isLabelled(s.Tokens, ms[k])}
			for _, m := range ms[k:n] {
				l.add(s.Tokens, m)
			}
			d.addList(l)
			k = n
		}
		switch {
		case s.Code || len(ms) == 0 || ms[0].a > 1 || ms[0].a == 1 && s.Tokens[0].Has(textproc.Letters|textproc.Digits):
			if i == 0 || s.Paragraph != d.Sentences[i-1].Paragraph {
				end()
			}
		case i > 0 && s.Paragraph == d.Sentences[i-1].Paragraph:
		case isListLine(s.Tokens, ms[0]):
			lines.add(s.Tokens, ms[0])
		default:
			end()
		}
	}
	end()
}

// add adds a mention of a name.
func (l *nameList) add(toks []textproc.Token, m mention) {
	s := contextOf(m, toks)
	l.members = append(l.members, m.e)
	plain := s.words() > 1 && s.words() < 4 && !s.last.Is(textproc.NameSuffix|textproc.ConceptSuffix)
	for _, t := range toks[m.a:m.b] {
		plain = plain && t.Has(textproc.Capital) && !t.Has(textproc.AllUpper) && !t.Has(textproc.PossessiveS)
	}
	l.full = l.full && (plain || s.words() == 1 && s.first.Is(textproc.GivenName))
	if s.first.Is(textproc.GivenName) {
		l.first++
	}
	if role := roleEnd(toks, m.b); role > 0 {
		l.roles++
	}
}

// roleEnd returns where a role in brackets ends that begins at token i, or 0: a few words that mostly
// are in lower case.
func roleEnd(toks []textproc.Token, i int) int {
	if i >= len(toks) || !toks[i].IsSymbol('(') {
		return 0
	}
	lower := 0
	for k := i + 1; k < len(toks) && k-i <= maxRoleWords+1; k++ {
		switch {
		case toks[k].IsSymbol(')'):
			if lower == 0 {
				return 0
			}
			return k + 1
		case toks[k].Has(textproc.AllLower):
			lower++
		}
	}
	return 0
}

// listMarks are between the names of a list.
const listMarks = " , ; and & or und oder et y e og och en "

// joinsList reports whether only marks of lists, a role or an address are between two names.
func joinsList(toks []textproc.Token, x, y mention) bool {
	if y.a-x.b < 1 || y.a-x.b > maxListGap {
		return false
	}
	from := x.b
	if end := roleEnd(toks, from); end > 0 {
		from = end
	}
	joined := false
	for i := from; i < y.a; i++ {
		switch t := toks[i]; {
		case t.IsOneOf(listMarks):
			joined = true
		case t.IsSymbol('<'):
			for i < y.a && !toks[i].IsSymbol('>') {
				i++
			}
			joined = i < y.a
		case t.IsSymbol('*') || t.IsSymbol('['):
		default:
			return false
		}
	}
	return joined
}

// isLabelled reports whether a word for people and a colon are before a name.
func isLabelled(toks []textproc.Token, m mention) bool {
	k := m.a - 1
	for k > 0 && toks[k].IsSymbol('*') {
		k--
	}
	if k < 1 || !toks[k].IsSymbol(':') {
		return false
	}
	for k > 0 && !toks[k].Has(textproc.Letters) {
		k--
	}
	return toks[k].IsOneOf(" present absent attendees attending participants speaker chair host editor contributors maintainers staff crew cast customer client contact"+
		" anwesend abwesend entschuldigt teilnehmer présents absents asistentes ausentes ") ||
		(toks[k].Class|toks[k].SingularClass)&textproc.PersonNoun != 0
}

// isListLine reports whether a line is an entry of a list that begins with a name: the line ends, or a
// mark and few words follow.
func isListLine(toks []textproc.Token, m mention) bool {
	if m.b == len(toks) {
		return true
	}
	return len(toks)-m.b < 2*maxListGap && toks[m.b].IsOneOf(" ( , : < – — - ")
}

// addList notes a list of names, and votes for people if it shows that its members are.
func (d *docReader) addList(l nameList) {
	if people := l.people(); people || len(l.members) > 1 {
		d.lists = append(d.lists, l)
		for _, e := range l.members {
			d.listed[e] = d.listed[e] || people && (l.label || len(l.members) >= minListed)
		}
	}
}

// voteLists votes for the type that most members of a list have whose own mentions decide it.
func (d *docReader) voteLists() {
	added := make([]typeVotes, len(d.votes))
	for _, l := range d.lists {
		best, votes := d.listType(l)
		for _, e := range l.members {
			a := d.alias[e]
			if own := d.votes[a]; votes == pairVotes && own[own.best()] >= minVotes {
				continue
			}
			added[a][best] = max(added[a][best], votes)
		}
	}
	for e := range added {
		for k, n := range added[e] {
			d.votes[e][k] += n
		}
	}
}

// listType returns the type of the members of a list, and the votes for it.
func (d *docReader) listType(l nameList) (kind, votes int) {
	if l.people() {
		return person, peopleVotes
	}
	var decided typeVotes
	n, strongest := 0, 0
	for _, e := range l.members {
		v := d.votes[d.alias[e]]
		if best := v.best(); v[best] >= minVotes {
			decided[best]++
			n++
			strongest = max(strongest, v[best])
		}
	}
	best := decided.best()
	switch {
	case best == concept:
	case len(l.members) == 2 && n == 1 && strongest >= strongVotes && !d.Technical:
		return best, pairVotes
	case decided[best] > 1 && 2*decided[best] > n && 3*decided[best] >= len(l.members) && len(l.members) >= minListed:
		return best, listVotes
	}
	return concept, 0
}
