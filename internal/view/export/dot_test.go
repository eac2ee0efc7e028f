package export

import (
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// dotTokens splits a DOT file into quoted texts, words and punctuation.
func dotTokens(text string) ([]string, error) {
	var tokens []string
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case strings.ContainsRune(" \n\t", rune(c)):
			i++
		case c == '"':
			end := i + 1
			for ; end < len(text) && text[end] != '"'; end++ {
				if text[end] == '\\' {
					end++
				}
				if end < len(text) && text[end] == '\n' {
					return nil, fmt.Errorf("line break inside a text at %d", end)
				}
			}
			if end >= len(text) {
				return nil, errors.New("text without an end")
			}
			tokens = append(tokens, text[i:end+1])
			i = end + 1
		case strings.HasPrefix(text[i:], "--"):
			tokens, i = append(tokens, "--"), i+2
		case strings.ContainsRune("{}[]=,;", rune(c)):
			tokens, i = append(tokens, string(c)), i+1
		default:
			end := i
			for end < len(text) && (text[end] == '_' || text[end] == '.' || text[end] == '#' || text[end] >= '0' && text[end] <= '9' || text[end]|0x20 >= 'a' && text[end]|0x20 <= 'z') {
				end++
			}
			if end == i {
				return nil, fmt.Errorf("unexpected %q at %d", c, i)
			}
			tokens, i = append(tokens, text[i:end]), end
		}
	}
	return tokens, nil
}

func dotValue(token string) string {
	var b strings.Builder
	token = token[1 : len(token)-1]
	for i := 0; i < len(token); i++ {
		if token[i] == '\\' {
			if i++; token[i] == 'n' {
				b.WriteByte('\n')
				continue
			}
		}
		b.WriteByte(token[i])
	}
	return html.UnescapeString(b.String())
}

func TestDOT(t *testing.T) {
	g := sample("t", allNames())
	tokens, err := dotTokens(write(t, "dot", g))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	depth, edges, clusters := 0, 0, 0
	for i, token := range tokens {
		switch token {
		case "{", "[":
			depth++
		case "}", "]":
			depth--
		case "--":
			edges++
		case "subgraph":
			clusters++
		case "label":
			if tokens[i-1] == "[" {
				got = append(got, dotValue(tokens[i+2]))
			}
		}
	}
	want := names(g)
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], "\r\n", "\n")
	}
	if diff := cmp.Diff(want, got); diff != "" || depth != 0 || edges != len(want)-2 || clusters != 3 {
		t.Errorf("%d open, %d edges, %d clusters, names (-want +got):\n%s", depth, edges, clusters, diff)
	}
	if !slices.Contains(tokens, `"cluster_C1_1"`) {
		t.Error("no cluster for a child community")
	}
}
