/** A part of some bytes: from the first to the last, both of it. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * What a `range` header asks of `length` bytes: players of some browsers play nothing that they cannot ask for in parts. The
 * whole where there is no header, or one of several parts or another unit, for which the whole is a right answer (RFC 9110 §14.2);
 * null where the part lies outside.
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
