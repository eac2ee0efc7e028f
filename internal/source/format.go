package source

import (
	"context"
	"io"
	"path"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/epub"
	"github.com/neorag/neorag/internal/source/html"
	"github.com/neorag/neorag/internal/source/mail"
	"github.com/neorag/neorag/internal/source/markup"
	"github.com/neorag/neorag/internal/source/odt"
	"github.com/neorag/neorag/internal/source/parse"
	"github.com/neorag/neorag/internal/source/rtf"
	"github.com/neorag/neorag/internal/source/sheets"
	"github.com/neorag/neorag/internal/source/slides"
	"github.com/neorag/neorag/internal/source/word"
)

// A format reads the files of some extensions.
type format struct {
	mime       string
	extensions []string // lower case, with the dot
	// textVersion is the version since which the same bytes give the same text; "" means always.
	textVersion string
	// read makes the document of a file, and returns the parts that cannot be read.
	// base has the URI, root, hash and MIME type, and the title and date from the
	// file's name; read overrides these where the content has better ones. It must
	// not keep raw.
	read func(ctx context.Context, raw []byte, base graph.Document, with parse.Options) (graph.Document, []Failure, error)
	// headings finds the headings in the text of a document; nil if the format has no headings.
	headings func(text string) []parse.Heading
	// sandboxed makes read run in a child process with limited memory and time. Use it
	// for formats whose size on disk does not bound their size in memory.
	sandboxed bool
	// records replaces read in formats whose files hold many documents: it adds them
	// to r one by one, and keeps no more of the text than one record. An error means
	// that the whole file cannot be read.
	records func(text io.Reader, r *records) error
}

// formats are all formats, by extension.
var formats = byExtension([]format{
	{
		mime: "text/plain", extensions: []string{".txt", ".text", ".log"},
		read: markup.Read(nil),
	},
	// Source code is read as text.
	{
		mime: "text/x-source", extensions: []string{
			".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".go", ".java", ".js", ".jsx", ".ts", ".tsx", ".kt", ".swift", ".scala", ".py", ".rb",
			".rs", ".php", ".pl", ".lua", ".r", ".jl", ".m", ".sh", ".bash", ".ps1", ".sql", ".tex",
		},
		read: markup.Read(nil),
	},
	{
		mime: "text/markdown", extensions: []string{".md", ".markdown", ".mdown", ".mkd"},
		read: markup.Read(markup.MarkdownHeadings), headings: markup.MarkdownHeadings,
	},
	{
		mime: "text/asciidoc", extensions: []string{".adoc", ".asciidoc"},
		read: markup.Read(markup.AsciidocHeadings), headings: markup.AsciidocHeadings,
	},
	{
		mime: "text/x-rst", extensions: []string{".rst"},
		read: markup.Read(markup.RstHeadings), headings: markup.RstHeadings,
	},
	{
		mime: "text/org", extensions: []string{".org"},
		read: markup.Read(markup.OrgHeadings), headings: markup.OrgHeadings,
	},
	{
		mime: "text/html", extensions: []string{".html", ".htm", ".xhtml"},
		textVersion: "4", read: html.Read, headings: markup.MarkdownHeadings,
	},
	{
		mime: "application/pdf", extensions: []string{".pdf"},
		textVersion: "4", read: readPDF, headings: markup.MarkdownHeadings, sandboxed: true,
	},
	{
		mime: "application/vnd.openxmlformats-officedocument.wordprocessingml.document", extensions: []string{".docx", ".docm", ".dotx", ".dotm"},
		textVersion: "4", read: word.Read, headings: markup.MarkdownHeadings, sandboxed: true,
	},
	{
		mime: "application/vnd.oasis.opendocument.text", extensions: []string{".odt", ".ott"},
		textVersion: "4", read: odt.Read, headings: markup.MarkdownHeadings, sandboxed: true,
	},
	{
		mime: "application/rtf", extensions: []string{".rtf"},
		textVersion: "4", read: rtf.Read, headings: markup.MarkdownHeadings,
	},
	{
		mime: "application/epub+zip", extensions: []string{".epub"},
		read: epub.Read, headings: markup.MarkdownHeadings, sandboxed: true,
	},
	{
		mime: "application/vnd.openxmlformats-officedocument.presentationml.presentation", extensions: []string{".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"},
		textVersion: "4", read: slides.Read, headings: markup.MarkdownHeadings, sandboxed: true,
	},
	{
		mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", extensions: []string{".xlsx", ".xlsm"},
		textVersion: "4", read: sheets.Read, records: readSheets, sandboxed: true,
	},
	{
		mime: "text/csv", extensions: []string{".csv"},
		textVersion: "4", records: readCSV,
	},
	{
		mime: "text/tab-separated-values", extensions: []string{".tsv", ".tab"},
		textVersion: "4", records: readTSV,
	},
	{
		mime: "application/json", extensions: []string{".json"},
		textVersion: "4", records: readJSON,
	},
	{
		mime: "application/jsonl", extensions: []string{".jsonl", ".ndjson"},
		textVersion: "4", records: readJSONLines,
	},
	{
		mime: "application/x-ipynb+json", extensions: []string{".ipynb"},
		read: markup.ReadNotebook, headings: markup.MarkdownHeadings,
	},
	{
		mime: "message/rfc822", extensions: []string{".eml"},
		textVersion: "4", read: mail.Read, sandboxed: true,
	},
	{
		mime: "application/mbox", extensions: []string{".mbox", ".mbx"},
		textVersion: "4", read: mail.ReadMailbox, records: readMessages, sandboxed: true,
	},
	{
		mime: "text/vtt", extensions: []string{".vtt", ".srt"},
		read: markup.ReadSubtitles,
	},
})

func byExtension(formats []format) map[string]format {
	out := map[string]format{}
	for _, f := range formats {
		for _, extension := range f.extensions {
			if _, taken := out[extension]; taken {
				panic("source: two formats read " + extension)
			}
			out[extension] = f
		}
	}
	return out
}

// formatOf returns the format of a file name.
func formatOf(name string) (format, bool) {
	f, ok := formats[parse.Extension(name)]
	return f, ok
}

// MediaType returns the media type of the format that reads files of a name, such as "text/html";
// "" if none does. The name of a packed file has none.
func MediaType(name string) string { return formats[strings.ToLower(path.Ext(name))].mime }

// Extension returns the first extension, such as ".html", of the format of a media type; "" if no
// format has it.
func Extension(mediaType string) string {
	for _, f := range formats {
		if f.mime == mediaType {
			return f.extensions[0]
		}
	}
	return ""
}
