/** The reporters of a stay in a room: redrawn lines for a terminal, a line for each event, or one JSON object. */
import { createPaint } from './paint.ts';
import { printable, writeLine } from './printable.ts';
import type { Failure, Output } from './reporter.ts';
import { enteredLine, meterLines, newsLine, type RoomEvent, stayEndLine, stayLines } from './room-format.ts';

export interface RoomReporter {
  /** Shows an event. `left` is the last one. */
  event(event: RoomEvent): void;
  /** Shows a failure that ends the command without a report. */
  failed(failure: Failure): void;
}

/** Selects the reporter that suits the output. */
export function chooseRoomReporter(
  output: Output,
  json: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): RoomReporter {
  if (json) return jsonReporter(output);
  if (!output.out.isTTY || environment['TERM'] === 'dumb') return linesReporter(output);
  return liveReporter(output, createPaint(true, environment).line);
}

function linesReporter({ out, err }: Output): RoomReporter {
  const print = (lines: readonly string[]) => lines.forEach((line) => writeLine(out, line));
  return {
    event(event) {
      const news = newsLine(event);
      if (event.type === 'entered') print([enteredLine(event)]);
      else if (event.type === 'measured') print(meterLines(event));
      else if (event.type === 'left') print([...stayLines(event.report), stayEndLine(event.report)]);
      else if (news !== null) print([news]);
    },
    failed: ({ message }) => writeLine(err, message),
  };
}

function jsonReporter({ out, err }: Output): RoomReporter {
  const progress = linesReporter({ out: err, err });
  return {
    event(event) {
      if (event.type === 'left') out.write(`${JSON.stringify(event.report)}\n`);
      else if (event.type !== 'measured') progress.event(event);
    },
    failed({ message, ...error }) {
      out.write(`${JSON.stringify({ result: null, errors: [{ ...error, message }] })}\n`);
      progress.failed({ message });
    },
  };
}

function liveReporter({ out, err }: Output, paint: (line: string) => string): RoomReporter {
  let head = '';
  let meters: readonly string[] = [];
  let news = '';
  let drawn = 0;
  const draw = (lines: readonly string[], isFinal = false) => {
    const width = isFinal ? Infinity : (out.columns || 80) - 1;
    const up = drawn > 0 ? `\u001B[${drawn}A\r\u001B[J` : '';
    out.write(`${up}${lines.map((line) => `${paint(printable(line).slice(0, width))}\n`).join('')}`);
    drawn = lines.length;
  };
  return {
    event(event) {
      if (event.type === 'left')
        return draw([head, ...stayLines(event.report).map(indent), stayEndLine(event.report)], true);
      if (event.type === 'entered') head = enteredLine(event);
      else if (event.type === 'measured') meters = meterLines(event).map(indent);
      else news = newsLine(event) ?? news;
      draw([head, ...meters, ...(news === '' ? [] : [news])]);
    },
    failed: ({ message }) => writeLine(err, message),
  };
}

const indent = (line: string): string => `  ${line}`;
