/**
 * A pattern for paths: `*` and `?` stand for anything but "/", `**` for folders too. One without "/" is about
 * names in any folder, one that ends in "/" about all that is in it.
 */
export function globPattern(glob: string): RegExp {
  const anywhere = glob.replace(/\/$/, '').includes('/') ? glob : `**/${glob}`;
  const whole = anywhere.endsWith('/') ? `${anywhere}**` : anywhere;
  const source = whole
    .replace(/^\.?\//, '')
    .replace(/\*\*\/|\*\*|\*|\?|[.+^${}()|[\]\\]/g, (part) => {
      switch (part) {
        case '**/':
          return '(?:.*/)?';
        case '**':
          return '.*';
        case '*':
          return '[^/]*';
        case '?':
          return '[^/]';
        default:
          return `\\${part}`;
      }
    });
  return new RegExp(`^${source}$`, 'u');
}
