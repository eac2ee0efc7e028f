package evalreport_test

import (
	"path/filepath"
	"testing"

	"github.com/neorag/neorag/internal/eval/evalreport"
)

// readersFolder is an evaluation of the sample in which readers wrote questions and answers, and
// another one judged them, all in the place of a model.
var readersFolder = filepath.Join("..", "..", "..", "docs", "eval", "readers")

func TestReportOfReaders(t *testing.T) {
	r := makeReport(t, readersFolder, evalreport.Options{})
	golden(t, filepath.Join(readersFolder, "report.md"), []byte(evalreport.Markdown(r.Tables())))
}
