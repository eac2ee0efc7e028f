package usercypher

import (
	"errors"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A cypherToken is a name, a literal or a sign of a statement. The text of literals,
// which are strings and numbers, is empty. Comments and white space are not tokens.
type cypherToken struct {
	text    string
	name    bool // a word or a quoted name
	quoted  bool // between backticks
	literal bool
}

// is reports whether a token is one of the keywords, in any case.
func (t cypherToken) is(words ...string) bool {
	for _, word := range words {
		if t.name && !t.quoted && strings.EqualFold(t.text, word) {
			return true
		}
	}
	return false
}

// sign reports whether a token is this sign.
func (t cypherToken) sign(text string) bool { return !t.name && !t.literal && t.text == text }

// asciiEscape is the escape of an ASCII character. Cypher 5 replaces it anywhere, so that
// it can end a string or a comment.
var asciiEscape = regexp.MustCompile(`\\u+00[0-7][0-9a-fA-F]`)

// cypherTokens splits a statement, or an expression of a plan, into tokens. It returns
// an error for a text that the server might split in another way.
func cypherTokens(text string) ([]cypherToken, error) {
	if escape := asciiEscape.FindString(text); escape != "" {
		return nil, errors.New("write the character itself instead of " + escape)
	}
	var tokens []cypherToken
	for text != "" {
		token, rest, err := nextCypherToken(text)
		if err != nil {
			return nil, err
		}
		if token != (cypherToken{}) {
			tokens = append(tokens, token)
		}
		text = rest
	}
	return tokens, nil
}

// nextCypherToken returns the first token and the rest of the text. A comment or white
// space is the zero token.
func nextCypherToken(text string) (token cypherToken, rest string, err error) {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case strings.HasPrefix(text, "//"):
		if end := strings.IndexAny(text, "\r\n"); end >= 0 {
			return cypherToken{}, text[end:], nil
		}
		return cypherToken{}, "", nil
	case strings.HasPrefix(text, "/*"):
		_, rest, closed := strings.Cut(text[2:], "*/")
		if !closed {
			return cypherToken{}, "", errors.New("unterminated comment")
		}
		return cypherToken{}, rest, nil
	case r == '\'' || r == '"':
		return cypherString(text)
	case r == '`':
		return cypherQuotedName(text)
	case isDigit(r):
		return cypherToken{literal: true}, strings.TrimLeftFunc(text, isDigit), nil
	case isNameRune(r):
		rest := strings.TrimLeftFunc(text, isNameRune)
		return cypherToken{text: text[:len(text)-len(rest)], name: true}, rest, nil
	case r > ' ' && r < utf8.RuneSelf:
		return cypherToken{text: text[:size]}, text[size:], nil
	}
	return cypherToken{}, text[size:], nil
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// isNameRune reports whether a character can be part of an unquoted name.
func isNameRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// cypherString is nextCypherToken for a string, in which a backslash escapes the next
// character.
func cypherString(text string) (token cypherToken, rest string, err error) {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return cypherToken{literal: true}, text[i+1:], nil
		}
	}
	return cypherToken{}, "", errors.New("unterminated string")
}

// cypherQuotedName is nextCypherToken for a name between backticks, in which a double
// backtick is one backtick.
func cypherQuotedName(text string) (token cypherToken, rest string, err error) {
	var name strings.Builder
	for i := 1; i < len(text); i++ {
		if text[i] == '`' {
			if !strings.HasPrefix(text[i+1:], "`") {
				return cypherToken{text: name.String(), name: true, quoted: true}, text[i+1:], nil
			}
			i++
		}
		name.WriteByte(text[i])
	}
	return cypherToken{}, "", errors.New("unterminated quoted name")
}

// A cypherCall is the call of a procedure or function that has a namespace. All
// procedures have one, and all functions of plugins.
type cypherCall struct {
	name      string
	procedure bool
}

// cypherCalls finds the calls in a statement, or in an expression of a plan,
// which shows a procedure as ResolvedCall(name(...)).
func cypherCalls(tokens []cypherToken) []cypherCall {
	var calls []cypherCall
	for i := 0; i < len(tokens); i++ {
		if !tokens[i].name {
			continue
		}
		begin := i
		parts := qualifiedName(tokens[i:])
		i += 2 * (len(parts) - 1)
		called := i+1 < len(tokens) && tokens[i+1].sign("(")
		procedure := begin > 0 && tokens[begin-1].is("CALL") || begin > 1 && tokens[begin-1].sign("(") && tokens[begin-2].is("ResolvedCall")
		if i > begin && (called || procedure) {
			calls = append(calls, cypherCall{strings.Join(parts, "."), procedure})
		}
	}
	return calls
}

// qualifiedName returns the names at the begin of tokens, which starts with one, that are
// joined by points.
func qualifiedName(tokens []cypherToken) []string {
	parts := []string{tokens[0].text}
	for rest := tokens[1:]; len(rest) > 1 && rest[0].sign(".") && rest[1].name; rest = rest[2:] {
		parts = append(parts, rest[1].text)
	}
	return parts
}

// hasWords reports whether two keywords follow one another.
func hasWords(tokens []cypherToken, first string, second ...string) bool {
	for i := 1; i < len(tokens); i++ {
		if tokens[i-1].is(first) && tokens[i].is(second...) {
			return true
		}
	}
	return false
}

// cypherBody skips the options of a statement, such as CYPHER 5 runtime=slotted,
// and EXPLAIN or PROFILE.
func cypherBody(tokens []cypherToken) []cypherToken {
	for len(tokens) > 0 {
		switch {
		case tokens[0].literal || tokens[0].is("CYPHER", "EXPLAIN", "PROFILE"):
			tokens = tokens[1:]
		case len(tokens) > 2 && tokens[1].sign("="):
			tokens = tokens[3:]
		default:
			return tokens
		}
	}
	return nil
}

// usedGraphs returns the names in USE clauses.
func usedGraphs(tokens []cypherToken) []string {
	var used []string
	tokens = cypherBody(tokens)
	for i, token := range tokens {
		union := i > 0 && tokens[i-1].is("UNION") || i > 1 && tokens[i-1].is("ALL", "DISTINCT") && tokens[i-2].is("UNION")
		if !token.is("USE") || i+1 == len(tokens) || !tokens[i+1].name || i > 0 && !tokens[i-1].sign("{") && !union {
			continue
		}
		used = append(used, strings.Join(qualifiedName(tokens[i+1:]), "."))
	}
	return used
}
