/** The longest code of deflate, bits. */
const LONGEST = 15;

/** A canonical Huffman code (RFC 1951 §3.2.2). */
export interface HuffmanCode {
  /**
   * For each number of as many bits as the longest code has: the symbol whose code its last bits are, and the length of
   * that code in the last four bits. 0 when no symbol has this code.
   */
  readonly table: Uint16Array;
  /**
   * Whether every code has one symbol. `open`: some codes have none. `single`: of two codes with one bit, one has none.
   * `empty`: there is no symbol. `over`: there are too many symbols.
   */
  readonly is: 'complete' | 'open' | 'single' | 'empty' | 'over';
}

/** Returns the last bits of a code in the opposite order: deflate begins a code with its highest bit. */
export function reversed(code: number, bits: number): number {
  let result = 0;
  for (let left = code, bit = 0; bit < bits; bit += 1, left >>= 1) result = (result << 1) | (left & 1);
  return result;
}

/** Returns the code of symbols that have codes of these lengths. A length of 0 is a symbol without a code. */
export function huffmanCode(lengths: Uint8Array): HuffmanCode {
  const symbols: number[][] = Array.from({ length: LONGEST + 1 }, () => []);
  lengths.forEach((length, symbol) => symbols[length]?.push(symbol));
  const used = lengths.length - (symbols[0]?.length ?? 0);
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  const table = new Uint16Array(1 << longest);
  let code = 0;
  for (let length = 1; length <= longest; length += 1) {
    // The shorter codes go before either bit.
    const half = 1 << (length - 1);
    table.copyWithin(half, 0, half);
    code <<= 1;
    for (const symbol of symbols[length] ?? []) {
      if (code >= 2 * half) return { table, is: 'over' };
      table[reversed(code, length)] = (symbol << 4) | length;
      code += 1;
    }
  }
  if (used === 0) return { table, is: 'empty' };
  if (code === table.length) return { table, is: 'complete' };
  return { table, is: used === 1 && longest === 1 ? 'single' : 'open' };
}
