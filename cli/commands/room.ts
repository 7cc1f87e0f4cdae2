/** `ringback room`: creates, lists and deletes rooms, and enters one with a test signal and meters. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { collects } from '../arguments/repeated.ts';
import { DEFAULT_APP_ID } from '../../sim/server/defaults.ts';
import type { RoomType } from '../../src/protocol/room-entities.ts';
import {
  parseCount,
  parseMediaKinds,
  parsePositiveDuration,
  parseServer,
  parseTone,
  parseUser,
} from '../arguments/values.ts';
import type { MediaKind } from '../arguments/wanted.ts';
import { CommandError } from '../command-error.ts';
import { CALLER_TONE, DEFAULT_CALLER, DEFAULT_SERVER } from '../defaults.ts';
import { EXIT } from '../exit-codes.ts';
import type { SignedIn } from '../headless/messages.ts';
import { accessTokenOf } from '../secret-warnings.ts';
import type { CommandModule } from './command-module.ts';

const load = () => import('../actions/room.ts');

const TYPES: readonly RoomType[] = [
  'small_room_for_video',
  'small_room_for_audio_only',
  'large_room_for_audio_only',
  'large_room_for_video',
];
/** The most simulated participants: those of a large room. */
const MOST_SIMULATED = 99;

interface UserOptions {
  readonly as: string;
  readonly server: string;
  readonly appId: string;
  readonly token?: string;
  readonly json?: boolean;
}

interface StayCommandOptions extends UserOptions {
  readonly audioOnly?: boolean;
  readonly tone: number;
  readonly for?: number;
  readonly with?: number;
  readonly kickSiblings?: boolean;
  readonly require?: readonly MediaKind[];
}

export const room: CommandModule = {
  declare(exit) {
    const command = new Command('room')
      .summary('create, list, join, watch and delete rooms')
      .description('Create, list, join, watch and delete rooms.');
    const run = (action: () => Promise<number>) => action().then(exit);
    declareCreate(command, run);
    declareList(command, run);
    declareStay(command.command('join <room>'), true, run);
    declareStay(command.command('watch <room>'), false, run);
    userOptions(command.command('delete <room>'))
      .summary('delete a room for all its participants')
      .description('Delete a room for all its participants.')
      .action((id: string, options: UserOptions) => run(async () => (await load()).remove(userOf(options), id)));
    return command.addHelpText('after', HELP);
  },
};

type Run = (action: () => Promise<number>) => Promise<void>;

function declareCreate(command: Command, run: Run): void {
  userOptions(command.command('create'))
    .summary('create a room and print its id')
    .description('Create a room and print its id.')
    .addOption(typeOption().default('small_room_for_video'))
    .option('--item <key=value...>', 'custom items of the room', collectItems, {})
    .option('--json', 'print the room as JSON')
    .action((options: UserOptions & { readonly type: RoomType; readonly item: Readonly<Record<string, string>> }) =>
      run(async () => (await load()).create(userOf(options), { ...options, items: options.item })),
    );
}

function declareList(command: Command, run: Run): void {
  userOptions(command.command('list'))
    .summary('list rooms, newest first')
    .description('List rooms, newest first.')
    .addOption(typeOption())
    .addOption(new Option('--state <state>', 'only rooms in this state').choices(['open', 'deleted']).default('open'))
    .option('--limit <count>', 'the most rooms to list', parseCount, 100)
    .option('--json', 'print the rooms as JSON')
    .action(
      (
        options: UserOptions & { readonly type?: RoomType; readonly state: 'open' | 'deleted'; readonly limit: number },
      ) => {
        const { type, state, limit, json } = options;
        return run(async () => (await load()).list(userOf(options), { type, state, limit, ...(json ? { json } : {}) }));
      },
    );
}

function declareStay(command: Command, publishes: boolean, run: Run): void {
  userOptions(command)
    .summary(
      publishes
        ? 'enter a room with a test signal, and measure each participant'
        : 'measure the participants, and send nothing',
    )
    .description(
      publishes
        ? 'Enter a room with a tone and moving bars, and show a meter for each participant.'
        : 'Enter a room with the microphone and the camera off, and show a meter for each participant.',
    )
    .option('--audio-only', 'send and measure no picture')
    .option('--for <duration>', 'leave after this time, like 30s; by default at Ctrl-C', parsePositiveDuration)
    .option('--tone <hertz>', 'the tone to send', parseTone, CALLER_TONE)
    .option('--with <count>', 'fill the room with this many simulated participants', parseCount)
    .option('--kick-siblings', 'remove the other clients of the user from the room')
    .option('--require <kinds>', 'media of each participant that must arrive: audio,video', collects(parseMediaKinds))
    .option('--json', 'print one JSON object at the end; progress goes to stderr')
    .action((id: string, options: StayCommandOptions) =>
      run(async () => (await load()).stay(userOf(options), id, stayOptions(options, publishes))),
    );
}

function stayOptions(options: StayCommandOptions, publishes: boolean) {
  const { audioOnly = false, with: crowd = 0, require = [] } = options;
  const refuse = (message: string) => {
    throw new CommandError(message, EXIT.usage);
  };
  if (crowd > MOST_SIMULATED) refuse(`--with ${crowd}: a room has at most ${MOST_SIMULATED} simulated participants.`);
  if (audioOnly && require.includes('video'))
    refuse('--require video cannot be met with --audio-only: no picture is received.');
  return {
    publishes,
    video: !audioOnly,
    tone: options.tone,
    lengthMs: options.for,
    kickSiblings: options.kickSiblings ?? false,
    crowd,
    require,
    json: options.json ?? false,
  };
}

const typeOption = () => new Option('--type <type>', 'the type of the room').choices(TYPES);

function userOptions(command: Command): Command {
  return command
    .option('--as <user>', 'the user', parseUser, DEFAULT_CALLER)
    .addOption(
      new Option('--server <url>', 'the exchange')
        .env('RINGBACK_SERVER')
        .default(DEFAULT_SERVER)
        .argParser(parseServer),
    )
    .option('--app-id <id>', 'the application id', DEFAULT_APP_ID)
    .option('--token <token>', 'the access token of the user; RINGBACK_TOKEN hides it from the list of processes');
}

function userOf({ server, appId, as, token: option }: UserOptions): SignedIn {
  const token = accessTokenOf(option);
  return { server, appId, userId: as, ...(token === undefined ? {} : { token }) };
}

/** Collects the custom items of an option that may be repeated. */
function collectItems(text: string, former: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('A custom item is written key=value.');
  return { ...former, [text.slice(0, at)]: text.slice(at + 1) };
}

const HELP = `
Examples:
  ringback room create                            a room for video; prints its id
  ringback room join ID --as bob                  bob enters with a tone and moving bars
  ringback room join ID --with 5 --for 20s        five simulated participants, and a meter for each
  ringback room watch ID --json                   measures without sending, for other programs
  ringback room delete ID

Exit codes:
  0 done, 1 the stay ended by a deletion, by another client of the user or by a lost connection, 2 wrong usage or a refusal,
  4 the exchange or the engine is missing, 6 media of --require did not arrive, 29 the media engine crashed,
  70 a defect of ringback, 130 interrupted
`;
