/** Detects the media type of a file by its first bytes. Undefined for a type that is not accepted. */
export function fileKind(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return SIGNATURES.find(({ sign }) => sign.test(head))?.mediaType;
}

const SIGNATURES: readonly { readonly mediaType: string; readonly sign: RegExp }[] = [
  { mediaType: 'image/jpeg', sign: /^\xff\xd8\xff/ },
  { mediaType: 'image/png', sign: /^\x89PNG\r\n\x1a\n/ },
  { mediaType: 'image/webp', sign: /^RIFF.{4}WEBP/s },
  { mediaType: 'audio/webm', sign: /^\x1a\x45\xdf\xa3/ },
  { mediaType: 'audio/ogg', sign: /^OggS/ },
  { mediaType: 'audio/mp4', sign: /^.{4}ftyp/s },
];
