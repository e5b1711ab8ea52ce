/** Returns the texts of the frames of an animated SVG that have names. */
export function textsOf(svg: string): ReadonlyMap<string, string>;
