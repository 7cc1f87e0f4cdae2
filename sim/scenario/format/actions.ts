/** The actions of actors, by the names of the library's methods, with a schema for the parameters of each. */
import * as v from 'valibot';
import { recordingType } from '../../../src/protocol/enumerations.ts';
import { orReference } from '../../format/reference.ts';

const flag = v.optional(orReference(v.boolean()));
const size = v.optional(orReference(v.pipe(v.number(), v.minValue(1))));
const items = orReference(v.record(v.string(), v.string()));
const nothing = v.strictObject({});

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
  /** Makes the previous call the current one. */
  former: nothing,
} as const;

export type ActionName = keyof typeof ACTION_PARAMETERS;
export type ActionParameters<A extends ActionName> = v.InferInput<(typeof ACTION_PARAMETERS)[A]>;

export const isAction = (name: string): name is ActionName => Object.hasOwn(ACTION_PARAMETERS, name);
