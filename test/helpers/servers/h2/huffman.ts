import type { ByteString } from '../../../../src/go/byte-string.js';

/** The length of each byte's code, as digits in base 36. The codes follow: they are canonical (RFC 7541, appendix B). */
const LENGTHS =
  'dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6ca' +
  'd67777777777777777777777878djde6f56565666577666567655677777fbeds' +
  'kmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmn' +
  'qqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrq';

/** A node of the code's tree: a byte, or where a 0 and a 1 lead. */
type Node = number | [zero: Node | undefined, one: Node | undefined];

let tree: Node | undefined;

function buildTree(): Node {
  const root: Node = [undefined, undefined];
  const lengths = Array.from(LENGTHS, (digit) => Number.parseInt(digit, 36));
  const bytes = lengths.map((_, byte) => byte);
  const lengthOf = (byte: number): number => lengths[byte] ?? 0;
  bytes.sort((a, b) => lengthOf(a) - lengthOf(b) || a - b);
  let code = 0;
  let length = 0;
  for (const byte of bytes) {
    code *= 2 ** (lengthOf(byte) - length);
    length = lengthOf(byte);
    insert(root, byte, code, length);
    code++;
  }
  return root;
}

function insert(root: Node, byte: number, code: number, length: number): void {
  let node = root;
  for (let bit = length - 1; bit >= 0 && typeof node !== 'number'; bit--) {
    const side = (code >> bit) & 1;
    if (bit === 0) node[side] = byte;
    else node = node[side] ??= [undefined, undefined];
  }
}

/** Undefined when it is not valid. Ports huffmanDecode (golang.org/x/net/http2/hpack/huffman.go). */
export function huffmanDecode(encoded: Uint8Array): ByteString | undefined {
  const root = (tree ??= buildTree());
  let node = root;
  let out = '';
  let pending = 0;
  let allOnes = true;
  for (const byte of encoded) {
    for (let bit = 7; bit >= 0; bit--) {
      const side = (byte >> bit) & 1;
      const next: Node | undefined = typeof node === 'number' ? undefined : node[side];
      if (next === undefined) return undefined;
      pending++;
      allOnes &&= side === 1;
      node = next;
      if (typeof node !== 'number') continue;
      out += String.fromCharCode(node);
      node = root;
      pending = 0;
      allOnes = true;
    }
  }
  // What is left has to be padding: the beginning of EOS, less than a byte.
  return pending <= 7 && allOnes ? out : undefined;
}
