/** Every text of the built app a second and a third time, compressed: whoever serves the app sends the one that the browser takes. */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXTS = /\.(?:js|css|html|json|svg)$/;
/** Bytes that one packet holds: what is smaller does not come sooner. */
const ONE_PACKET = 1400;

const brotliOf = promisify(brotliCompress);
const gzipOf = promisify(gzip);

/** The plugin of the app's build; after every other that writes files. */
export function compressedFiles(): Plugin {
  let outDir = '';
  let isWritten = false;
  return {
    name: 'ringback-compressed-files',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir;
    },
    writeBundle() {
      isWritten = true;
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler: async () => {
        // What failed is told by the build, which closes the bundle all the same.
        if (isWritten) await compressFiles(outDir);
      },
    },
  };
}

/** Writes `name.br` and `name.gz` beside each text in `dir` that is more than one packet. */
export async function compressFiles(dir: string): Promise<void> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const texts = entries.filter((entry) => entry.isFile() && TEXTS.test(entry.name));
  await Promise.all(
    texts.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const text = await readFile(path);
      if (text.length <= ONE_PACKET) return;
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
      await writeFile(`${path}.br`, await brotliOf(text, { params }));
      await writeFile(`${path}.gz`, await gzipOf(text, { level: 9 }));
    }),
  );
}
