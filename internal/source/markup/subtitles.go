package markup

import (
	"context"
	"html"
	"regexp"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/parse"
)

var (
	cuePattern   = regexp.MustCompile(`^\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{3}\s+-->`)
	voicePattern = regexp.MustCompile(`<v(?:\.[^ >]*)?\s+([^>]+)>`)
	tagPattern   = regexp.MustCompile(`</?[a-zA-Z][^>]*>|<[\d:.]+>|\{\\[^}]*\}`)
)

// ReadSubtitles keeps what is said, without times: sentences as lines, with the name of the
// speaker where it changes.
func ReadSubtitles(_ context.Context, raw []byte, doc graph.Document, with parse.Options) (graph.Document, []parse.Failure, error) {
	text, err := decode.Text(raw, with.Encoding)
	if err != nil {
		return doc, nil, err
	}
	var b strings.Builder
	speaker, last, inCue := "", "", false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case cuePattern.MatchString(line):
			inCue = true
		case line == "":
			inCue = false
		case inCue:
			said := strings.TrimSpace(html.UnescapeString(tagPattern.ReplaceAllString(line, "")))
			if said == last || said == "" { // captions that scroll repeat lines
				continue
			}
			last = said
			if m := voicePattern.FindStringSubmatch(line); m != nil && m[1] != speaker {
				speaker = m[1]
				b.WriteString("\n" + speaker + ": ")
			}
			b.WriteString(said)
			if strings.ContainsAny(said[len(said)-1:], ".?!") {
				b.WriteByte('\n')
			} else {
				b.WriteByte(' ')
			}
		}
	}
	doc.Text = strings.TrimSpace(decode.Clean(b.String()))
	doc.Date = parse.RefineDate(doc.Date, doc.Text)
	return doc, nil, nil
}
