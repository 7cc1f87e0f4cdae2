/** The reporter for pipes and logs: prints one line for each event. */
import { hintsFor } from './advice.ts';
import { channelLine, connectionLine, endLine, reportLines, secondLines, seconds, unreachedLine } from './format.ts';
import { writeLine } from './printable.ts';
import type { Output, Reporter, ShownEvent } from './reporter.ts';

export function createLinesReporter(output: Output): Reporter {
  return {
    event(event) {
      for (const text of linesOf(event)) writeLine(output.out, text);
      if (event.type === 'ended') for (const hint of hintsFor(event)) writeLine(output.err, hint);
    },
    failed(failure) {
      writeLine(output.err, failure.message);
    },
    // The user who pressed Ctrl-C needs no message.
    interrupted: () => undefined,
  };
}

function linesOf(event: ShownEvent): string[] {
  switch (event.type) {
    case 'ready':
      return [];
    case 'waiting':
      return [`waiting as ${event.userId}...`];
    case 'dialing':
      return [`dialing ${event.peer}...`];
    case 'unreached':
      return [unreachedLine(event)];
    case 'channel':
      return [channelLine(event.isOpen)];
    case 'incoming':
      return [`${event.peer} calls, ${event.video ? 'video' : 'voice'}`];
    case 'ringing':
      return [`ringing ${seconds(event.afterMs)}`];
    case 'established':
      return [`accepted ${seconds(event.afterMs)}`];
    case 'connected':
      return [`connected ${seconds(event.afterMs)}  ${connectionLine(event.connection)}`];
    case 'measured': {
      const { audio, video } = secondLines(event.second);
      return [audio, video].flatMap((line) => (line === null ? [] : [`${seconds(event.second.endMs)}  ${line}`]));
    }
    case 'reconnecting':
      return ['reconnecting...'];
    case 'reconnected':
      return ['reconnected'];
    case 'ended':
      return [...reportLines(event.report), endLine(event.report)];
    case 'failed':
      return [];
    default:
      return event satisfies never;
  }
}
