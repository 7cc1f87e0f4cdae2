/** A few lines that are redrawn in place, for a terminal somebody looks at. */
import type { HostEvent } from '../headless/messages.ts';
import { adviceFor } from './advice.ts';
import { audioLine, connectionLine, endLine, qualityLine, seconds, videoLine } from './format.ts';
import type { Paint } from './paint.ts';
import type { Output, Reporter } from './reporter.ts';

interface Screen {
  head: string;
  audio: string | null;
  video: string | null;
  state: string | null;
}

export function createLiveReporter(output: Output, paint: Paint): Reporter {
  let screen: Screen = emptyScreen();
  let wantsVideo = false;
  let drawn = 0;

  const draw = () => {
    const lines = [screen.head, screen.audio, screen.video, screen.state].filter((line) => line !== null);
    const width = (output.out.columns || 80) - 1;
    // Up to the first line drawn, clear from there down, and write anew. A line too long would wrap (a terminal may say it has 0 columns) and spoil the count.
    const up = drawn > 0 ? `\u001B[${drawn}A\r\u001B[J` : '';
    output.out.write(`${up}${lines.map((line) => paint.line(line.slice(0, width))).join('\n')}\n`);
    drawn = lines.length;
  };

  const apply = (event: HostEvent): boolean => {
    switch (event.type) {
      case 'ready':
      case 'failed':
        return false;
      case 'waiting':
        screen = { ...emptyScreen(), head: `waiting as ${event.userId}...` };
        drawn = 0;
        return true;
      case 'dialing':
        wantsVideo = event.video;
        screen.head = `dialing ${event.peer}...`;
        return true;
      case 'incoming':
        wantsVideo = event.video;
        screen.head = `${event.peer} calls, ${event.video ? 'video' : 'voice'}...`;
        return true;
      case 'ringing':
        screen.head += ` ringing ${seconds(event.afterMs)}...`;
        return true;
      case 'established':
        screen.head += ` accepted ${seconds(event.afterMs)}...`;
        return true;
      case 'connected':
        screen.head += ` connected ${seconds(event.afterMs)}  ${connectionLine(event.connection)}`;
        return true;
      case 'measured':
        screen.audio = ` ${audioLine(event.received.audio)}   ${qualityLine(event.quality)}`;
        screen.video = wantsVideo ? ` ${videoLine(event.received.video)}` : null;
        screen.state = ` ${seconds(event.elapsedMs)}`;
        return true;
      case 'reconnecting':
        screen.state = ' reconnecting...';
        return true;
      case 'reconnected':
        screen.state = ' reconnected';
        return true;
      case 'ended':
        screen.state = ` ${endLine(event.report)}`;
        return true;
      default:
        return event satisfies never;
    }
  };

  return {
    event(event) {
      if (apply(event)) draw();
      const advice = event.type === 'ended' && adviceFor(event.report);
      if (advice) output.err.write(`${advice}\n`);
    },
    failed(failure) {
      output.err.write(`${failure.message}\n`);
    },
    // Who pressed Ctrl-C knows.
    interrupted: () => undefined,
  };
}

function emptyScreen(): Screen {
  return { head: '', audio: null, video: null, state: null };
}
