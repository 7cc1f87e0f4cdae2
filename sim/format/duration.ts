/** Spans of time as scenarios write them: a number and a unit, never a bare number. */
import * as v from 'valibot';
import { calledType } from './about.ts';
import type { Reference } from './reference.ts';

export { spanText } from '../../src/trace/picture/words.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const SPAN = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;

/** Returns the milliseconds of a span like 500ms, 2s or 1.5m. Undefined for anything else. */
export function spanOf(value: unknown): number | undefined {
  const parts = typeof value === 'string' ? SPAN.exec(value) : null;
  return parts ? Number(parts[1]) * (UNITS[parts[2] as string] as number) : undefined;
}

const WORDS = 'must be a span of time like 500ms, 2s or 1m';

export type Span = `${number}${'ms' | 's' | 'm' | 'h'}`;

/** A span, or a reference to one (`$case.cut`). */
export const span = calledType(
  'a span of time',
  v.pipe(v.string(WORDS), v.regex(/^(?:\d+(?:\.\d+)?(?:ms|s|m|h)|\$[\w.]+)$/, WORDS)),
) as unknown as v.GenericSchema<Span | Reference>;

/** A span that is longer than zero. */
export const lastingSpan = v.pipe(
  span,
  v.check((written) => spanOf(written) !== 0, 'must be longer than 0'),
);
