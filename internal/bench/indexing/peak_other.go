//go:build !unix

package main

import "os"

// peakMB returns 0: this system does not report it.
func peakMB(*os.ProcessState) float64 { return 0 }
