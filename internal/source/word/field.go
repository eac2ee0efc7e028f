package word

import (
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/source/office"
	"github.com/neorag/neorag/internal/source/plain"
)

// docxFields are the open fields. A field has an instruction, which can contain fields, and a result.
type docxFields struct {
	results []bool // whether each of them is in its result
	open    int    // how many of them are in their instructions
	form    docxForm
}

// A docxForm is a list field, which shows one of its entries, or a check box.
type docxForm struct {
	kind    string // the name of its element
	chosen  int
	checked bool
	entries []string
}

// mark notes where a field begins, where its result begins, and where it ends.
func (f *docxFields) mark(kind string) {
	n := len(f.results)
	switch {
	case kind == "begin":
		f.results = append(f.results, false)
		f.open++
	case n == 0:
	case kind == "separate" && !f.results[n-1]:
		f.results[n-1] = true
		f.open--
	case kind == "end":
		if !f.results[n-1] {
			f.open--
		}
		f.results = f.results[:n-1]
	}
}

// inInstruction reports whether the text is the result of a field in the instruction of another.
func (f *docxFields) inInstruction() bool {
	n := len(f.results)
	return n > 0 && f.results[n-1] && f.open > 0
}

func (f *docxFields) setProperty(e *xml.StartElement) {
	switch name := e.Name.Local; name {
	case "ddList", "checkBox":
		f.form = docxForm{kind: name}
	case "result":
		f.form.chosen, _ = strconv.Atoi(office.Attr(e, "val")) // the first if it is invalid
	case "listEntry":
		f.form.entries = append(f.form.entries, office.Attr(e, "val"))
	case "default", "checked": // the last one holds
		f.form.checked = isOn(e)
	}
}

// value returns what the field of the form shows, which ends.
func (f *docxFields) value() string {
	form := f.form
	f.form = docxForm{}
	switch {
	case form.kind == "checkBox" && form.checked:
		return "☑"
	case form.kind == "checkBox":
		return "☐"
	case form.kind == "ddList" && form.chosen >= 0 && form.chosen < len(form.entries):
		return form.entries[form.chosen]
	}
	return ""
}

// symbolText returns the character of a sym element, or "" for one that is only decoration.
func symbolText(e *xml.StartElement) string {
	code, err := strconv.ParseUint(office.Attr(e, "char"), 16, 32)
	if err != nil {
		return ""
	}
	if font, ok := plain.SymbolFonts[strings.ToLower(office.Attr(e, "font"))]; ok {
		return font[rune(code&0xff)]
	}
	if code < 0xe000 || code > 0xf8ff { // not for private use
		return string(rune(code))
	}
	return ""
}
