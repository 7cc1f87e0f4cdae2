/** Reads the public declarations of the library and of its React binding from their current sources. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ONE_CHECKER, ONE_GO_THREAD } from '../run/go-tools.ts';
import { CORE, gatherPublicDeclarations, type PublicDeclarations, REACT } from './public-declarations.ts';

export interface LibraryDeclarations {
  readonly core: PublicDeclarations;
  readonly react: PublicDeclarations;
}

/** Writes the declaration files with the compiler, without `@internal` names, and reads them. */
export function libraryDeclarations(): LibraryDeclarations {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-declarations-'));
  try {
    const options = [
      ONE_CHECKER,
      '--noEmit',
      'false',
      '--declaration',
      '--emitDeclarationOnly',
      '--stripInternal',
      '--outDir',
      folder,
    ];
    const { status, stdout } = spawnSync('node_modules/.bin/tsc', ['-p', 'tsconfig.library.json', ...options], {
      encoding: 'utf8',
      env: { ...process.env, ...ONE_GO_THREAD },
    });
    if (status !== 0) throw new Error(`tsc wrote no declarations: ${stdout.trim()}`);
    return { core: gatherPublicDeclarations(folder, CORE), react: gatherPublicDeclarations(folder, REACT) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
