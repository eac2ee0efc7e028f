// Package disktest gives a test a small file system, which it can fill, enlarge and
// shrink, without any effect on the disks of the machine.
package disktest

import "testing"

// A Disk is a file system in memory that only one test sees.
type Disk struct {
	Dir string // the folder that shows it
	tb  testing.TB
}

// MB is the unit of sizes.
const MB = 1 << 20
