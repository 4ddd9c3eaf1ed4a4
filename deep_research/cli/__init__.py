"""The command line: one short module per command, loaded only when its command is called.

`parser` knows every option and imports nothing but the standard library, so `--help` is instant. A command
is a function from the parsed arguments to an exit status; it prints results on stdout and everything else on
stderr.
"""
