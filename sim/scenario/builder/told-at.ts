import type { Line } from './built-scenario.ts';

const FRAME = /\(?(?:file:\/\/)?([^\s()]+):(\d+):\d+\)?$/;
const HERE = folderOf(FRAME.exec(new Error('here').stack?.split('\n')[1] ?? '')?.[1] ?? '');

/** Returns the running line outside of this folder. Undefined if the engine does not report it. */
export function toldAt(): Line | undefined {
  for (const frame of new Error('there').stack?.split('\n').slice(1) ?? []) {
    const [, file, line] = FRAME.exec(frame) ?? [];
    if (file !== undefined && folderOf(file) !== HERE) return { file: decodeURI(file), line: Number(line) };
  }
  return undefined;
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/'));
}
