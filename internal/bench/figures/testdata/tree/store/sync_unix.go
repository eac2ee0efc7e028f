//go:build unix

package store

func (s *Store) Sync() {}
