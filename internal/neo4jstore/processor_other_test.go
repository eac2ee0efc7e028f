//go:build !unix

package neo4jstore_test

import (
	"testing"
	"time"
)

// processorTime is not told by this system.
func processorTime(*testing.B) time.Duration { return 0 }
