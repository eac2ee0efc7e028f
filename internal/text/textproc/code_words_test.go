package textproc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCodeIsNoName(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"backticks":             {"We call `Parser` and `Reader Loop` from the Zorbit here.", []string{"Zorbit"}},
		"backticks in masked":   {"See [the page](http://x.org/y). We call `Parser` from the Zorbit here.", []string{"Zorbit"}},
		"many backticks":        {"We call ``Parser `x` `` from the Zorbit here.", []string{"Zorbit"}},
		"open backtick":         {"We call the `Parser from the Zorbit here.", []string{"Parser", "Zorbit"}},
		"link with backticks":   {"We use `Django <http://x.org>`_ with the others here.", []string{"Django"}},
		"identifier":            {"We set MAX_DEPTH and Max_Depth for the Zorbit here.", []string{"Zorbit"}},
		"placeholder":           {"We write <Host> and $Home and %Path% for the Zorbit here.", []string{"Zorbit"}},
		"handle and mail":       {"We ask @Topper or Topper@example.org at the Zorbit here.", []string{"Zorbit"}},
		"path and file":         {"We read /usr/share/Topper and Topper.md for the Zorbit here.", []string{"Zorbit"}},
		"address":               {"We read https://example.org/Topper/Fred for the Zorbit here.", []string{"Zorbit"}},
		"call and scope":        {"We call Topper() and Topper::Fred for the Zorbit here.", []string{"Zorbit"}},
		"slash between names":   {"We run it on Linux/Solaris in the house here.", []string{"Linux", "Solaris"}},
		"italics":               {"We saw the _Topper_ in the house here.", []string{"Topper"}},
		"prefix":                {"The page is at XREFsin and we saw DVDs with Topper here.", []string{"DVDs", "Topper"}},
		"notices":               {"It is TODO and NULL, and we MUST NOT read the README or the WARNINGS of Topper.", []string{"Topper"}},
		"code that is repeated": {"We set `SIGHUP` and `PathLoader` here. We send SIGHUP to a PathLoader of Topper at home.", []string{"Topper"}},
		"fence in masked": {
			"See [the page](http://x.org/y) about it.\n\n```python\nfrom x import Parser\n```\n\nWe saw the Zorbit here again.", []string{"Zorbit"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, namesOf(c.text)); diff != "" {
				t.Errorf("names of %q (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

// manual makes a text technical.
const manual = "Run `a` or `b` in the shell.\n\n"

func TestNamesOfManuals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"verb before a name":     {"- Update Ruff at once\n- Bracket IPv6 hosts in it\n- We met Ruff and Ruff again today.", []string{"Ruff", "IPv6", "Ruff", "Ruff"}},
		"verb before code":       {"- Schedule `Tasks` from within the loop of it.", nil},
		"items of a masked list": {"- See [a](http://x.org/a) for more of these many long words here\n- Enforce limits on all of it in the end", nil},
		"error":                  {"It raised a RuntimeError in the house of Topper here.", []string{"Topper"}},
		"common words":           {"We see the wheel and its options. See Wheel Options for more of it.", nil},
		"other forms":            {"It is said to describe each index. In Describes (map) it is the first of Indexes here.", nil},
		"introduced":             {"We use the network and the file of a system. We use the Network File System (NFS) here.", []string{"Network File System", "NFS"}},
		"cell of a table":        {"| it | Escape all of it now | Marks all of it now |", nil},
		"after a dash":           {"It has an option - Perform all of it at once, and more of it.", nil},
		"suffix with a full stop": {
			"It is owned by Acme, Inc. Prior to it they used the Zorbit here.", []string{"Acme", "Zorbit"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, namesOf(manual+c.text)); diff != "" {
				t.Errorf("names of %q (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

func TestTechnical(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		manual: true,
		"We shut the door by the window, and the window by the door.": false,
		"We use `x` once.": false,
		"Click the button in the menu of the dialog, and type the password on the keyboard.":   true,
		"Das Programm schreibt eine Datei in ein Verzeichnis, das der Benutzer im Menü wählt.": true,
		"Bob: Click the button in the menu of the dialog, and type the password.\nAnn: Yes.":   false,
	} {
		if got := Analyze(text).Technical; got != want {
			t.Errorf("technical of %q is %t, want %t", text, got, want)
		}
	}
}
