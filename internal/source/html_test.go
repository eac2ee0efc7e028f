package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadHTML(t *testing.T) {
	t.Parallel()
	page := `<!doctype html><html><head><title> A
 page &amp; more</title><style>p{}</style></head><body><script>var x</script>
<h1>Head</h1><p>One <a href="https://example.com/long">link</a>_and*text* 1 &lt; 2. <img src="data:x" alt="a picture"><svg><title>no</title><text>no</text></svg></p>
<ul><li>first<li>second</ul><table><tr><th>k<th>v<tr><td colspan=99999999>a<td>b</table><button>no</button></body></html>`
	doc, err := read(t, "p.html", page)
	if err != nil {
		t.Fatal(err)
	}
	want := "# Head\n\nOne link_and*text* 1 < 2. a picture\n\n- first\n- second\n\n| k | v |\n|---|---|\n| a | b |"
	if doc.Title != "A page & more" || doc.MIME != "text/html" || doc.Text != want {
		t.Errorf("title %q, MIME %s, text (-want +got):\n%s", doc.Title, doc.MIME, cmp.Diff(want, doc.Text))
	}
}

func TestLayoutTablesBecomeBlocks(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		"<table><tr><td>menu<td><table><tr><th>k<th>v<tr><td>a<td>b</table></table>":                               "menu\n\n| k | v |\n|---|---|\n| a | b |",
		"<table role=presentation><tr><td>a<td>b</table>":                                                          "a\n\nb",
		"<table><tr><td><pre>1\n2</pre><td><pre>x = 1\ny = 2</pre></table>":                                        "```\n1\n2\n```\n\n```\nx = 1\ny = 2\n```",
		"<table><tr><td>menu<td>news<tr><td>more<td><p>" + strings.Repeat("word ", 250) + "</p><p>end</p></table>": "menu\n\nnews\n\nmore\n\n" + strings.TrimSpace(strings.Repeat("word ", 250)) + "\n\nend",
		"<table><tr><td>a<td>b<tr><td>c<td><h2>Title</h2>text</table>":                                             "a\n\nb\n\nc\n\n## Title\n\ntext",
	} {
		doc, err := read(t, "a.html", page)
		if diff := cmp.Diff(want, doc.Text); err != nil || diff != "" {
			t.Errorf("%.80s: %v (-want +got):\n%s", page, err, diff)
		}
	}
}

func TestLargeHTML(t *testing.T) {
	t.Parallel()
	if _, err := read(t, "deep.html", strings.Repeat("<div>", 1_000_000)); err == nil || !strings.Contains(err.Error(), "read deep.html: parse HTML") {
		t.Errorf("a page a million elements deep: got error %v, want one that names the page", err)
	}
	doc, err := read(t, "ragged.html", "<table><tr>"+strings.Repeat("<td>x", 3000)+strings.Repeat("<tr><td>x", 3000)+"</table>")
	if err != nil || strings.Count(doc.Text, "x") != 6000 || len(doc.Text) > 100_000 {
		t.Errorf("a table with one long row: %d bytes, %v", len(doc.Text), err)
	}
	doc, err = read(t, "wide.html", strings.Repeat("<p>word", 20_000))
	if err != nil || strings.Count(doc.Text, "word") != 20_000 {
		t.Errorf("20,000 unclosed paragraphs: %d words, %v", strings.Count(doc.Text, "word"), err)
	}
	if doc, err := read(t, "lists.html", strings.Repeat("<ul><li>word", 200)); err != nil || strings.Count(doc.Text, "word") != 200 {
		t.Errorf("lists nested 200 levels: %d words, %v", strings.Count(doc.Text, "word"), err)
	}
}

// With a quadratic step each of these would take a minute.
func TestNestedHTML(t *testing.T) {
	for _, element := range []string{"<blockquote>", "<ul><li>", "<table><tr><td>", "<b><p>", "<pre>", "<em><h1>", "<div><h1>", "<math><mrow><msup>"} {
		doc, err := read(t, "a.html", strings.Repeat(element, 120)+strings.Repeat("word <br>", 10_000))
		if err != nil || strings.Count(doc.Text, "word") < 10_000 {
			t.Errorf("%s nested 120 levels: %d words, %v", element, strings.Count(doc.Text, "word"), err)
		}
	}
}

