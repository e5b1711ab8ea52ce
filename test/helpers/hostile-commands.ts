/** A duration that tells our sleeping processes from all others. */
export const NAP = '98765';

/** Commands that do not end as they should, and whether they do so before their timeout. */
export const HOSTILE_COMMANDS: readonly {
  readonly name: string;
  readonly command: readonly string[];
  readonly endsEarly: boolean;
}[] = [
  { name: 'output without end', command: ['sh', '-c', 'yes'], endsEarly: false },
  { name: 'errors without end', command: ['sh', '-c', 'yes >&2'], endsEarly: false },
  { name: 'no end', command: ['sleep', NAP], endsEarly: false },
  {
    name: 'an ignored SIGTERM',
    command: ['sh', '-c', `trap '' TERM INT HUP; sleep ${NAP}; sleep ${NAP}`],
    endsEarly: false,
  },
  {
    name: 'a child that keeps the pipe open',
    command: ['sh', '-c', `sleep ${NAP} & exit 0`],
    endsEarly: false,
  },
  {
    name: 'a daemon in a session of its own',
    command: ['sh', '-c', `setsid sleep ${NAP} </dev/null >/dev/null 2>&1 & exit 0`],
    endsEarly: true,
  },
  {
    name: 'a daemon that keeps the pipe open',
    command: ['sh', '-c', `setsid sh -c 'sleep ${NAP}; sleep ${NAP}' & exit 0`],
    endsEarly: false,
  },
  {
    name: 'a closed output',
    command: ['sh', '-c', `exec >&- 2>&-; sleep ${NAP}`],
    endsEarly: false,
  },
];
