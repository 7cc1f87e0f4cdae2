import type { MediaElement } from '../../../src/calls/platform/media-element.ts';
import type { RtcPeerConnection } from '../../../src/calls/platform/rtc.ts';
import type { MachineName } from '../trace/machines.ts';

/** The observable values of a device. */
export interface ObservableDevice {
  readonly channel: 'closed' | 'open';
  /** Returns the state of the machine of this name that changed last. Undefined before any. */
  stateOf(machine: MachineName): string | undefined;
  readonly openPeerConnections: number;
  /** The number of live tracks of its microphone, camera and screen, and of their placeholders. */
  readonly liveTracks: number;
  /** The looping sound. Undefined if none plays. */
  readonly looping: string | undefined;
  /** The state of its page. */
  readonly page: string;
  /** The elements that the library made to play sound without a place in the page. */
  readonly ownElements: readonly MediaElement[];
  /** Creates an element that shows or plays media. */
  createElement(kind: 'audio' | 'video'): HTMLMediaElement;
  /** Returns the open peer connection that receives a track. Undefined for a track of this device. */
  connectionReceiving(track: MediaStreamTrack): RtcPeerConnection | undefined;
}
