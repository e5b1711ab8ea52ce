import { imageTag, splitDockerDomain } from '../../api/index.js';
import { goQuote } from '../../go/quote.js';

export type DefaultedImage =
  | { readonly kind: 'image'; readonly image: string }
  | { readonly kind: 'error'; readonly message: string };

/**
 * The image with the tag `latest` where it names neither tag nor digest. Ports applyDefaultImageTag
 * (pkg/kubelet/images/image_manager.go).
 */
export function applyDefaultImageTag(image: string): DefaultedImage {
  const hasDigest = image.includes('@');
  // An image with a digest alone is a good one when it would be with a tag, too.
  const tag = imageTag(hasDigest ? image.replace(/(:[^/:@]+)?@/, ':latest@') : image);
  if (tag === undefined) {
    const message = `couldn't parse image name ${goQuote(image)}: ${mistakeOf(image)}`;
    return { kind: 'error', message };
  }
  const isTagged = hasDigest || image.endsWith(`:${tag}`);
  return { kind: 'image', image: isTagged ? image : `${image}:${tag}` };
}

/** Ports the errors of ParseNormalizedNamed (github.com/distribution/reference normalize.go). */
function mistakeOf(image: string): string {
  if (/^[a-f0-9]{64}$/.test(image)) {
    return `invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`;
  }
  const remote = splitDockerDomain(image).remote.split(':', 1)[0] ?? '';
  if (remote.toLowerCase() !== remote) {
    return `invalid reference format: repository name (${remote}) must be lowercase`;
  }
  return 'invalid reference format';
}
