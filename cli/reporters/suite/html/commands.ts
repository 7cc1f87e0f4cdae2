import type { CaseResult } from '../../../../sim/scenario/run/run-scenario.ts';

interface Command {
  readonly command: string;
  readonly what: string;
}

/** The commands that show a case again. */
export function commandsFor({ file, seed, scenario }: CaseResult, world: string, trace: string | undefined): Command[] {
  const where = world === 'virtual' ? '' : ` --world ${world}`;
  return [
    {
      command: `ringback run ${quoted(file)} --grep ${quoted(`^${scenario}$`)} --seed ${seed}${where} --trace on`,
      what: 'runs it again and keeps its trace',
    },
    ...(trace === undefined
      ? []
      : [{ command: `ringback trace ${quoted(trace)}`, what: 'draws the trace that was kept' }]),
  ];
}

/** As a shell takes it for one word. */
const quoted = (word: string): string =>
  /^[\w./=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
