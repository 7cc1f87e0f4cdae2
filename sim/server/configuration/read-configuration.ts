import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { parseDocument } from 'yaml';
import { type EnvironmentValues, readEnvironment, readPlaces, VARIABLES } from './environment.ts';
import { configuration, services, type Configuration } from './schema.ts';

/**
 * A configuration that cannot be used, with one line for each fault. No line repeats a value, which may be a secret.
 */
export class ConfigurationError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigurationError';
    this.faults = faults;
  }
}

interface From {
  /** The path of a YAML or JSON file. Undefined for the environment alone. */
  readonly file: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads a configuration from a file and from environment variables, which take precedence.
 * @throws ConfigurationError with every fault found.
 */
export function readConfiguration({ file, environment }: From): Configuration {
  const { values, faults } = readEnvironment(environment, (path) => readFileSync(path, 'utf8'));
  const said = file === undefined ? {} : readFile(file);
  return parsed(configuration, said, { values, faults });
}

/** The settings of the services around a server, which every command that starts one reads. */
export type Services = v.InferOutput<typeof services>;

/** Services, with the names of the variables that name them. */
export interface NamedServices {
  readonly services: Services;
  readonly variables: readonly string[];
}

/**
 * Reads the services from environment variables. Other variables are not read.
 * @param without - places that are not read, since an option replaces them.
 * @throws ConfigurationError with every fault found.
 */
export function readServices(
  environment: From['environment'],
  without: readonly (typeof SERVICE_PLACES)[number][] = [],
): NamedServices {
  const places = SERVICE_PLACES.filter((place) => !without.includes(place));
  const read = readPlaces(places, environment, (path) => readFileSync(path, 'utf8'));
  return { services: parsed(services, {}, read), variables: [...read.values.values()].map(({ name }) => name) };
}

/** The places of the services. */
const SERVICE_PLACES = [
  'redis.url',
  'database.url',
  'relay.urls',
  'relay.secret',
  'relay.policy',
  'relay.check',
  'janus.urls',
  'janus.secret',
] as const;

/** Returns the settings of a section, with those of the environment. @throws ConfigurationError */
function parsed<Schema extends v.GenericSchema>(
  schema: Schema,
  section: Section,
  { values, faults }: EnvironmentValues,
): v.InferOutput<Schema> {
  for (const [place, { value }] of values) setAt(section, place.split('.'), value);
  const read = v.safeParse(schema, section);
  const all = [...faults, ...(read.success ? [] : read.issues.map((issue) => faultOf(issue, values)))];
  if (all.length > 0 || !read.success) throw new ConfigurationError(all);
  return read.output;
}

type Section = Record<string, unknown>;
const isSection = (value: unknown): value is Section =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readFile(path: string): Section {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new ConfigurationError([`${path}: the file cannot be read`]);
  }
  const document = parseDocument(text);
  const [fault] = document.errors;
  if (fault) {
    const { line = 1, col = 1 } = fault.linePos?.[0] ?? {};
    throw new ConfigurationError([`${path}:${line}:${col}: this is neither YAML nor JSON`]);
  }
  const value: unknown = document.toJS() ?? {};
  if (!isSection(value)) throw new ConfigurationError([`${path}: this must be a list of settings by name`]);
  return value;
}

function setAt(section: Section, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    section[key] = value;
    return;
  }
  const known = section[key];
  const inner = isSection(known) ? known : {};
  section[key] = inner;
  setAt(inner, rest, value);
}

/** Returns one fault as a line: `database.url (RINGBACK_DATABASE_URL): is missing`. */
function faultOf(issue: v.BaseIssue<unknown>, values: EnvironmentValues['values']): string {
  const place = v.getDotPath(issue) ?? '';
  // An entry of a list has the variable of its list.
  const places = [place, place.replace(/\.\d+$/, '')];
  const variable = places.map((one) => values.get(one) ?? VARIABLES[one]).find((one) => one !== undefined);
  const shown = variable ? `${place} (${variable.name})` : place;
  const isMissing = issue.input === undefined && issue.kind === 'schema';
  if (issue.type === 'strict_object' && issue.expected === 'never') return `${shown}: there is no such setting`;
  return `${shown}: ${isMissing ? 'is missing' : issue.message}`;
}
