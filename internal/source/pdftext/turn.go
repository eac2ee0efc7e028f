package pdftext

import (
	"math"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/requests"
)

// A turn is how many quarters text is turned counterclockwise, or oblique.
type turn int

const oblique turn = 4 // neither upright nor turned by quarters

const maxSkew = .15 // radians by which text that is upright or turned by quarters may deviate

// turnOf returns the turn of text that runs in a direction.
func turnOf(x, y float64) turn {
	quarters := math.Atan2(y, x) / (math.Pi / 2)
	if math.Abs(quarters-math.Round(quarters)) > maxSkew/(math.Pi/2) {
		return oblique
	}
	return turn(int(math.Round(quarters))+4) % 4
}

// A sheet is a page before it is turned for its reader.
type sheet struct {
	width, height float64
	turn          turn // of text that is upright for the reader
}

func sheetOf(pdfium pdfium.Pdfium, page requests.Page) (sheet, error) {
	width, err := pdfium.FPDF_GetPageWidth(&requests.FPDF_GetPageWidth{Page: page})
	if err != nil {
		return sheet{}, err
	}
	height, err := pdfium.FPDF_GetPageHeight(&requests.FPDF_GetPageHeight{Page: page})
	if err != nil {
		return sheet{}, err
	}
	rotation, err := pdfium.FPDFPage_GetRotation(&requests.FPDFPage_GetRotation{Page: page})
	if err != nil {
		return sheet{}, err
	}
	s := sheet{width.Width, height.Height, turn(rotation.PageRotation) % 4}
	if s.turn%2 == 1 {
		s.width, s.height = s.height, s.width
	}
	return s, nil
}

// turned returns a part of the sheet, and the height of the sheet, when it is turned back so that
// text of a turn is upright.
func (s sheet) turned(t turn, r rect) (rect, float64) {
	switch t {
	case 1:
		return rect{r.bottom, s.width - r.right, r.top, s.width - r.left}, s.width
	case 2:
		return rect{s.width - r.right, s.height - r.top, s.width - r.left, s.height - r.bottom}, s.height
	case 3:
		return rect{s.height - r.top, r.left, s.height - r.bottom, r.right}, s.width
	}
	return r, s.height
}
