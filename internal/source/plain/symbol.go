package plain

import (
	"strings"
)

// SymbolFonts are the characters of Word's symbol fonts that texts use, by font and code.
var SymbolFonts = map[string]map[rune]string{
	"wingdings": {
		0x6c: "●", 0x6e: "■", 0x6f: "☐", 0x71: "☐", 0x72: "☐", 0x76: "❖", 0x9f: "•", 0xa7: "▪", 0xa8: "☐", 0xd8: "➢", 0xe0: "→", 0xdf: "←",
		0xf0: "⇨", 0xfb: "✗", 0xfc: "✓", 0xfd: "☒", 0xfe: "☑",
	},
	"wingdings 2": {0x4f: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xa3: "☐", 0x97: "●"},
	"webdings":    {0x61: "✓", 0x63: "☐", 0x67: "■", 0x72: "✗"},
	"symbol":      symbolFont(),
}

// symbolFont returns the font Symbol, which has Greek letters in the places of Latin ones.
func symbolFont() map[rune]string {
	font := map[rune]string{
		0xa3: "≤", 0xa5: "∞", 0xac: "←", 0xad: "↑", 0xae: "→", 0xaf: "↓", 0xb0: "°", 0xb1: "±", 0xb3: "≥", 0xb4: "×", 0xb7: "•", 0xb8: "÷",
		0xb9: "≠", 0xba: "≡", 0xbb: "≈", 0xc5: "⊕", 0xce: "∈", 0xd1: "∇", 0xd5: "∏", 0xd6: "√", 0xd7: "⋅", 0xde: "⇒", 0xe5: "∑", 0xf2: "∫", 0x22: "∀", 0x24: "∃", 0x2d: "−",
	}
	for _, r := range "0123456789!#%&()+,./:;<=>?[]_{|}" { // have their usual places
		font[r] = string(r)
	}
	for i, r := range []rune("ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ") {
		font['A'+rune(i)] = string(r)
	}
	for i, r := range []rune("αβχδεφγηιϕκλμνοπθρστυϖωξψζ") {
		font['a'+rune(i)] = string(r)
	}
	return font
}

// SymbolRun returns a text in a font. Symbol fonts have their characters at the codes of others, or
// at the same codes for private use.
func SymbolRun(font, s string) string {
	table, found := SymbolFonts[strings.ToLower(font)]
	if !found {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		symbol, known := table[r&0xff]
		switch private := r >= 0xf000 && r <= 0xf0ff; {
		case known && (private || r <= 0xff):
			b.WriteString(symbol)
		case !private:
			b.WriteRune(r)
		}
	}
	return b.String()
}
