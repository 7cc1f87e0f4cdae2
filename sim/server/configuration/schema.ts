/** The configuration of a deployment: its settings, their types and their defaults. */
import { isIP } from 'node:net';
import * as v from 'valibot';
import { parseRedisAddress, RedisAddressError } from '../../redis/redis-address.ts';
import { isLoopback } from '../allowed-hosts.ts';
import { DEFAULT_APP_ID, DEFAULT_HOST, DEFAULT_LOG_LEVEL, DEFAULT_PORT, LOG_LEVELS } from '../defaults.ts';

const text = v.pipe(
  v.string('must be text'),
  v.trim(),
  v.minLength(1, 'must not be empty'),
  v.maxLength(2_048, 'is too long'),
);
const texts = v.array(text, 'must be a list of texts');
const flag = v.boolean('must be true or false');

/** @param most - the largest value, in milliseconds. */
const milliseconds = (most: number) =>
  v.pipe(
    v.number('must be a number of milliseconds'),
    v.integer('must be a whole number of milliseconds'),
    v.minValue(0, 'must not be negative'),
    v.maxValue(most, `must be at most ${most}`),
  );

/** A secret that is too long to guess. */
const secret = v.pipe(text, v.minLength(16, 'must have at least 16 characters'));

const isUrlOf = (protocols: readonly string[]) => (value: string) =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol);
const isBareOrigin = (value: string) => URL.canParse(value) && new URL(value).origin === value;

const httpsUrl = v.pipe(text, v.check(isUrlOf(['https:']), 'must be an https address'));
const isPublic = (value: string) =>
  isUrlOf(['https:'])(value) || (isUrlOf(['http:'])(value) && isLoopback(new URL(value).hostname));
const publicUrl = v.pipe(text, v.check(isPublic, 'must be an https address'));
const origin = v.pipe(text, v.check(isBareOrigin, 'must be an origin like https://app.example, without a path'));
const relayUrl = v.pipe(text, v.regex(/^(?:turns?|stuns?):\S+$/, 'must be an address like turn:relay.example:3478'));
const janusUrl = v.pipe(
  text,
  v.check(isUrlOf(['ws:', 'wss:']), 'must be an address like wss://janus.example:8989'),
  // A password in an address is no secret of Janus, and would be sent to it in vain.
  v.check((value) => !/^wss?:\/\/[^/]*@/i.test(value), 'must have no user and no password: set janus.secret'),
);
const network = v.pipe(
  text,
  v.check((value) => {
    const [address = '', bits, ...rest] = value.split('/');
    const most = isIP(address) === 6 ? 128 : 32;
    return (
      isIP(address) !== 0 &&
      rest.length === 0 &&
      (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
    );
  }, 'must be an IP address or a network like 10.0.0.0/8'),
);
const ipAddress = v.pipe(
  text,
  v.check((value) => isIP(value) !== 0, 'must be an IP address'),
);
const portRange = v.pipe(
  text,
  v.regex(/^\d{1,5}-\d{1,5}$/, 'must be a range like 40000-40999'),
  v.transform((value): readonly [number, number] => {
    const [first = 0, last = 0] = value.split('-').map(Number);
    return [first, last];
  }),
  v.check(([first, last]) => first >= 1024 && first <= last && last <= 65_535, 'must be within 1024-65535'),
);
const hostAndPort = v.pipe(
  text,
  v.regex(/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i, 'must be a host like hooks.example:8443'),
  v.check((value) => URL.canParse(`http://${value}`), 'must be a host, with a port of at most 65535'),
);
const database = v.pipe(
  text,
  v.check((value) => value !== ':memory:', 'must outlive the server: a file, or postgres://…'),
  v.check(
    (value) => !/^[a-z][a-z\d+.-]*:\/\//i.test(value) || isUrlOf(['postgres:', 'postgresql:'])(value),
    'must be the path of a file, or postgres://…',
  ),
);

/** One Redis or Valkey, or several servers of one cluster. The messages of the parser have no part of the address. */
const redisUrl = v.pipe(
  text,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    try {
      parseRedisAddress(dataset.value);
    } catch (error) {
      if (!(error instanceof RedisAddressError)) throw error;
      addIssue({ message: error.message });
    }
  }),
);

