import sharp from 'sharp';
import * as v from 'valibot';
import type { ProductOptions } from '../../../../sim/product/product-options.ts';
import type { HttpResponse } from '../../../../sim/http/request.ts';
import { Product } from '../../../../sim/product/product.ts';
import { nodeIds } from '../../../../sim/server/node-ports.ts';
import type { Letter } from '../../../../src/protocol/product/accounts.ts';
import { type AskOf, endpointOf, type EndpointName, type ProductAnswer } from '../../../../src/protocol/product/api.ts';
import { eventFrame } from '../../../../src/protocol/product/event-frames.ts';
import { productEvent, type ProductEvent } from '../../../../src/protocol/product/events.ts';
import { HandClock } from '../../support/hand-clock.ts';
import { aCallingService } from './calling-service.ts';
import { cheapPasswords } from './cheap-passwords.ts';
import { clockedLimits } from './clocked-limits.ts';
import { openTestDatabase } from './test-database.ts';
import { productLog } from './product-log.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly key?: string;
  /** The value of the header that the request accepts. */
  readonly header?: string;
  /** The client's address. Default: one of an unrelated network. */
  readonly address?: string;
}

/** The answer to an accepted request, or the status and the body of its refusal. */
export interface Refused {
  readonly status: number;
  readonly code: string;
  readonly field?: string;
  readonly retry_after?: number;
}

/** The fields of a registration. The code is requested. */
export const aMan = {
  gender_type: 'man',
  contact: 'kai@example.com',
  password: 'correct horse battery',
  birthday: '1995-05-05',
  nickname: '阿凱',
  city: '台北',
  terms_accepted: true,
} as const;

export const aWoman = {
  ...aMan,
  gender_type: 'woman',
  contact: '0912-345-678',
  nickname: '小雨',
  service: { voice: true, video: true, tier: 'usual', languages: ['zh'], intro: '聊聊電影吧' },
} as const;

/** The real product on a separate database, at a time that the test sets. */
export async function openAccountsWorld(more: Partial<ProductOptions> = {}, place = ':memory:') {
  const clock = new HandClock(Date.UTC(2026, 0, 1));
  const database = await openTestDatabase(place);
  const logged: string[] = [];
  const callers: string[] = [];
  const gone: string[] = [];
  /** The tokens of the calling service whose sessions the product has ended. Undefined for all of a user. */
  const signedOut: (string | undefined)[] = [];
  const product = new Product({
    clock,
    rateLimits: clockedLimits(clock),
    ids: nodeIds,
    log: productLog((entry) => void logged.push(JSON.stringify(entry)), clock),
    database: () => Promise.resolve(database),
    people: [],
    isDemo: true,
    calling: aCallingService({
      addUser: ({ user_id }) => void callers.push(user_id),
      removeUser: (uId) => void gone.push(uId),
      signOut: (_, accessToken) => void signedOut.push(accessToken),
    }),
    apiUrl: 'http://product.test',
    portrait: () => '<svg/>',
    ...more,
    ports: { passwords: cheapPasswords, ...more.ports },
  });

  /** Sends a request as the HTTP edge does: the body of a request that is not admitted is never read. */
  async function http(
    name: EndpointName,
    { params = {}, query = {}, body, key, header: said, address = '192.0.2.1' }: Asked,
    token: string,
  ): Promise<HttpResponse> {
    const { method, path, header } = endpointOf(name);
    const head = {
      method,
      address,
      path: path.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(params[part] ?? '')),
      query,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(header === undefined || said === undefined ? {} : { [header]: said }),
      },
    };
    const admission = await product.admit(head);
    return 'status' in admission ? admission : product.http({ ...head, body });
  }

  /** Sends a request, and fails when it is refused. */
  async function ask<Name extends EndpointName>(
    name: Name,
    asked: AskOf<Name>,
    token = '',
  ): Promise<ProductAnswer<Name>> {
    const { status, body } = await http(name, asked as Asked, token);
    if (status !== 200) throw new Error(`${name} was refused: ${JSON.stringify(body)}`);
    return body as ProductAnswer<Name>;
  }

  /** Sends any request, and fails when it is accepted. */
  async function refusal(name: EndpointName, asked: Asked, token = ''): Promise<Refused> {
    const { status, body } = await http(name, asked, token);
    if (status === 200) throw new Error(`${name} was not refused: ${JSON.stringify(body)}`);
    return { status, ...(body as Omit<Refused, 'status'>) };
  }

  async function letters(to?: string): Promise<readonly Letter[]> {
    return (await ask('demoMailbox', { query: to === undefined ? {} : { to } })).letters;
  }

  /** Requests a code, and opens the letter. */
  async function codeFor(to: string, purpose: 'register' | 'login' | 'reset'): Promise<string> {
    await ask('sendCode', { body: { to, purpose } });
    return (await letters(to))[0]?.code ?? '';
  }

  async function register(who: typeof aMan | typeof aWoman, changes: Record<string, unknown> = {}) {
    const contact = String(changes['contact'] ?? who.contact);
    const code = await codeFor(contact, 'register');
    const body = { ...who, code, ...changes } as AskOf<'register'>['body'];
    return ask('register', { body });
  }

  return {
    product,
    clock,
    database,
    logged,
    callers,
    signedOut,
    gone,
    http,
    ask,
    refusal,
    letters,
    codeFor,
    register,
    async hear(token: string): Promise<ProductEvent[]> {
      const heard: ProductEvent[] = [];
      await product.socket('/ws/events', token, null, {
        send(text) {
          const frame = v.safeParse(eventFrame, JSON.parse(text));
          if (frame.success) heard.push(v.parse(productEvent, frame.output.event));
        },
        close: () => undefined,
      });
      return heard;
    },
    /** Opens a socket. Returns the codes with which it was closed. */
    async openSocket(path: string, token: string): Promise<number[]> {
      const closes: number[] = [];
      const socket = await product.socket(path, token, null, {
        send: () => undefined,
        close(code) {
          closes.push(code);
          if (!('status' in socket)) socket.closed();
        },
      });
      if ('status' in socket) throw new Error(socket.message);
      return closes;
    },
    async close() {
      await product.settled();
      await product.dispose();
      await database.db.destroy();
    },
  };
}

export type AccountsWorld = Awaited<ReturnType<typeof openAccountsWorld>>;

/** A picture as a phone takes it, with its location. */
export async function aPhoto(format: 'jpeg' | 'png' | 'webp' = 'jpeg'): Promise<string> {
  const photo = sharp({ create: { width: 640, height: 400, channels: 3, background: '#b06080' } })
    .withExif({ IFD0: { Make: 'Phone' }, IFD3: { GPSLatitude: '25/1 2/1 0/1' } })
    .toFormat(format);
  return (await photo.toBuffer()).toString('base64');
}
