declare module 'punycode/punycode.es6.js' {
  /** Punycode of a label, without `xn--`. */
  export function encode(label: string): string;
}
