/** The actions of actors, by the names of the library's methods, with a schema for the parameters of each. */
import * as v from 'valibot';
import { recordingType } from '../../../src/protocol/enumerations.ts';
import { roomState, roomType } from '../../../src/protocol/room-entities.ts';
import { about } from '../../format/about.ts';
import { orReference } from '../../format/reference.ts';

/** A parameter that may be absent. */
const maybe = <S extends v.GenericSchema>(schema: S, description: string, fallback?: unknown) =>
  v.optional(about(orReference(schema), description, fallback === undefined ? {} : { default: fallback }));
const flag = (description: string, fallback: boolean) => maybe(v.boolean(), description, fallback);
const size = (description: string) => maybe(v.pipe(v.number(), v.minValue(1)), description);
const items = (description: string) => about(orReference(v.record(v.string(), v.string())), description);
const ids = (description: string) => maybe(v.array(v.string()), description);
const user = (description: string) => about(v.string(), description);

/** Returns the schema of an action's parameters, with what the action does and an example of a step. */
const action = <E extends v.ObjectEntries>(description: string, example: string, parameters: E) =>
  about(v.strictObject(parameters), description, { example });
const simple = (description: string, example: string) => action(description, example, {});

/** The options of a dial or an accept: the library's DirectCallOption, without its views. */
const callOption = {
  audioEnabled: flag('Whether the microphone is on at the beginning.', true),
  videoEnabled: flag('Whether the camera is on at the beginning of a video call.', true),
  frontCamera: flag('Whether the front camera is used, not the back camera.', true),
  videoWidth: size('The width of the sent picture in pixels. Default: what the camera gives.'),
  videoHeight: size('The height of the sent picture in pixels. Default: what the camera gives.'),
  videoFps: size('The pictures per second that are sent. Default: what the camera gives.'),
  hold: flag('Whether other calls of the user are put on hold instead of ended.', false),
};

const ROOM_ACTION_PARAMETERS = {
  createRoom: action(
    'Creates a room. The room becomes the current one.',
    '{ do: alice.createRoom, with: { type: small_room_for_video }, as: room }',
    {
      type: maybe(roomType, 'The type of the room.', 'small_room_for_video'),
      items: v.optional(items('The custom items of the room: a text for each key.')),
    },
  ),
  fetchRoom: action(
    'Reads a room by its id. The room becomes the current one.',
    '{ do: bob.fetchRoom, with: { room: $room.id } }',
    { room: about(v.string(), 'The id of the room, mostly a reference: `$room.id`.') },
  ),
  listRooms: action(
    'Requests the first page of a query of rooms. Without parameters it finds all rooms.',
    '{ do: bob.listRooms, with: { state: open, limit: 2 } }',
    {
      type: maybe(v.picklist([...roomType.options, 'all']), 'Only rooms of this type.', 'all'),
      state: maybe(roomState, 'Only rooms in this state.'),
      limit: maybe(v.number(), 'The number of rooms on a page, 1 to 100.', 10),
      rooms: ids('Only rooms with these ids.'),
      creators: ids('Only rooms that these users created, by user id.'),
      participants: maybe(
        v.strictTuple([v.number(), v.number()]),
        'Only rooms with this number of participants: the fewest and the most.',
      ),
    },
  ),
  nextRooms: simple('Requests the next page of the query of `listRooms`.', '{ do: bob.nextRooms }'),
  previousRooms: simple('Requests the page before, of the query of `listRooms`.', '{ do: bob.previousRooms }'),
  fetchItems: simple('Reads the custom items of the current room again.', '{ do: bob.fetchItems }'),
  enter: action('Enters a room.', '{ do: bob.enter, with: { room: $room.id, video: false } }', {
    room: v.optional(
      about(
        v.string(),
        'The id of the room, mostly a reference: `$room.id`. Default: the id of the current room of the user.',
      ),
    ),
    audio: flag('Whether the microphone is on at the beginning.', true),
    video: flag('Whether the camera is on at the beginning.', true),
    kickSiblings: flag("Whether the user's other participants are removed from the room.", false),
  }),
  exit: simple('Leaves the current room.', '{ do: bob.exit }'),
  deleteRoom: simple('Deletes the current room for all users.', '{ do: alice.deleteRoom }'),
  invite: action('Invites a user into the current room.', '{ do: alice.invite, with: { user: carol } }', {
    user: user('The user id of the invited user.'),
  }),
  acceptInvitation: simple(
    'Accepts the newest invitation. Its room becomes the current one; `enter` enters it.',
    '{ do: carol.acceptInvitation }',
  ),
  declineInvitation: simple('Declines the newest invitation.', '{ do: carol.declineInvitation }'),
  cancelInvitation: simple('Cancels the invitation that the user sent last.', '{ do: alice.cancelInvitation }'),
  view: action(
    'Shows the participants of a user in another kind of element, or in none. Without this action a participant has ' +
      'a video element in a room for video, else an audio element.',
    '{ do: bob.view, with: { user: alice, element: none } }',
    {
      user: user('The user id of the participants.'),
      element: about(orReference(v.picklist(['audio', 'video', 'none'])), 'The kind of the element.'),
    },
  ),
  setRoomAudio: action(
    'Plays the mix of a large audio room, or stops it. Entering such a room plays the mix.',
    '{ do: bob.setRoomAudio, with: { on: false } }',
    { on: flag('Whether the mix is played.', true) },
  ),
} as const;

/** What the descriptions of `accept` and `end` say about their steps. */
const ENDS_AT_ONCE = 'The step ends at once, and a later refusal fails the case.';

