/**
 * The React binding of the calling library: hooks and components without styles and texts for calls and rooms. It loads
 * the library through an option, and imports none of its code.
 */
export { RingbackProvider, type RingbackProviderProps } from './ringback-provider.tsx';
export { RingbackContext, useRingback } from './ringback-context.ts';
export { type Ringback, type RingbackOptions, createRingback } from './ringback.ts';
export { type ConnectionView, useConnection } from './hooks/use-connection.ts';
export { useCall, useCalls } from './hooks/use-calls.ts';
export { useDuration } from './hooks/use-duration.ts';
export { type DevicesView, useDevicePreview, useDevices } from './hooks/use-devices.ts';
export { useInvitations, usePresentVisit, useRooms, useVisit } from './hooks/use-rooms.ts';
export { useRoom } from './hooks/use-room.ts';
export { CallAudio, type CallAudioProps, CallVideo, type CallVideoProps } from './components/call-media.tsx';
export {
  ParticipantAudio,
  type ParticipantAudioProps,
  ParticipantVideo,
  type ParticipantVideoProps,
  RoomAudio,
  type RoomAudioProps,
} from './components/room-media.tsx';
export { StreamVideo, type StreamVideoProps } from './components/stream-video.tsx';
export type { Calls } from './calls/calls.ts';
export {
  type ActiveCall,
  type BusyControl,
  type CallHold,
  type CallKind,
  type CallParty,
  type CallQuality,
  type CallResult,
  type CallStage,
  type CallsState,
  type CameraFacing,
  type IncomingCall,
  type LiveCall,
  isLive,
} from './calls/call-state.ts';
export type { CallSide } from './calls/line.ts';
export type { DeviceChoice, DeviceKind, DeviceList, DeviceLists, DeviceOption } from './devices/device-choice.ts';
export type { SeenDevices } from './devices/device-looks.ts';
export type { CallingLibrary } from './library/calling-library.ts';
export type { DeviceFault, MissingDevices, QualityBand, RoomType } from './library/library-values.ts';
export {
  type EndOfStay,
  type EntryRefusal,
  type RoomFacts,
  type RoomNews,
  type RoomPerson,
  type VisitStage,
  type VisitState,
  factsOf,
  hasMix,
  hasVideo,
  isStay,
} from './rooms/room-state.ts';
export type { EntryDevices, RoomVisit } from './rooms/room-visit.ts';
export type { ReceivedInvitation, Rooms } from './rooms/rooms.ts';
export { type BrowserPorts, browserPorts } from './session/browser-ports.ts';
export type { CallingConnection } from './session/library-session.ts';
export type { Credentials, Logger, Service, SessionPorts } from './session/session-ports.ts';
