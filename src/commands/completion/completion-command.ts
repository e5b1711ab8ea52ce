import { Argument, type Command } from '@commander-js/extra-typings';

import { EXIT } from '../../cli/shared/exit-code.js';
import { type CommandInput, type Io, write } from '../../cli/shared/io.js';

const SETUP = `
Load it where the shell starts:
  bash        echo 'source <(kprobe completion bash)' >> ~/.bashrc
  zsh         echo 'source <(kprobe completion zsh)' >> ~/.zshrc
              (after compinit)
  fish        kprobe completion fish > ~/.config/fish/completions/kprobe.fish
  PowerShell  kprobe completion powershell | Out-String | Invoke-Expression
              (in $PROFILE)`;

export function options(program: Command) {
  return program
    .command('completion')
    .description(
      'Print a script that completes command lines of kprobe in a shell: commands, options, their values, and the containers, ports and probes of the manifests on the line.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', SETUP);
}

export async function command({ paths: [shell = ''] }: CommandInput<object>, io: Io) {
  await write(io.stdout, SCRIPTS[shell] ?? '');
  return EXIT.success;
}

/*
 * Scripts of the shells. Each runs `kprobe __complete`, whose output has the form of Go's cobra: a line with value and
 * description per candidate, and at last `:` with a sum of 2 (no space after the value) and 4 (no file names). No script
 * evaluates what was typed.
 */

// bash splits words at = and : too, and replaces only what follows the last of them.
const BASH = `# kprobe completion for bash
_kprobe() {
  local line=\${COMP_LINE:0:COMP_POINT} word split stem= value directive=0
  word=\${line##*[[:space:]]}
  split=\${COMP_WORDBREAKS//[^=:]/}
  [[ -n $split && $word == *[$split]* ]] && stem=\${word%"\${word##*[$split]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    if [[ $value == :* ]]; then directive=\${value#:}
    else COMPREPLY+=("\${value#"$stem"}"); fi
  done < <(kprobe __complete --line "$line" 2>/dev/null)
  if (( directive & 2 )); then compopt -o nospace 2>/dev/null; fi
  if (( directive & 4 )); then compopt +o default 2>/dev/null; fi
}
complete -o default -F _kprobe kprobe
`;

const ZSH = `#compdef kprobe
# kprobe completion for zsh
_kprobe() {
  local line value directive=0
  local -a described options
  for line in "\${(@f)$(kprobe __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :* ]]; then
      directive=\${line#:}
    else
      value=\${line%%$'\\t'*}
      described+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  (( directive & 2 )) && options=(-S '')
  if (( $#described )); then
    _describe -t values kprobe described "\${(@)options}"
  elif (( ! (directive & 4) )); then
    _files
  fi
}
if [[ $funcstack[1] == _kprobe ]]; then _kprobe "$@"; else compdef _kprobe kprobe; fi
`;

const FISH = `# kprobe completion for fish
function __kprobe_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l directive 0
    set -l values
    for line in (kprobe __complete -- $words[2..-1] 2>/dev/null)
        if string match -q ':*' -- $line
            set directive (string sub -s 2 -- $line)
        else
            set -a values $line
        end
    end
    if test (count $values) -gt 0
        printf '%s\\n' $values
    else if test $directive -lt 4
        __fish_complete_path (commandline -ct)
    end
end
complete -c kprobe -e
complete -c kprobe -f -a '(__kprobe_complete)'
`;

const POWERSHELL = `# kprobe completion for PowerShell
Register-ArgumentCompleter -Native -CommandName kprobe -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $line = $commandAst.Extent.Text
    $end = [Math]::Min($line.Length, $cursorPosition - $commandAst.Extent.StartOffset)
    $line = $line.Substring(0, $end)
    if ($wordToComplete -eq '' -and -not $line.EndsWith(' ')) { $line += ' ' }
    & kprobe __complete --line $line 2>$null | Where-Object { -not $_.StartsWith(':') } | ForEach-Object {
        $value, $text = $_ -split "\`t", 2
        if (-not $text) { $text = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $text)
    }
}
`;

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
  powershell: POWERSHELL,
};
