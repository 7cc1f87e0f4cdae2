/** The thread that runs scenario files in TypeScript. program-reader.ts starts it, and stops it when a file hangs. */
import { parentPort } from 'node:worker_threads';
import { readBuilt } from '../../sim/scenario/builder/read-built.ts';
import { scenarioFileOf } from './scenario-file.ts';
import { shownPath } from './shown-path.ts';
import { loadTypeScript, placeOfLine } from './typescript-files.ts';

parentPort?.on('message', (path: string) => {
  void scenarioFileOf(path, async (open, uses) => {
    const built = await loadTypeScript(path, uses);
    return readBuilt(shownPath(path), built, { placeOfLine, open });
  }).then((file) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage(file);
  });
});
