/** The options that `dial` and `answer` share. */
import { type Command, Option } from 'commander';
import { collects } from '../arguments/repeated.ts';
import type { EndResult } from '../../src/protocol/enumerations.ts';
import {
  parseMediaKinds,
  parseMos,
  parsePositiveDuration,
  parseResult,
  parseServer,
  parseTone,
  parseUser,
} from '../arguments/values.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { accessTokenOf } from '../secret-warnings.ts';
import { contradiction, type MediaKind, type Wanted } from '../arguments/wanted.ts';
import { DEFAULT_APP_ID } from '../../sim/server/defaults.ts';
import { DEFAULT_SERVER, PICTURE } from '../defaults.ts';
import type { Assignment } from '../headless/messages.ts';

export interface CallOptions {
  readonly as: string;
  readonly server: string;
  readonly appId: string;
  readonly script?: string;
  readonly for?: number;
  readonly audio?: boolean;
  readonly tone: number;
  readonly expect: EndResult;
  readonly require?: readonly MediaKind[];
  readonly minMos?: number;
  readonly maxSetup?: number;
  readonly json?: boolean;
  readonly token?: string;
}

export function addCallOptions(command: Command, defaults: { user: string; tone: number }): Command {
  return command
    .option('--as <user>', 'the user on this side of the call', parseUser, defaults.user)
    .addOption(
      new Option('--server <url>', 'the exchange')
        .env('RINGBACK_SERVER')
        .default(DEFAULT_SERVER)
        .argParser(parseServer),
    )
    .option('--app-id <id>', 'the application id', DEFAULT_APP_ID)
    .option('--script <script>', 'the script that the exchange plays, like decline; "ringback scripts" lists them')
    .option(
      '--for <duration>',
      'hang up when the call has been connected for this time, like 10s',
      parsePositiveDuration,
    )
    .option('--audio', 'make it a voice call, without video')
    .option('--tone <hertz>', 'the tone to send', parseTone, defaults.tone)
    .option('--expect <result>', 'exit 0 when the call ends with this result', parseResult, 'completed')
    .option('--require <kinds>', 'media that must arrive for most of the call: audio,video', collects(parseMediaKinds))
    .option('--min-mos <score>', 'the minimum mean opinion score of the call, like 3.5', parseMos)
    .option(
      '--max-setup <duration>',
      'the maximum time until the call connects, with its ringing, like 3s',
      parsePositiveDuration,
    )
    .option('--token <token>', 'the access token of the user; RINGBACK_TOKEN hides it from the list of processes')
    .option('--json', 'print one JSON object at the end; progress goes to stderr');
}

/**
 * Reads the requirements of the call.
 *
 * @param refusal - the option that prevents the call from connecting. Undefined without one.
 * @throws CommandError (usage) when no call can meet these options.
 */
export function wantedOf({ require = [], minMos, maxSetup, expect, audio }: CallOptions, refusal?: string): Wanted {
  const wanted = { require, minMos, maxSetupMs: maxSetup };
  const problem =
    audio && require.includes('video')
      ? '--require video cannot be met with --audio: a voice call has no video.'
      : contradiction(wanted, expect, refusal);
  if (problem !== null) throw new CommandError(problem, EXIT.usage);
  return wanted;
}

/**
 * Builds the settings of the peer host for both sides. A token on the command line prints a warning: other users can
 * read it.
 */
export function commonAssignment(
  options: CallOptions,
): Pick<Assignment, 'server' | 'appId' | 'userId' | 'token' | 'video' | 'media' | 'lengthMs'> {
  const token = accessTokenOf(options.token);
  return {
    server:
      options.script === undefined ? options.server : `${options.server}/scripts/${encodeURIComponent(options.script)}`,
    appId: options.appId,
    userId: options.as,
    ...(token === undefined ? {} : { token }),
    video: !options.audio,
    media: { tone: options.tone, ...PICTURE },
    ...(options.for === undefined ? {} : { lengthMs: options.for }),
  };
}

export const CALL_HELP = `
Exit codes:
  0 the call ended as expected, 1 it completed, but --expect names another result, 2 wrong usage, 4 the exchange or the engine is missing,
  6 it ended as expected and does not meet --require, --min-mos or --max-setup,
  20 no_answer, 21 canceled, 22 declined, 23 other_device_accepted, 24 connection_lost, 25 timed_out, 26 dial_failed,
  27 accept_failed, 28 not_connected, 29 unknown, 70 a defect of ringback, 130 interrupted

The end result takes precedence over the requirements: a call that ends connection_lost exits with 24, also when all media arrived.

Environment:
  RINGBACK_SERVER the exchange, RINGBACK_TOKEN the access token of the user
`;
