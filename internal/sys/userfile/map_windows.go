package userfile

import "math"

// MapPrivate reads a file as ReadPrivate does. unmap does nothing.
func MapPrivate(path string) (b []byte, unmap func() error, err error) {
	b, err = ReadPrivate(path, math.MaxInt64-1)
	return b, func() error { return nil }, err
}
