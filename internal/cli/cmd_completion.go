package cli

import (
	ucli "github.com/urfave/cli/v2"
)

// completionScripts ask the program itself for completions, so they are always up to
// date.
var completionScripts = map[string]string{
	"bash": `_neorag() {
  COMPREPLY=($(compgen -W "$("${COMP_WORDS[@]:0:$COMP_CWORD}" --generate-bash-completion 2>/dev/null | cut -d: -f1)" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o bashdefault -o default -F _neorag neorag
`,
	"zsh": `#compdef neorag
_neorag() {
  local -a found
  found=("${(@f)$(${words[1,CURRENT-1]} --generate-bash-completion 2>/dev/null)}")
  _describe 'neorag' found || _files
}
if [[ $funcstack[1] == _neorag ]]; then _neorag "$@"; else compdef _neorag neorag; fi
`,
	"fish": `complete -c neorag -a '(set -l w (commandline -opc); $w --generate-bash-completion 2>/dev/null | string replace : \t)'
`,
}

func newCompletionCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "completion",
		Usage:     "print a shell completion script",
		ArgsUsage: "bash | zsh | fish",
		Description: "bash: source <(neorag completion bash)\n" +
			"zsh:  source <(neorag completion zsh)\n" +
			"fish: neorag completion fish | source",
		Action: func(cc *ucli.Context) error { return runCompletion(env, cc.Args().First()) },
	}
}

func runCompletion(env *environment, shell string) error {
	script, ok := completionScripts[shell]
	if !ok {
		return usage("completion: choose bash, zsh or fish")
	}
	env.printf("%s", script)
	return nil
}
