package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadODT(t *testing.T) {
	t.Parallel()
	content := func(body string) part {
		return part{"content.xml", `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="tb"><office:body><office:text>` + body + `</office:text></office:body></office:document-content>`}
	}
	doc, err := read(t, "a.odt", wordFile(t,
		part{"meta.xml", `<office:document-meta xmlns:office="o" xmlns:dc="d" xmlns:meta="m"><office:meta><dc:title>The Harbour</dc:title><meta:creation-date>2024-03-01T09:15:00</meta:creation-date></office:meta></office:document-meta>`},
		content(`<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h text:outline-level="2">Ships</text:h><text:p>Anna<text:s text:c="2"/>counts<text:tab/>12.<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>In 1921.</text:p></text:note-body></text:note></text:p>`+
			`<text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>two</text:p></text:list-item></text:list></text:list-item></text:list>`+
			`<table:table><table:table-row><table:table-cell><text:p>City</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Kiel</text:p></table:table-cell><table:covered-table-cell/><table:table-cell table:number-columns-repeated="99999999"><text:p>3</text:p></table:table-cell></table:table-row></table:table>`),
	))
	want := "## Ships\n\nAnna  counts 12.[^1]\n\n- one\n  - two\n\nCity | x | x\nKiel |  | 3\n\n[^1]: In 1921."
	if diff := cmp.Diff(want, doc.Text); err != nil || diff != "" || doc.Title != "The Harbour" || doc.Date != "2024-03-01T09:15" {
		t.Errorf("title %q, date %q, %v (-want +got):\n%s", doc.Title, doc.Date, err, diff)
	}
}

func TestODTMargins(t *testing.T) {
	t.Parallel()
	page := `<style:master-page><style:header><text:p>Northwind</text:p></style:header><style:footer><text:p>Page <text:page-number>1</text:page-number></text:p><text:p>Kiel</text:p></style:footer></style:master-page>`
	doc, err := read(t, "a.odt", odtFile(t, "", "<text:p>Body.</text:p>", part{"styles.xml", `<o:document-styles xmlns:o="o" xmlns:style="s" xmlns:text="t"><style:header-style/><o:master-styles>` + page + page + `</o:master-styles></o:document-styles>`}))
	if want := "Northwind\n\nBody.\n\nKiel"; err != nil || doc.Text != want {
		t.Errorf("text %q, %v, want %q", doc.Text, err, want)
	}
}

// odtFile returns an OpenDocument text with these styles and that body.
func odtFile(tb testing.TB, styles, body string, more ...part) string {
	tb.Helper()
	return wordFile(tb, append(more, part{"content.xml", `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="tb" xmlns:style="s" xmlns:draw="d"><office:automatic-styles>` + styles + `</office:automatic-styles><office:body><office:text>` + body + `</office:text></office:body></office:document-content>`})...)
}

func TestODTText(t *testing.T) {
	t.Parallel()
	style := func(family, name, properties string) string {
		return `<style:style style:family="` + family + `" style:name="` + name + `" ` + properties + `/></style:style>`
	}
	span := func(name, s string) string { return `<text:span text:style-name="` + name + `">` + s + `</text:span>` }
	p := func(s string) string { return "<text:p>" + s + "</text:p>" }
	cell := func(properties, s string) string {
		return "<table:table-cell " + properties + ">" + s + "</table:table-cell>"
	}
	item := func(properties, s string) string {
		return "<text:list-item " + properties + ">" + s + "</text:list-item>"
	}
	list := func(properties string, items ...string) string {
		return "<text:list " + properties + ">" + strings.Join(items, "") + "</text:list>"
	}
	for _, tc := range []struct{ name, styles, body, want string }{
		{
			"raised and lowered digits", style("text", "Up", `><style:text-properties style:text-position="super 58%"`) + style("text", "Down", `><style:text-properties style:text-position="-33% 58%"`) + style("text", "T1", `style:parent-style-name="Up"><style:text-properties`),
			`<text:p>10` + span("T1", "6") + ` litres, ` + span("Down", "1"+span("Up", "st")) + `, log` + span("Down", "2") + `8</text:p>`, "10⁶ litres, 1st, log₂8",
		},
		{
			"numbers of lists", `<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-prefix="§ " style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")" text:display-levels="2"/></text:list-style><text:outline-style><text:outline-level-style text:level="1" style:num-format="I" style:num-suffix="."/></text:outline-style>` + style("paragraph", "P1", `style:list-style-name="L1"><style:text-properties`),
			`<text:h text:outline-level="1">Terms</text:h>` + list(`text:style-name="L1"`, item("", p("one")+p("goes on")+list("", item("", p("sub"))+item("", p("sub")))), item(`text:start-value="7"`, p("seven")), `<text:list-header>`+p("no number")+`</text:list-header>`) +
				p("Between.") + list(`text:style-name="L1" text:continue-numbering="true"`, item("", p("eight"))) + list("", item("", `<text:p text:style-name="P1">nine</text:p>`)) + list(`text:style-name="L1"`, item("", p("again"))) + list("", item("", p("bullet"))) + `<text:h text:outline-level="1" text:is-list-header="true">Foreword</text:h><text:h text:outline-level="1">Law</text:h>`,
			"# I. Terms\n\n§ 1. one\ngoes on\n  1.a) sub\n  1.b) sub\n§ 7. seven\nno number\n\nBetween.\n\n§ 8. eight\n\n§ 9. nine\n\n§ 1. again\n\n- bullet\n\n# Foreword\n\n# II. Law",
		},
		{
			"hidden text", style("paragraph", "H", `><style:text-properties text:display="none"`) + style("text", "H", `><style:text-properties text:display="none"`) + style("paragraph", "P1", `style:parent-style-name="H"><style:text-properties`),
			p("Shown"+span("H", "secret")+`<text:hidden-text text:is-hidden="true">secret</text:hidden-text>.`) + `<text:p text:style-name="P1">secret</text:p>` + p(`<text:hidden-paragraph text:is-hidden="true"/>secret`) + `<text:section text:display="none">` + p("secret") + `</text:section><text:section>` + p("Open.") + `</text:section>`, "Shown.\n\nOpen.",
		},
		{"comments", "", p(`The sum<office:annotation><dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">Jonas</dc:creator><dc:date xmlns:dc="http://purl.org/dc/elements/1.1/">2021-01-01</dc:date>` + p("Check") + p("it.") + `</office:annotation> of <text:date>5 May</text:date><text:note><text:note-body>` + p("Old.") + p("Older.") + `</text:note-body></text:note>`), "The sum[^c1] of 5 May[^1]\n\n[^1]: Old. Older.\n\n[^c1]: Comment of Jonas: Check it."},
		{"cells that span rows, and tables in cells", "", `<table:table><table:table-row>` + cell(`table:number-rows-spanned="2"`, p("North")) + cell("", p("1|2")) + `</table:table-row><table:table-row><table:covered-table-cell/>` + cell("", `<table:table><table:table-row>`+cell("", p("a"))+cell("", p("b"))+`</table:table-row><table:table-row>`+cell("", p("c"))+`</table:table-row></table:table>`) + `</table:table-row></table:table>`, "North | 1\\|2\nNorth | a, b; c"},
	} {
		doc, err := read(t, "a.odt", odtFile(t, tc.styles, tc.body))
		if err != nil || doc.Text != tc.want {
			t.Errorf("%s: text %q, %v, want %q", tc.name, doc.Text, err, tc.want)
		}
	}
}
