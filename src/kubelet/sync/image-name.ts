const DIGEST = /@[A-Za-z][A-Za-z0-9]*(?:[+._-][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;
const TAG = /:([\w][\w.-]{0,127})$/;
const NAME =
  /^(?:(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[0-9a-fA-F:]+\])(?::\d+)?\/)?[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;

/**
 * The image with the tag `latest` where it names neither tag nor digest, or undefined when it is no image name. Ports
 * applyDefaultImageTag (pkg/kubelet/images/image_manager.go).
 */
export function applyDefaultImageTag(image: string): string | undefined {
  const digest = DIGEST.exec(image);
  const tagged = digest === null ? image : image.slice(0, digest.index);
  const tag = TAG.exec(tagged);
  const name = tag === null ? tagged : tagged.slice(0, tag.index);
  if (!NAME.test(name)) return undefined;
  return digest === null && tag === null ? `${image}:latest` : image;
}
