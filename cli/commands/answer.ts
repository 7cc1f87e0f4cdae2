/** `ringback answer`: waits for a call, then answers, declines or ignores it, and measures the received media. */
import { Command, Option } from 'commander';
import { parseDuration } from '../arguments/values.ts';
import { CALLEE_TONE, DEFAULT_CALLEE } from '../defaults.ts';
import { addCallOptions, type CallOptions, CALL_HELP, commonAssignment, wantedOf } from './call-options.ts';
import type { CommandModule } from './command-module.ts';

interface AnswerOptions extends CallOptions {
  readonly after: number;
  readonly decline?: boolean;
  readonly ignore?: boolean;
  readonly keep?: boolean;
}

export const answer: CommandModule = {
  declare(exit) {
    const command = new Command('answer')
      .summary('wait for a call and answer it')
      .description('Wait for a call, answer it with a tone and a moving picture, and measure the received media.');
    return addCallOptions(command, { user: DEFAULT_CALLEE, tone: CALLEE_TONE })
      .option('--after <duration>', 'the time that the call rings before the answer, like 2s', parseDuration, 0)
      .addOption(new Option('--decline', 'decline the call').conflicts('ignore'))
      .addOption(new Option('--ignore', 'ignore the call until the caller gives up').conflicts('after'))
      .option('--keep', 'wait for further calls, until Ctrl-C')
      .addHelpText('after', `${EXAMPLES}${CALL_HELP}`)
      .action(async (options: AnswerOptions) => {
        const { runCallSession } = await import('../call-session.ts');
        exit(
          await runCallSession(
            {
              role: 'answer',
              ...commonAssignment(options),
              reaction: options.decline ? 'decline' : options.ignore ? 'ignore' : 'accept',
              reactAfterMs: options.after,
              ...(options.keep ? { keep: true } : {}),
            },
            { result: options.expect, ...wantedOf(options, refusalOf(options)) },
            options.json ?? false,
          ),
        );
      });
  },
};

/** Returns the option that prevents the call from connecting. */
const refusalOf = ({ decline, ignore }: AnswerOptions): string | undefined =>
  decline ? '--decline' : ignore ? '--ignore' : undefined;

const EXAMPLES = `
Examples:
  ringback answer                                 answer one call as ${DEFAULT_CALLEE}
  ringback answer --as carol --keep               answer every call to carol
  ringback answer --require audio                 exit 6 when the audio of the caller does not arrive
  ringback answer --after 2s --decline --expect declined
`;
