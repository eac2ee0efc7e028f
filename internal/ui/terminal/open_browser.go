package terminal

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"

	"github.com/neorag/neorag/internal/sys/childenv"
)

// OpenBrowser opens an address in the default browser of the user. It does not
// wait for the browser to exit.
func OpenBrowser(ctx context.Context, address string) error {
	name, args := browserCommand(runtime.GOOS)
	path, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("open a browser: %w", err)
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), path, append(args, address)...)
	cmd.Env = childenv.Of(childenv.Browser)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open a browser: %w", err)
	}
	if err := cmd.Process.Release(); err != nil {
		return fmt.Errorf("open a browser: %w", err)
	}
	return nil
}

// browserCommand returns the program of an operating system that opens an address,
// and its arguments before that address.
func browserCommand(goos string) (name string, args []string) {
	switch goos {
	case "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler"}
	case "darwin":
		return "open", nil
	}
	return "xdg-open", nil
}
