package pdftext

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
)

// The parser trusts the sizes, chains and streams of a file. These limits catch
// the usual wrong ones before they are parsed, so that the error names them.
const (
	maxObjects      = 8_388_607 // the limit of the format itself
	maxRow          = 1 << 20   // bytes of one row under a predictor
	maxStream       = 64 << 20  // bytes that a stream may unpack to
	maxStreamsTotal = 512 << 20 // bytes that all streams may unpack to
)

var (
	errEncrypted = errors.New("encrypted: save it without a password")

	countPattern      = regexp.MustCompile(`/(?:Size|Columns|Index\s*\[|W\s*\[)[\s\d]*`)
	tableStartPattern = regexp.MustCompile(`xref\s+(\d{7,})\s`)
	subsectionPattern = regexp.MustCompile(`[\r\n](\d{7,})\s+\d+\s*[\r\n]`)
	streamPattern     = regexp.MustCompile(`stream\r?\n`)
	nonTextPattern    = regexp.MustCompile(`/Subtype\s*/Image|/FontFile`)
	digitsPattern     = regexp.MustCompile(`\d+`)
)

// checkFile refuses a file that is encrypted or no PDF, or that announces more
// objects or longer rows than the limits allow.
func checkFile(ctx context.Context, raw []byte) error {
	if !bytes.HasPrefix(bytes.TrimLeft(raw[:min(len(raw), 1024)], "\x00\t\r\n \xef\xbb\xbf"), []byte("%PDF-")) {
		return errors.New("not a PDF: missing %PDF header")
	}
	if bytes.Contains(raw, []byte("/Encrypt")) {
		return errEncrypted
	}
	for _, counts := range countPattern.FindAll(raw, -1) {
		limit := maxObjects
		if bytes.HasPrefix(counts, []byte("/Columns")) || bytes.HasPrefix(counts, []byte("/W")) {
			limit = maxRow
		}
		for _, n := range digitsPattern.FindAll(counts, -1) {
			if v, err := strconv.Atoi(string(n)); err != nil || v > limit {
				return fmt.Errorf("%s announces more than %d", bytes.Fields(counts)[0], limit)
			}
		}
	}
	for _, pattern := range []*regexp.Regexp{tableStartPattern, subsectionPattern} {
		for _, m := range pattern.FindAllSubmatch(raw, -1) {
			if v, err := strconv.Atoi(string(m[1])); err != nil || v > maxObjects {
				return fmt.Errorf("cross-reference table starts at object %.20s, beyond %d", m[1], maxObjects)
			}
		}
	}
	return checkStreams(ctx, raw)
}

// checkStreams refuses a file whose streams unpack to too much. Images and
// embedded fonts do not count: the text is not in them.
func checkStreams(ctx context.Context, raw []byte) error {
	total := int64(0)
	for _, at := range streamPattern.FindAllIndex(raw, -1) {
		header := raw[max(0, at[0]-400):at[0]]
		if i := bytes.LastIndex(header, []byte("obj")); i >= 0 {
			header = header[i:]
		}
		if nonTextPattern.Match(header) {
			continue
		}
		unpacked, err := zlib.NewReader(bytes.NewReader(raw[at[1]:]))
		if err != nil {
			continue // not packed, or damaged, which the parser reports
		}
		n, _ := io.Copy(io.Discard, io.LimitReader(contextReader{ctx, unpacked}, maxStream+1)) // damage ends the stream
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if total += n; n > maxStream || total > maxStreamsTotal {
			return fmt.Errorf("streams unpack to more than %d bytes", min(maxStream, total))
		}
	}
	return nil
}

// A contextReader fails when its context ends.
type contextReader struct {
	ctx context.Context //nolint:containedctx // it lives as long as one call of Read
	r   io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
