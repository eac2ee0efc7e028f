package decode

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func TestCleanerEqualsClean(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		raw := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"\r", "\n", "\x00", "a", "é", "\xff", "\xe9\x95", "\ufeff", "\xef\xbb", "\ufffd", "😀", "\x81", "\x93", "\x1b", "$B"})).Draw(t, "raw"), "")
		for _, p := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.HalfReader} {
			got, err := io.ReadAll(cleanReader(p(strings.NewReader(raw))))
			if want := Clean(raw); err != nil || string(got) != want {
				t.Fatalf("%q became %q, %v, want %q", raw, got, err, want)
			}
		}
		var census utf8Census
		_, _ = io.Copy(&census, iotest.OneByteReader(strings.NewReader(raw)))
		if whole := censusOf([]byte(raw)); census.mostlyUTF8() != whole.mostlyUTF8() || census.isJapanese() != whole.isJapanese() {
			t.Fatalf("%q in one piece: mostly UTF-8 is %t, Japanese is %t", raw, whole.mostlyUTF8(), whole.isJapanese())
		}
	})
}
