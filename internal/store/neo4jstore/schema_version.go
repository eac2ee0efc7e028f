package neo4jstore

import "fmt"

// checkSchema returns an ErrSchema that says what to do for a corpus of another schema
// version.
func checkSchema(version int) error {
	switch {
	case version > SchemaVersion:
		return fmt.Errorf("%w: schema %d is newer than the supported %d; update neorag", ErrSchema, version, SchemaVersion)
	case version < SchemaVersion:
		return fmt.Errorf("%w: schema %d is older than the required %d; run `neorag index` on its documents once", ErrSchema, version, SchemaVersion)
	}
	return nil
}
