//go:build !urfave_cli_no_docs

// Command manpage prints the manual page of neorag, for packages.
package main

import (
	"fmt"
	"os"

	"github.com/neorag/neorag/internal/cli"
)

func main() {
	page, err := cli.ManPage(cli.OS())
	if err == nil {
		_, err = fmt.Print(page)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
