/** References to values that are known only when the scenario runs: `$call.id`, `$case.end`. */
import * as v from 'valibot';

export type Reference = `$${string}`;

const PATTERN = /^\$[\w.]+$/;

/** A text that is no reference has another type, so that the value's schema reports the fault. */
export const reference = v.custom<Reference>((value) => typeof value === 'string' && PATTERN.test(value));

/** The same rule for a JSON Schema. */
export const REFERENCE_JSON_SCHEMA = { type: 'string', pattern: PATTERN.source } as const;

/** Returns a schema for a value, or a reference to one. */
export const orReference = <S extends v.GenericSchema>(schema: S) => v.union([schema, reference]);
