//go:build !urfave_cli_no_docs

package cli

// ManPage returns the manual page of the program. The program itself is built without what makes it.
func ManPage(e Env) (string, error) {
	return newApp(&environment{Env: e}).ToManWithSection(1)
}
