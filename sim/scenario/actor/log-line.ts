import type { ErrorEvent, StateEvent, Untimed } from '../trace/trace.ts';

/** What a line of the library's log says of a device: that a state machine moved, or what went wrong; else undefined. */
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
