/** The checks of what a test passes to a world. A misspelt option would have no effect, and the test would pass. */
import { didYouMean } from '../../sim/format/near-word.ts';
import type { CallSite } from './world-error.ts';

/** The keys of the options of each function. */
const KNOWN = {
  openWorld: ['name', 'users', 'origins', 'seed'],
  saw: ['within', 'times'],
  waits: ['within'],
  messages: ['from', 'to', 'cmd', 'http', 'ws', 'with'],
} as const;

/** @throws WorldError when the options are no object, or have a key that the function does not know. */
export function checkOptions(function_: keyof typeof KNOWN, options: unknown, site: CallSite, name: string): void {
  const known: readonly string[] = KNOWN[function_];
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw site.error(`${name} takes an object with ${known.join(', ')}; found ${shown(options)}`);
  const odd = Object.keys(options).find((key) => !known.includes(key));
  if (odd !== undefined)
    throw site.error(`${name} does not know ${odd}${didYouMean(odd, known)}: known are ${known.join(', ')}`);
}

/** @throws WorldError when there are no users, or a user is named twice. */
export function checkUsers(users: unknown, site: CallSite): void {
  if (typeof users !== 'object' || users === null)
    throw site.error(`users must be a list of names, like ['alice', 'bob']; found ${shown(users)}`);
  const names: readonly unknown[] = Array.isArray(users) ? users : Object.keys(users);
  if (names.length === 0) throw site.error("a world needs a user, like openWorld({ users: ['alice', 'bob'] })");
  for (const [at, name] of names.entries()) {
    if (typeof name !== 'string') throw site.error(`the name of a user must be a text; found ${shown(name)}`);
    if (names.indexOf(name) !== at)
      throw site.error(
        `the user ${name} is named twice. Two devices are { ${name}: { devices: ['phone', 'laptop'] } }`,
      );
  }
}

/** @throws WorldError when one of them is no origin of pages. */
export function checkOrigins(origins: unknown, site: CallSite): void {
  if (origins === undefined) return;
  const all: readonly unknown[] | undefined = Array.isArray(origins) ? origins : undefined;
  const odd = all ? all.find((origin) => !isOrigin(origin)) : origins;
  if (!all || odd !== undefined)
    throw site.error(`origins must be a list like ['https://app.test', 'http://localhost:3000']; found ${shown(odd)}`);
}

function isOrigin(text: unknown): boolean {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { protocol, origin } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && origin === text;
}

/** Returns a value as a message shows it. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'function') return 'a function';
  return JSON.stringify(value) ?? typeof value;
}
