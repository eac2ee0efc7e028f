package cli

import (
	ucli "github.com/urfave/cli/v2"
)

// scripts ask the program itself what can follow, so they never go stale.
var scripts = map[string]string{
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
compdef _neorag neorag
`,
	"fish": `complete -c neorag -a '(set -l w (commandline -opc); $w --generate-bash-completion 2>/dev/null | string replace : \t)'
`,
}

func (c *command) completion() *ucli.Command {
	return &ucli.Command{
		Name:      "completion",
		Usage:     "print a script that completes commands and flags in a shell",
		ArgsUsage: "bash | zsh | fish",
		Description: "bash: source <(neorag completion bash)\n" +
			"zsh:  source <(neorag completion zsh)\n" +
			"fish: neorag completion fish | source",
		Action: func(cc *ucli.Context) error {
			script, ok := scripts[cc.Args().First()]
			if !ok {
				return usage("completion: choose bash, zsh or fish")
			}
			c.printf("%s", script)
			return nil
		},
	}
}
