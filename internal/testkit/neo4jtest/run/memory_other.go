//go:build !linux

package main

// memory returns a folder in memory with room for a server's data, "" for none.
func memory() string { return "" }
