// Package chromium opens one local page in a headless Chromium, which has no network.
package chromium

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// ErrMissing is returned by Find if this machine has no Chromium.
var ErrMissing = errors.New("no Chromium")

// programs are the names of Chromium on different systems.
var programs = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}

// Find returns the path of Chromium: the value of the environment variable CHROMIUM, else
// the one on the PATH.
func Find() (string, error) {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path, nil
	}
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: none of %s is on the PATH", ErrMissing, strings.Join(programs, ", "))
}
