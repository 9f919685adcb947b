/** Completion scripts. Each passes the words up to the cursor to `__complete`. */
export type Shell = 'bash' | 'zsh' | 'fish'

/** The candidates are read line by line: no shell evaluates them. */
const BASH = `_tollgate() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _tollgate tollgate ./tollgate
`

const ZSH = `#compdef tollgate
_tollgate() {
  local line name
  local -a names shown
  while IFS= read -r line; do
    name="\${line%%$'\\t'*}"
    names+=("$name")
    shown+=("$name  \${line#*$'\\t'}")
  done < <("\${(Q)words[1]}" __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#names} )); then
    compadd -l -d shown -a names
  else
    _files
  fi
}
compdef _tollgate tollgate ./tollgate
`

const FISH = `function __tollgate_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    set -l found ($program __complete -- $words (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c tollgate -f -a '(__tollgate_complete)'
`

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH }

/** The line for the start file of the shell. */
export const INSTALL: Readonly<Record<Shell, (program: string) => string>> = {
  bash: (program) => `echo 'eval "$(${program} completion bash)"' >> ~/.bashrc`,
  zsh: (program) => `echo 'eval "$(${program} completion zsh)"' >> ~/.zshrc   # after compinit`,
  fish: (program) => `${program} completion fish > ~/.config/fish/completions/tollgate.fish`,
}
