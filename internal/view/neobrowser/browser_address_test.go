package neobrowser

import (
	"testing"
)

func TestAddress(t *testing.T) {
	got := Address("http://127.0.0.1:7474", "bolt://127.0.0.1:7687", "neo4j", "kgraph", "http://localhost:9/guide.html")
	want := "http://127.0.0.1:7474/browser/?dbms=bolt://neo4j@127.0.0.1:7687&db=kgraph&cmd=guide&arg=http%3A%2F%2Flocalhost%3A9%2Fguide.html"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := Address("http://h:7474", "neo4j://h:7687", "a b", "", ""); got != "http://h:7474/browser/?dbms=neo4j://a%20b@h:7687" {
		t.Error(got)
	}
}
