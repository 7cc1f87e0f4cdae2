/**
 * Compresses every text file of the built app with brotli and gzip. The server sends the variant that the browser
 * accepts.
 */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';
import { afterBuild } from './after-build.ts';

const TEXTS = /\.(?:js|css|html|json|svg)$/;
/**
 * The server adds settings to the worker before it sends it. The files of `.vite` are notes of the bundler and are not
 * served.
 */
const LEFT_OUT = /(?:^|\/)(?:sw\.js|\.vite\/.*)$/;
/** Bytes in one packet. A smaller file does not arrive sooner when it is compressed. */
const ONE_PACKET = 1400;

const brotliOf = promisify(brotliCompress);
const gzipOf = promisify(gzip);

/** Returns the plugin of the app's build. It must come after every plugin that writes files. */
export const compressedFiles = (): Plugin => afterBuild('ringback-compressed-files', compressFiles);

/** Writes `name.br` and `name.gz` beside each text file in `dir` that is larger than one packet. */
export async function compressFiles(dir: string): Promise<void> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = files.filter((path) => TEXTS.test(path) && !LEFT_OUT.test(relative(dir, path)));
  await Promise.all(
    texts.map(async (path) => {
      const text = await readFile(path);
      if (text.length <= ONE_PACKET) return;
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
      await writeFile(`${path}.br`, await brotliOf(text, { params }));
      await writeFile(`${path}.gz`, await gzipOf(text, { level: 9 }));
    }),
  );
}
