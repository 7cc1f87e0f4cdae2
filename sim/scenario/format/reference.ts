/** What stands for a value that is known only when the scenario runs: `$call.id`, `$case.end`. */
import * as v from 'valibot';

export type Reference = `$${string}`;

const reference = v.pipe(
  v.string(),
  v.regex(/^\$[\w.]+$/, 'must be a reference like $case.end'),
) as unknown as v.GenericSchema<Reference>;

/** A value of its own, or a reference to one. */
export const orReference = <S extends v.GenericSchema>(schema: S) => v.union([schema, reference]);
