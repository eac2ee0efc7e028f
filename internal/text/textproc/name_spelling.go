package textproc

import (
	"strings"
	"unicode"
)

// SplitCamel separates the words of a name such as LiHua.
func SplitCamel(s string) string {
	var b strings.Builder
	small := false
	for _, r := range s {
		if small && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		small = unicode.IsLower(r)
		b.WriteRune(r)
	}
	return b.String()
}

// compoundSuffixes end compounds that start with a name (Tokyo-based).
var compoundSuffixes = []string{
	"-based", "-style", "-led", "-era", "-like", "-born", "-backed", "-level", "-enabled", "-bound", "-capable", "-connected", "-specific",
	"-compatible", "-aware", "-only", "-free", "-related", "-powered", "-driven", "-dependent", "-independent", "-ready", "-friendly", "-owned",
	"-controlled", "-occupied", "-speaking", "-wide", "-side",
}

// Join returns the name that tokens make.
func (a *Analysis) Join(toks []Token) string {
	if len(toks) == 1 {
		return a.spell(trimCompound(toks[0].Text))
	}
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && !t.Has(PossessiveS) && (!t.Has(Symbol) || t.Start > toks[i-1].End) {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	return a.spell(trimCompound(b.String()))
}

// spell separates the words of a speaker's name.
func (a *Analysis) spell(s string) string {
	if a.isSpeaker[s] {
		return SplitCamel(s)
	}
	return s
}

// trimCompound returns the name in a compound.
func trimCompound(s string) string {
	if strings.IndexByte(s, '-') < 0 {
		return s
	}
	for _, tail := range compoundSuffixes {
		if t, ok := strings.CutSuffix(s, tail); ok && t != "" {
			return t
		}
	}
	return s
}
