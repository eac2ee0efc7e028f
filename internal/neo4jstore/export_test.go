package neo4jstore

// WithPages returns the store with pages of at most n rows.
func (s *Store) WithPages(n int) *Store {
	c := *s
	c.pageRows = n
	return &c
}

// KeepBytes sets how much memory the records of members may take that the reader keeps.
func (r *ReportReader) KeepBytes(n int) { r.records.most = n }
