/** Changes of files, as the operating system tells them. */
import { watch } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';

export interface FileWatcher {
  /**
   * Watches what lies in some folders, not below them. A change may be told more than once.
   *
   * @param changed - called with the absolute path of what changed, came or went.
   * @returns the undo.
   */
  watch(folders: readonly string[], changed: (path: string) => void): () => void;
}

/** Folders and not files: an editor that writes a new file in place of the old one leaves nothing to watch of the old. */
export const fileWatcher: FileWatcher = {
  watch(folders, changed) {
    const undo: (() => void)[] = [];
    const close = () => undo.forEach((one) => one());
    for (const folder of folders) {
      try {
        const watching = watch(folder, (_, name) => {
          if (name !== null) changed(join(folder, name));
        });
        // A folder that goes is told of by the one that holds it.
        watching.on('error', () => watching.close());
        undo.push(() => watching.close());
      } catch (error) {
        close();
        throw new CommandError(
          `${folder} cannot be watched: ${error instanceof Error ? error.message : String(error)}`,
          EXIT.environment,
        );
      }
    }
    return close;
  },
};
