package web

import (
	"context"
	"errors"

	"github.com/neorag/neorag/internal/source"
)

// List is source.List for paths of which some may be URLs. A URL with pages that cannot be read is not a
// root, so that no document is taken for deleted because the page that leads to it is missing.
func List(ctx context.Context, paths []string, o source.Options, web Options) (source.Listing, error) {
	var local, addresses []string
	for _, path := range paths {
		if IsURL(path) {
			addresses = append(addresses, path)
		} else {
			local = append(local, path)
		}
	}
	listing, err := source.List(ctx, local, o)
	if err != nil {
		return source.Listing{}, err
	}
	web.MaxFileSize = o.MaxFileSize
	for _, address := range addresses {
		files, failures, err := Fetch(ctx, address, web)
		if err != nil {
			return source.Listing{}, err
		}
		roots := listing.Roots
		failures, missing := withoutLasting(failures)
		listing.Missing = append(listing.Missing, missing...)
		if err := listing.Add(files[0].Root, files, failures); err != nil {
			return source.Listing{}, err
		}
		if len(failures) > 0 {
			listing.Roots = roots
		}
	}
	return listing, nil
}

// withoutLasting separates failures from pages that the next run cannot read either.
func withoutLasting(all []source.Failure) (failures, lasting []source.Failure) {
	for _, f := range all {
		if errors.As(f.Err, new(lastingError)) {
			lasting = append(lasting, f)
		} else {
			failures = append(failures, f)
		}
	}
	return failures, lasting
}
