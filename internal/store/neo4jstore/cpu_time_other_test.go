//go:build !unix

package neo4jstore_test

import (
	"testing"
	"time"
)

// processorTime is unknown on this system.
func processorTime(*testing.B) time.Duration { return 0 }
