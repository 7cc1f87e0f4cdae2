import { commandOf, shellWord, type SuiteResult } from '../suite-reporter.ts';

interface Command {
  readonly command: string;
  readonly what: string;
}

/** Returns the commands that show a case again. Only virtual time can be replayed. */
export function commandsFor(result: SuiteResult, world: string, trace: string | undefined): Command[] {
  const isVirtual = world === 'virtual';
  const kept =
    trace === undefined
      ? []
      : [
          ...(isVirtual
            ? [{ command: `ringback replay ${shellWord(trace)} --step`, what: 'repeats it step by step' }]
            : []),
          { command: `ringback trace ${shellWord(trace)}`, what: 'draws the trace that was kept' },
        ];
  const again = {
    command: `${commandOf(result, world)} --trace on`,
    what: 'runs it again and keeps its trace',
  };
  return [...kept, again];
}
