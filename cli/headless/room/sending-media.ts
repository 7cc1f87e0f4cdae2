/**
 * The media of a simulated participant: it sends, and receives no other participant, so that a crowd costs little. It can
 * sleep: without a visitor in the room, nothing is sent at all.
 */
import type { MediaElement } from '../../../src/calls/platform/media-element.ts';
import type { ParticipationMedia, StartParticipationMedia } from '../../../src/calls/room/participation-media.ts';

export interface SendingMedia {
  /** Returns the start of the media of a stay that sends only. */
  over(startMedia: StartParticipationMedia): StartParticipationMedia;
  /** Sends from now on. A second call does nothing. */
  wake(): void;
}

/** Returns media that sends at once, or first when it is woken. */
export function sendingMedia(isAwake: boolean): SendingMedia {
  let wakes = isAwake;
  let wakeStay: () => void = () => undefined;
  return {
    over: (startMedia) => (begin) => {
      let real: ParticipationMedia | null = null;
      let { audioEnabled, videoEnabled } = begin;
      let isClosed = false;
      wakeStay = () => {
        if (!isClosed) real ??= startMedia({ ...begin, audioEnabled, videoEnabled });
      };
      if (wakes) wakeStay();
      const shown = (_element: MediaElement | null) => Promise.resolve();
      return {
        get missing() {
          return real?.missing ?? [];
        },
        get isSharingScreen() {
          return false;
        },
        // A participant that follows no other has no viewer endpoints.
        follow: () => undefined,
        connectAgain: () => real?.connectAgain(),
        setAudioEnabled: (isOn) => {
          audioEnabled = isOn;
          real?.setAudioEnabled(isOn);
        },
        setVideoEnabled: (isOn) => {
          videoEnabled = isOn;
          real?.setVideoEnabled(isOn);
        },
        setLocalView: shown,
        setView: (_id, element) => shown(element),
        setLargeRoomAudio: () => undefined,
        startScreenShare: () => Promise.reject(new Error('a simulated participant has no screen')),
        stopScreenShare: () => undefined,
        close: () => {
          isClosed = true;
          real?.close();
        },
      };
    },
    wake() {
      wakes = true;
      wakeStay();
    },
  };
}
