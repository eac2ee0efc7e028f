package pdftext

import (
	"slices"
	"strings"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/structs"
)

const maxFields = 10_000 // of a page, and options of a field

// openForm makes the fields of a form readable. It returns "" if there is no form.
func openForm(pdfium pdfium.Pdfium, document references.FPDF_DOCUMENT) references.FPDF_FORMHANDLE {
	// PDFium calls these when a form is shown, which it never is here.
	form, err := pdfium.FPDFDOC_InitFormFillEnvironment(&requests.FPDFDOC_InitFormFillEnvironment{
		Document: document,
		FormFillInfo: structs.FPDF_FORMFILLINFO{
			FFI_Invalidate:         func(references.FPDF_PAGE, float64, float64, float64, float64) {},
			FFI_SetCursor:          func(enums.FXCT) {},
			FFI_SetTimer:           func(int, func(int)) int { return 0 },
			FFI_KillTimer:          func(int) {},
			FFI_GetLocalTime:       func() structs.FPDF_SYSTEMTIME { return structs.FPDF_SYSTEMTIME{} },
			FFI_GetPage:            func(references.FPDF_DOCUMENT, int) *references.FPDF_PAGE { return nil },
			FFI_GetRotation:        func(references.FPDF_PAGE) enums.FPDF_PAGE_ROTATION { return 0 },
			FFI_ExecuteNamedAction: func(string) {},
		},
	})
	if err != nil {
		return ""
	}
	return form.FormHandle
}

// addFields adds what the fields of a form hold, and notes that are written on the page.
func addFields(lines []line, pdfium pdfium.Pdfium, form references.FPDF_FORMHANDLE, page requests.Page, number int, sheet sheet) []line {
	count, err := pdfium.FPDFPage_GetAnnotCount(&requests.FPDFPage_GetAnnotCount{Page: page})
	if err != nil || count.Count == 0 {
		return lines
	}
	if form != "" { // without it, no box is checked
		if _, err := pdfium.FORM_OnAfterLoadPage(&requests.FORM_OnAfterLoadPage{Page: page, FormHandle: form}); err == nil {
			defer func() {
				_, _ = pdfium.FORM_OnBeforeClosePage(&requests.FORM_OnBeforeClosePage{Page: page, FormHandle: form})
			}()
		}
	}
	for i := range min(count.Count, maxFields) {
		annotation, err := pdfium.FPDFPage_GetAnnot(&requests.FPDFPage_GetAnnot{Page: page, Index: i})
		if err != nil {
			continue
		}
		text := annotationText(pdfium, form, annotation.Annotation)
		area, err := pdfium.FPDFAnnot_GetRect(&requests.FPDFAnnot_GetRect{Annotation: annotation.Annotation})
		_, _ = pdfium.FPDFPage_CloseAnnot(&requests.FPDFPage_CloseAnnot{Annotation: annotation.Annotation})
		if text = strings.Join(strings.Fields(text), " "); text == "" || err != nil {
			continue
		}
		box, height := sheet.turned(sheet.turn, rect{float64(area.Rect.Left), float64(area.Rect.Bottom), float64(area.Rect.Right), float64(area.Rect.Top)})
		lines = addField(lines, line{page: number, height: height, text: compose(text), box: box})
	}
	return lines
}

