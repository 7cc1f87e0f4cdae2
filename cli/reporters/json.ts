/** The reporter for programs: prints a JSON object for each ended call on stdout, and its progress on stderr. */
import { errorsInWords, hintsFor } from './advice.ts';
import { createLinesReporter } from './lines.ts';
import { writeLine } from './printable.ts';
import type { Output, Reporter } from './reporter.ts';

export function createJsonReporter(output: Output): Reporter {
  const progress = createLinesReporter({ out: output.err, err: output.err });
  const print = (value: object) => output.out.write(`${JSON.stringify(value)}\n`);
  return {
    event(event) {
      if (event.type === 'ended') {
        print({ ...event.report, errors: errorsInWords(event.report), requirements: event.requirements });
        for (const hint of hintsFor(event)) writeLine(output.err, hint);
      } else if (event.type !== 'measured') progress.event(event);
    },
    failed({ message, ...error }) {
      print({ result: null, errors: [{ ...error, message }] });
      progress.failed({ message });
    },
    interrupted() {
      print({ result: null, errors: [{ message: 'Interrupted before a call had ended.' }] });
    },
  };
}
