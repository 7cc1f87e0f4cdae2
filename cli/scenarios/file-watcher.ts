/** Watches files for changes that the operating system reports. */
import { watch } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';

export interface FileWatcher {
  /**
   * Watches the files of some folders, without subfolders. A change may be reported more than once.
   *
   * @param changed - called with the absolute path of a file that was changed, created or deleted.
   * @returns the function that stops watching.
   */
  watch(folders: readonly string[], changed: (path: string) => void): () => void;
}

/** Folders are watched instead of files: an editor that replaces a file ends a watch on the old file. */
export const fileWatcher: FileWatcher = {
  watch(folders, changed) {
    const undo: (() => void)[] = [];
    const close = () => undo.forEach((one) => one());
    for (const folder of folders) {
      try {
        const watching = watch(folder, (_, name) => {
          if (name !== null) changed(join(folder, name));
        });
        // The parent folder reports the removal of a folder.
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
