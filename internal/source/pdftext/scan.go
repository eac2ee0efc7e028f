package pdftext

import (
	"bytes"
	"image/jpeg"
	"math"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

const (
	scanDPI       = 300
	maxScanPixels = 30e6      // of a page; larger pages have fewer dots per inch
	maxScans      = 500       // pages
	maxScanBytes  = 192 << 20 // of all pages
	scanQuality   = 90
)

// A Scan is the picture of a page whose text is not in the file.
type Scan struct {
	Page  int    // from 1
	Image []byte // JPEG, in shades of grey
}

// A scanner makes pictures of pages.
type scanner struct {
	pdfium   pdfium.Pdfium
	document references.FPDF_DOCUMENT
	scans    []Scan
	bytes    int // of all pictures
}

// scan adds the picture of a page, numbered from 0, and reports whether it has room.
func (s *scanner) scan(index int) (bool, error) {
	if len(s.scans) == maxScans || s.bytes > maxScanBytes {
		return false, nil
	}
	page := requests.Page{ByIndex: &requests.PageByIndex{Document: s.document, Index: index}}
	size, err := s.pdfium.GetPageSize(&requests.GetPageSize{Page: page})
	if err != nil {
		return false, err
	}
	inches := size.Width * size.Height / (72 * 72)
	dpi := int(min(scanDPI, math.Sqrt(maxScanPixels/max(inches, 1))))
	picture, err := s.pdfium.RenderPageInDPI(&requests.RenderPageInDPI{Page: page, DPI: max(dpi, 1), ImageFormat: requests.RenderImageFormatGrayscale})
	if err != nil {
		return false, err
	}
	defer picture.Cleanup()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, picture.Result.RenderedImage, &jpeg.Options{Quality: scanQuality}); err != nil {
		return false, err
	}
	s.scans, s.bytes = append(s.scans, Scan{index + 1, b.Bytes()}), s.bytes+b.Len()
	return true, nil
}
