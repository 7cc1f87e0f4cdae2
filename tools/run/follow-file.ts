/** Reads the lines that another process appends to a file. */
import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 64 * 1024;

export interface FollowedFile {
  /** Returns the complete lines since the last call. None while the file does not exist. */
  read(): string[];
}

/** Follows a file from its beginning. An incomplete line waits for its end. */
export function followFile(path: string): FollowedFile {
  const decoder = new TextDecoder();
  let position = 0;
  let rest = '';
  return {
    read() {
      let file: number;
      try {
        file = openSync(path, 'r');
      } catch {
        return [];
      }
      const buffer = new Uint8Array(CHUNK_BYTES);
      for (let size = 1; size > 0; position += size) {
        size = readSync(file, buffer, 0, CHUNK_BYTES, position);
        rest += decoder.decode(buffer.subarray(0, size), { stream: true });
      }
      closeSync(file);
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      return lines;
    },
  };
}
