/** The action of `ringback schema`: prints the JSON Schema of scenario files, or of one file. */
import { Source } from '../../sim/format/source.ts';
import { scenarioJsonSchema, type SchemaScope } from '../../sim/scenario/format/json-schema.ts';
import { deviceNames } from '../../sim/scenario/format/read-scenario.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { processOutput } from '../process-output.ts';
import { readNamedText } from '../scenarios/read-text.ts';

/**
 * Prints the schema. With a file, it has the actors of that file.
 *
 * @throws CommandError (usage) when the file has no actors; (invalid) when it is no YAML.
 */
export function printSchema(file: string | undefined): void {
  const scope = file === undefined ? undefined : scopeOf(file);
  processOutput.out.write(`${JSON.stringify(scenarioJsonSchema(scope), null, 2)}\n`);
}

/** Returns the names of a file, which need not be complete: its author may still write it. */
function scopeOf(file: string): SchemaScope {
  const { value, faults } = new Source(file, readNamedText(file));
  const [fault] = faults;
  if (fault) throw new CommandError(`${fault.file}:${fault.line}:${fault.column}: ${fault.message}`, EXIT.invalid);
  const actors = actorsIn(value);
  if (!actors) throw new CommandError(`${file} has no actors: add them, or leave the file out.`, EXIT.usage);
  return {
    devices: Object.entries(actors).flatMap(([name, { devices }]) => devices?.map((one) => `${name}.${one}`) ?? [name]),
    names: deviceNames(actors),
  };
}

type Actors = Readonly<Record<string, { readonly devices?: readonly string[] }>>;

function actorsIn(value: unknown): Actors | undefined {
  const actors = mapOf(mapOf(value)?.['actors']);
  if (!actors || Object.keys(actors).length === 0) return undefined;
  return Object.fromEntries(
    Object.entries(actors).map(([name, written]) => {
      const devices = mapOf(written)?.['devices'];
      const named = Array.isArray(devices) ? devices.filter((device) => typeof device === 'string') : [];
      return [name, named.length > 0 ? { devices: named } : {}];
    }),
  );
}

const mapOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
