package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/server/files"
	"github.com/neorag/neorag/internal/server/runs"
	"github.com/neorag/neorag/internal/server/servertest"
	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// writing returns options of a server whose clients may add files and request runs, which do not begin.
func writing(t *testing.T, s *service.Service) Options {
	t.Helper()
	return Options{Version: "test", Service: s, Files: &files.Folder{Path: filepath.Join(t.TempDir(), "documents")}, Runs: runs.New(runs.Options{Queue: servertest.NewQueue()})}
}

// startWriting starts a server whose clients may add files to a corpus, with a run for each request that the test
// sees. It returns the folder of the corpus.
func startWriting(t *testing.T, corpus string, run func(ctx context.Context, folder *files.Folder) error) (address string, folder *files.Folder, ended <-chan error) {
	t.Helper()
	folder = &files.Folder{Path: filepath.Join(t.TempDir(), "documents")}
	results := make(chan error, 100)
	queue := servertest.NewQueue()
	r := runs.New(runs.Options{Quiet: 1, Queue: queue, Index: queue.Index(func(ctx context.Context, _ runs.Request, _ func(runs.Progress)) (runs.Result, error) {
		err := run(ctx, folder)
		results <- err
		return runs.Result{}, err
	})})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { r.Serve(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	return start(t, Options{Version: "test", Service: servertest.Service(t, nil, corpus), Files: folder, Runs: r}), folder, results
}

func noRun(context.Context, *files.Folder) error { return nil }

// form returns the body of an upload of files, by name, and its content type.
func form(t *testing.T, documents ...[2]string) (body *bytes.Buffer, contentType string) {
	t.Helper()
	body = &bytes.Buffer{}
	w := multipart.NewWriter(body)
	for _, d := range documents {
		part, err := w.CreateFormFile("file", d[0])
		if err == nil {
			_, err = io.WriteString(part, d[1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return body, w.FormDataContentType()
}

// TestUploadsAreIndexed adds a file and deletes it: answers have its words, and then they do not.
func TestUploadsAreIndexed(t *testing.T) {
	t.Parallel()
	corpus, store := neo4jtest.Borrow(t, "index"), servertest.Store(t)
	address, _, ended := startWriting(t, corpus, func(ctx context.Context, folder *files.Folder) error {
		options := index.Options{Corpus: corpus}
		options.Source.MayBeEmpty = []string{folder.Of(corpus)}
		x, err := index.New(store, options)
		if err != nil {
			return err
		}
		_, err = x.Run(ctx, folder.Paths(corpus))
		return err
	})
	routes := address + "/api/v1/corpora/" + corpus
	body, kind := form(t, [2]string{"museum.txt", "Clara Hale opened the museum in Oslo in 1907.\n"}, [2]string{"nul.txt", "refused"})
	status, raw := sendBody(t, http.MethodPost, routes+"/files", kind, body)
	var up Upload
	if err := json.Unmarshal([]byte(raw), &up); status != http.StatusOK || err != nil || len(up.Files) != 1 || len(up.Refused) != 1 {
		t.Fatalf("upload: %d %s", status, raw)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	documents := func() string {
		_, raw := sendBody(t, http.MethodGet, routes+"/documents", "", http.NoBody)
		return raw
	}
	if got := documents(); !strings.Contains(got, "museum.txt") {
		t.Errorf("documents: %s", got)
	}
	if status, raw := sendBody(t, http.MethodDelete, routes+"/files/museum.txt", "", http.NoBody); status != http.StatusOK {
		t.Errorf("delete: %d %s", status, raw)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if got := documents(); strings.Contains(got, "museum.txt") {
		t.Errorf("documents after the deletion: %s", got)
	}
}

// TestRunOfNothing asks for runs of corpora whose documents the server does not have.
func TestRunOfNothing(t *testing.T) {
	t.Parallel()
	corpus := servertest.Sample(t, examples)
	address, folder, ended := startWriting(t, corpus, noRun)
	routes := address + "/api/v1/corpora/"
	request(t, http.MethodPost, routes+corpus+"/run", "{}", http.StatusConflict, nil)
	request(t, http.MethodPost, routes+"unknown/run", "{}", http.StatusNotFound, nil)
	request(t, http.MethodPost, routes+"Not%20a%20name/run", "{}", http.StatusUnprocessableEntity, nil)
	if err := os.MkdirAll(folder.Of(corpus), 0o700); err != nil {
		t.Fatal(err)
	}
	var state runs.State
	request(t, http.MethodPost, routes+corpus+"/run", "{}", http.StatusOK, &state)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	request(t, http.MethodPost, routes+corpus+"/run/cancel", "{}", http.StatusOK, &state)
	if state.State != runs.Idle {
		t.Errorf("state %+v", state)
	}
}

// TestHostileUploads sends what no browser would: each is refused, and nothing is written outside of the folder.
func TestHostileUploads(t *testing.T) {
	t.Parallel()
	corpus := servertest.Sample(t, examples)
	address, folder, _ := startWriting(t, corpus, noRun)
	route := address + "/api/v1/corpora/" + corpus + "/files"
	hidden, kind := form(t, [2]string{".bashrc", "text"})
	device, deviceKind := form(t, [2]string{"con.txt", "text"})
	for name, tt := range map[string]struct {
		body   io.Reader
		kind   string
		status int
	}{
		"a hidden file":   {hidden, kind, 422},
		"a device":        {device, deviceKind, 422},
		"no files":        {strings.NewReader("--x--\r\n"), "multipart/form-data; boundary=x", 422},
		"no form":         {strings.NewReader("{}"), "application/json", 415},
		"no boundary":     {strings.NewReader("{}"), "multipart/form-data", 415},
		"a broken form":   {strings.NewReader("--x\r\nContent-Disposition: form-data; name=file; filename=a.txt\r\n\r\ntext"), "multipart/form-data; boundary=x", 400},
		"endless headers": {io.MultiReader(strings.NewReader("--x\r\nA: "), strings.NewReader(strings.Repeat("a", 11<<20))), "multipart/form-data; boundary=x", 400},
		"a large file":    {largeForm(files.MaxFile + 1), "multipart/form-data; boundary=x", 413},
	} {
		if status, raw := sendBody(t, http.MethodPost, route, tt.kind, tt.body); status != tt.status || strings.Contains(raw, folder.Path) {
			t.Errorf("%s: %d %.300s, want %d", name, status, raw, tt.status)
		}
	}
	for _, path := range []string{"../outside.txt", "..%2foutside.txt", "%2e%2e/outside.txt", "a/../../outside.txt", `..\outside.txt`} {
		body, kind := form(t, [2]string{path, "text"})
		_, _ = sendBody(t, http.MethodPost, route, kind, body)
		if status, _ := sendBody(t, http.MethodDelete, route+"/..%2f..%2foutside.txt", "", http.NoBody); status != http.StatusNotFound {
			t.Errorf("delete outside: %d", status)
		}
	}
	var outside []string
	err := filepath.WalkDir(filepath.Dir(folder.Path), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Dir(path) != folder.Of(corpus) {
			outside = append(outside, path)
		}
		return err
	})
	if err != nil || outside != nil {
		t.Errorf("files outside of the folder: %v, %v", outside, err)
	}
	list, err := folder.List(corpus)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, f := range list {
		left = append(left, f.Name)
	}
	if diff := cmp.Diff([]string{"outside.txt"}, left); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// largeForm returns a form with one file of zero bytes.
func largeForm(size int64) io.Reader {
	return io.MultiReader(strings.NewReader("--x\r\nContent-Disposition: form-data; name=file; filename=a.txt\r\n\r\n"), io.LimitReader(zeros{}, size), strings.NewReader("\r\n--x--\r\n"))
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestSlowUpload sends the beginning of a file and then nothing, and closes the connection: the corpus has no file.
func TestSlowUpload(t *testing.T) {
	t.Parallel()
	corpus := servertest.Sample(t, examples)
	address, folder, _ := startWriting(t, corpus, noRun)
	host := strings.TrimPrefix(address, "http://")
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(c, "POST /api/v1/corpora/"+corpus+"/files HTTP/1.1\r\nHost: "+host+"\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000\r\n\r\n"+
		"--x\r\nContent-Disposition: form-data; name=file; filename=slow.txt\r\n\r\ntext")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(c)
	if err != nil || !strings.HasPrefix(string(raw), "HTTP/1.1 400") {
		t.Errorf("%s, %v", raw, err)
	}
	_ = c.Close()
	if list, err := folder.List(corpus); err != nil || len(list) != 0 {
		t.Errorf("files: %v, %v", list, err)
	}
}
