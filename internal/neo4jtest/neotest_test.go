package neo4jtest

import (
	"context"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/graph"
)

func TestMain(m *testing.M) { Main(m) }

func TestServerTakesItsPassword(t *testing.T) {
	conn := Server(t)
	driver, err := neo4j.NewDriverWithContext(conn.URI, neo4j.BasicAuth(conn.User, conn.Password, ""))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	defer func() { _ = driver.Close(ctx) }()
	got, err := neo4j.ExecuteQuery(ctx, driver, "RETURN 1 AS one", nil, neo4j.EagerResultTransformer)
	if err != nil {
		t.Fatal(err)
	}
	if one, _ := got.Records[0].Get("one"); one != int64(1) {
		t.Errorf("RETURN 1 = %v", one)
	}
	if again := Server(t); again != conn {
		t.Errorf("Server again = %v, want the same %v", again, conn)
	}
}

func TestCorpusIsNewAndValid(t *testing.T) {
	a, b := Corpus(t), Corpus(t)
	if a == b {
		t.Errorf("Corpus twice = %q", a)
	}
	if err := graph.CheckCorpus(a); err != nil {
		t.Error(err)
	}
}

func TestBorrowLendsToOneAtATime(t *testing.T) {
	var first, second string
	t.Run("two at once", func(t *testing.T) {
		first, second = Borrow(t, "lending"), Borrow(t, "lending")
		if first == second {
			t.Errorf("Borrow twice = %q", first)
		}
	})
	again, other := Borrow(t, "lending"), Borrow(t, "another use")
	if again != first && again != second {
		t.Errorf("Borrow = %q, want %q or %q, which came back", again, first, second)
	}
	if other == first || other == second {
		t.Errorf("Borrow for another use = %q", other)
	}
}

func TestBorrowWaitsForWhatIsPromised(t *testing.T) {
	conn := Server(t)
	conn.Lent = t.TempDir()
	kept, err := Promise(conn)
	if err != nil {
		t.Fatal(err)
	}
	awaited := make(chan time.Duration, 1)
	begin := time.Now()
	go func() {
		await(t, conn)
		awaited <- time.Since(begin)
	}()
	select {
	case <-awaited:
		t.Error("await did not wait")
	case <-time.After(300 * time.Millisecond):
		if err := kept(); err != nil {
			t.Fatal(err)
		}
		if took := <-awaited; took > promised/2 {
			t.Errorf("await took %v after the promise was kept", took)
		}
	}
}
