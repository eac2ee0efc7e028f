package neotest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// lent are the corpora of this process that no test uses now, by what they
// were made for.
var lent struct {
	sync.Mutex
	free map[string][]string
}

// Borrow is a corpus without nodes, but perhaps with its indexes: one that an
// earlier test of this process gave back, or a new one. Making and dropping a
// corpus' indexes costs more than most tests, and makes the server plan every
// statement anew. Corpora that need different indexes go by another use. They
// stay on the server, which is a throw-away one.
func Borrow(tb testing.TB, use string) string {
	tb.Helper()
	lent.Lock()
	defer lent.Unlock()
	var name string
	if free := lent.free[use]; len(free) > 0 {
		name, lent.free[use] = free[len(free)-1], free[:len(free)-1]
	} else {
		name = Corpus(tb)
	}
	conn := Server(tb)
	tb.Cleanup(func() {
		if err := wipe(conn, name); err != nil {
			tb.Errorf("wipe corpus %s: %v", name, err)
			return
		}
		lent.Lock()
		defer lent.Unlock()
		if lent.free == nil {
			lent.free = map[string][]string{}
		}
		lent.free[use] = append(lent.free[use], name)
	})
	return name
}

// Wipe deletes the nodes of a corpus and leaves its indexes, as if nothing had
// been indexed yet.
func Wipe(tb testing.TB, corpus string) {
	tb.Helper()
	if err := wipe(Server(tb), corpus); err != nil {
		tb.Fatalf("wipe corpus %s: %v", corpus, err)
	}
}

func wipe(conn Conn, corpus string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	driver, err := neo4j.NewDriverWithContext(conn.URI, neo4j.BasicAuth(conn.User, conn.Password, ""))
	if err != nil {
		return err
	}
	defer func() { _ = driver.Close(ctx) }()
	_, err = neo4j.ExecuteQuery(ctx, driver, "MATCH (n) WHERE n.corpus = $corpus OR n.key = $corpus DETACH DELETE n",
		map[string]any{"corpus": corpus}, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase("neo4j"))
	return err
}
