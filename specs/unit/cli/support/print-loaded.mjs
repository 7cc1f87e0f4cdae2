/** Prints the URL of each module that is loaded from now on, one in a line: `node --import` this file. */
import { register } from 'node:module';

const hooks = `
import { writeSync } from 'node:fs';
export async function load(url, context, next) {
  writeSync(1, 'loaded ' + url + '\\n');
  return next(url, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
