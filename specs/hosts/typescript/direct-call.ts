/** An application that uses the whole API of direct calls under the strictest compiler options. */
import {
  type AcceptParams,
  addDirectCallSound,
  addListener,
  addRecordingListener,
  appId,
  authenticate,
  type AuthOption,
  type CallError,
  CallNotSupported,
  type ConnectionMetrics,
  ConnectionQualityMonitoringMode,
  ConnectionQualityState,
  connectWebSocket,
  createDirectCallLogListQuery,
  currentUser,
  type CustomItems,
  type CustomItemsHandler,
  type CustomItemsResult,
  deauthenticate,
  deleteAllCustomItems,
  deleteCustomItems,
  dial,
  type DialCallback,
  type DialParams,
  type DirectCall,
  DirectCallEndResult,
  type DirectCallLog,
  type DirectCallLogListQuery,
  type DirectCallLogListQueryParams,
  type DirectCallOption,
  DirectCallRecordOption,
  type DirectCallUser,
  type DirectCallUserRole,
  ErrorCode,
  getAvailableAudioInputDevices,
  getAvailableAudioOutputDevices,
  getAvailableVideoInputDevices,
  getCall,
  getCurrentAudioInputDevice,
  getCurrentAudioOutputDevice,
  getCurrentVideoInputDevice,
  getOngoingCallCount,
  getOngoingCalls,
  handleWebhookData,
  init,
  LoggerLevel,
  type MediaAccess,
  playDirectCallSound,
  RecordingStatus,
  RecordingType,
  registerPushToken,
  removeAllListeners,
  removeAllRecordingListeners,
  removeDirectCallSound,
  removeListener,
  removeRecordingListener,
  type RingbackSetting,
  sdkVersion,
  selectAudioInputDevice,
  selectAudioOutputDevice,
  selectVideoInputDevice,
  type SendBirdCallListener,
  type SendBirdCallRecordingListener,
  setCallConnectionTimeout,
  setDirectCallSoundVolume,
  setLoggerLevel,
  setRingingTimeout,
  SoundType,
  TokenType,
  unregisterAllPushTokens,
  unregisterPushToken,
  updateCustomItems,
  updateMediaDevices,
  useMedia,
  type User,
  type WebhookData,
} from 'ringback';

const setting: RingbackSetting = { apiHost: 'https://exchange.example', websocketHost: 'wss://exchange.example' };
const localMediaView = document.querySelector<HTMLVideoElement>('#local');
const remoteMediaView = document.querySelector<HTMLVideoElement>('#remote');
const callOption: DirectCallOption = { localMediaView, remoteMediaView, audioEnabled: true, videoEnabled: true };

export async function start(option: AuthOption): Promise<User> {
  try {
    init('app', setting.apiHost, setting.websocketHost);
  } catch (error) {
    if (error instanceof CallNotSupported) alert('This browser cannot call.');
    throw error;
  }
  setLoggerLevel(LoggerLevel.WARNING);
  setRingingTimeout(30);
  setCallConnectionTimeout(30);
  const user: User = await authenticate(option, (signedIn?: User, error?: CallError) => {
    console.log(signedIn?.nickname, error?.code === ErrorCode.USER_NOT_AUTHENTICATED, error?.message);
  });
  await connectWebSocket();
  const listener: SendBirdCallListener = {
    onRinging: (call) => answer(call),
    onAudioInputDeviceChanged: (current, available) => console.log(current.deviceId, available.length),
    onAudioOutputDeviceChanged: null,
    onVideoInputDeviceChanged: undefined,
  };
  addListener('app', listener);
  addListener(1, listener);
  const recordings: SendBirdCallRecordingListener = {
    onRecordingSucceeded: (callId, recordingId, options, fileName) =>
      console.log(callId, recordingId, options.recordingType, fileName),
    onRecordingFailed: (callId, recordingId, error) => console.log(callId, recordingId, error.code),
  };
  addRecordingListener('app', recordings);
  const canPlay: boolean = await addDirectCallSound(SoundType.RINGING, '/ring.ogg');
  setDirectCallSoundVolume(0.5);
  playDirectCallSound(SoundType.RINGING);
  console.log(sdkVersion, appId, currentUser.userId, user.metaData['team'], user.profileUrl, user.isActive, canPlay);
  return currentUser;
}

export function stop(): void {
  removeListener('app');
  removeAllListeners();
  removeRecordingListener('app');
  removeAllRecordingListeners();
  removeDirectCallSound(SoundType.RINGING);
  deauthenticate();
}

export function call(userId: string, customItems: CustomItems): DirectCall {
  const params: DialParams = {
    userId,
    isVideoCall: true,
    callOption,
    customItems,
    holdActiveCall: true,
    sendBirdChatOptions: { channelUrl: 'channel' },
    webhook: { url: 'https://hooks.example', enabled_events: ['dial'], headers: { team: 'blue' } },
  };
  const callback: DialCallback = (dialled, error) => console.log(dialled?.callId, error?.param);
  const dialled: DirectCall = dial(params, callback);
  follow(dialled);
  return getCall(dialled.callId) ?? getOngoingCalls()[getOngoingCallCount() - 1] ?? dialled;
}

/** Views that do not exist yet are undefined in one application, and null in another. */
export const dialBeforeMount = (userId: string, view?: HTMLVideoElement, accessToken?: string): DirectCall => {
  void authenticate({ userId: 'alice', accessToken });
  const options: DirectCallOption = { localMediaView: view, remoteMediaView: null, videoEnabled: undefined };
  return dial({ userId, isVideoCall: false, callOption: options, customItems: undefined, webhook: undefined });
};

function answer(ringing: DirectCall): void {
  const params: AcceptParams = { callOption, holdActiveCall: true };
  follow(ringing);
  ringing.accept(params);
}

