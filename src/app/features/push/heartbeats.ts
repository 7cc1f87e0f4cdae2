/**
 * The days on which the app was used. The app sends them to the product with its push token. The product can thereby
 * distinguish an unused token from one whose user receives few messages (app-shell §9).
 */
import * as v from 'valibot';
import { PUSH_LIMITS } from '../../../protocol/product/push.ts';
import type { Clock } from '../../../common/clock.ts';
import type { KeyValueStore } from '../../core/ports/key-value-store.ts';
import { encodeBase64Url } from './base64url.ts';

/** A record of the days on which the app was used. */
export interface Heartbeats {
  /** Records that the app is used today. */
  beat(): void;
  /** Returns the value of the header. Returns `null` without unsent days. */
  header(): string | null;
  /** Deletes the sent days and remembers today, so that no day is sent twice. */
  markSent(): void;
}

const KEY = 'push_heartbeats';

const heartbeat = v.object({ agent: v.string(), date: v.pipe(v.string(), v.isoDate()) });
type Heartbeat = v.InferOutput<typeof heartbeat>;
const stored = v.object({ last_told: v.optional(v.string(), ''), days: v.array(heartbeat) });

interface Dependencies {
  /** The app and its version, for example `ringback/0.1.0`. */
  agent: string;
  storage: KeyValueStore;
  clock: Clock;
}

export function createHeartbeats({ agent, storage, clock }: Dependencies): Heartbeats {
  const today = (): string => new Date(clock.wallTime()).toISOString().slice(0, 10);

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
      // The latest days are the most useful, so the oldest are dropped when the header is full.
      for (let { days } = read(); days.length > 0; days = days.slice(1)) {
        const value = encodeHeader(days);
        if (value.length <= PUSH_LIMITS.heartbeatHeaderBytes) return value;
      }
      return null;
    },
    markSent() {
      if (read().days.length > 0) storage.setItem(KEY, JSON.stringify({ last_told: today(), days: [] }));
    },
  };
}

/** Encodes `{ version, heartbeats: [{ agent, dates }] }` as JSON in base64url, since a header must be ASCII. */
function encodeHeader(days: readonly Heartbeat[]): string {
  const agents = [...new Set(days.map(({ agent }) => agent))];
  const heartbeats = agents.map((agent) => ({
    agent,
    dates: days.filter((day) => day.agent === agent).map(({ date }) => date),
  }));
  return encodeBase64Url(new TextEncoder().encode(JSON.stringify({ version: 1, heartbeats })));
}
