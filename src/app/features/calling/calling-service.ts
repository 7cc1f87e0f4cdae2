import { type ReadableStore, type Store, createStore } from '../../../common/store.ts';
import {
  type CallKind,
  type Calls,
  type Ringback,
  type RingbackOptions,
  createRingback,
} from '../../../react/index.ts';

/** Voice and video calls for the rest of the app. Only this folder loads the library. */
export interface CallingService extends Calls, Ringback {
  /** The session, which the components take from its context. */
  readonly ringback: Ringback;
  /** The kind of the room that the user is in, or is entering. Null outside of rooms, which set it. */
  readonly stay: Store<CallKind | null>;
  /** Plays the ringtone once at its volume. */
  tryRingtone(): void;
}

interface Dependencies extends Omit<RingbackOptions, 'onLoaded'> {
  /** The volume of the sounds of calls, 0 to 1. */
  volume: ReadableStore<number>;
}

/** Creates the calling service of the page. The caller starts it when a user is signed in. */
export function createCallingService({ volume, ...options }: Dependencies): CallingService {
  const applyVolume = (): void => ringback.library()?.setDirectCallSoundVolume(volume.get());
  const ringback = createRingback({ ...options, onLoaded: applyVolume });
  volume.subscribe(applyVolume);
  return {
    ...ringback,
    ...ringback.calls,
    ringback,
    stay: createStore<CallKind | null>(null),
    tryRingtone: () => ringback.library()?.playDirectCallSound('RINGING'),
  };
}