// annotationText returns the text of an annotation that readers of the page see in it, or "".
func annotationText(pdfium pdfium.Pdfium, form references.FPDF_FORMHANDLE, a references.FPDF_ANNOTATION) string {
	flags, err := pdfium.FPDFAnnot_GetFlags(&requests.FPDFAnnot_GetFlags{Annotation: a})
	if err != nil || flags.Flags&(enums.FPDF_ANNOT_FLAG_HIDDEN|enums.FPDF_ANNOT_FLAG_NOVIEW) != 0 {
		return ""
	}
	kind, err := pdfium.FPDFAnnot_GetSubtype(&requests.FPDFAnnot_GetSubtype{Annotation: a})
	switch {
	case err != nil:
		return ""
	case kind.Subtype == enums.FPDF_ANNOT_SUBTYPE_FREETEXT:
		contents, err := pdfium.FPDFAnnot_GetStringValue(&requests.FPDFAnnot_GetStringValue{Annotation: a, Key: "Contents"})
		if err != nil {
			return ""
		}
		return contents.Value
	case kind.Subtype != enums.FPDF_ANNOT_SUBTYPE_WIDGET || form == "":
		return ""
	}
	field, err := pdfium.FPDFAnnot_GetFormFieldType(&requests.FPDFAnnot_GetFormFieldType{FormHandle: form, Annotation: a})
	if err != nil {
		return ""
	}
	switch field.FormFieldType {
	case enums.FPDF_FORMFIELD_TYPE_CHECKBOX, enums.FPDF_FORMFIELD_TYPE_RADIOBUTTON:
		checked, err := pdfium.FPDFAnnot_IsChecked(&requests.FPDFAnnot_IsChecked{FormHandle: form, Annotation: a})
		if err != nil {
			return ""
		}
		if checked.IsChecked {
			return "☑"
		}
		return "☐"
	case enums.FPDF_FORMFIELD_TYPE_COMBOBOX, enums.FPDF_FORMFIELD_TYPE_LISTBOX:
		if chosen := chosenOptions(pdfium, form, a); len(chosen) > 0 {
			return strings.Join(chosen, ", ")
		}
		fallthrough
	case enums.FPDF_FORMFIELD_TYPE_TEXTFIELD:
		value, err := pdfium.FPDFAnnot_GetFormFieldValue(&requests.FPDFAnnot_GetFormFieldValue{FormHandle: form, Annotation: a})
		if err != nil {
			return ""
		}
		return value.FormFieldValue
	}
	return ""
}

// chosenOptions returns the labels of the options that are chosen in a list.
func chosenOptions(pdfium pdfium.Pdfium, form references.FPDF_FORMHANDLE, a references.FPDF_ANNOTATION) []string {
	count, err := pdfium.FPDFAnnot_GetOptionCount(&requests.FPDFAnnot_GetOptionCount{FormHandle: form, Annotation: a})
	if err != nil {
		return nil
	}
	var chosen []string
	for i := range min(count.OptionCount, maxFields) {
		selected, err := pdfium.FPDFAnnot_IsOptionSelected(&requests.FPDFAnnot_IsOptionSelected{FormHandle: form, Annotation: a, Index: i})
		if err != nil || !selected.IsOptionSelected {
			continue
		}
		if label, err := pdfium.FPDFAnnot_GetOptionLabel(&requests.FPDFAnnot_GetOptionLabel{FormHandle: form, Annotation: a, Index: i}); err == nil {
			chosen = append(chosen, label.OptionLabel)
		}
	}
	return chosen
}

// addField puts the text of a field after the line that ends left of it at the same height, or
// before the one that begins right of it, or else below the last line above it.
func addField(lines []line, field line) []line {
	middle := (field.box.bottom + field.box.top) / 2
	left, right, above := -1, -1, -1
	for i, l := range lines {
		level := l.box.bottom <= middle && middle <= l.box.top
		switch {
		case l.turn != field.turn:
		case level && l.box.left <= field.box.left && (left < 0 || l.box.right > lines[left].box.right):
			left = i
		case level && l.box.left > field.box.left && (right < 0 || l.box.left < lines[right].box.left):
			right = i
		case l.box.bottom > middle && (above < 0 || l.box.bottom <= lines[above].box.bottom):
			above = i
		}
	}
	switch {
	case right >= 0 && (left < 0 || strings.ContainsAny(field.text, "☑☐")):
		lines[right].insert(field)
	case left >= 0:
		lines[left].insert(field)
	default:
		if above >= 0 {
			field.size = lines[above].size
		}
		lines = slices.Insert(lines, above+1, field)
	}
	return lines
}

// insert writes the text of a field into a line: a box before or after the cell that is nearest, and other
// text after the cell that is left of it.
func (l *line) insert(field line) {
	if len(l.cells) == 0 {
		l.cells = []cell{{l.text, l.box.left, l.box.right}}
	}
	after := slices.IndexFunc(l.cells, func(c cell) bool { return c.left > field.box.left })
	if after < 0 {
		after = len(l.cells)
	}
	isBox := strings.ContainsAny(field.text, "☑☐")
	if after == 0 || isBox && after < len(l.cells) && l.cells[after].left-field.box.right < field.box.left-l.cells[after-1].right {
		l.cells[after].text, l.cells[after].left = field.text+" "+l.cells[after].text, field.box.left
	} else {
		c := &l.cells[after-1]
		c.text, c.right = c.text+" "+field.text, max(c.right, field.box.right)
	}
	texts := make([]string, len(l.cells))
	for i, c := range l.cells {
		texts[i] = c.text
	}
	l.text, l.box.left, l.box.right = strings.Join(texts, " "), min(l.box.left, field.box.left), max(l.box.right, field.box.right)
}
