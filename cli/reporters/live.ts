/** The reporter for a terminal: a few lines that are redrawn in place. */
import { hintsFor } from './advice.ts';
import { channelLine, connectionLine, endLine, reportLines, secondLines, seconds, unreachedLine } from './format.ts';
import type { Paint } from './paint.ts';
import type { Output, Reporter, ShownEvent } from './reporter.ts';

interface Screen {
  head: string;
  /** The figures of the last second. After the end of the call, of the whole call. */
  measured: readonly string[];
  state: string | null;
}

export function createLiveReporter(output: Output, paint: Paint): Reporter {
  let screen: Screen = emptyScreen();
  let drawn = 0;

  const draw = (isFinal: boolean) => {
    const lines = [screen.head, ...screen.measured, screen.state].filter((line) => line !== null);
    // The last lines of a call are not redrawn, so they may wrap.
    const width = isFinal ? Infinity : (output.out.columns || 80) - 1;
    // Moves to the first line, clears from there and writes anew. A wrapped line would spoil the count of lines (a
    // terminal may
    // report 0 columns).
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
    // The user who pressed Ctrl-C needs no message.
    interrupted: () => undefined,
  };
}

function emptyScreen(): Screen {
  return { head: '', measured: [], state: null };
}
