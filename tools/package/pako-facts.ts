/**
 * What is constant in pako for the codec of session descriptions (src/protocol/sdp-codec.ts).
 *
 * The codec packs with one level and one kind of header. It calls deflate and inflate once for a stream, with all input
 * and room for all output. A minifier cannot know this, since pako keeps it in fields. Each fact writes the constant in
 * place of a field, so a bundler drops the code of other levels, of other headers and of streams in pieces.
 *
 * `specs/unit/package/pako-facts.test.ts` compares the codec with and without the facts.
 */
import type { Fact } from './facts.ts';

/** A read of a field, by a variable of pako. */
const read = (variable: string, field: string) =>
  new RegExp(`(?<![.\\w])${variable}\\.${field}\\b(?! [-+]?=[^=])`, 'g');

export const PAKO_FACTS: readonly Fact[] = [
  // The calls: streams are valid, and their input is complete.
  { find: /\b(?:de|in)flateStateCheck\(strm\)/g, is: 'false', times: 12 },
  { find: /\bflush(?= (?:[=!]==|[<>]) )/g, is: '4', times: 32 },
  // Nothing reads these fields.
  { find: /\berr\(strm, (.+)\);/g, is: '$1;', times: 5 },
  { find: /(?<![.\w])state\.(?:back|was) \+?= .+/g, is: ';', times: 11 },
  { find: /(?<![.\w])strm\.data_type = .+/g, is: ';', times: 2 },
  { find: /\bs\.strm\.data_type === Z_UNKNOWN\b/g, is: 'false', times: 1 },

  // Deflate: level 6, the default strategy, a header of gzip without a name.
  { find: /if \(memLevel < 1 .+/g, is: ';', times: 1 },
  { find: read('s', 'level'), is: '6', times: 14 },
  { find: /\bconfiguration_table\[6\]\.max_lazy\b/g, is: '16', times: 1 },
  { find: /\bconfiguration_table\[6\]\.good_length\b/g, is: '8', times: 1 },
  { find: /\bconfiguration_table\[6\]\.(?:nice_length|max_chain)\b/g, is: '128', times: 2 },
  { find: /\bconfiguration_table\[6\]\.func\b/g, is: 'deflate_slow', times: 1 },
  { find: /\bnew Config\(/g, is: '/* @__PURE__ */ new Config(', times: 10 },
  { find: read('s', 'strategy'), is: '0', times: 8 },
  { find: read('s', 'legacy_hash'), is: '0', times: 4 },
  { find: read('s', 'gzhead'), is: 'null', times: 33 },
  { find: /(?<![.\w])(?:strm\.state|s)\.wrap\b(?! =[^=])/g, is: '2', times: 15 },
  { find: /\bs\.status === GZIP_STATE\b/g, is: 'true', times: 1 },
  { find: /\bs\.status === \w+_STATE\b/g, is: 'false', times: 8 },
  { find: /\bs\.status !== FINISH_STATE\b/g, is: 'true', times: 2 },

  // Inflate: a header of gzip or zlib that nothing reads, a window of the largest size that is the output itself.
  { find: read('state', 'head'), is: 'null', times: 30 },
  { find: read('state', 'wrap'), is: '7', times: 21 },
  { find: read('state', 'wbits'), is: '15', times: 7 },
  { find: read('state', 'havedict'), is: '0', times: 1 },
  { find: read('state', 'sane'), is: '1', times: 2 },
  { find: /\bcopy > state\.whave\b/g, is: 'true', times: 1 },
  { find: /\bupdatewindow\(strm, strm\.output, strm\.next_out, _out - strm\.avail_out\)/g, is: '0', times: 1 },
  { find: /if \(windowBits && .+/g, is: ';', times: 1 },
  { find: /\bwindowBits < 0\b/g, is: 'false', times: 2 },
  // A fast loop and the exact loop after it give the same output. A description has some kilobytes.
  { find: /\bhave >= 6 && left >= 258\b/g, is: 'false', times: 1 },
  { find: /\bi < end8\b/g, is: 'false', times: 1 },
];
