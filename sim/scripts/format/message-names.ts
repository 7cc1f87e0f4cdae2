/** The names of messages, as scripts write them: commands, their replies, events, and requests over HTTP. */
import * as v from 'valibot';
import { PATHS } from '../../../src/protocol/http.ts';
import { COMMANDS } from '../../../src/protocol/messages/commands.ts';
import { EVENTS } from '../../../src/protocol/messages/events.ts';
import { didYouMean } from '../../format/near-word.ts';

/** The requests besides commands, by name. A reply has the suffix `_ack`, as with a command: `login_ack`. */
const REQUESTS: Readonly<Record<string, readonly string[]>> = {
  login: [PATHS.login],
  missed_signal: [PATHS.missedSignal],
  summary: [PATHS.summary],
  custom_items: [PATHS.customItems],
  history: [PATHS.history],
  push_token: [PATHS.pushTokens, PATHS.pushToken],
  logs: [PATHS.logs],
  debug_logs: [PATHS.debugLogs],
};

const PATTERNS = Object.entries(REQUESTS).flatMap(([name, paths]) =>
  paths.map((path) => ({ name, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) })),
);

/** Returns the name of a request that carries no command. Undefined for an unknown path. */
export const requestName = (path: string): string | undefined =>
  PATTERNS.find(({ pattern }) => pattern.test(path))?.name;

const COMMAND_NAMES = Object.values(COMMANDS).flatMap((types) => Object.keys(types));
const ASKED = [...COMMAND_NAMES, ...Object.keys(REQUESTS)];
const EVENT_NAMES = Object.values(EVENTS).flatMap((types) => Object.keys(types));

/** Returns whether this is the name of a command, not of another request. */
export const isCommand = (name: string): boolean => COMMAND_NAMES.includes(name);

/** Returns the name of a reply to this request. */
export const replyName = (asked: string): string => `${asked}_ack`;

const named = (names: readonly string[], what: string) =>
  v.pipe(
    v.string(),
    v.check(
      (name) => names.includes(name),
      ({ input }) => `must be the name of ${what}${didYouMean(input, names)}`,
    ),
  );

/** The name of a command or a request. */
export const askedName = named(ASKED, 'a command or a request, like dial or login');
/** The name of any message on the wire. */
export const messageName = named(
  [...new Set([...ASKED, ...ASKED.map(replyName), ...EVENT_NAMES])],
  'a message, like dial, dial_ack or login',
);
