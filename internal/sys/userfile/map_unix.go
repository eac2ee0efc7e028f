//go:build unix

package userfile

import (
	"fmt"
	"math"
	"os"
	"syscall"
)

// MapPrivate maps a file into memory, read-only, on the conditions of ReadPrivate. The bytes
// are valid until unmap is called. The file may be replaced meanwhile, but must not be
// shortened: use it only for files that WritePrivate writes.
func MapPrivate(path string) (b []byte, unmap func() error, err error) {
	before, err := os.Lstat(path)
	if err != nil {
		return nil, nil, err
	}
	f, info, err := open(path, before, noFollow)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = f.Close() }()
	if err := check(path, info); err != nil {
		return nil, nil, err
	}
	if info.Size() == 0 || info.Size() > math.MaxInt {
		return nil, nil, fmt.Errorf("%s: a file of %d bytes cannot be mapped", path, info.Size())
	}
	b, err = syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, fmt.Errorf("map %s: %w", path, err)
	}
	return b, func() error { return syscall.Munmap(b) }, nil
}
