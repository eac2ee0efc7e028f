// Package store declares a little of everything.
package store

import "io"

const (
	Limit  = 1
	hidden = 2
)

// A Store has an exported and an unexported field, and an embedded one.
type Store struct {
	io.Reader
	Name, Title string
	size        int
}

type Pair[K, V any] struct{ Key K }

type Getter interface {
	Get() int
	put()
}

type private struct{ Field int }

func Open() *Store { return nil }

func (s *Store) Get() int {
	return s.size
}

func (s *Store) put() {}

func (p Pair[K, V]) First() K { return p.Key }

func (private) Exported() {}
