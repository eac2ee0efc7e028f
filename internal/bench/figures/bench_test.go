package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const helpText = `NAME:
   neorag eval - measure

COMMANDS:
   retrieval  measure what is found, see
              --json too
   report, r  list the reports
   help, h    show help

OPTIONS:

   Everyday

   --output FILE, -o FILE  FILE of the output
   -q, --quiet             print no progress; with
                           --json nothing either
   --json                  print JSON
   --help, -h              show help

Exit codes: 0 ok.
`

func TestHelpIsRead(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"help": true}
	if diff := cmp.Diff([]string{"retrieval", "report"}, captured(commandLine, commands.Find([]byte(helpText)), known)); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"json", "output", "quiet"}, captured(flagLine, []byte(helpText), known)); diff != "" {
		t.Errorf("visible flags (-want +got):\n%s", diff)
	}
	offered := "--output\n-o\n--quiet\n-q\n--base-url-map\n--json\n--help\n"
	if diff := cmp.Diff([]string{"base-url-map"}, captured(flagOffered, []byte(offered), known)); diff != "" {
		t.Errorf("hidden flags (-want +got):\n%s", diff)
	}
}
