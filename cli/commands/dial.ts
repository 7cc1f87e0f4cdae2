/** `ringback dial`: calls a user, sends a tone and moving bars, and measures the received media. */
import { Command } from 'commander';
import { parsePositiveDuration, parseUser } from '../arguments/values.ts';
import { CALL_LENGTH_MS, CALLER_TONE, DEFAULT_CALLER } from '../defaults.ts';
import { addCallOptions, type CallOptions, CALL_HELP, commonAssignment, wantedOf } from './call-options.ts';
import type { CommandModule } from './command-module.ts';

interface DialOptions extends CallOptions {
  readonly ring?: number;
}

export const dial: CommandModule = {
  declare(exit) {
    const command = new Command('dial')
      .summary('call a user and measure the received media')
      .description('Call a user with a tone and a moving picture, and measure the received media.')
      .argument('<user>', 'the user to call', parseUser);
    return addCallOptions(command, { user: DEFAULT_CALLER, tone: CALLER_TONE })
      .option(
        '--ring <duration>',
        'hang up when the call is not answered within this time, like 30s',
        parsePositiveDuration,
      )
      .addHelpText('after', `${EXAMPLES}${CALL_HELP}`)
      .action(async (peerId: string, options: DialOptions) => {
        const { runCallSession } = await import('../call-session.ts');
        exit(
          await runCallSession(
            {
              role: 'dial',
              peerId,
              ...commonAssignment(options),
              lengthMs: options.for ?? CALL_LENGTH_MS,
              ...(options.ring === undefined ? {} : { ringMs: options.ring }),
            },
            { result: options.expect, ...wantedOf(options) },
            options.json ?? false,
          ),
        );
      });
  },
};

const EXAMPLES = `
Examples:
  ringback dial bob                               video for 10 seconds, as ${DEFAULT_CALLER}
  ringback dial bob --as carol --audio --for 3s   a voice call of 3 seconds, as carol
  ringback dial bob --expect declined             exit 0 when bob declines
  ringback dial bob --require audio,video --min-mos 3.5 --max-setup 10s
                                                  exit 6 when audio or video of bob does not arrive
  ringback dial bob --json | jq .received         the measured media, for other programs
`;
