/**
 * The environment variables of a configuration. Each takes precedence over the file. A variable with the suffix
 * `_FILE` is the path of a file with the value.
 */

/** How the text of a variable is read. `list`: parts separated by commas. */
type Kind = 'text' | 'number' | 'flag' | 'list';

interface Variable {
  readonly name: string;
  readonly kind: Kind;
  /** A second name, which platforms and other programs set too. `name` wins. */
  readonly plain?: string;
}

/** The variables, by their place in the configuration. */
export const VARIABLES: Readonly<Record<string, Variable>> = {
  host: { name: 'RINGBACK_HOST', kind: 'text' },
  port: { name: 'RINGBACK_PORT', kind: 'number' },
  appId: { name: 'RINGBACK_APP_ID', kind: 'text' },
  publicUrl: { name: 'RINGBACK_PUBLIC_URL', kind: 'text' },
  allowedHosts: { name: 'RINGBACK_ALLOWED_HOSTS', kind: 'list' },
  allowedOrigins: { name: 'RINGBACK_ALLOWED_ORIGINS', kind: 'list' },
  trustedProxies: { name: 'RINGBACK_TRUSTED_PROXIES', kind: 'list' },
  'redis.url': { name: 'REDIS_URL', kind: 'text' },
  'database.url': { name: 'RINGBACK_DATABASE_URL', kind: 'text', plain: 'DATABASE_URL' },
  'database.name': { name: 'RINGBACK_DATABASE_NAME', kind: 'text' },
  'database.connections': { name: 'RINGBACK_DATABASE_CONNECTIONS', kind: 'number' },
  'database.statementMs': { name: 'RINGBACK_DATABASE_STATEMENT_MS', kind: 'number' },
  'database.connectMs': { name: 'RINGBACK_DATABASE_CONNECT_MS', kind: 'number' },
  'relay.urls': { name: 'RINGBACK_RELAY_URLS', kind: 'list', plain: 'TURN_URL' },
  'relay.secret': { name: 'RINGBACK_RELAY_SECRET', kind: 'text', plain: 'TURN_SECRET' },
  'relay.check': { name: 'RINGBACK_RELAY_CHECK', kind: 'flag' },
  'relay.policy': { name: 'RINGBACK_RELAY_POLICY', kind: 'text' },
  'rooms.addresses': { name: 'RINGBACK_ROOM_ADDRESSES', kind: 'list' },
  'rooms.ports': { name: 'RINGBACK_ROOM_PORTS', kind: 'text' },
  'courier.url': { name: 'RINGBACK_COURIER_URL', kind: 'text' },
  'courier.secret': { name: 'RINGBACK_COURIER_SECRET', kind: 'text' },
  'janus.urls': { name: 'JANUS_URL', kind: 'list' },
  'janus.secret': { name: 'JANUS_SECRET', kind: 'text' },
  'push.subject': { name: 'RINGBACK_PUSH_SUBJECT', kind: 'text' },
  'push.keys.publicKey': { name: 'RINGBACK_PUSH_PUBLIC_KEY', kind: 'text' },
  'push.keys.privateKey': { name: 'RINGBACK_PUSH_PRIVATE_KEY', kind: 'text' },
  webhookHosts: { name: 'RINGBACK_WEBHOOK_HOSTS', kind: 'list' },
  billing: { name: 'RINGBACK_BILLING', kind: 'flag' },
  logLevel: { name: 'RINGBACK_LOG_LEVEL', kind: 'text' },
  drainMs: { name: 'RINGBACK_DRAIN_MS', kind: 'number' },
  metricsToken: { name: 'RINGBACK_METRICS_TOKEN', kind: 'text' },
};

const namesOf = ({ name, plain }: Variable): readonly string[] => (plain === undefined ? [name] : [name, plain]);

/** The names without the prefix of this program. An unknown name without it belongs to another program. */
const WITHOUT_PREFIX: ReadonlySet<string> = new Set(
  Object.values(VARIABLES)
    .flatMap(namesOf)
    .flatMap((name) => (name.startsWith('RINGBACK_') ? [] : [name, `${name}_FILE`])),
);