export const ACTION_PARAMETERS = {
  signIn: simple('Signs the user in at this device, and opens the channel.', '{ do: bob.signIn }'),
  signOut: simple('Signs the user out at this device. Its calls end.', '{ do: bob.signOut }'),
  dial: action(
    'Calls a user. The step ends at once. A refused dial has the result `dial_failed`, and fails a step with `waits: true`.',
    '{ do: alice.dial, with: { callee: bob, video: true }, as: call }',
    {
      callee: user('The user id of the callee. It is no device: all devices of the user ring.'),
      video: flag('Whether it is a video call.', false),
      items: v.optional(items('The custom items of the call: a text for each key.')),
      ...callOption,
    },
  ),
  accept: action(
    `Accepts the call that rings. ${ENDS_AT_ONCE} With \`waits: true\` it waits until the call is established at this device.`,
    '{ do: bob.accept, with: { videoEnabled: false } }',
    callOption,
  ),
  end: simple(
    `Ends the call. ${ENDS_AT_ONCE} With \`waits: true\` it waits for the answer of the exchange.`,
    '{ do: alice.end }',
  ),
  decline: simple(
    'Declines the call that rings: the same as `end`, before the call was accepted. The step ends at once, as for `end`.',
    '{ do: bob.decline }',
  ),
  cancel: simple(
    'Cancels an own call that rings: the same as `end`, before the call was accepted. The step ends at once, as for `end`.',
    '{ do: alice.cancel }',
  ),
  mute: simple(
    'Mutes the microphone in the current call or room. The device informs the exchange in the background.',
    '{ do: bob.mute }',
  ),
  unmute: simple('Unmutes the microphone in the current call or room.', '{ do: bob.unmute }'),
  startVideo: simple('Turns the camera on in the current call or room.', '{ do: alice.startVideo }'),
  stopVideo: simple(
    'Turns the camera off in the current call or room. Black pictures are sent instead: `video.marker` of the other user is `none`.',
    '{ do: alice.stopVideo }',
  ),
  switchCamera: simple('Uses the next camera in the current call.', '{ do: alice.switchCamera }'),
  hold: simple('Puts the current call on hold.', '{ do: alice.hold }'),
  unhold: action('Resumes the current call.', '{ do: alice.unhold, with: { force: true } }', {
    force: flag(
      'Whether other active calls are ended first. Without it, an active call refuses the action (1800803).',
      false,
    ),
  }),
  startScreenShare: simple('Sends the screen in place of the camera.', '{ do: alice.startScreenShare }'),
  stopScreenShare: simple('Ends the screen share.', '{ do: alice.stopScreenShare }'),
  startRecording: action(
    'Starts a recording of the current call at this device.',
    '{ do: alice.startRecording, with: { type: remote_audio_only } }',
    {
      type: maybe(recordingType, 'The recorded media.', 'remote_audio_and_video'),
      file: v.optional(about(v.string(), 'The name of the file. Default: a name that the library makes.')),
    },
  ),
  stopRecording: simple('Ends the recording.', '{ do: alice.stopRecording }'),
  updateItems: action(
    'Sets custom items of the current call or room. Other items stay.',
    '{ do: alice.updateItems, with: { items: { topic: rent } } }',
    { items: items('The items: a text for each key.') },
  ),
  deleteItems: action(
    'Deletes custom items of the current call or room.',
    '{ do: alice.deleteItems, with: { keys: [topic] } }',
    { keys: about(orReference(v.array(v.string())), 'The keys of the items.') },
  ),
  deleteAllItems: simple('Deletes all custom items of the current call or room.', '{ do: alice.deleteAllItems }'),
  former: simple(
    'Makes the previous call or room the current one. Actions and paths concern the current one.',
    '{ do: bob.former }',
  ),
  ...ROOM_ACTION_PARAMETERS,
} as const;

/** The actions about rooms. Those about media and custom items concern calls too. */
export type RoomActionName = keyof typeof ROOM_ACTION_PARAMETERS;
export type ActionName = keyof typeof ACTION_PARAMETERS;
export type ActionParameters<A extends ActionName> = v.InferInput<(typeof ACTION_PARAMETERS)[A]>;

/** The commands of actions whose answer the library does not give to its host. The network shows it. */
export const COMMANDS_OF = {
  accept: ['accept'],
  end: ['cancel', 'decline', 'end'],
  decline: ['cancel', 'decline', 'end'],
  cancel: ['cancel', 'decline', 'end'],
} as const satisfies Partial<Record<ActionName, readonly string[]>>;

/** The actions that are over at once, without an answer of the exchange: a step cannot wait for them. */
const OVER_AT_ONCE: readonly string[] = [
  'signOut',
  'mute',
  'unmute',
  'startVideo',
  'stopVideo',
  'stopScreenShare',
  'startRecording',
  'stopRecording',
  'former',
  'exit',
  'view',
  'setRoomAudio',
] satisfies ActionName[];

/** The actions that neither the library nor the exchange refuses. */
const NEVER_REFUSED: readonly string[] = ['signOut', 'stopRecording', 'former', 'view'] satisfies ActionName[];

/** Returns whether the network shows the answer to an action. */
export const isAnsweredOnWire = (name: string): name is keyof typeof COMMANDS_OF => Object.hasOwn(COMMANDS_OF, name);

export const isOverAtOnce = (name: string): boolean => OVER_AT_ONCE.includes(name);

export const isNeverRefused = (name: string): boolean => NEVER_REFUSED.includes(name);

/** Returns whether the action concerns rooms only. */
export const isRoomAction = (name: string): boolean => Object.hasOwn(ROOM_ACTION_PARAMETERS, name);

export const isAction = (name: string): name is ActionName => Object.hasOwn(ACTION_PARAMETERS, name);
