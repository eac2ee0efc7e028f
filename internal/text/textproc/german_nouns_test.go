package textproc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGermanNames(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"repeated name":     {"Wir sahen hier Zorbex, und mit Zorbex ging es besser als je zuvor.", []string{"Zorbex", "Zorbex"}},
		"with an ending":    {"Wir haben hier Drossel und die Drosseln, mit Drossel und mit den Drosseln ging es nicht.", nil},
		"compound":          {"Es gibt Zorb und Drahtzorb hier, mit Zorb und mit Drahtzorb ging es nicht besser.", nil},
		"listed noun":       {"Wir haben Fragen und Ziele, und mit Zielen oder ohne Fragen ging es nicht besser.", nil},
		"listed in another": {"Wir haben Anlaufstellen hier, und mit Anlaufstellen ging es nicht besser als je.", nil},
		"abbreviation":      {"Wir haben hier DNS und PostScript für die Namen, und das ist nicht alles.", []string{"DNS", "PostScript"}},
		"first name":        {"Wir haben hier mit Peter Zorbel gesprochen, und das ist nicht alles.", []string{"Peter Zorbel"}},
		"hyphen":            {"Wir haben hier von Zorbex-Paketen gehört, und das ist nicht alles.", nil},
		"numbered part":     {"Das steht in Abschnitt 5 und in Ziffer 2, und das ist nicht alles.", nil},
		"German in English": {
			"We read the whole of the manual in the house, and all of it was written by them for us.\n\n" +
				"Die Anleitung zeigt, wie man mit der Erweiterung und dem Kern eine Ansicht für das Auge macht.\n\n" +
				"They said that it is of use to those who read the Zorbex pages of the book.", []string{"Zorbex"},
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