func TestHTMLThatIsShown(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, page, want string }{
		{"questions as buttons", "<h1>Help</h1><h3><button aria-expanded=false>Who pays?</button></h3><p>The seller.</p><button>Copy</button>", "# Help\n\n### Who pays?\n\nThe seller."},
		{"hidden elements", `<p hidden>Draft.</p><p style="color: red; display : none">None.</p><p style="visibility:hidden">No.</p><dialog>Closed.</dialog><dialog open>Open.</dialog><p>Shown.</p>`, "Open.\n\nShown."},
		{"hidden elements that open", `<button aria-controls=a>Who?</button><div id=a hidden>Anna.</div><a href="#b">Where</a><div id=b style="display:none">Kiel.</div>`, "Who?\n\nAnna.\n\nWhere\n\nKiel."},
		{"fields", `<p>Tenant: <input value="Anna Berg"> <input type=hidden value=x><input type=submit value=Send></p><p>City: <select><option>Kiel<option selected>Bremen</select></p><p><input type=checkbox checked> Pets</p><p><textarea>The roof leaks.</textarea></p>`, "Tenant: Anna Berg\n\nCity: Bremen\n\n☑ Pets\n\nThe roof leaks."},
		{"powers, footnotes and ordinals", `<p>10<sup>6</sup> litres, 5<sup><a href="#n1">1</a></sup> euro, 3<a href="#n2"><sup>[2]</sup></a> times, x<sup>n</sup>, the 1<sup>st</sup>, m<sup>-2</sup>, <sup>7</sup> alone.</p>`, "10⁶ litres, 5[1] euro, 3[2] times, x^n, the 1st, m⁻², 7 alone."},
		{"images and tabs next to each other", `<p><a href=1><img src=a alt=Prev></a><a href=2><img src=b alt=Up></a> <img alt=x><img alt=y></p><div><button aria-controls=p>All</button><button aria-controls=q>Some</button></div><div id=p>t</div>`, "Prev Up x y\n\nAll Some\n\nt"},
		{"two lists", "<ul><li>a</ul><ul><li>b</ul>", "- a\n\n- b"},
		{"footnotes that are not in <sup>", `<p>Built in 1995<a href="#f1">3</a> for 20<a role=doc-noteref href="n.html">*</a> euro, 7<span style="font-size: 70%; vertical-align: super">5</span>, 8<a style="vertical-align:super">6</a>, the fee<a href="#f7"><sup>7</sup></a>, 5<a href="#f8"><sup>[8]</sup></a>. See page <a href="#p9">9</a>.</p>`, "Built in 1995[3] for 20[*] euro, 7⁵, 8[6], the fee[7], 5[8]. See page 9."},
		{"indices", "<p>CO<sub>2</sub>, log<sub>2</sub>8</p>", "CO2, log₂8"},
		{"cells that span rows and columns", "<table><tr><th>Region<th>Manager<th>City<tr><td rowspan=2>North<td>Anna<td>Kiel<tr><td>Jonas<td>Bremen<tr><td colspan=2>Vacant<td>Mainz</table>", "| Region | Manager | City |\n|---|---|---|\n| North | Anna | Kiel |\n| North | Jonas | Bremen |\n| Vacant |  | Mainz |"},
		{"cells of several lines and blocks", "<table><tr><th>Q<br>2023<th>Fee<tr><td><p>Anna</p><p>Berg</p><td>1<br>2<tr><td><ul> <li>Kiel </li> <li>Ulm</ul><td><h4>5</h4><tr><td><pre>a\nb</pre><td><dl><dt>k<dd>v<dt>l</dl></table>", "| Q 2023 | Fee |\n|---|---|\n| Anna Berg | 1 2 |\n| Kiel; Ulm | 5 |\n| a b | k v; l |"},
		{"a bar in a cell", "<table><tr><td>a|b<td>c</table>", "| a\\|b | c |\n|---|---|"},
		{"a table in bold", "<b><table><tr><td>a<td>b<tr><td>c<td>d</table></b>", "| a | b |\n|---|---|\n| c | d |"},
		{"a header below the first row", "<table><tr><td>2024<tr><th>k<th>v<tr><td>a<td>b</table>", "| 2024 |  |\n|---|---|\n| k | v |\n| a | b |"},
		{"headings that end in #", "<h1>Learn C#</h1><h2>Ünicode é#</h2><p># no heading</p><p>F# and<br>## no heading</p><h2># 5</h2>", "# Learn C#\n\n## Ünicode é#\n\n\\# no heading\n\nF# and  \n\\## no heading\n\n## # 5"},
		{"links to headings", `<h1>Setup <a class=header-anchor href="#a">#</a></h1><h2><a href="#c">C#</a><a class=headerlink href="x.html#b">¶</a></h2><p>A note.<a href="#r">↩</a></p>`, "# Setup\n\n## C#\n\nA note."},
		{"formulas", "<p>10 <math><msup><mn>10</mn><mn>6</mn></msup></math> kg, <math><mn>2</mn><mfrac><mn>3</mn><mrow><mi>x</mi><mo>+</mo><mn>4</mn></mrow></mfrac></math>, <math><msubsup><mi>x</mi><mn>1</mn><mi>n</mi></msubsup><msqrt><mn>2</mn></msqrt></math>, <math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mroot><mi>x</mi><mn>3</mn></mroot></math>, <math><msup><mi>f</mi><mo>′</mo></msup><mtext> if </mtext><mi>sin</mi><mo>\u2061</mo><mi>x</mi></math></p>", "10 10⁶ kg, 2 3/(x+4), x₁^n√2, ∑_(i=1)^n³√x, f′ if sin x"},
		{"formulas next to pictures of them", `<p><span class=katex><span><math><semantics><msup><mi>c</mi><mn>2</mn></msup><annotation>c^2</annotation></semantics></math></span><span aria-hidden=true>c2</span></span> is <span><span style="display:none"><math><mi>E</mi></math></span><img aria-hidden=true alt="{\displaystyle E}"></span>.</p>`, "c² is E."},
		{"deleted text", "<p>The price is <del>50</del><ins>40</ins> euro, <s>old</s> <strike>older</strike> new.</p>", "The price is 40 euro, new."},
		{"fields and labels next to each other", `<p>Call <label>Name<input value=Anna></label><label>City<input value=Kiel>.</label><select><option selected>B</select><select><option selected>C</select> (<label>Phone:</label><span>123</span>)</p>`, "Call Name Anna City Kiel. B C ( Phone: 123)"},
		{"a table by its roles", `<div role=table><div role=rowgroup><div role=row><span role=columnheader>Name</span><span role=columnheader>City</span></div></div><div role=row><span role=cell>Anna</span><span role=cell>Kiel</span></div></div>`, "| Name | City |\n|---|---|\n| Anna | Kiel |"},
		{"roles without a whole table", `<div role=grid><p>Note.</p><div role=row><span role=gridcell>Anna</span><span role=gridcell>Kiel</span></div></div>`, "Note.\n\nAnna\n\nKiel"},
		{"a heading by its role", `<div role=heading aria-level=3>Fees</div><p>None.</p>`, "### Fees\n\nNone."},
		{"blocks by their style", `<span style="display:block">Name</span><span style="display: block">Anna</span><details><summary>Who?</summary>Pia.</details>`, "Name\n\nAnna\n\nWho?\n\nPia."},
		{"readings of characters", "<p><ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby>です</p>", "東京です"},
		{"numbers of lists", "<ol start=5><li>five<li>six</ol><ol type=a start=2><li><p>beta</p><li><b>gamma</b></ol><ol><li value=3>three<li>four<li value=9>nine</ol><ol reversed><li>c<li>b</ol><ol type=i><li>x</ol>", "5. five\n6. six\n\n- b. beta\n- **c. gamma**\n\n- 3. three\n- 4. four\n- 9. nine\n\n- 2. c\n- 1. b\n\n- i. x"},
		{"invisible marks in words", "<h1>Donau&shy;dampf</h1><p>a&#x200b;b&#x2060;c</p><pre>d&shy;e</pre>", "# Donaudampf\n\nabc\n\n```\nde\n```"},
		{"a header over two columns", "<table><tr><th>Year<th colspan=2>Sales<tr><td>2020<td>1<td>2</table>", "| Year | Sales | Sales |\n|---|---|---|\n| 2020 | 1 | 2 |"},
		{"spans of millions", "<table><tr><td colspan=99999999 rowspan=99999999>a<td>b<tr><td>c</table>", "| a | b |\n|---|---|\n| c |  |"},
	} {
		doc, err := read(t, "a.html", "<!doctype html><title>T</title>"+tc.page)
		if diff := cmp.Diff(tc.want, doc.Text); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", tc.name, err, diff)
		}
	}
}

