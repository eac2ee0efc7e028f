package cli

import "github.com/neorag/neorag/internal/index"

// Exit codes. README.md lists them for users.
const (
	exitOK          = 0
	exitFailure     = 1 // also if a command that compares or checks found something worse or broken
	exitUsage       = 2 // wrong arguments or settings
	exitFailedParts = index.ExitFailedParts
	exitInterrupted = 130 // by a signal
)
