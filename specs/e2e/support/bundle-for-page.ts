import { fileURLToPath } from 'node:url';
import { build, type LibraryOptions } from 'vite';

/** Bundles a file with its imports as one module, for a page to load. */
export const bundleModule = (file: URL): Promise<string> => bundle(file, { formats: ['es'] });

/** Bundles a file as one script, which puts the exports of the file into the global `name`. */
export async function bundleForPage(file: URL, name: string): Promise<string> {
  return `${await bundle(file, { formats: ['iife'], name })};\nglobalThis.${name} = ${name};`;
}

async function bundle(file: URL, options: Omit<LibraryOptions, 'entry'>): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      lib: { entry: fileURLToPath(file), ...options },
      // A page gets one file, with the parts that the library imports later.
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const output = Array.isArray(result) ? result[0] : result;
  if (!output || !('output' in output)) throw new Error('nothing was bundled');
  return output.output[0].code;
}
