import type { ErrorEvent, StateEvent, Untimed } from '../../../src/trace/events.ts';
import { machineLoggedAs } from '../trace/machines.ts';

/** Reads a line of the library's log: the move of a state machine, or an error. Undefined for any other line. */
export function logLine(device: string, line: string): Untimed<StateEvent | ErrorEvent> | undefined {
  const [, logName, from = '', to = ''] = /\] (\w[\w ]*) \{"from":"(\w+)","to":"(\w+)"\}$/.exec(line) ?? [];
  const machine = logName === undefined ? undefined : machineLoggedAs(logName);
  if (machine) return { kind: 'state', device, machine, from, to };
  const trouble = /\[(?:ERROR|WARNING)\] (.*)$/.exec(line);
  if (!trouble) return undefined;
  const code = /"code":(\d+)/.exec(line)?.[1];
  return {
    kind: 'error',
    device,
    ...(code === undefined ? {} : { code: Number(code) }),
    message: trouble[1] ?? '',
  };
}
