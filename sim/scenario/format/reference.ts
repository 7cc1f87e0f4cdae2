/** What stands for a value that is known only when the scenario runs: `$call.id`, `$case.end`. */
import * as v from 'valibot';

export type Reference = `$${string}`;

const PATTERN = /^\$[\w.]+$/;

/** A text that is none is of another type, and not a wrong one of this: then the value's own schema says what is wrong. */
export const reference = v.custom<Reference>((value) => typeof value === 'string' && PATTERN.test(value));

/** As JSON Schema has it. */
export const REFERENCE_JSON_SCHEMA = { type: 'string', pattern: PATTERN.source } as const;

/** A value of its own, or a reference to one. */
export const orReference = <S extends v.GenericSchema>(schema: S) => v.union([schema, reference]);