func TestDateOfHTML(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ file, page, want string }{
		{"a.html", `<meta property="article:published_time" content="2023-05-04T10:00:00+02:00"><meta name=date content="2020-01-01">`, "2023-05-04T10:00"},
		{"a.html", `<script type="application/ld+json">{"@type": "NewsArticle", "datePublished": "2022-02-03"}</script>`, "2022-02-03"},
		{"2019-01-02.html", `<meta name="DC.date" content="08.09.2020">`, "2020-09-08"},
		{"a.html", `<time pubdate datetime="2019-07-06">6 July</time>`, "2019-07-06"},
		{"a.html", `<time itemprop=datePublished>6 July 2019</time>`, "2019-07-06"},
		{"2019-01-02.html", `<meta name=date content="soon"><time>2021-01-01</time>`, "2019-01-02"},
		{"a.html", `<time pubdate datetime="2019-07-06"></time><time pubdate datetime="2019-07-07"></time>`, ""},
	} {
		doc, err := read(t, tc.file, tc.page+"<p>Text.")
		if err != nil || doc.Date != tc.want {
			t.Errorf("%s: date %q, %v, want %q", tc.page, doc.Date, err, tc.want)
		}
	}
}

func TestXHTML(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]string{
		"a.xhtml": `<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="a.js"/></head><body><h2 id="c"/><a id="p"/><textarea/><p>Nora <b/>Lind<br/>sailed.</p></body></html>`,
		"c.xhtml": `<!DOCTYPE html PUBLIC "x" "y" [<!ENTITY co "Northwind">]><html><head><script>//<![CDATA[
x//]]></script></head><body><p>Nora <![CDATA[Lind]]> sailed.</p></body></html>`,
		"b.html": `<?xml version="1.0"?><!DOCTYPE html><html><head><title>B</title><style/></head><body><iframe src="x"/><p>Nora Lind` + "\n" + `sailed.</p></body></html>`,
	} {
		doc, err := read(t, name, page)
		if got := strings.Join(strings.Fields(doc.Text), " "); err != nil || got != "Nora Lind sailed." {
			t.Errorf("%s: text %q, %v", name, doc.Text, err)
		}
	}
}
