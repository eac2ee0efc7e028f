package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/prompts"
)

// maxDomainBytes is the size of a file with a domain at most.
const maxDomainBytes = 1 << 20

// readDomain returns the domain of a file, without a name the domain in the folder of prompts; nil if
// neither names one.
func readDomain(file string, set prompts.Set) (*extract.Domain, error) {
	read, where := set.Domain, prompts.DomainFile+" in "+set.Dir
	if file != "" {
		read, where = func() ([]byte, error) { return readSmallFile(file) }, file
	}
	content, err := read()
	if err == nil && content == nil {
		return nil, nil
	}
	var domain extract.Domain
	if err == nil {
		domain, err = extract.ParseDomain(content)
	}
	if err != nil {
		return nil, &userError{code: exitUsage, message: fmt.Sprintf("%s: %v", where, err), hint: "docs/tuning.md shows the form of the file", cause: err}
	}
	return &domain, nil
}

func readSmallFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	content, err := io.ReadAll(io.LimitReader(f, maxDomainBytes+1))
	if err == nil && len(content) > maxDomainBytes {
		err = errors.New("the file is larger than 1 MB")
	}
	return content, err
}
