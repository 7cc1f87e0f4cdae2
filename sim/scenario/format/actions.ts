/** The actions of actors, by the names of the library's methods, with a schema for the parameters of each. */
import * as v from 'valibot';
import { recordingType } from '../../../src/protocol/enumerations.ts';
import { roomState, roomType } from '../../../src/protocol/room-entities.ts';
import { orReference } from '../../format/reference.ts';

const flag = v.optional(orReference(v.boolean()));
const size = v.optional(orReference(v.pipe(v.number(), v.minValue(1))));
const items = orReference(v.record(v.string(), v.string()));
const nothing = v.strictObject({});
const ids = v.optional(orReference(v.array(v.string())));
/** The id of a room, mostly a reference: `$room.id`. Default: the current room of the user. */
const room = v.optional(v.string());

/** The options of a dial or an accept: the library's DirectCallOption, without its views. */
const callOption = {
  audioEnabled: flag,
  videoEnabled: flag,
  frontCamera: flag,
  videoWidth: size,
  videoHeight: size,
  videoFps: size,
  /** Whether other calls are put on hold instead of ended. */
  hold: flag,
};

const ROOM_ACTION_PARAMETERS = {
  createRoom: v.strictObject({ type: v.optional(orReference(roomType)), items: v.optional(items) }),
  fetchRoom: v.strictObject({ room: v.string() }),
  /** Requests the first page of a query of rooms. */
  listRooms: v.strictObject({
    type: v.optional(orReference(v.picklist([...roomType.options, 'all']))),
    state: v.optional(orReference(roomState)),
    limit: v.optional(orReference(v.number())),
    rooms: ids,
    creators: ids,
    /** The fewest and the most participants. */
    participants: v.optional(orReference(v.tuple([v.number(), v.number()]))),
  }),
  nextRooms: nothing,
  previousRooms: nothing,
  /** Reads the custom items of the current room again. */
  fetchItems: nothing,
  enter: v.strictObject({ room, audio: flag, video: flag, kickSiblings: flag }),
  exit: nothing,
  deleteRoom: nothing,
  invite: v.strictObject({ user: v.string() }),
  acceptInvitation: nothing,
  declineInvitation: nothing,
  /** Cancels the invitation that the user sent last. */
  cancelInvitation: nothing,
  /** Shows the participants of a user in another kind of element, or in none. */
  view: v.strictObject({ user: v.string(), element: orReference(v.picklist(['audio', 'video', 'none'])) }),
  /** Sets the element that plays the mix of a large audio room, or removes it. */
  setRoomAudio: v.strictObject({ on: flag }),
} as const;

export const ACTION_PARAMETERS = {
  signIn: nothing,
  signOut: nothing,
  dial: v.strictObject({ callee: v.string(), video: flag, items: v.optional(items), ...callOption }),
  accept: v.strictObject(callOption),
  end: nothing,
  decline: nothing,
  cancel: nothing,
  mute: nothing,
  unmute: nothing,
  startVideo: nothing,
  stopVideo: nothing,
  switchCamera: nothing,
  hold: nothing,
  unhold: v.strictObject({ force: flag }),
  startScreenShare: nothing,
  stopScreenShare: nothing,
  startRecording: v.strictObject({
    type: v.optional(orReference(recordingType)),
    file: v.optional(v.string()),
  }),
  stopRecording: nothing,
  updateItems: v.strictObject({ items }),
  deleteItems: v.strictObject({ keys: orReference(v.array(v.string())) }),
  deleteAllItems: nothing,
  /** Makes the previous call or room the current one. */
  former: nothing,
  ...ROOM_ACTION_PARAMETERS,
} as const;

/** The actions about rooms. Those about media and custom items concern calls too. */
export type RoomActionName = keyof typeof ROOM_ACTION_PARAMETERS;
export type ActionName = keyof typeof ACTION_PARAMETERS;
export type ActionParameters<A extends ActionName> = v.InferInput<(typeof ACTION_PARAMETERS)[A]>;

/** Returns whether the action concerns rooms only. */
export const isRoomAction = (name: string): boolean => Object.hasOwn(ROOM_ACTION_PARAMETERS, name);

export const isAction = (name: string): name is ActionName => Object.hasOwn(ACTION_PARAMETERS, name);
