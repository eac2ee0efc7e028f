package neo4jstore

// WithPages returns the store with pages of at most n rows.
func (s *Store) WithPages(n int) *Store {
	c := *s
	c.pageRows = n
	return &c
}
