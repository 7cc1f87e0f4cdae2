import * as v from 'valibot';
import { endpointOf, type AskOf, type EndpointName, type ProductAnswer } from '../../../../src/protocol/product/api.ts';
import type { SentFile } from '../../../../src/protocol/endpoint.ts';
import { productEvent, type ProductEvent } from '../../../../src/protocol/product/events.ts';
import type { UserPresence } from '../../../../sim/exchange/exchange.ts';
import type { ProductOptions } from '../../../../sim/product/product-options.ts';
import type { HttpResponse } from '../../../../sim/http/request.ts';
import { Product } from '../../../../sim/product/product.ts';
import { nodeIds } from '../../../../sim/server/node-ports.ts';
import type { Database } from '../../../../sim/store/database.ts';
import { HandClock } from '../../support/hand-clock.ts';
import { aCallingService, createListeners } from './calling-service.ts';
import { cheapPasswords } from './cheap-passwords.ts';
import { clockedLimits } from './clocked-limits.ts';
import { openTestDatabase } from './test-database.ts';
import { productLog } from './product-log.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 1);

export type PersonGiven = Partial<ProductOptions['people'][number]>;

type Given<Name extends EndpointName> = Omit<AskOf<Name>, 'body'> & { body?: unknown };

/** A signed-in user. */
export interface Somebody {
  readonly uId: string;
  readonly token: string;
  /** The events that the user got on `/ws/events`, since `hear`. */
  readonly heard: ProductEvent[];
  /** The same as frames on the socket, with all other frames. */
  readonly messages: string[];
  hear(): Promise<void>;
  ask<Name extends EndpointName>(name: Name, asked: Given<Name>): Promise<ProductAnswer<Name>>;
  /** The status and the code of a refused request. */
  refused<Name extends EndpointName>(name: Name, asked: Given<Name>): Promise<[number, string]>;
  /** Opens the user's presence socket. Returns the function that closes it. */
  comeOnline(): Promise<() => void>;
  http(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<HttpResponse>;
}

/** The real product on a real database, at a time that the test sets. */
export async function openPeopleWorld(
  people: Readonly<Record<string, PersonGiven>>,
  database: string | Database = ':memory:',
  more: Partial<ProductOptions> = {},
) {
  const clock = new HandClock(Date.UTC(2026, 0, 1));
  const opened = typeof database === 'string' ? await openTestDatabase(database) : database;
  const callers: string[] = [];
  const callsEnded: (readonly [string, string])[] = [];
  const presences = new Map<string, UserPresence>();
  const { subscribe, emit } = createListeners();
  const product = new Product({
    clock,
    rateLimits: clockedLimits(clock),
    ids: nodeIds,
    log: productLog(() => undefined, clock),
    database: () => Promise.resolve(opened),
    people: Object.entries(people).map(([u_id, given], at) => ({
      u_id,
      nickname: u_id,
      gender_type: 'woman' as const,
      age: 27,
      city: '台北',
      price: 20,
      verified: false,
      accepts_video: true,
      joined_at: START - 100 * DAY + at * HOUR,
      ...given,
    })),
    isDemo: true,
    calling: aCallingService({
      presenceOf: (uId) => presences.get(uId) ?? 'offline',
      subscribe,
      addUser: ({ user_id }) => void callers.push(user_id),
      endCallsBetween: (...two) => void callsEnded.push(two),
    }),
    apiUrl: 'http://product.test',
    portrait: () => '<svg/>',
    ...more,
    ports: { passwords: cheapPasswords, ...more.ports },
  });

  async function signIn(uId: string): Promise<Somebody> {
    const http: Somebody['http'] = (method, path, body, headers = {}) => {
      const url = new URL(path, 'http://product.test');
      return product.http({
        method,
        path: url.pathname,
        address: '192.0.2.1',
        query: Object.fromEntries(url.searchParams),
        headers: { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...headers },
        body,
      });
    };
    let token = '';
    const login = await http('POST', '/auth/login', { user_id: uId });
    token = v.parse(v.object({ token: v.string() }), login.body).token;
    const heard: ProductEvent[] = [];
    const messages: string[] = [];
    async function send(name: EndpointName, asked: object): Promise<HttpResponse> {
      const endpoint = endpointOf(name);
      const {
        params = {},
        query = {},
        body,
      } = asked as {
        params?: Record<string, string>;
        query?: Record<string, string>;
        body?: unknown;
      };
      const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(params[part] ?? ''));
      const given = Object.entries(query).filter(([, value]) => value !== undefined);
      return http(endpoint.method, `${path}?${new URLSearchParams(given).toString()}`, body);
    }
    return {
      uId,
      token,
      heard,
      messages,
      http,
      async hear() {
        const frame = v.object({ event: productEvent });
        const told = v.union([
          v.array(frame),
          v.pipe(
            frame,
            v.transform((one) => [one]),
          ),
        ]);
        await product.socket('/ws/events', token, null, {
          send(text) {
            messages.push(text);
            const frames = v.safeParse(told, JSON.parse(text));
            if (frames.success) heard.push(...frames.output.map(({ event }) => event));
          },
          close: () => undefined,
        });
      },
      async ask(name, asked) {
        const { status, body } = await send(name, asked);
        if (status !== 200) throw new Error(`${name} was refused: ${JSON.stringify(body)}`);
        return body as ProductAnswer<typeof name>;
      },
      async refused(name, asked) {
        const { status, body } = await send(name, asked);
        if (status === 200) throw new Error(`${name} was not refused: ${JSON.stringify(body)}`);
        return [status, (body as { code: string }).code];
      },
      async comeOnline() {
        const socket = await product.socket(`/ws/online/${encodeURIComponent(uId)}`, token, null, {
          send: () => undefined,
          close: () => undefined,
        });
        if ('status' in socket) throw new Error(socket.message);
        return () => socket.closed();
      },
    };
  }

  return {
    product,
    clock,
    database: opened,
    callers,
    /** The pairs of users whose calls the product has ended. */
    callsEnded,
    signIn,
    /** The calling service's data of a user. */
    setCalling(uId: string, presence: UserPresence) {
      presences.set(uId, presence);
      emit({ kind: 'presence', userId: uId });
    },
    async close() {
      await product.dispose();
      await opened.db.destroy();
    },
  };
}

export type PeopleWorld = Awaited<ReturnType<typeof openPeopleWorld>>;

/** A file as the server's edge passes it on. */
export const file = (mediaType: string, bytes: Uint8Array): SentFile => ({ mediaType, bytes });
