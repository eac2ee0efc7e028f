package cli

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
)

// openPage opens an address in the browser that this user prefers. It does not
// wait for the browser to end.
func openPage(ctx context.Context, address string) error {
	name, args := opener(runtime.GOOS)
	path, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("open a browser: %w", err)
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), path, append(args, address)...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open a browser: %w", err)
	}
	if err := cmd.Process.Release(); err != nil {
		return fmt.Errorf("open a browser: %w", err)
	}
	return nil
}

// opener is the program of a system that opens an address.
func opener(system string) (name string, args []string) {
	switch system {
	case "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler"}
	case "darwin":
		return "open", nil
	}
	return "xdg-open", nil
}
