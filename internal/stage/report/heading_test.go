package report

import "testing"

func TestCleanHeading(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"2.2.3. Auswahlmasken benutzen":                "Auswahlmasken benutzen",
		"Kapitel 9. Systemtipps":                       "Systemtipps",
		"Chapter 4: The Harbour":                       "The Harbour",
		"IV. Das Ende":                                 "Das Ende",
		"1984 and after":                               "1984 and after",
		"The `check` command":                          "The check command",
		"How _Black_ wraps **lines**":                  "How Black wraps lines",
		"[Fees](fees.md#top) for guests {#fees}":       "Fees for guests",
		"speichern unter …":                            "Speichern unter",
		"macOS SIP":                                    "macOS SIP",
		"DOKUMENTE KOMBINIEREN":                        "Dokumente Kombinieren",
		"What does it cost?":                           "What does it cost?",
		"入港の手続き":                                       "入港の手続き",
		"`tool.build.hooks`":                           "",
		"pyproject.toml":                               "",
		"env_create(name)":                             "",
		"--verbose":                                    "",
		"1.10.0 - 2024-05-02":                          "",
		"[v1.7](https://example.org/v1.7) - 2024-01-2": "",
		"Release 2.31.0":                               "",
		"20260105_1100":                                "",
		"stave-1":                                      "",
		"***":                                          "",
		"":                                             "",
	} {
		if got := cleanHeading(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