/** Variables that other commands read. */
const OTHERS = ['RINGBACK_SERVER', 'RINGBACK_TOKEN', 'RINGBACK_DEBUG'];

/**
 * Returns whether Kubernetes has set the variable for a service named `ringback` or `ringback-…`. It does so unless
 * `enableServiceLinks` is false (kubernetes.io/docs/concepts/services-networking/service, environment variables).
 * Such a variable does not configure this server: `RINGBACK_PORT` is then `tcp://10.0.0.11:4870`.
 */
const isServiceLink = (name: string, value: string): boolean =>
  /_SERVICE_(HOST|PORT(_\w+)?)$/.test(name) ||
  /_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value));

/** A value of the environment, with the name of its variable. */
interface EnvironmentValue {
  readonly name: string;
  readonly value: unknown;
}

/** The values of the environment, by place, and its faults. */
export interface EnvironmentValues {
  readonly values: ReadonlyMap<string, EnvironmentValue>;
  readonly faults: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;
type ReadText = (path: string) => string;

/** Returns the variables of a configuration, except those of Kubernetes. */
function ownVariables(all: Environment): Environment {
  const isOwn = (name: string) => name.startsWith('RINGBACK_') || WITHOUT_PREFIX.has(name);
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => isOwn(name) && !isServiceLink(name, value ?? '')),
  );
}

/**
 * Reads the variables of a configuration, except those of Kubernetes. An unknown variable of this program is a fault.
 * @param readText - reads a file; throws when it cannot.
 */
export function readEnvironment(all: Environment, readText: ReadText): EnvironmentValues {
  const environment = ownVariables(all);
  const { values, faults } = readPlaces(Object.keys(VARIABLES), environment, readText);
  const known = new Set([...OTHERS, ...Object.values(VARIABLES).flatMap(namesOf).flatMap(withFile)]);
  const unknown = Object.keys(environment).filter((name) => !known.has(name));
  return { values, faults: [...faults, ...unknown.map((name) => `${name}: there is no such variable`)] };
}

/** Reads the variables of these places. @param readText - reads a file; throws when it cannot. */
export function readPlaces(places: readonly string[], all: Environment, readText: ReadText): EnvironmentValues {
  const environment = ownVariables(all);
  const values = new Map<string, EnvironmentValue>();
  const faults: string[] = [];
  for (const place of places) {
    const variable = VARIABLES[place];
    if (!variable) throw new TypeError(`There is no variable for ${place}.`);
    const set = namesOf(variable).flatMap((name) => {
      const text = textOf(name, environment, readText, faults);
      return text === undefined ? [] : [{ name, text }];
    });
    const [first, second] = set;
    if (!first) continue;
    if (second && first.text.trim() !== second.text.trim()) {
      faults.push(`${first.name}, ${second.name}: have different values: set one of them`);
    }
    values.set(place, { name: first.name, value: valueOf(first.text, variable.kind) });
  }
  return { values, faults };
}

const withFile = (name: string): readonly string[] => [name, `${name}_FILE`];

/** Returns the text of a variable, or of the file that it names. Undefined without both, and after a fault. */
function textOf(name: string, environment: Environment, readText: ReadText, faults: string[]): string | undefined {
  const inFile = `${name}_FILE`;
  const [value, path] = [environment[name], environment[inFile]];
  if (path === undefined) return value;
  if (value !== undefined) {
    faults.push(`${inFile}: ${name} is set as well`);
    return value;
  }
  try {
    return readText(path).trim();
  } catch {
    faults.push(`${inFile}: the file cannot be read`);
    return undefined;
  }
}

/** Returns the value of a text. A text of another kind is returned as it is, so that the schema reports the fault. */
function valueOf(text: string, kind: Kind): unknown {
  if (kind === 'number') return /^\d+$/.test(text.trim()) ? Number(text) : text;
  if (kind === 'flag') return text === 'true' ? true : text === 'false' ? false : text;
  if (kind === 'list') return text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  return text;
}
