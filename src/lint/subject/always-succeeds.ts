import type { Container, Pod, Probe } from '../../api/index.js';
import { programOf, shellScript, simpleCommands } from './commands.js';

/** Returns the reason why the command of a probe can't fail; undefined if it can. */
export function whyAlwaysSucceeds(
  { exec }: Probe,
  container: Container,
  pod: Pod,
): string | undefined {
  const command = exec?.command ?? [];
  const script = shellScript(command)?.trim();
  const [words = [], ...more] = simpleCommands(command);
  const isSingle = more.length === 0 && !script?.includes('!');
  return (
    (script === undefined ? undefined : blindEnd(script.replace(/[;\s]+$/, ''))) ??
    (isSingle ? onlySuccess(words, fixedFolders(container, pod)) : undefined)
  );
}

function blindEnd(script: string): string | undefined {
  if (/\|\|\s*(?:true|:|exit 0|echo\b[^|&;]*)$/.test(script)) return 'it ends in "|| …"';
  if (/;\s*(?:true|exit 0)$/.test(script) && !/\b(?:exit\s+[1-9$]|set -\w*e)/.test(script)) {
    return 'it ends in success';
  }
  const last = /[^|]\|\s*(\w+)[^|]*$/.exec(script)?.[1];
  return last !== undefined &&
    /^(?:cat|tee|head|tail|wc|sort|sed|tr)$/.test(last) &&
    !script.includes('pipefail')
    ? `it ends in "| ${last}", whose exit code is the pipe's`
    : undefined;
}

function onlySuccess(words: readonly string[], folders: readonly string[]): string | undefined {
  const program = programOf(words);
  if (/^(?:true|echo|:|date|id|pwd|uname|whoami|hostname)$/.test(program)) {
    return `${program} cannot fail`;
  }
  const text = words.join(' ');
  if (text === 'exit 0') return 'exit 0 cannot fail';
  if (/\bkill -0 1$/.test(text)) return 'process 1 runs as long as the container does';
  if (!/^(?:cat|ls|stat|head|tail|test|\[)$/.test(program)) return undefined;
  const paths = words.slice(1).filter((word) => !/^-|^\]$/.test(word));
  const isThere = (path: string): boolean =>
    ALWAYS_THERE.test(path) || folders.some((folder) => path.startsWith(`${folder}/`));
  return paths.length > 0 && paths.every(isThere)
    ? `${paths.join(' ')} is there as long as the container runs`
    : undefined;
}

/** Files of process 1, of the kernel and of the kubelet. */
const ALWAYS_THERE =
  /^(?:\/|\/proc(?:\/(?:1|self)(?:\/(?:status|stat|cmdline|environ|comm))?|\/\w+)?|\/dev\/null|\/etc\/(?:hosts|hostname|resolv\.conf)|\/tmp)\/?$/;

/** Mount paths of ConfigMaps and Secrets: without them the container does not start. */
function fixedFolders({ volumeMounts = [] }: Container, { spec }: Pod): readonly string[] {
  const fixed = (spec.volumes ?? []).filter(({ configMap, secret }) => configMap ?? secret);
  return volumeMounts
    .filter(({ name }) => fixed.some((volume) => volume.name === name))
    .map(({ mountPath }) => mountPath.replace(/\/$/, ''));
}
