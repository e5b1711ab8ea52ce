import { JsonReader } from '../../api/index.js';
import type { KubeObject, Selection } from '../../cluster/types.js';
import { placeOf } from './watch-requests.js';

interface ClaimEventOptions {
  readonly follow: (events: Selection, onEvent: (event: KubeObject) => void) => void;
  readonly onEvent: (event: KubeObject, uid: string) => void;
}

/** Gives pods without a node the events of their PersistentVolumeClaims: their own do not say why a claim is not bound. */
export class ClaimEvents {
  /** Claims as `namespace/name`, by the UID of their pod. */
  readonly #claims = new Map<string, readonly string[]>();
  readonly #namespaces = new Set<string>();

  constructor(private readonly options: ClaimEventOptions) {}

  onPod(pod: KubeObject): void {
    const { uid, namespace = '' } = pod.metadata;
    const claims = placeOf(pod) === undefined ? claimsOf(pod) : [];
    if (claims.length === 0) {
      this.#claims.delete(uid);
      return;
    }
    const keys = claims.map((name) => `${namespace}/${name}`);
    this.#claims.set(uid, keys);
    if (this.#namespaces.has(namespace)) return;
    this.#namespaces.add(namespace);
    const fieldSelector = 'involvedObject.kind=PersistentVolumeClaim';
    this.options.follow({ namespace, fieldSelector }, (event) => {
      const claim = `${namespace}/${new JsonReader(event['involvedObject']).text('name')}`;
      for (const [uid, names] of this.#claims) {
        if (names.includes(claim)) this.options.onEvent(event, uid);
      }
    });
  }
}

function claimsOf({ metadata, spec }: KubeObject): readonly string[] {
  return new JsonReader(spec).list('volumes').flatMap((volume) => {
    const claim = volume.in('persistentVolumeClaim').text('claimName');
    const isEphemeral = 'ephemeral' in volume.object;
    return claim || (isEphemeral ? `${metadata.name}-${volume.text('name')}` : []);
  });
}
