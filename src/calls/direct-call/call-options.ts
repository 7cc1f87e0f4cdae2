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
} from '../client/checks.ts';
import { checkCustomItems, type CustomItems } from '../client/custom-items.ts';

/** The media of a call as the host wants it (§3, media settings for a call). */
export interface DirectCallOption {
  localMediaView?: HTMLMediaElement | null | undefined;
  remoteMediaView?: HTMLMediaElement | null | undefined;
  /** Default true. */
  audioEnabled?: boolean | undefined;
  /** Default true; means nothing in a voice call. */
  videoEnabled?: boolean | undefined;
  /** Pixels; a wish, left to the camera when absent. */
  videoWidth?: number | undefined;
  videoHeight?: number | undefined;
  /** Frames a second; 24 when absent. */
  videoFps?: number | undefined;
  /** Default true. */
  frontCamera?: boolean | undefined;
}

/** Whom to call, and how. */
export interface DialParams {
  userId: string;
  isVideoCall: boolean;
  callOption: DirectCallOption;
  customItems?: CustomItems | undefined;
  sendBirdChatOptions?: { channelUrl: string } | undefined;
  /**
   * True holds the other calls, false (the default) ends them. Of the calls that cannot be held yet, one that rings rings
   * on, and another one is held as soon as it is established.
   */
  holdActiveCall?: boolean | undefined;
  webhook?: { url: string; enabled_events?: string[]; headers?: Record<string, string> } | undefined;
}

/** How to take a call. */
export interface AcceptParams {
  callOption: DirectCallOption;
  /**
   * True holds the other calls, false (the default) ends them. Of the calls that cannot be held yet, one that rings rings
   * on, and another one is held as soon as it is established.
   */
  holdActiveCall?: boolean | undefined;
}

/** As hosts name it. */
const chatOptions = v.object({ channelUrl: chatChannel.entries.channel_url });

/** What a call is to send, with the defaults filled in. */
export interface MediaSettings {
  readonly audioEnabled: boolean;
  readonly videoEnabled: boolean;
  readonly frontCamera: boolean;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly frameRate: number | undefined;
}

/** Fills in the defaults (§3). @throws CallError 1800300 or 1800301 naming the field at fault. */
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

/** @throws CallError 1800300 or 1800301 naming the first parameter at fault. */
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

/** @throws CallError 1800300 or 1800301 naming the first parameter at fault. */
export function checkAcceptParams(params: unknown): AcceptParams {
  requireObject(params, 'params');
  const given = params as Partial<AcceptParams>;
  checkCallOption(given.callOption);
  optionalFlag(given.holdActiveCall, 'holdActiveCall', false);
  return given as AcceptParams;
}
