/**
 * The plugin that moves the messages of log lines into the part `log-text`, which alone reads them.
 *
 * A line of a built library has a number in place of its message. The part has the messages in the order of their
 * numbers. A message with a value in it is no literal, and stays in its line.
 */
import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';

const LINES = /(\blog\.(?:verbose|debug|info|warning|error)\(\s*)'([^'\\\n]+)'/g;
const PART = /\/src\/calls\/logging\/log-text\.ts$/;
/** The expression of the part that reads the message of a line. */
const READ = 'maskText(message)';

/** Returns the messages of all lines in the library, each once. */
const messagesOf = (files: readonly string[]): string[] => [
  ...new Set(files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(LINES)].map(([, , text = '']) => text))),
];

export const logMessages = () => {
  const messages = messagesOf(globSync('src/calls/**/*.ts').toSorted());
  return {
    name: 'log-messages',
    enforce: 'pre' as const,
    transform(code: string, id: string) {
      if (PART.test(id)) {
        if (!code.includes(READ)) throw new Error(`${id} has no ${READ}, which log-messages.ts replaces`);
        return { code: code.replace(READ, `maskText(${JSON.stringify(messages)}[message] ?? message)`), map: null };
      }
      if (!id.includes('/src/calls/')) return null;
      const numbered = (_: string, call: string, text: string) => `${call}${messages.indexOf(text)}`;
      return { code: code.replace(LINES, numbered), map: null };
    },
  };
};
