import { gzipSync } from 'node:zlib';
import { type Rolldown, build } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, bundleLibrary, REACT_BINDING, SYNTAX } from '../../../tools/package/bundle-library.ts';

/** The maximum size of the whole binding without React, gzipped. 1 kB is 1000 bytes. */
const LARGEST = 11_000;

const BUNDLE: Bundle = { file: 'react.js', format: 'es', minify: false, target: SYNTAX, split: false };

/** Bundles a host that uses some names of the binding. */
async function hostWith(code: string, names: readonly string[]): Promise<string> {
  const files: Readonly<Record<string, string>> = {
    host: `export { ${names.join(', ')} } from 'ringback/react';`,
    'ringback/react': code,
  };
  const made = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [
      {
        name: 'host',
        enforce: 'pre',
        resolveId: (id) => (id in files ? id : null),
        load: (id) => files[id]?.replace(/^'use client';\n/, ''),
      },
    ],
    build: {
      write: false,
      minify: true,
      target: SYNTAX,
      rolldownOptions: {
        input: 'host',
        external: [...REACT_BINDING.external],
        preserveEntrySignatures: 'strict',
        output: { minify: true },
      },
    },
  });
  const { output } = made as Rolldown.RolldownOutput;
  return output[0].code;
}

describe('the React binding', () => {
  let chunks: Awaited<ReturnType<typeof bundleLibrary>>;
  let code = '';
  // A build takes seconds, and minutes on a busy machine.
  beforeAll(async () => {
    chunks = await bundleLibrary(BUNDLE, REACT_BINDING);
    code = chunks[0]?.code ?? '';
  }, 400_000);

  it('is one file for the client, which imports React and nothing else', () => {
    expect(chunks.map(({ fileName, imports, dynamicImports }) => [fileName, imports, dynamicImports])).toEqual([
      ['react.js', ['react', 'react/jsx-runtime'], []],
    ]);
    expect(code).toMatch(/^'use client';\n/);
    expect(chunks[0]?.moduleIds.filter((id) => /\/src\/(?:calls|protocol|app)\/|node_modules/.test(id))).toEqual([]);
  });

  it('weighs at most 11 kB with everything', async () => {
    const names = chunks[0]?.exports ?? [];
    expect(names).toContain('useCalls');
    const size = gzipSync(await hostWith(code, names), { level: 9 }).length;
    expect(size).toBeGreaterThan(2_000);
    expect(size).toBeLessThanOrEqual(LARGEST);
  });

  it('leaves out what a host does not use', async () => {
    const calls = await hostWith(code, ['useCalls', 'CallAudio']);
    expect(calls).toContain('RingbackProvider');
    expect(calls).not.toMatch(/fetchRoomById|srcObject|authenticate|setMediaView|playsInline/);
    const session = await hostWith(code, ['RingbackProvider', 'useCalls']);
    expect(session).toContain('authenticate');
    expect(session).not.toMatch(/fetchRoomById|srcObject|playsInline/);
  });
});
