// Package panicerr turns panics into errors, so that a panic on one item does not end the
// process.
package panicerr

import (
	"fmt"
	"runtime/debug"
)

// Catch calls fn and returns its error. If fn panics, the error contains the value of the
// panic in its first line, and then the stack.
func Catch(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return fn()
}
