import { loadYoga, type Yoga } from 'yoga-layout/load';

/** Ink's layout in the build, where nothing may await while it loads: `loadLayout` comes before the first frame. */
let yoga: Yoga | undefined;

export async function loadLayout(): Promise<void> {
  yoga ??= await loadYoga();
}

export { yoga as default };
