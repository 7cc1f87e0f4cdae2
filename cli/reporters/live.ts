/** A few lines that are redrawn in place, for a terminal somebody looks at. */
import { hintsFor } from './advice.ts';
import { channelLine, connectionLine, endLine, reportLines, secondLines, seconds, unreachedLine } from './format.ts';
import type { Paint } from './paint.ts';
import type { Output, Reporter, ShownEvent } from './reporter.ts';

interface Screen {
  head: string;
  /** What was measured: of the last second, and once the call has ended, of the whole call. */
  measured: readonly string[];
  state: string | null;
}

export function createLiveReporter(output: Output, paint: Paint): Reporter {
  let screen: Screen = emptyScreen();
  let drawn = 0;

  const draw = (isFinal: boolean) => {
    const lines = [screen.head, ...screen.measured, screen.state].filter((line) => line !== null);
    // The last word on a call is not redrawn, so it may wrap.
    const width = isFinal ? Infinity : (output.out.columns || 80) - 1;
    // Up to the first line drawn, clear from there down, and write anew. A line too long would wrap (a terminal may say it has 0 columns) and spoil the count.
    const up = drawn > 0 ? `\u001B[${drawn}A\r\u001B[J` : '';
    output.out.write(`${up}${lines.map((line) => paint.line(line.slice(0, width))).join('\n')}\n`);
    drawn = lines.length;
  };

  const apply = (event: ShownEvent): boolean => {
    switch (event.type) {
      case 'ready':
      case 'failed':
        return false;
      case 'waiting':
        screen = { ...emptyScreen(), head: `waiting as ${event.userId}...` };
        drawn = 0;
        return true;
      case 'dialing':
        screen.head = `dialing ${event.peer}...`;
        return true;
      case 'incoming':
        screen.state = null;
        screen.head = `${event.peer} calls, ${event.video ? 'video' : 'voice'}...`;
        return true;
      case 'ringing':
        screen.state = null;
        screen.head += ` ringing ${seconds(event.afterMs)}...`;
        return true;
      case 'established':
        screen.head += ` accepted ${seconds(event.afterMs)}...`;
        return true;
      case 'connected':
        screen.head += ` connected ${seconds(event.afterMs)}  ${connectionLine(event.connection)}`;
        return true;
      case 'measured': {
        const { audio, video } = secondLines(event.second);
        screen.measured = [` ${audio}`, ...(video === null ? [] : [` ${video}`])];
        screen.state = ` ${seconds(event.second.endMs)}`;
        return true;
      }
      case 'unreached':
        screen.state = ` ${unreachedLine(event.peer)}`;
        return true;
      case 'channel':
        screen.state = ` ${channelLine(event.isOpen)}`;
        return true;
      case 'reconnecting':
        screen.state = ' reconnecting...';
        return true;
      case 'reconnected':
        screen.state = ' reconnected';
        return true;
      case 'ended':
        screen.measured = reportLines(event.report).map((line) => ` ${line}`);
        screen.state = ` ${endLine(event.report)}`;
        return true;
      default:
        return event satisfies never;
    }
  };

  return {
    event(event) {
      if (apply(event)) draw(event.type === 'ended');
      if (event.type === 'ended') for (const hint of hintsFor(event)) output.err.write(`${hint}\n`);
    },
    failed(failure) {
      output.err.write(`${failure.message}\n`);
    },
    // Who pressed Ctrl-C knows.
    interrupted: () => undefined,
  };
}

function emptyScreen(): Screen {
  return { head: '', measured: [], state: null };
}
