package mail

import (
	"cmp"
	"context"
	"io"
	"mime"
	"regexp"
	"strings"

	"github.com/jhillyerd/enmime/v2"
	"github.com/jhillyerd/enmime/v2/mediatype"
	"golang.org/x/text/encoding"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/html"
	"github.com/neorag/neorag/internal/source/parse"
)

// parseMediaType parses the type of a part. It gives texts the encoding UTF-8, so that the parser leaves
// their bytes to decodePart, except in encodings that only the parser knows, such as UTF-7.
func parseMediaType(value string) (kind string, params map[string]string, invalid []string, err error) {
	kind, params, invalid, err = mediatype.Parse(value)
	if kind == "text" { // as old programs write it
		kind = "text/plain"
	}
	if strings.HasPrefix(kind, "text/") {
		if e, err := decode.Encoding(cmp.Or(params["charset"], "utf-8")); err == nil && e != encoding.Replacement {
			params["charset"] = "utf-8"
		}
	}
	return kind, params, invalid, err
}

// partText returns the text of a part: its own, or the texts of its parts one after another. Of
// alternatives it is the plain one, or else the first one that has a text.
func partText(ctx context.Context, p *enmime.Part, with parse.Options) string {
	if p.Disposition == "attachment" {
		return ""
	}
	if p.FirstChild == nil {
		return leafText(ctx, p, with)
	}
	var blocks []string
	alternatives := p.ContentType == "multipart/alternative"
	for child := p.FirstChild; child != nil; child = child.NextSibling {
		text := partText(ctx, child, with)
		if alternatives && parse.HasText(text) && child.ContentType == "text/plain" {
			return text
		}
		if !alternatives || joinBlocks(blocks) == "" {
			blocks = append(blocks, text)
		}
	}
	return joinBlocks(blocks)
}

// leafText returns the text of a part that has no parts.
func leafText(ctx context.Context, p *enmime.Part, with parse.Options) string {
	switch p.ContentType {
	case "", "text/plain":
		return decodePart(p.Content, charsetOf(p), with)
	case "text/html":
		with.WholePage = true
		text := decodePart(p.Content, cmp.Or(charsetOf(p), decode.DeclaredEncoding(p.Content)), with)
		page, _, err := html.Read(ctx, []byte(text), graph.Document{URI: "message.html"}, with)
		if err != nil {
			return ""
		}
		return page.Text
	}
	return ""
}

// charsetOf returns the encoding that the header of a part names, or "".
func charsetOf(p *enmime.Part) string {
	_, params, _, err := mediatype.Parse(p.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return params["charset"]
}

// decodePart decodes a text of a message. The encoding that the message names is tried before those
// that the bytes look like.
func decodePart(raw []byte, declared string, with parse.Options) string {
	declared = strings.TrimPrefix(strings.ToLower(declared), "charset=") // as some programs write it
	if _, err := decode.Encoding(declared); err != nil || declared == "us-ascii" {
		declared = ""
	}
	if declared != "" {
		if text, err := decode.Declared(raw, "", declared); err == nil {
			return text
		}
	}
	text, err := decode.Text(raw, with.Encoding)
	if err != nil {
		return decode.Clean(string(raw))
	}
	return text
}

// latin1Word begins a word of a header that the standard library would read as ISO 8859-1. Many
// programs call windows-1252 so, and web browsers read it as that.
var latin1Word = regexp.MustCompile(`(?i)=\?iso-8859-1\?`)

// decodeHeader decodes the words of a header that name their encoding, and the bytes of the others.
func decodeHeader(raw string, with parse.Options) string {
	words := mime.WordDecoder{CharsetReader: func(charset string, in io.Reader) (io.Reader, error) {
		word, err := io.ReadAll(in)
		return strings.NewReader(decodePart(word, charset, with)), err
	}}
	raw = decodePart([]byte(raw), "", with)
	text, err := words.DecodeHeader(latin1Word.ReplaceAllLiteralString(raw, "=?windows-1252?"))
	if err != nil {
		return raw
	}
	return text
}
