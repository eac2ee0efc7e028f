// Package panicerr turns panics into errors, so that one bad item of many names
// itself instead of ending the process.
package panicerr

import (
	"fmt"
	"runtime/debug"
)

// Catch calls fn and returns its error. When fn panics, the error holds the
// value and the stack; its first line is the value alone.
func Catch(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return fn()
}
