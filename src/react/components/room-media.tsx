import { type AudioHTMLAttributes, type VideoHTMLAttributes, forwardRef, useCallback } from 'react';
import type { RoomVisit } from '../rooms/room-visit.ts';
import { useAttached } from './use-attached.ts';

/** A participant of a visit. */
interface OfParticipant {
  /** The visit of the room. */
  readonly visit: RoomVisit;
  /** The id of the participant. */
  readonly participantId: string;
}

/** The props of {@link ParticipantVideo}, and those of the element. */
export interface ParticipantVideoProps extends OfParticipant, VideoHTMLAttributes<HTMLVideoElement> {}

/** The props of {@link ParticipantAudio}, and those of the element. */
export interface ParticipantAudioProps extends OfParticipant, AudioHTMLAttributes<HTMLAudioElement> {}

/** The props of {@link RoomAudio}, and those of the element. */
export interface RoomAudioProps extends AudioHTMLAttributes<HTMLAudioElement> {
  /** The visit of a large room with sound alone. */
  readonly visit: RoomVisit;
}

/**
 * A `video` element that shows and plays a participant while it is mounted. A participant without one sends no picture.
 * The element of this client needs `muted`.
 */
export const ParticipantVideo = /* @__PURE__ */ forwardRef<HTMLVideoElement, ParticipantVideoProps>(
  function ParticipantVideo({ visit, participantId, ...rest }, ref) {
    const element = useAttached(useShow({ visit, participantId }), ref);
    return <video ref={element} autoPlay playsInline {...rest} />;
  },
);

/** An `audio` element that plays a participant while it is mounted. */
export const ParticipantAudio = /* @__PURE__ */ forwardRef<HTMLAudioElement, ParticipantAudioProps>(
  function ParticipantAudio({ visit, participantId, ...rest }, ref) {
    const element = useAttached(useShow({ visit, participantId }), ref);
    return <audio ref={element} autoPlay {...rest} />;
  },
);

/** An `audio` element that plays the mix of a large room with sound alone, while it is mounted. */
export const RoomAudio = /* @__PURE__ */ forwardRef<HTMLAudioElement, RoomAudioProps>(function RoomAudio(
  { visit, ...rest },
  ref,
) {
  const play = useCallback((element: HTMLAudioElement) => visit.playMix(element), [visit]);
  const element = useAttached(play, ref);
  return <audio ref={element} autoPlay {...rest} />;
});

function useShow({ visit, participantId }: OfParticipant): (element: HTMLMediaElement) => () => void {
  return useCallback((element: HTMLMediaElement) => visit.show(participantId, element), [visit, participantId]);
}
