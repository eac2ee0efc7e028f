package cli

import ucli "github.com/urfave/cli/v2"

// outputOptions configure what is printed besides the result, and in which form.
type outputOptions struct {
	json    bool // print JSON, errors too
	quiet   bool // print no progress and no notes
	verbose bool // log details
}

// outputFlags are the flags of every command.
func outputFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.BoolFlag{Name: "json", Category: outputGroup, Usage: "print the result, or the error, as one JSON object", DisableDefaultText: true},
		&ucli.BoolFlag{Name: "quiet", Category: outputGroup, Aliases: []string{"q"}, Usage: "suppress progress and notes", DisableDefaultText: true},
	}
}

// rawFlag is a flag of commands that write CSV.
func rawFlag() ucli.Flag {
	return &ucli.BoolFlag{
		Name: "raw", DisableDefaultText: true,
		Usage: "write cells of CSV verbatim, for programs; otherwise an apostrophe precedes text that a spreadsheet would run as a formula",
	}
}

// verboseFlag is a flag of commands that log.
func verboseFlag() ucli.Flag {
	return &ucli.BoolFlag{Name: "verbose", Category: outputGroup, Usage: "log details"}
}

func outputOptionsFrom(cc *ucli.Context) outputOptions {
	return outputOptions{json: cc.Bool("json"), quiet: cc.Bool("quiet"), verbose: cc.Bool("verbose")}
}
