import type { RecordingType } from '../../protocol/enumerations.ts';
import type { RecordedTracks } from '../platform/recorder.ts';

type Side = 'local' | 'remote';

/** The media that each recording type contains (§3). */
const NAMED: Readonly<Record<RecordingType, { readonly audio: readonly Side[]; readonly video: Side | null }>> = {
  remote_audio_and_video: { audio: ['remote'], video: 'remote' },
  remote_audio_only: { audio: ['remote'], video: null },
  local_remote_audios: { audio: ['local', 'remote'], video: null },
  local_audio_remote_audio_and_video: { audio: ['local', 'remote'], video: 'remote' },
  local_audio_and_video_remote_audio: { audio: ['local', 'remote'], video: 'local' },
};

/** The media that one side sends now. */
export interface SideTracks {
  readonly audio: MediaStreamTrack | null;
  readonly video: MediaStreamTrack | null;
}

export const isRecordingType = (value: string): value is RecordingType => Object.hasOwn(NAMED, value);

export const recordsVideo = (type: RecordingType): boolean => NAMED[type].video !== null;

type Sides = Readonly<Record<Side, () => SideTracks>>;

/** Returns the available sounds of a recording type. */
export const recordedAudio = (type: RecordingType, sides: Sides): MediaStreamTrack[] =>
  NAMED[type].audio.map((side) => sides[side]().audio).filter((track) => track !== null);

/** Returns the tracks of a recording type. Null when one of them is missing. */
export function recordedTracks(type: RecordingType, sides: Sides): RecordedTracks | null {
  const named = NAMED[type];
  const audio = recordedAudio(type, sides);
  const video = named.video === null ? null : sides[named.video]().video;
  if (audio.length < named.audio.length || (named.video !== null && video === null)) return null;
  return { audio, video };
}

/**
 * Returns whether a recorded picture has ended. An engine may report late that a track of a closed connection has
 * ended, so another picture of the other side counts too. A camera lives on while a screen is shared in its place.
 */
export function hasLostPicture(type: RecordingType, picture: MediaStreamTrack, sides: Sides): boolean {
  return picture.readyState === 'ended' || (NAMED[type].video === 'remote' && sides.remote().video !== picture);
}
