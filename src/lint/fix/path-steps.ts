/** The steps of a path such as `spec.containers[0].name`: keys, and indices as numbers. */
export function pathSteps(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([key, index]) =>
    index === undefined ? key : Number(index),
  );
}
