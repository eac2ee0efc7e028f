package textproc_test

import (
	"testing"

	"github.com/neorag/neorag/internal/text/textproc"
)

func TestUnmarked(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"A plain line, 2*3*4 = 24 of it: a * b.":                                        "A plain line, 2*3*4 = 24 of it: a * b.",
		"Ann: it is 5 > 4 and a[1] = 2.":                                                "Ann: it is 5 > 4 and a[1] = 2.",
		"See [the guide](b.md \"Guide\"), ![x](c.png) [a][b] and [[Ann|her]].":          "See the guide, a and her.",
		"It was **built** by *Ann Berg* with `make`[^1].":                               "It was built by Ann Berg with make.",
		"The ``pelican`` reads with :func:`open_fish` and `the docs <https://x.org>`_.": "The pelican reads with open_fish and the docs.",
		"It builds =dam= files, see [[https://x.org][the dam docs]].":                   "It builds dam files, see the dam docs.",
		"It reads files, see link:https://x.org[the river docs].":                       "It reads files, see the river docs.",
		".. note:: It never writes.":                                                    "It never writes.",
		"### A heading":                                                                 "A heading",
		"| Giraffe | acacia **leaves** |":                                               "Giraffe, acacia leaves",
		":bulb: A lamp{ .lg #a } :x: at 10:30:15 {braces}":                              "A lamp at 10:30:15 {braces}",
		"[![Test](a.svg){ loading=lazy .off }](b) It works.":                            "It works.",
		"[ ] Repair the dam":                                                            "Repair the dam",
		"> Quoted text of\n> the keeper":                                                "Quoted text of the keeper",
		"It is C# or C++, *.txt and file_name.":                                         "It is C# or C++, *.txt and file_name.",
	} {
		if got := textproc.Unmarked(line); got != want {
			t.Errorf("%q without marks is %q, want %q", line, got, want)
		}
	}
}
