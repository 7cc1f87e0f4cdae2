/** Computes the size of the built app as users load it, from the manifest of the build. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';

const APP = fileURLToPath(new URL('../../dist/app', import.meta.url));

/** The limits of gzipped JavaScript (1 kB is 1000 bytes), and of the number of files that a screen requests at once. */
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
/** The chunks loaded at login, for every first screen. */
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
  /** The bytes that are loaded before the first picture, at any address. */
  readonly first: number;
  /** Bytes loaded at login, for every first screen: the overlays of calls, and the readers of the server. */
  readonly signedIn: number;
  /** The additional bytes of each screen when it opens, by the name of its file. */
  readonly screens: ReadonlyMap<string, number>;
  /** The number of scripts and style sheets that each screen requests as the first one, beyond those of the page. */
  readonly files: ReadonlyMap<string, number>;
  /** Bytes of the calling library. */
  readonly calling: number;
  /** True when a chunk that is loaded before the user signs in has the calling library. */
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
  // A dependency is loaded once, with the first screen that needs it.
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

/** Returns all chunks that are loaded with these. */
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
