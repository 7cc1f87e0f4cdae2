/** One line for each thing that happens, for pipes, logs and people who scroll back. */
import type { HostEvent } from '../headless/messages.ts';
import { adviceFor } from './advice.ts';
import { audioLine, connectionLine, endLine, qualityLine, seconds, videoLine } from './format.ts';
import type { Output, Reporter } from './reporter.ts';

export function createLinesReporter(output: Output): Reporter {
  const line = (text: string) => output.out.write(`${text}\n`);
  let video = false;

  return {
    event(event) {
      if (event.type === 'dialing' || event.type === 'incoming') video = event.video;
      for (const text of linesOf(event, video)) line(text);
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

function linesOf(event: HostEvent, video: boolean): string[] {
  switch (event.type) {
    case 'ready':
      return [];
    case 'waiting':
      return [`waiting as ${event.userId}...`];
    case 'dialing':
      return [`dialing ${event.peer}...`];
    case 'incoming':
      return [`${event.peer} calls, ${event.video ? 'video' : 'voice'}`];
    case 'ringing':
      return [`ringing ${seconds(event.afterMs)}`];
    case 'established':
      return [`accepted ${seconds(event.afterMs)}`];
    case 'connected':
      return [`connected ${seconds(event.afterMs)}  ${connectionLine(event.connection)}`];
    case 'measured':
      return [
        `${seconds(event.elapsedMs)}  ${audioLine(event.received.audio)}  ${qualityLine(event.quality)}`,
        ...(video ? [`${seconds(event.elapsedMs)}  ${videoLine(event.received.video)}`] : []),
      ];
    case 'reconnecting':
      return ['reconnecting...'];
    case 'reconnected':
      return ['reconnected'];
    case 'ended':
      return [
        ...(event.report.duration > 0
          ? [audioLine(event.report.received.audio), ...(video ? [videoLine(event.report.received.video)] : [])]
          : []),
        endLine(event.report),
      ];
    case 'failed':
      return [];
    default:
      return event satisfies never;
  }
}
