/** The words of `npm run soak`. */
import { parseArgs } from 'node:util';
import { SOAK_IDS, type SoakId } from './soak-run.ts';

export interface SoakWords {
  /** The runs to perform, in order. */
  readonly ids: readonly SoakId[];
  readonly isList: boolean;
  readonly isShort: boolean;
  readonly minutes?: number;
  readonly inputs?: number;
  readonly seed?: number;
  readonly servers: readonly string[];
  readonly report?: string;
}

/** A wrong word of the command line, explained in one line. */
export class WrongWords extends Error {}

const LONGEST_MINUTES = 24 * 60;
const MOST_INPUTS = 1e9;
const MOST_SEED = 2 ** 32 - 1;

export const SOAK_HELP = `Usage: npm run soak -- RUN... [options]

Runs: ${SOAK_IDS.join(', ')}, or all.

  --list           lists the runs
  --short          the form that make test runs
  --minutes N      the length of the load
  --inputs N       the inputs of L10
  --seed N         the seed of every random choice; 1 by default
  --server URL     loads this server instead of an own one; repeatable, for the nodes of a cluster
  --report FILE    writes the result: a page with charts (.html), or JSON (.json)

Exit codes: 0 every condition holds, 1 a condition does not hold or a run failed, 2 wrong usage,
  4 something is missing that a run needs, 130 Ctrl-C
`;

/** @throws WrongWords for an unknown word, and for a number out of its range. */
export function readSoakWords(words: readonly string[]): SoakWords {
  const { values, positionals } = parsed(words);
  const isList = values.list ?? false;
  const { report, server: servers = [] } = values;
  if (report !== undefined && !/\.(html|json)$/.test(report)) {
    throw new WrongWords(`--report ${report}: the name of a report ends in .html or .json.`);
  }
  for (const server of servers) {
    if (!/^https?:\/\/[^/]+$/.test(server)) {
      throw new WrongWords(`--server ${server}: a server is a URL without a path, like http://127.0.0.1:4870.`);
    }
  }
  const minutes = numberOf('minutes', values.minutes, { above: 0, most: LONGEST_MINUTES });
  const inputs = numberOf('inputs', values.inputs, { above: 0, most: MOST_INPUTS, isWhole: true });
  const seed = numberOf('seed', values.seed, { above: -1, most: MOST_SEED, isWhole: true });
  const ids = isList ? [] : idsOf(positionals);
  if (inputs !== undefined && !ids.includes('L10')) throw new WrongWords('--inputs is an option of L10 alone.');
  return {
    ids,
    isList,
    isShort: values.short ?? false,
    ...(minutes === undefined ? {} : { minutes }),
    ...(inputs === undefined ? {} : { inputs }),
    ...(seed === undefined ? {} : { seed }),
    servers: servers.map((server) => server.replace(/\/$/, '')),
    ...(report === undefined ? {} : { report }),
  };
}

function parsed(words: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        list: flag,
        short: flag,
        minutes: text,
        inputs: text,
        seed: text,
        report: text,
        server: { type: 'string', multiple: true },
      },
    });
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new WrongWords(`${why.replace(/\.? To specify.*$/, '').replace(/\.$/, '')}. See npm run soak.`);
  }
}

function idsOf(names: readonly string[]): SoakId[] {
  if (names.length === 1 && names[0] === 'all') return [...SOAK_IDS];
  if (names.length === 0) throw new WrongWords(`Name a run: ${SOAK_IDS.join(', ')}, or all.`);
  return names.map((name) => {
    const id = SOAK_IDS.find((one) => one === name.toUpperCase());
    if (!id) throw new WrongWords(`There is no run ${name}: the runs are ${SOAK_IDS.join(', ')}, or all.`);
    return id;
  });
}

function numberOf(
  name: string,
  text: string | undefined,
  { above, most, isWhole = false }: { readonly above: number; readonly most: number; readonly isWhole?: boolean },
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value > above && value <= most && (!isWhole || Number.isInteger(value))) return value;
  const least = above < 0 ? 'from 0' : 'above 0';
  throw new WrongWords(`--${name} ${text}: ${isWhole ? 'a whole number' : 'a number'} ${least}, up to ${most}.`);
}
