package neo4jtest

import (
	"testing"
	"time"
)

func TestBorrowIsExclusive(t *testing.T) {
	var first, second string
	t.Run("two at the same time", func(t *testing.T) {
		first, second = Borrow(t, "lending"), Borrow(t, "lending")
		if first == second {
			t.Errorf("Borrow twice = %q", first)
		}
	})
	again, other := Borrow(t, "lending"), Borrow(t, "another use")
	if again != first && again != second {
		t.Errorf("Borrow = %q, want %q or %q, which were returned", again, first, second)
	}
	if other == first || other == second {
		t.Errorf("Borrow for another use = %q", other)
	}
}

func TestBorrowWaitsForAnnouncement(t *testing.T) {
	conn := Server(t)
	conn.Lent = t.TempDir()
	kept, err := Announce(conn)
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
		if took := <-awaited; took > announcementTimeout/2 {
			t.Errorf("await took %v after the promise was kept", took)
		}
	}
}
