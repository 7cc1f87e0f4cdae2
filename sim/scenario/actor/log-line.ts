import type { ErrorEvent, StateEvent, Untimed } from '../trace/trace.ts';

/** Reads a line of the library's log: the move of a state machine, or an error. Undefined for any other line. */
export function logLine(device: string, line: string): Untimed<StateEvent | ErrorEvent> | undefined {
  const moved = /\] (call|peer connection) \{"from":"(\w+)","to":"(\w+)"\}$/.exec(line);
  if (moved) {
    const [, machine, from = '', to = ''] = moved;
    return { kind: 'state', device, machine: machine === 'call' ? 'call' : 'peer', from, to };
  }
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
