/** A range of bytes, the first and the last included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Parses a `range` header for `length` bytes. Players of some browsers play only files that they can request in parts.
 * Returns the whole without a header, or for several ranges or another unit, as RFC 9110 §14.2 permits. Returns null
 * for a range outside the file.
 */
export function byteRange(header: string | undefined, length: number): ByteRange | 'whole' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  const [, from = '', to = ''] = match ?? [];
  if (from === '' && to === '') return 'whole';
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from);
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1);
  if (from !== '' && to !== '' && Number(to) < first) return 'whole';
  return first <= last ? { first, last } : null;
}
