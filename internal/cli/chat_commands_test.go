package cli

import "testing"

func TestCompleteChatLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", "/m": "/method ", "/h": "/help", "/": "/", "/x": "/x", "who": "who", "/method ba": "/method basic", "/method ": "/method ",
	} {
		if got := completeChatLine(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