function follow(followed: DirectCall): void {
  followed.onEstablished = (of) => console.log(of.isOngoing);
  followed.onConnected = ({ isVideoCall, isOnHold }) => console.log(isVideoCall, isOnHold);
  followed.onReconnecting = null;
  followed.onReconnected = () => undefined;
  followed.onRemoteAudioSettingsChanged = ({ isRemoteAudioEnabled }) => console.log(isRemoteAudioEnabled);
  followed.onRemoteVideoSettingsChanged = ({ isRemoteVideoEnabled }) => console.log(isRemoteVideoEnabled);
  followed.onCustomItemsUpdated = ({ customItems }, keys) => console.log(keys.map((key) => customItems[key]));
  followed.onCustomItemsDeleted = (_call, keys) => console.log(keys.join());
  followed.onRemoteRecordingStatusChanged = (of) => console.log(of.remoteRecordingStatus === RecordingStatus.RECORDING);
  followed.onUserHoldStatusChanged = (_call, isLocalUser, isUserOnHold) => console.log(isLocalUser && isUserOnHold);
  followed.onScreenShareStopped = (of) => console.log(of.isLocalScreenShareEnabled);
  followed.onCalleeDialReceived = (of) => console.log(of.callee.userId);
  followed.onEnded = (ended) => {
    const log: DirectCallLog = ended.callLog;
    const endedBy: DirectCallUser | null = ended.endedBy;
    if (ended.endResult === DirectCallEndResult.COMPLETED) console.log(log.duration, log.startedAt, endedBy?.role);
  };
}

export async function useCall(live: DirectCall): Promise<void> {
  live.muteMicrophone();
  live.unmuteMicrophone();
  live.stopVideo();
  live.startVideo();
  console.log(
    live.isLocalAudioEnabled,
    live.isLocalVideoEnabled,
    live.myRole satisfies DirectCallUserRole,
    live.isEnded,
  );
  console.log(live.localUser.nickname, live.remoteUser.nickname, live.caller.role, live.getDuration() / 1000);
  await live.switchCamera();
  await live.setLocalMediaView(localMediaView);
  await live.setRemoteMediaView(null);
  console.log(live.localMediaView?.srcObject, live.remoteMediaView?.muted);
  const { data } = await live.captureLocalVideoView();
  await live.captureRemoteVideoView((result, error) => console.log(data, result?.data, error?.code));
  const mode = ConnectionQualityMonitoringMode.FREQUENCY;
  live.setConnectionQualityListener(mode, ({ state, mos }: ConnectionMetrics) => {
    console.log(state === ConnectionQualityState.POOR, mos?.toFixed(1));
  });
  live.removeConnectionQualityListener();
  await live.hold();
  await live.unhold(true);
  await live.startScreenShare();
  live.stopScreenShare();
  const option = new DirectCallRecordOption({
    callId: live.callId,
    recordingType: RecordingType.LOCAL_REMOTE_AUDIOS,
  });
  const recordingId: string = live.startRecording(option);
  console.log(live.localRecordingStatus, live.stopRecording(recordingId));
  live.end();
}

/** Lists the devices of each kind, the current one, and selects another. */
export async function chooseDevices(): Promise<void> {
  const access: MediaAccess | undefined = useMedia({ audio: true, video: true });
  access?.on('streamChanged', (stream: MediaStream) => console.log(stream.active));
  for (const { kind, reason } of access?.missingDevices ?? []) console.log(kind, reason);
  updateMediaDevices({ audio: true, video: false });
  const [microphone]: InputDeviceInfo[] = getAvailableAudioInputDevices();
  const [camera]: InputDeviceInfo[] = getAvailableVideoInputDevices();
  const [speaker]: MediaDeviceInfo[] = getAvailableAudioOutputDevices();
  if (microphone && microphone.deviceId !== getCurrentAudioInputDevice().deviceId)
    await selectAudioInputDevice(microphone);
  if (camera && camera.deviceId !== getCurrentVideoInputDevice().deviceId) await selectVideoInputDevice(camera);
  if (speaker && speaker.deviceId !== getCurrentAudioOutputDevice().deviceId) await selectAudioOutputDevice(speaker);
  access?.dispose();
}

/** Reads the calls of a week, page by page. */
export async function readHistory(since: number): Promise<DirectCallLog[]> {
  const params: DirectCallLogListQueryParams = {
    myRole: 'dc_callee',
    endResults: ['NO_ANSWER'],
    limit: 50,
    start_ts: since,
  };
  const query: DirectCallLogListQuery = createDirectCallLogListQuery(params);
  const logs: DirectCallLog[] = [];
  while (query.hasNext && !query.isLoading) logs.push(...(await query.next()));
  await query.next((page) => console.log(page.length));
  return logs;
}

/** Reads and writes the custom items of a call, by its id and through the call. */
export async function keep(live: DirectCall, items: CustomItems): Promise<CustomItems> {
  const handler: CustomItemsHandler = (_result, error) => console.log(error?.code);
  const { customItems, affectedKeys }: CustomItemsResult = await updateCustomItems(live.callId, items, handler);
  await deleteCustomItems(live.callId, affectedKeys);
  await deleteAllCustomItems(live.callId);
  await live.updateCustomItems(items);
  await live.deleteCustomItems(Object.keys(items));
  await live.deleteAllCustomItems(handler);
  return customItems;
}

/** Handles calls that arrive by another way than the channel. */
export async function listenElsewhere(pushToken: string, data: WebhookData): Promise<void> {
  await registerPushToken(pushToken, TokenType.FCM_VOIP);
  await unregisterPushToken(pushToken, TokenType.FCM_VOIP);
  await unregisterAllPushTokens(TokenType.APNS_VOIP);
  handleWebhookData(data);
}
