package text

var (
	raised = map[rune]rune{
		'0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹',
		'+': '⁺', '-': '⁻', '\u2212': '⁻', '(': '⁽', ')': '⁾',
	}
	lowered = map[rune]rune{
		'0': '₀', '1': '₁', '2': '₂', '3': '₃', '4': '₄', '5': '₅', '6': '₆', '7': '₇', '8': '₈', '9': '₉',
		'+': '₊', '-': '₋', '\u2212': '₋', '(': '₍', ')': '₎',
	}
)

// Superscript returns a text of digits and signs in superscript characters, and false for a text
// that has others.
func Superscript(s string) (string, bool) { return mapped(s, raised) }

// Subscript is Superscript for subscript characters.
func Subscript(s string) (string, bool) { return mapped(s, lowered) }

func mapped(s string, to map[rune]rune) (string, bool) {
	out := []rune(s)
	for i, r := range out {
		if out[i] = to[r]; out[i] == 0 {
			return "", false
		}
	}
	return string(out), s != ""
}
