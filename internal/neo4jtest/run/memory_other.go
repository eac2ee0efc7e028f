//go:build !linux

package main

// memory is a folder in memory with room for a server's data, "" for none.
func memory() string { return "" }
