const SHELL = /(?:^|\/)(?:ba|da|a|z|k)?sh$/;

/** Reports whether a word of a command names a shell: `sh`, `/bin/bash`. */
export function isShell(word: string): boolean {
  return SHELL.test(word);
}
