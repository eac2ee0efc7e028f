package cypher

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzLiteral checks that no text ends the literal that it is written into: names of
// documents become part of statements in Neo4j Browser and in exports.
func FuzzLiteral(f *testing.F) {
	for _, s := range []string{"O'Neil", `\`, `\'`, "a\nb\tc", `'; MATCH (n) DETACH DELETE n //`, `\u0027`, "\u2028\u009b", "\xff'", "`"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		literal := Literal(text)
		if strings.ContainsAny(literal, "\n\r\u2028\u2029") || !utf8.ValidString(literal) {
			t.Fatalf("Literal(%q) = %q is not one line of text", text, literal)
		}
		got, ok := unquote(literal)
		if want := string([]rune(text)); !ok || got != want {
			t.Fatalf("Literal(%q) = %q reads as %q, %v", text, literal, got, ok)
		}
	})
}

// unquote reads a literal as Neo4j does; false if it ends before the last character.
func unquote(literal string) (string, bool) {
	if len(literal) < 2 || literal[0] != '\'' || literal[len(literal)-1] != '\'' {
		return "", false
	}
	var b strings.Builder
	for rest := literal[1 : len(literal)-1]; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
		switch {
		case r == '\'':
			return "", false
		case r != '\\':
			b.WriteRune(r)
			continue
		case rest == "":
			return "", false
		}
		escaped := rest[0]
		rest = rest[1:]
		switch escaped {
		case '\\', '\'':
			b.WriteByte(escaped)
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'u':
			if len(rest) < 4 {
				return "", false
			}
			code, err := strconv.ParseUint(rest[:4], 16, 32)
			if err != nil {
				return "", false
			}
			b.WriteRune(rune(code))
			rest = rest[4:]
		default:
			return "", false
		}
	}
	return b.String(), true
}
