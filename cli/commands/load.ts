/** `ringback load`: makes many calls at a rate, and measures the exchange that connects them. */
import { Command, Option } from 'commander';
import { collects } from '../arguments/repeated.ts';
import type { LoadOptions } from '../actions/load.ts';
import {
  collectStages,
  collectThresholds,
  parseMix,
  parseNumberedUsers,
  parseRate,
  parseReportFile,
} from '../arguments/load-values.ts';
import { parseCount, parseDuration, parsePositiveDuration, parseServer } from '../arguments/values.ts';
import { DEFAULT_APP_ID } from '../../sim/server/defaults.ts';
import type { CommandModule } from './command-module.ts';

const LOAD = [
  new Option('--rate <calls>', 'the calls a second, whatever became of the calls before').argParser(parseRate),
  new Option('--duration <time>', 'the time at this rate, after the ramp; 30s by default').argParser(
    parsePositiveDuration,
  ),
  new Option('--ramp <time>', 'the time in which the rate grows from 0').argParser(parseDuration),
  new Option('--stage <time:rate...>', 'instead: a stage that ends with this rate, like 30s:100; repeatable')
    .argParser(collects(collectStages))
    .conflicts(['rate', 'duration', 'ramp']),
  new Option('--concurrency <calls>', 'the most calls at a time; by default enough for the rate').argParser(parseCount),
  new Option('--hold <time>', 'the time for which a call stays connected')
    .argParser(parseDuration)
    .default(5_000, '5s'),
  new Option(
    '--mix <shares>',
    'what becomes of the calls, like complete=90,decline=5,cancel=5; by default all complete',
  ).argParser(parseMix),
  new Option('--media <kind>', 'what the users send: none, a tone, or a tone and a picture (video), over WebRTC')
    .choices(['none', 'tone', 'video'])
    .default('none'),
  new Option('--call-timeout <time>', 'the longest wait for the next step of a call, which is stuck after it')
    .argParser(parsePositiveDuration)
    .default(10_000, '10s'),
  new Option('--processes <count>', 'the processes that share the calls').argParser(parseCount).default(1),
];

const TARGET = [
  new Option('--server <url>', 'the exchange; by default a fresh one in a process of its own').argParser(parseServer),
  new Option('--app-id <id>', 'the application id').default(DEFAULT_APP_ID),
  new Option(
    '--users <prefix/count>',
    'the users, like load/400 for load-1 to load-400; two for each call at a time',
  ).argParser(parseNumberedUsers),
  new Option('--users-file <file>', 'a file with a user id in each line, and after a comma its access token').conflicts(
    'users',
  ),
];

const RESULTS = [
  new Option(
    '--threshold <condition...>',
    'exit 6 unless it holds, like "dial-to-ring p99 < 10ms" or "failed < 1%"; repeatable',
  ).argParser(collects(collectThresholds)),
  new Option('--report <file>', 'write an HTML page with charts').argParser(parseReportFile),
  new Option('--json', 'print one JSON object at the end; progress goes to stderr'),
];

export const load: CommandModule = {
  declare(exit) {
    const command = new Command('load')
      .summary('make many calls at a rate, and measure the exchange')
      .description(
        'Make calls at a rate, with all their messages, and measure the exchange. A call that is dialled late counts from the moment when it was due.',
      );
    for (const option of [...LOAD, ...TARGET, ...RESULTS]) command.addOption(option);
    return command.addHelpText('after', HELP).action(async (options: LoadOptions) => {
      (await import('../open-files.ts')).checkOpenFiles();
      const action = await import('../actions/load.ts');
      exit(await action.load(options));
    });
  },
};

const HELP = `
Exit codes:
  0 every call ended as planned and every threshold holds, 1 calls failed and no threshold is about failed calls,
  2 wrong usage or a user is refused, 4 no exchange, 5 no call was made, 6 a threshold does not hold, 130 Ctrl-C

Examples:
  ringback load                                   10 calls a second for 30 seconds, on a fresh exchange
  ringback load --rate 30 --duration 60s --ramp 10s --threshold "dial-to-ring p99 < 10ms"
  ringback load --stage 30s:50 --stage 1m:50 --stage 10s:0 --report load.html
  ringback load --media tone --rate 2 --hold 3s   real sound, and whether both sides hear it
  ringback load --server http://127.0.0.1:4870 --rate 1 --hold 3s
                                                  the demo users of "ringback sim --demo"
  ringback load --server https://calls.example --users-file users.csv --rate 30
`;
