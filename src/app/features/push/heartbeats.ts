/**
 * On which days this app was alive: told to the product when a push token is made known to it, so that it can tell a
 * token that nobody uses any more from one that is quiet (app-shell §9).
 */
import * as v from 'valibot';
import { PUSH_LIMITS } from '../../../protocol/product/push.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { KeyValueStore } from '../../core/ports/key-value-store.ts';
import { encodeBase64Url } from './base64url.ts';

export interface Heartbeats {
  /** The app is alive today. */
  beat(): void;
  /** The value of the header; `null` where nothing is new. */
  header(): string | null;
  /** What was told is forgotten, but for today: it is not told twice. */
  told(): void;
}

const KEY = 'push_heartbeats';

const heartbeat = v.object({ agent: v.string(), date: v.pipe(v.string(), v.isoDate()) });
type Heartbeat = v.InferOutput<typeof heartbeat>;
const stored = v.object({ last_told: v.optional(v.string(), ''), days: v.array(heartbeat) });

interface Dependencies {
  /** The app and its version: `ringback/0.1.0`. */
  agent: string;
  storage: KeyValueStore;
  clock: Clock;
}

export function createHeartbeats({ agent, storage, clock }: Dependencies): Heartbeats {
  const today = (): string => new Date(clock.now()).toISOString().slice(0, 10);

  function read(): v.InferOutput<typeof stored> {
    try {
      return v.parse(stored, JSON.parse(storage.getItem(KEY) ?? ''));
    } catch {
      return { last_told: '', days: [] };
    }
  }

  return {
    beat() {
      const { last_told, days } = read();
      const date = today();
      if (last_told === date || days.some((day) => day.date === date)) return;
      const kept = [...days, { agent, date }].slice(-PUSH_LIMITS.heartbeatEntries);
      storage.setItem(KEY, JSON.stringify({ last_told, days: kept }));
    },
    header() {
      // The newest say the most: the oldest give way where there is no room.
      for (let { days } = read(); days.length > 0; days = days.slice(1)) {
        const value = encodeHeader(days);
        if (value.length <= PUSH_LIMITS.heartbeatHeaderBytes) return value;
      }
      return null;
    },
    told() {
      if (read().days.length > 0) storage.setItem(KEY, JSON.stringify({ last_told: today(), days: [] }));
    },
  };
}

/** `{ version, heartbeats: [{ agent, dates }] }` as JSON in base64url: a header takes plain letters alone. */
function encodeHeader(days: readonly Heartbeat[]): string {
  const agents = [...new Set(days.map(({ agent }) => agent))];
  const heartbeats = agents.map((agent) => ({
    agent,
    dates: days.filter((day) => day.agent === agent).map(({ date }) => date),
  }));
  return encodeBase64Url(new TextEncoder().encode(JSON.stringify({ version: 1, heartbeats })));
}
