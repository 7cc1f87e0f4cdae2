import * as v from 'valibot';
import { chatChannel, webhookTarget } from '../../protocol/entities.ts';
import {
  isEmpty,
  optionalAmount,
  optionalFlag,
  requireFlag,
  requireObject,
  requireId,
  requireShape,
} from '../host/checks.ts';
import { checkCustomItems, type CustomItems } from '../host/custom-items.ts';

/** The local media of a call (§3, media settings for a call). */
export interface DirectCallOption {
  /** The element that shows the local video. Default: none. */
  localMediaView?: HTMLMediaElement | null | undefined;
  /** The element that plays the remote audio and video. Default: none. */
  remoteMediaView?: HTMLMediaElement | null | undefined;
  /** True sends the microphone from the start, false starts muted. Default: true. */
  audioEnabled?: boolean | undefined;
  /** True sends video from the start of a video call. Default: true. A voice call ignores it. */
  videoEnabled?: boolean | undefined;
  /** The preferred width of the video, in pixels. Default: the choice of the camera. */
  videoWidth?: number | undefined;
  /** The preferred height of the video, in pixels. Default: the choice of the camera. */
  videoHeight?: number | undefined;
  /** The preferred frame rate of the video, in frames per second. Default: 24. */
  videoFps?: number | undefined;
  /** True opens the front camera, false the rear camera. Default: true. */
  frontCamera?: boolean | undefined;
}

/** The parameters of `dial`. */
export interface DialParams {
  /** The id of the callee. */
  userId: string;
  /** True dials a video call, false a voice call. */
  isVideoCall: boolean;
  /** The local media of the call. */
  callOption: DirectCallOption;
  /** The custom items of the call from its start (D24). Default: none. */
  customItems?: CustomItems | undefined;
  /** The chat channel that the call belongs to. Default: none. */
  sendBirdChatOptions?: { channelUrl: string } | undefined;
  /**
   * True holds the other calls, false ends them. Default: false. A ringing call rings on when the other calls are held.
   * A call that is not established yet is held as soon as it is.
   */
  holdActiveCall?: boolean | undefined;
  /** The webhook to which the exchange posts events of the call. Default: none. `enabled_events` names the events. */
  webhook?: { url: string; enabled_events?: string[]; headers?: Record<string, string> } | undefined;
}

/** The parameters of `accept`. */
export interface AcceptParams {
  /** The local media of the call. */
  callOption: DirectCallOption;
  /**
   * True holds the other calls, false ends them. Default: false. A ringing call rings on when the other calls are held.
   * A call that is not established yet is held as soon as it is.
   */
  holdActiveCall?: boolean | undefined;
}

/** The chat options in the form that hosts use. */
const chatOptions = v.object({ channelUrl: chatChannel.entries.channel_url });

/** The media that a call sends, with the defaults filled in. */
export interface MediaSettings {
  readonly audioEnabled: boolean;
  readonly videoEnabled: boolean;
  readonly frontCamera: boolean;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly frameRate: number | undefined;
}

/**
 * Fills in the defaults (§3).
 * @throws CallError `INVALID_PARAMETER_VALUE` or `INVALID_PARAMETER_TYPE` for the wrong field.
 */
export function mediaSettings(option: DirectCallOption): MediaSettings {
  return {
    audioEnabled: optionalFlag(option.audioEnabled, 'callOption.audioEnabled', true),
    videoEnabled: optionalFlag(option.videoEnabled, 'callOption.videoEnabled', true),
    frontCamera: optionalFlag(option.frontCamera, 'callOption.frontCamera', true),
    width: optionalAmount(option.videoWidth, 'callOption.videoWidth'),
    height: optionalAmount(option.videoHeight, 'callOption.videoHeight'),
    frameRate: optionalAmount(option.videoFps, 'callOption.videoFps'),
  };
}

function checkCallOption(value: unknown): void {
  const option: DirectCallOption = requireObject(value, 'callOption');
  mediaSettings(option);
  for (const view of ['localMediaView', 'remoteMediaView'] as const) {
    if (!isEmpty(option[view])) requireObject(option[view], `callOption.${view}`);
  }
}

/**
 * Checks the parameters of a dial.
 * @throws CallError `INVALID_PARAMETER_VALUE` or `INVALID_PARAMETER_TYPE` for the first wrong parameter.
 */
export function checkDialParams(params: unknown): DialParams {
  requireObject(params, 'params');
  const given = params as Partial<DialParams>;
  requireId(given.userId, 'userId');
  requireFlag(given.isVideoCall, 'isVideoCall');
  checkCallOption(given.callOption);
  if (!isEmpty(given.customItems)) checkCustomItems(given.customItems);
  if (!isEmpty(given.sendBirdChatOptions)) requireShape(chatOptions, given.sendBirdChatOptions, 'sendBirdChatOptions');
  optionalFlag(given.holdActiveCall, 'holdActiveCall', false);
  if (!isEmpty(given.webhook)) requireShape(webhookTarget, given.webhook, 'webhook');
  return given as DialParams;
}

/**
 * Checks the parameters of an accept.
 * @throws CallError `INVALID_PARAMETER_VALUE` or `INVALID_PARAMETER_TYPE` for the first wrong parameter.
 */
export function checkAcceptParams(params: unknown): AcceptParams {
  requireObject(params, 'params');
  const given = params as Partial<AcceptParams>;
  checkCallOption(given.callOption);
  optionalFlag(given.holdActiveCall, 'holdActiveCall', false);
  return given as AcceptParams;
}
