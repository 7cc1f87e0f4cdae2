import type { HttpResponse } from '../../http/request.ts';

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

/** Returns the response with a file, or with the range of it that a `range` header requests. */
export function fileResponse(
  { bytes, mediaType }: { readonly bytes: Uint8Array; readonly mediaType: string },
  rangeHeader: string | undefined,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  const range = byteRange(rangeHeader, bytes.length);
  const known = { mediaType, headers: { ...headers, 'accept-ranges': 'bytes' } };
  if (range === 'whole') return { status: 200, body: bytes, ...known };
  const of = range === null ? `*/${bytes.length}` : `${range.first}-${range.last}/${bytes.length}`;
  return {
    status: range === null ? 416 : 206,
    body: range === null ? new Uint8Array() : bytes.subarray(range.first, range.last + 1),
    mediaType,
    headers: { ...known.headers, 'content-range': `bytes ${of}` },
  };
}
