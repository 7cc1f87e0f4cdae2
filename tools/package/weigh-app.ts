/** What the built app weighs for who opens it: read from the manifest that its build leaves. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';

const APP = fileURLToPath(new URL('../../dist/app', import.meta.url));

/** The most that may be loaded, gzipped JavaScript; 1 kB is 1000 bytes. And the most files that a screen may ask for at once. */
export const APP_LIMITS = { first: 125_000, screen: 20_000, chat: 40_000, calling: 60_000, files: 16 } as const;

const manifest = v.record(
  v.string(),
  v.object({
    file: v.string(),
    imports: v.optional(v.array(v.string()), []),
    dynamicImports: v.optional(v.array(v.string()), []),
    css: v.optional(v.array(v.string()), []),
  }),
);
type Manifest = v.InferOutput<typeof manifest>;

const ENTRY = 'index.html';
/** What comes with the login, whichever screen is the first. */
const WITH_LOGIN = [
  'ui/data/data-area.tsx',
  'features/calling/overlays/call-overlays.tsx',
  'core/events/read-event.ts',
  '../protocol/product/api.ts',
] as const;
const CALLING = '../calls/index.ts';
/** A screen: a file in a folder of the routes or of a feature. The overlays of calls have no address. */
const SCREEN = /^(?:routes|features\/(?!calling\/)[\w-]+)\/[\w-]+\/([\w-]+)\.tsx$/;
const OF_VISITORS = /^(?:routes|features\/account)\/(?:landing|legal|login|register|mailbox|not-found)\//;

export interface AppWeight {
  /** Bytes of what is loaded before the first picture, whatever the address. */
  readonly first: number;
  /** Bytes of what comes with the login, whichever screen is the first: the calls' overlays, and what reads from the server. */
  readonly signedIn: number;
  /** Bytes that each screen loads besides, by its file's name: with what it shows when it opens, and not what is opened from it. */
  readonly screens: ReadonlyMap<string, number>;
  /** How many scripts and style sheets each screen asks for where it is the first, beyond those of the page. */
  readonly files: ReadonlyMap<string, number>;
  /** Bytes of the calling library. */
  readonly calling: number;
  /** Whether anything that is loaded before somebody has signed in holds the calling library. */
  readonly callingComesFirst: boolean;
}

/** @throws Error when the app is not built. */
export function weighApp(dir = APP): AppWeight {
  const all = v.parse(manifest, JSON.parse(readFileSync(join(dir, '.vite/manifest.json'), 'utf8')));
  const weigh = (names: Iterable<string>): number =>
    [...names]
      .map((name) => all[name]?.file ?? '')
      .filter((file) => file.endsWith('.js'))
      .reduce((sum, file) => sum + gzipSync(readFileSync(join(dir, file)), { level: 9 }).length, 0);

  const first = withImports(all, [ENTRY]);
  const nameOf = (screen: string): string => SCREEN.exec(screen)?.[1] ?? screen;
  const names = (all[ENTRY]?.dynamicImports ?? []).filter((name) => SCREEN.test(name));
  const ofUsers = names.filter((name) => !OF_VISITORS.test(name)).map((name) => withImports(all, [name]));
  // What each of them needs is loaded once, with whichever is the first.
  const shared = [...(ofUsers[0] ?? [])].filter((name) => ofUsers.every((one) => one.has(name)));
  const base = without(new Set([...withImports(all, WITH_LOGIN), ...shared]), first);
  const screens = new Map(
    names.map((name) => {
      const own = without(withImports(all, [name]), first);
      return [nameOf(name), weigh(OF_VISITORS.test(name) ? own : without(own, base))];
    }),
  );
  const filesOf = (some: Iterable<string>): string[] => [
    ...new Set([...some].flatMap((name) => [all[name]?.file ?? '', ...(all[name]?.css ?? [])])),
  ];
  const files = new Map(names.map((name) => [nameOf(name), filesOf(without(withImports(all, [name]), first)).length]));
  return {
    files,
    first: weigh(first),
    signedIn: weigh(base),
    screens,
    calling: weigh(without(withImports(all, [CALLING]), first)),
    callingComesFirst: first.has(CALLING),
  };
}

/** Everything that comes with some, at once. */
function withImports(all: Manifest, names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    waiting.push(...(all[name]?.imports ?? []));
  }
  return found;
}

const without = (some: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> =>
  new Set([...some].filter((name) => !others.has(name)));
