import type { Container, Pod } from '../../../api/index.js';

/** The users and groups of an image. */
export interface ImageAccounts {
  /** The image's user, such as `1000` or `app:app`; empty for root. */
  readonly user: string;
  readonly passwd: string;
  readonly group: string;
}

export interface Identity {
  /** As `--user` takes it; undefined for the image's own. */
  readonly user: string | undefined;
  readonly groups: readonly number[];
}

/** Returns true where an engine would choose other groups than a runtime for Kubernetes: what the image says is needed. */
export function needsAccounts(pod: Pod, container: Container): boolean {
  return isStrict(pod) === (runAs(pod, container).group === undefined);
}

/**
 * Returns the user and the groups of a container's first process. Engines add a user's groups of the image's /etc/group
 * where no group is named, and containerd does by policy (WithAdditionalGIDs in internal/cri/opts/spec_opts.go).
 */
export function identityOf(
  pod: Pod,
  container: Container,
  accounts: ImageAccounts | undefined,
): Identity {
  const { fsGroup, supplementalGroups = [] } = pod.spec.securityContext ?? {};
  const { user, group } = runAs(pod, container);
  const own = [...(fsGroup === undefined ? [] : [fsGroup]), ...supplementalGroups];
  const [ofImage = '0', imageGroup] = (accounts?.user ?? '').split(':');
  const effective = String(user ?? (ofImage === '' ? '0' : ofImage));
  if (isStrict(pod)) {
    const primary = group ?? primaryGroupOf(accounts, effective);
    if (user === undefined && imageGroup !== undefined) return { user: undefined, groups: own };
    return { user: `${effective}:${primary}`, groups: own };
  }
  if (group === undefined) return { user: user === undefined ? undefined : `${user}`, groups: own };
  const added = groupsOf(accounts, effective).filter((id) => !own.includes(id) && id !== group);
  return { user: `${effective}:${group}`, groups: [...own, ...added] };
}

function isStrict({ spec: { securityContext } }: Pod): boolean {
  return securityContext?.supplementalGroupsPolicy === 'Strict';
}

function runAs({ spec }: Pod, { securityContext: own = {} }: Container) {
  return {
    user: own.runAsUser ?? spec.securityContext?.runAsUser,
    group: own.runAsGroup ?? spec.securityContext?.runAsGroup,
  };
}

/** Returns the group of a user's line in passwd; root's without one. */
function primaryGroupOf(accounts: ImageAccounts | undefined, user: string): number {
  return Number(lineOf(accounts, user)?.[3] ?? 0);
}

function groupsOf(accounts: ImageAccounts | undefined, user: string): readonly number[] {
  const name = lineOf(accounts, user)?.[0] ?? user;
  return fieldsOf(accounts?.group)
    .filter(([, , , members = '']) => members.split(',').includes(name))
    .map(([, , id]) => Number(id));
}

function lineOf(accounts: ImageAccounts | undefined, user: string): readonly string[] | undefined {
  return fieldsOf(accounts?.passwd).find(([name, , id]) => name === user || id === user);
}

function fieldsOf(text = ''): readonly (readonly string[])[] {
  return text.split('\n').map((line) => line.trim().split(':'));
}
