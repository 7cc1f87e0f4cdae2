/** Parsers of the values of `ringback load`. */
import { InvalidArgumentError } from 'commander';
import type { Stage } from '../load/arrivals.ts';
import { type Mix, mixOf } from '../load/mix.ts';
import { type Threshold, thresholdOf } from '../load/thresholds.ts';
import { parseDuration, parsePositiveDuration, parseUser } from './values.ts';

const HIGHEST_RATE = 10_000;
const MOST_USERS = 20_000;

/** Parses a rate: calls a second, also a fraction. */
export function parseRate(text: string): number {
  const rate = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(rate > 0 && rate <= HIGHEST_RATE)) {
    throw new InvalidArgumentError(`A rate is a number of calls a second, above 0 and up to ${HIGHEST_RATE}.`);
  }
  return rate;
}

/** Collects stages like `30s:100`: the length of the stage, and the rate at its end. */
export function collectStages(text: string, former: readonly Stage[] = []): readonly Stage[] {
  const [length = '', rate, ...more] = text.split(':');
  const isRate = /^\d+(?:\.\d+)?$/.test(rate ?? '') && Number(rate) <= HIGHEST_RATE;
  if (!isRate || more.length > 0) {
    throw new InvalidArgumentError('A stage is a time and the rate at its end, like 30s:100.');
  }
  const forMs = former.length === 0 ? parseDuration(length) : parsePositiveDuration(length);
  return [...former, { forMs, toRate: Number(rate) }];
}

/** Parses the shares of the kinds of calls. */
export function parseMix(text: string): Mix {
  const mix = mixOf(text);
  if (!mix)
    throw new InvalidArgumentError(
      'A mix has the shares of complete, decline and cancel, like complete=90,decline=10.',
    );
  return mix;
}

export function collectThresholds(text: string, former: readonly Threshold[] = []): readonly Threshold[] {
  const threshold = thresholdOf(text);
  if (typeof threshold === 'string') throw new InvalidArgumentError(threshold);
  return [...former, threshold];
}

/** The users `prefix-1` to `prefix-count`. */
export interface NumberedUsers {
  readonly prefix: string;
  readonly count: number;
}

/** Parses `load/400`: the users load-1 to load-400. */
export function parseNumberedUsers(text: string): NumberedUsers {
  const [, prefix = '', count = ''] = /^(.+)\/(\d{1,6})$/.exec(text) ?? [];
  const users = { prefix, count: Number(count) };
  if (prefix === '' || !(users.count >= 2 && users.count <= MOST_USERS)) {
    throw new InvalidArgumentError(`The users are a prefix and a number from 2 to ${MOST_USERS}, like load/400.`);
  }
  parseUser(`${prefix}-${count}`);
  return users;
}

/** Parses the path of the report. */
export function parseReportFile(text: string): string {
  if (!/\.html?$/i.test(text)) throw new InvalidArgumentError('The report is an HTML file, like load.html.');
  return text;
}
