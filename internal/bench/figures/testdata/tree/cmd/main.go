// Command cmd does nothing.
package main

func main() {}
