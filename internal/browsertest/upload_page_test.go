package browsertest_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/browsertest/chromium"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/server"
	"github.com/neorag/neorag/internal/server/files"
	"github.com/neorag/neorag/internal/server/runs"
	"github.com/neorag/neorag/internal/server/servertest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestUploadInBrowser adds files by the page of a corpus, one of which is refused, follows the run to its end, asks
// for what they say, and deletes one. The names and the texts of files are hostile.
func TestUploadInBrowser(t *testing.T) {
	t.Parallel()
	corpus, store := neo4jtest.Borrow(t, "index"), servertest.Store(t)
	folder := &files.Folder{Path: filepath.Join(t.TempDir(), "documents")}
	queue := servertest.NewQueue()
	r := runs.New(runs.Options{Quiet: 1, Queue: queue, Index: queue.Index(func(ctx context.Context, _ runs.Request, progress func(runs.Progress)) (runs.Result, error) {
		options := index.Options{Corpus: corpus, Progress: func(p index.Progress) {
			progress(runs.Progress{Stage: p.Stage, Done: p.Done, Total: p.Total, Failed: p.Failed, Ended: p.Ended})
		}}
		options.Source.MayBeEmpty = []string{folder.Of(corpus)}
		x, err := index.New(store, options)
		if err != nil {
			return runs.Result{}, err
		}
		result, err := x.Run(ctx, folder.Paths(corpus))
		var failed []runs.Failure
		for _, f := range result.Failures {
			failed = append(failed, runs.Failure{Item: f.Key, Reason: f.Reason})
		}
		return runs.Result{Failed: failed}, err
	})})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { r.Serve(ctx); close(ended) }()
	t.Cleanup(func() { cancel(); <-ended })
	s := httptest.NewServer(server.New(server.Options{Version: "test", Service: servertest.Service(t, nil, corpus), Files: folder, Runs: r}))
	t.Cleanup(s.Close)

	p := openServer(t, s.URL, "/index/"+corpus)
	must(t, p.Wait(`document.getElementById("state").textContent.startsWith("Nothing")`))
	chooseFiles(t, p, [][2]string{
		{"museum'\\\"&lt;b&gt;.txt", "<script>alert(1)</script> Clara Hale opened the museum in Oslo in 1907.\\n"}, {"broken.pdf", "%PDF-1.4 <img src=x onerror=alert(1)>"},
	})
	must(t, p.Wait(`document.querySelectorAll("#uploads li").length === 2 && document.querySelectorAll("#files button").length > 0`))
	must(t, p.Wait(`document.getElementById("state").textContent.startsWith("Nothing is being indexed") && document.querySelectorAll("#stages li").length > 3`))
	must(t, p.Wait(`document.querySelectorAll("#documents a[href^='/documents/']").length === 1`))
	for what, want := range map[string]string{
		`document.getElementById("counts").textContent`:      "1 document,",
		`document.getElementById("failures").textContent`:    "broken.pdf",
		`document.getElementById("start").hidden`:            "false",
		`document.documentElement.scrollWidth <= innerWidth`: "true",
	} {
		if got := fmt.Sprint(evaluate[any](t, p, what)); !strings.Contains(got, want) {
			t.Errorf("%s is %q, want %q", what, got, want)
		}
	}
	evaluate[bool](t, p, `(() => { window.confirm = () => true; document.querySelector("#files button[aria-label*=broken]").click(); return true })()`)
	must(t, p.Wait(`document.querySelectorAll("#files button").length === 0 || ![...document.querySelectorAll("#files b")].some((b) => b.textContent.includes("broken"))`))
	must(t, p.Wait(`document.getElementById("failures").hidden && document.getElementById("state").textContent.startsWith("Nothing")`))
	checkQuiet(t, p)
	chooseFiles(t, p, [][2]string{{"con.txt", "refused"}})
	must(t, p.Wait(`document.getElementById("uploads").textContent.includes("not a name for a file")`)) // and Chromium logs the status
}

// chooseFiles gives files, by name and text in JavaScript, to the field of the page.
func chooseFiles(t *testing.T, p *chromium.Page, chosen [][2]string) {
	t.Helper()
	var list strings.Builder
	for _, f := range chosen {
		fmt.Fprintf(&list, `data.items.add(new File(["%s"], "%s"));`, f[1], f[0])
	}
	evaluate[bool](t, p, `(() => { const data = new DataTransfer(); `+list.String()+`
const field = document.getElementById("chosen"); field.files = data.files; field.dispatchEvent(new Event("change")); return true })()`)
}
