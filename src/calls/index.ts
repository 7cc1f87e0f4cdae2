/**
 * The public names of the calling library. A host may pass the functions around unbound. `appId` and `currentUser` are
 * live bindings.
 */
import { createClient } from './client/client.ts';
import { importedParts } from './client/lazy-parts.ts';
import type { AuthOption } from './client/session.ts';
import { defaultHosts } from './client/default-hosts.ts';
import type { User } from './host/user.ts';
import { browserPlatform } from './platform/browser.ts';
import { globalSetting } from './platform/browser/global-setting.ts';
import { LIBRARY_VERSION } from '../protocol/limits.ts';
import type { CallError } from '../protocol/errors.ts';

/**
 * The time for which `currentUser` keeps the user after a sign-out, so that a last render still finds it. Milliseconds.
 */
const USER_LINGERS_MS = 100;

const platform = browserPlatform();
const client = createClient(platform, Object.assign(defaultHosts(globalSetting), { parts: importedParts() }));

/** The id of the application that `init` set. Empty before `init`. */
export let appId = client.appId;
/**
 * The user who is signed in. Null before `authenticate` resolves, and from 0.1 seconds after `deauthenticate`. The
 * declared type is `User` without null, as strict hosts expect it.
 */
export let currentUser: User = signedIn();

/** Returns the current user under the public type, which has no null. */
function signedIn(): User {
  return client.currentUser as User;
}

const refresh = () => {
  appId = client.appId;
  if (client.currentUser) currentUser = client.currentUser;
  else if (currentUser !== signedIn()) platform.clock.after(USER_LINGERS_MS, () => void (currentUser = signedIn()));
};

/** The version of the API that the library implements. */
export const sdkVersion = LIBRARY_VERSION;

/** See {@link Client.init}. */
export function init(id: string, apiHost?: string, websocketHost?: string): void {
  client.init(id, apiHost, websocketHost);
  refresh();
}

/** See {@link Client.authenticate}. */
export function authenticate(option: AuthOption, handler?: (user?: User, error?: CallError) => void): Promise<User> {
  const attempt = client.authenticate(
    option,
    handler &&
      ((user, error) => {
        refresh();
        handler(user, error);
      }),
  );
  const refreshed = attempt.finally(refresh);
  // A host that passes a handler may leave the promise unhandled.
  if (handler) refreshed.catch(() => undefined);
  return refreshed;
}

/** See {@link Client.deauthenticate}. */
export function deauthenticate(): void {
  client.deauthenticate();
  refresh();
}

export const {
  connectWebSocket,
  addListener,
  removeListener,
  removeAllListeners,
  dial,
  getCall,
  getOngoingCallCount,
  getOngoingCalls,
  setRingingTimeout,
  setCallConnectionTimeout,
  setLoggerLevel,
  addRecordingListener,
  removeRecordingListener,
  removeAllRecordingListeners,
  addDirectCallSound,
  removeDirectCallSound,
  setDirectCallSoundVolume,
  playDirectCallSound,
  useMedia,
  updateMediaDevices,
  getCurrentAudioInputDevice,
  getCurrentVideoInputDevice,
  getCurrentAudioOutputDevice,
  getAvailableAudioInputDevices,
  getAvailableVideoInputDevices,
  getAvailableAudioOutputDevices,
  selectAudioInputDevice,
  selectVideoInputDevice,
  selectAudioOutputDevice,
  createDirectCallLogListQuery,
  updateCustomItems,
  deleteCustomItems,
  deleteAllCustomItems,
  handleWebhookData,
  registerPushToken,
  unregisterPushToken,
  unregisterAllPushTokens,
  createRoom,
  fetchRoomById,
  getCachedRoomById,
  createRoomListQuery,
} = client;

export { ErrorCode, type CallError } from '../protocol/errors.ts';
export type { AuthOption } from './client/session.ts';
export type { RingbackSetting } from './client/default-hosts.ts';
export { CallNotSupported } from './client/prerequisites.ts';
export type { CustomItems, CustomItemsResult } from './host/custom-items.ts';
export {
  ConnectionQualityMonitoringMode,
  ConnectionQualityState,
  LoggerLevel,
  RecordingStatus,
  RecordingType,
  SoundType,
  TokenType,
} from './host/public-enumerations.ts';
export type { SendBirdCallListener } from './client/listeners.ts';
export type { SendBirdCallRecordingListener } from './client/recording-listeners.ts';
export { User } from './host/user.ts';
export type { LocalParticipant, Participant, RemoteParticipant } from './room/participant.ts';
export { ParticipantState, RoomState, RoomType } from './room/room-enumerations.ts';
export type { EnterParams, Room, RoomEventMap, RoomInvitation, RoomListener, RoomParams } from './room/room.ts';
export type { Range, RoomListQuery, RoomListQueryParams } from './room/room-list-query.ts';
export { DirectCallUser, type DirectCallUserRole } from './direct-call/call-identity.ts';
export type { AcceptParams, DialParams, DirectCallOption } from './direct-call/call-options.ts';
export { DirectCall } from './direct-call/direct-call.ts';
export type { DirectCallLogListQuery, DirectCallLogListQueryParams } from './direct-call/call-log-query.ts';
export type { CustomItemsHandler } from './host/custom-item-requests.ts';
export { DirectCallEndResult, type DirectCallLog } from './direct-call/direct-call-log.ts';
export type { WebhookData } from './direct-call/webhook-data.ts';
export type { MissingDevice } from './media/local-media.ts';
export { DirectCallRecordOption } from './direct-call/record-option.ts';
export type { ConnectionMetrics } from './stats/quality-monitor.ts';
export type { DialCallback } from './direct-call/direct-calls.ts';
export type { CaptureVideoViewHandler, CaptureVideoViewResult } from './media/capture.ts';
export type { MediaAccess, MediaConstraints } from './media/media-access.ts';
