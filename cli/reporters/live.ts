/** The reporter for a terminal: a few lines that are redrawn in place. */
import { hintsFor } from './advice.ts';
import { channelLine, connectionLine, endLine, reportLines, secondLines, seconds, unreachedLine } from './format.ts';
import type { Paint } from './paint.ts';
import { printable, writeLine } from './printable.ts';
import type { Output, Reporter, ShownEvent } from './reporter.ts';

interface Screen {
  readonly head: string;
  /** The figures of the last second. After the end of the call, of the whole call. */
  readonly measured: readonly string[];
  readonly state: string | null;
}

const EMPTY_SCREEN: Screen = { head: '', measured: [], state: null };

export function createLiveReporter(output: Output, paint: Paint): Reporter {
  let screen = EMPTY_SCREEN;
  let drawn = 0;

  const draw = (isFinal: boolean) => {
    const lines = [screen.head, ...screen.measured, screen.state].filter((line) => line !== null);
    // The last lines of a call are not redrawn, so they may wrap.
    const width = isFinal ? Infinity : (output.out.columns || 80) - 1;
    // Moves to the first line, clears from there and writes anew. A wrapped line would spoil the count of lines (a
    // terminal may
    // report 0 columns).
    const up = drawn > 0 ? `\u001B[${drawn}A\r\u001B[J` : '';
    output.out.write(`${up}${lines.map((line) => paint.line(printable(line).slice(0, width))).join('\n')}\n`);
    drawn = lines.length;
  };

  return {
    event(event) {
      const next = screenAfter(screen, event);
      if (next) {
        screen = next;
        // The lines of the previous call stay.
        if (event.type === 'waiting') drawn = 0;
        draw(event.type === 'ended');
      }
      if (event.type === 'ended') for (const hint of hintsFor(event)) writeLine(output.err, hint);
    },
    failed(failure) {
      writeLine(output.err, failure.message);
    },
    // The user who pressed Ctrl-C needs no message.
    interrupted: () => undefined,
  };
}

/** Returns the screen after an event. Null when the event changes nothing. */
function screenAfter(screen: Screen, event: ShownEvent): Screen | null {
  switch (event.type) {
    case 'ready':
    case 'failed':
      return null;
    case 'waiting':
      return { ...EMPTY_SCREEN, head: `waiting as ${event.userId}...` };
    case 'dialing':
      return { ...screen, head: `dialing ${event.peer}...` };
    case 'incoming':
      return { ...screen, state: null, head: `${event.peer} calls, ${event.video ? 'video' : 'voice'}...` };
    case 'ringing':
      return { ...screen, state: null, head: `${screen.head} ringing ${seconds(event.afterMs)}...` };
    case 'established':
      return { ...screen, head: `${screen.head} accepted ${seconds(event.afterMs)}...` };
    case 'connected': {
      const connected = `connected ${seconds(event.afterMs)}  ${connectionLine(event.connection)}`;
      return { ...screen, head: `${screen.head} ${connected}` };
    }
    case 'measured': {
      const { audio, video } = secondLines(event.second);
      const measured = [` ${audio}`, ...(video === null ? [] : [` ${video}`])];
      return { ...screen, measured, state: ` ${seconds(event.second.endMs)}` };
    }
    case 'unreached':
      return { ...screen, state: ` ${unreachedLine(event)}` };
    case 'channel':
      return { ...screen, state: ` ${channelLine(event.isOpen)}` };
    case 'reconnecting':
      return { ...screen, state: ' reconnecting...' };
    case 'reconnected':
      return { ...screen, state: ' reconnected' };
    case 'ended': {
      const measured = reportLines(event.report).map((line) => ` ${line}`);
      return { ...screen, measured, state: ` ${endLine(event.report)}` };
    }
    default:
      return event satisfies never;
  }
}
