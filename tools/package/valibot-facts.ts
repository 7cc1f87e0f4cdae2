/**
 * What the library does not use of valibot: messages in other languages, the interface of other libraries, and fields
 * of an issue beside its message and its path.
 *
 * `specs/unit/package/valibot-facts.test.ts` compares what the schemas accept, and their messages, with and without.
 */
import type { Fact } from './facts.ts';

export const VALIBOT_FACTS: readonly Fact[] = [
  // The names of messages in other languages, and of asynchronous schemas.
  { find: /^\t+reference: \w+(?:\$\d+)?,$/gm, is: '', times: 208 },
  { find: /^\t+async: false,$/gm, is: '', times: 172 },
  { find: / \?\? \/\* @__PURE__ \*\/ getSpecificMessage\(.+/g, is: ';', times: 1 },
  { find: /^\t\t(?:lang|abortEarly|abortPipeEarly): config\$1\.\w+,?$/gm, is: '', times: 3 },
  { find: /^\t\trequirement: context\.requirement,$/gm, is: '', times: 1 },
  // The interface of other libraries.
  { find: /\bschema\["~standard"\] = (?=\{$)/gm, is: 'const unused = ', times: 1 },
];
