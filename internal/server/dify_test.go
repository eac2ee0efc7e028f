package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/server/servertest"
)

// TestDify retrieves as Dify does.
func TestDify(t *testing.T) {
	t.Parallel()
	corpus := servertest.Sample(t, examples)
	address := start(t, Options{Version: "test", Service: servertest.Service(t, nil, corpus)})
	retrieve := func(query, setting string) (out DifyRecords) {
		t.Helper()
		body := `{"knowledge_id":"` + corpus + `","query":"` + query + `","retrieval_setting":` + setting + `,"metadata_condition":null,"other":1}`
		request(t, http.MethodPost, address+"/dify/retrieval", body, http.StatusOK, &out)
		return out
	}
	found := retrieve("Who was the partner of Scrooge?", `{"top_k":5,"score_threshold":0.0,"x":1}`).Records
	if len(found) != 5 || found[0].Score < .7 || found[0].Score > 1 || !strings.Contains(found[0].Content, "Scrooge") {
		t.Fatalf("found %+v", found)
	}
	for i, r := range found {
		if i > 0 && r.Score > found[i-1].Score {
			t.Errorf("record %d has the score %v after %v", i, r.Score, found[i-1].Score)
		}
		if r.Title == "" || r.Metadata.Corpus != corpus || r.Metadata.Chunk == "" || !strings.HasPrefix(r.Metadata.Href, address+"/documents/"+corpus+"/christmas-carol/") {
			t.Errorf("record %+v", r)
		}
	}
	threshold := (found[1].Score + found[2].Score) / 2
	if got := retrieve("Who was the partner of Scrooge?", `{"top_k":5,"score_threshold":`+strconv.FormatFloat(threshold, 'g', -1, 64)+`}`); len(got.Records) != 2 {
		t.Errorf("%d records above %v, want 2", len(got.Records), threshold)
	}
	if got := retrieve("xyzzyqwert", `{"top_k":1000}`); got.Records == nil || len(got.Records) != 0 {
		t.Errorf("nothing found is %+v", got)
	}
}

// TestDifyRefuses checks the errors of requests of Dify.
func TestDifyRefuses(t *testing.T) {
	t.Parallel()
	corpus := servertest.Sample(t, examples)
	h := New(Options{Version: "test", Service: servertest.Service(t, nil, corpus, "missing"), Fence: Fence{Token: testToken}})
	for name, tt := range map[string]struct {
		authorization, body string
		status, code        int
	}{
		"no token":             {"", `{}`, 401, 1001},
		"another scheme":       {"Basic x", `{}`, 401, 1001},
		"a wrong token":        {"Bearer x", `{}`, 401, 1002},
		"no JSON":              {"Bearer " + testToken, `{`, 400, 400},
		"no corpus":            {"Bearer " + testToken, `{"query":"x","retrieval_setting":{"top_k":1}}`, 404, 2001},
		"a corpus not shown":   {"Bearer " + testToken, `{"knowledge_id":"other","query":"x","retrieval_setting":{"top_k":1}}`, 404, 2001},
		"a corpus not there":   {"Bearer " + testToken, `{"knowledge_id":"missing","query":"x","retrieval_setting":{"top_k":1}}`, 404, 2001},
		"an empty query":       {"Bearer " + testToken, `{"knowledge_id":"` + corpus + `","query":" ","retrieval_setting":{"top_k":1}}`, 422, 422},
		"a query that is long": {"Bearer " + testToken, `{"knowledge_id":"` + corpus + `","query":"` + strings.Repeat("a ", maxQuestion) + `","retrieval_setting":{"top_k":1}}`, 422, 422},
		"no records":           {"Bearer " + testToken, `{"knowledge_id":"` + corpus + `","query":"x","retrieval_setting":{"top_k":0}}`, 422, 422},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1"+difyPath, strings.NewReader(tt.body))
		if tt.authorization != "" {
			r.Header.Set("Authorization", tt.authorization)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		var got DifyProblem
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if w.Code != tt.status || got.Code != tt.code || got.Message == "" {
			t.Errorf("%s: status %d, %+v", name, w.Code, got)
		}
	}
}