/** The Redis that the nodes of a cluster share. Default: the server works alone. */
const redis = v.optional(v.strictObject({ url: redisUrl }));
/** The relay (TURN) for media. */
const relay = v.optional(
  v.strictObject({
    urls: v.pipe(v.array(relayUrl, 'must be a list'), v.minLength(1, 'must name a relay')),
    secret,
    policy: v.optional(v.picklist(['relay', 'all'], 'must be relay or all')),
    /** Whether the server checks that a relay answers and accepts its secret. */
    check: v.optional(flag, true),
  }),
);
/** The Janus servers for the media of rooms. Default: the exchange forwards it by itself. */
const janus = v.optional(
  v.strictObject({
    urls: v.pipe(
      v.array(janusUrl, 'must be a list'),
      v.minLength(1, 'must name a server'),
      v.maxLength(32, 'must name at most 32 servers'),
      v.check((urls) => new Set(urls).size === urls.length, 'must name each server once'),
    ),
    /** The `api_secret` of the servers. */
    secret: v.optional(text),
  }),
);

/** The services around a server. Each is optional: the server has an embedded part in place of it. */
export const services = v.strictObject({
  redis,
  database: v.optional(v.strictObject({ url: database })),
  relay,
  janus,
});

const settings = v.strictObject({
  /** The host that the server listens at. */
  host: v.optional(text, DEFAULT_HOST),
  port: v.optional(
    v.pipe(
      v.number('must be a number'),
      v.integer('must be a whole number'),
      v.minValue(0, 'must be from 0 to 65535'),
      v.maxValue(65_535, 'must be from 0 to 65535'),
    ),
    DEFAULT_PORT,
  ),
  /** The application id that clients send. */
  appId: v.optional(text, DEFAULT_APP_ID),
  /** The server's URL as clients see it. */
  publicUrl,
  /** Further host names of the server. That of `publicUrl` is always allowed. */
  allowedHosts: v.optional(texts, []),
  /** Origins whose pages may send requests. */
  allowedOrigins: v.pipe(
    v.array(origin, 'must be a list of origins'),
    v.minLength(1, 'must name the origin of the app'),
  ),
  /** Proxies whose X-Forwarded-For names the client. */
  trustedProxies: v.optional(v.array(network, 'must be a list'), []),
  database: v.strictObject({
    /** The path of a SQLite file, or a URL of PostgreSQL. */
    url: database,
    /** The name under which live calls are stored. It must be the same at each start. */
    name: v.optional(v.pipe(text, v.regex(/^[\w.:@-]{1,128}$/, 'must have letters, digits and . : @ _ - alone'))),
    connections: v.optional(
      v.pipe(
        v.number('must be a number'),
        v.integer('must be a whole number'),
        v.minValue(2, 'must be at least 2'),
        v.maxValue(500, 'must be at most 500'),
      ),
    ),
    statementMs: v.optional(milliseconds(600_000)),
    connectMs: v.optional(milliseconds(600_000)),
  }),
  relay,
  redis,
  /** Where clients reach the media of rooms, in UDP. */
  rooms: v.optional(
    v.strictObject({
      /** The addresses that clients get. Default: 127.0.0.1 and every address of this machine. */
      addresses: v.optional(
        v.pipe(
          v.array(ipAddress, 'must be a list'),
          v.minLength(1, 'must name an address'),
          v.maxLength(16, 'is too long'),
        ),
      ),
      /** The ports of endpoints. Each endpoint has one. Default: the system chooses. */
      ports: v.optional(portRange),
    }),
  ),
  janus,
  /** The service that sends codes to phones and e-mails: each letter is posted to its URL. */
  courier: v.strictObject({ url: httpsUrl, secret }),
  push: v.optional(
    v.strictObject({
      subject: v.optional(v.pipe(text, v.check(isUrlOf(['mailto:', 'https:']), 'must be a mailto: or https: address'))),
      /** A pair of VAPID keys. Default: a pair that the server generates once and stores in its database. */
      keys: v.optional(v.strictObject({ publicKey: text, privateKey: text })),
    }),
  ),
  /** The hosts that webhooks of calls may be posted to. */
  webhookHosts: v.optional(v.array(hostAndPort, 'must be a list'), []),
  /** Whether calls and messages cost coins. */
  billing: v.optional(flag, true),
  logLevel: v.optional(v.picklist(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`), DEFAULT_LOG_LEVEL),
  /** How long a stop waits for calls to end. */
  drainMs: v.optional(milliseconds(3_600_000), 5_000),
  /** The bearer token that permits reading the metrics. */
  metricsToken: v.optional(secret),
});

export const configuration = v.pipe(
  settings,
  v.forward(
    v.check(
      (all) => all.redis === undefined || /^postgres(?:ql)?:/i.test(all.database.url),
      'needs a PostgreSQL in database.url, which all nodes share',
    ),
    ['redis', 'url'],
  ),
);
export type Configuration = v.InferOutput<typeof configuration>;
