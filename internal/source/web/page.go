package web

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"github.com/neorag/neorag/internal/source"
)

const htmlType = "text/html"

// aliases are media types that servers send for the types of formats.
var aliases = map[string]string{
	"application/xhtml+xml": htmlType,
	"text/x-markdown":       "text/markdown",
	"application/csv":       "text/csv",
	"application/x-pdf":     "application/pdf",
	"text/rtf":              "application/rtf",
	"text/json":             "application/json",
	"application/x-ndjson":  "application/jsonl",
	"application/x-jsonl":   "application/jsonl",
}

// vague are media types that servers send for files of many formats.
var vague = map[string]bool{"text/plain": true, "application/json": true}

// mediaTypeOf returns the media type of a page, in the words of package source, and the charset that
// the header names. Without a header it is what the bytes look like.
func mediaTypeOf(r reply) (mediaType, label string) {
	header := r.header.Get("Content-Type")
	if header == "" {
		header = http.DetectContentType(r.body)
		header, _, _ = strings.Cut(header, ";") // the charset is a guess
	}
	mediaType, parameters, err := mime.ParseMediaType(header)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) || !strings.Contains(mediaType, "/") {
		return "application/octet-stream", ""
	}
	if alias, ok := aliases[mediaType]; ok {
		mediaType = alias
	}
	return mediaType, parameters["charset"]
}

// uriOf returns the URI of a page: host and path, the query if there is one, and an extension that a
// format has. The media type decides which, except one that many formats have. If no format reads the
// page, ok is false. A page whose media type is not known, because it was not read, has the URI that
// it has when it is HTML, so that the document of an earlier time is found.
func uriOf(u *url.URL, mediaType string) (uri string, ok bool) {
	p := readable(u.EscapedPath())
	if strings.HasSuffix(p, "/") {
		p += "index"
	}
	uri = u.Host + p
	if u.RawQuery != "" {
		uri += "?" + strings.ReplaceAll(readable(u.RawQuery), "/", "%2F")
	}
	named, extension := source.MediaType(path.Base(uri)), source.Extension(mediaType)
	switch {
	case named != "" && (extension == "" || vague[mediaType] || named == mediaType):
		return uri, extension != "" || !isMedia(mediaType)
	case mediaType == "":
		return uri + source.Extension(htmlType), false
	case extension == "":
		return uri, false
	}
	return uri + extension, true
}

// isMedia reports whether a media type is not a type of text, whatever the name of the file is.
func isMedia(mediaType string) bool {
	kind, _, _ := strings.Cut(mediaType, "/")
	return kind == "image" || kind == "audio" || kind == "video" || kind == "font"
}

// readable replaces the escapes of letters and digits that are not ASCII by these.
func readable(escaped string) string {
	var b strings.Builder
	for i := 0; i < len(escaped); {
		var run []byte
		end := i
		for end+2 < len(escaped) && escaped[end] == '%' {
			n, err := strconv.ParseUint(escaped[end+1:end+3], 16, 8)
			if err != nil {
				break
			}
			run = append(run, byte(n))
			end += 3
		}
		if len(run) == 0 {
			b.WriteByte(escaped[i])
			i++
			continue
		}
		for len(run) > 0 {
			r, size := utf8.DecodeRune(run)
			if size > 1 && unicode.In(r, unicode.L, unicode.M, unicode.N) {
				b.WriteRune(r)
			} else {
				for _, c := range run[:size] {
					fmt.Fprintf(&b, "%%%02X", c)
				}
			}
			run = run[size:]
		}
		i = end
	}
	return b.String()
}

// decode returns a text as UTF-8 if it is not, and the header names its charset. Everything else is
// left to package source, which knows what texts declare and look like.
func decode(content []byte, mediaType, label string) []byte {
	isText := strings.HasPrefix(mediaType, "text/") || vague[mediaType]
	marked := bytes.HasPrefix(content, []byte("\xff\xfe")) || bytes.HasPrefix(content, []byte("\xfe\xff"))
	e, name := charset.Lookup(label)
	if !isText || marked || e == nil || name == "utf-8" || name == "replacement" {
		return content
	}
	if utf8.Valid(content) && name != "iso-2022-jp" { // which is ASCII with escapes
		return content
	}
	decoded, err := e.NewDecoder().Bytes(content)
	if err != nil {
		return content
	}
	return decoded
}

func statusError(status int) error {
	err := errors.New(strings.TrimSpace(fmt.Sprintf("the server answers %d %s", status, http.StatusText(status))))
	if status == http.StatusNotFound || status == http.StatusGone {
		return lastingError{err}
	}
	return err
}

// A lastingError is why a page cannot be read, and will not be by the next run either. A linked page
// with such an error is skipped instead of failing.
type lastingError struct{ error }

func (e lastingError) Unwrap() error { return e.error }

func checkSize(content []byte, limit int64) error {
	if int64(len(content)) > limit {
		return fmt.Errorf("larger than the limit of %d bytes: raise the limit", limit)
	}
	return nil
}
