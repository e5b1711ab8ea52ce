import type { HintRule } from './hint-context.js';

const byExitCode: HintRule = ({ spec, response }) => {
  if (spec.exec === undefined) return undefined;
  const command = spec.exec.command?.[0] ?? '';
  switch (/^exit code (\d+)$/.exec(response)?.[1]) {
    case '126':
      return `exit 126: ${command} was found, but could not be run`;
    case '127':
      return `exit 127: ${command}, or what it calls, is not in the image`;
    case '137':
      return 'exit 137: the command was killed, by the system or with its container';
    default:
      return undefined;
  }
};

const notFound: HintRule = ({ spec, said }) => {
  if (spec.exec === undefined) return undefined;
  const command = spec.exec.command?.[0] ?? '';
  if (/executable file not found|no such file or directory/.test(said)) {
    return `${command} is not there: a probe's command has to be in the container's image`;
  }
  return /permission denied/.test(said) ? `${command} may not be run` : undefined;
};

const tooSlow: HintRule = ({ spec, said }) =>
  spec.exec !== undefined && /timed out/.test(said)
    ? `the command takes longer than the timeout of ${spec.timeoutSeconds} s`
    : undefined;

export const EXEC_HINTS: readonly HintRule[] = [byExitCode, notFound, tooSlow];
