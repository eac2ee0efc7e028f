package childenv

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChoose(t *testing.T) {
	t.Parallel()
	all := []string{
		"PATH=/bin", "HOME=/h", "LC_ALL=C", "JAVA_HOME=/j", "MAVEN_OPTS=-X", "DOCKER_HOST=d", "DISPLAY=:0", "https_proxy=p",
		"OPENAI_API_KEY=k", "MISTRAL_API_KEY=k", "NEO4J_PASSWORD=k", "NEORAG_CORPUS=k", "AWS_SECRET_ACCESS_KEY=k", "PATHS=k", "=C:=k", "LD_PRELOAD=k",
	}
	for name, tt := range map[string]struct {
		program Program
		want    []string
	}{
		"java":    {Java, []string{"PATH=/bin", "HOME=/h", "LC_ALL=C", "JAVA_HOME=/j"}},
		"maven":   {Maven, []string{"PATH=/bin", "HOME=/h", "LC_ALL=C", "JAVA_HOME=/j", "MAVEN_OPTS=-X", "https_proxy=p"}},
		"docker":  {Docker, []string{"PATH=/bin", "HOME=/h", "LC_ALL=C", "DOCKER_HOST=d", "https_proxy=p"}},
		"browser": {Browser, []string{"PATH=/bin", "HOME=/h", "LC_ALL=C", "DISPLAY=:0", "https_proxy=p"}},
		"other":   {Other, []string{"PATH=/bin", "HOME=/h", "LC_ALL=C"}},
	} {
		if diff := cmp.Diff(tt.want, choose(all, tt.program, false)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if got := choose([]string{"Path=/bin", "Mistral_Api_Key=k"}, Other, true); len(got) != 1 {
		t.Errorf("names of any case: got %q", got)
	}
	if choose(nil, Other, false) == nil {
		t.Error("no variables are nil, with which a child inherits everything")
	}
}
