import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { parseDocument } from 'yaml';
import { readEnvironment, VARIABLES } from './environment.ts';
import { configuration, type Configuration } from './schema.ts';

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
  for (const [place, value] of values) setAt(said, place.split('.'), value);
  const read = v.safeParse(configuration, said);
  const all = [...faults, ...(read.success ? [] : read.issues.map(faultOf))];
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
function faultOf(issue: v.BaseIssue<unknown>): string {
  const place = v.getDotPath(issue) ?? '';
  // An entry of a list has the variable of its list.
  const variable = VARIABLES[place] ?? VARIABLES[place.replace(/\.\d+$/, '')];
  const shown = variable ? `${place} (${variable.name})` : place;
  const isMissing = issue.input === undefined && issue.kind === 'schema';
  if (issue.type === 'strict_object' && issue.expected === 'never') return `${shown}: there is no such setting`;
  return `${shown}: ${isMissing ? 'is missing' : issue.message}`;
}
