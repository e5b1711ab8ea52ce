import { asStruct, type JsonText } from '../field-error.js';

type RollingUpdate = Partial<Record<'maxUnavailable' | 'maxSurge', number | string | undefined>>;

/** A Deployment's or a DaemonSet's strategy as the server shows it: under the names of Go's fields. */
export function showStrategy(type: string, update: RollingUpdate | undefined): JsonText {
  const { maxUnavailable = 0, maxSurge = 0 } = update ?? {};
  const shown = update && asStruct({ MaxUnavailable: maxUnavailable, MaxSurge: maxSurge });
  return asStruct({ Type: type, RollingUpdate: shown });
}
