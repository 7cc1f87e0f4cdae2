import { optionalFlag, requireObject } from '../client/checks.ts';
import { callHost } from '../direct-call/notifications.ts';
import { invalidValue } from '../../protocol/errors.ts';
import type { Logger } from '../logging/log.ts';
import { LocalMedia, type LocalMediaOptions, type MissingDevice } from './local-media.ts';

/** The devices a host asks for: at least one kind. */
export interface MediaConstraints {
  /** Microphones, and speakers where they are listed. */
  audio?: boolean;
  /** Cameras. */
  video?: boolean;
}

/** @throws CallError 1800301 naming what is no flag; 1800300 naming `constraints` when neither kind is asked for (§5). */
export function checkMediaConstraints(constraints: MediaConstraints): { audio: boolean; video: boolean } {
  const given = requireObject(constraints, 'constraints') as MediaConstraints;
  const audio = optionalFlag(given.audio, 'constraints.audio', false);
  const video = optionalFlag(given.video, 'constraints.video', false);
  if (!audio && !video) throw invalidValue('constraints');
  return { audio, video };
}

export interface MediaAccessOptions extends Omit<LocalMediaOptions, 'onTrack' | 'log'> {
  readonly log: Pick<Logger, 'warning' | 'error'>;
}

/**
 * A host's own look at the microphone and the camera, outside any call: what a call would send now. Made by `useMedia`;
 * open until {@link dispose}.
 */
export class MediaAccess {
  readonly #media: LocalMedia;
  readonly #options: MediaAccessOptions;
  readonly #listeners = new Set<(stream: MediaStream) => void>();
  #disposed = false;

  /** @internal Made by `useMedia`, not by hosts. */
  constructor(options: MediaAccessOptions, wanted: { audio: boolean; video: boolean }) {
    this.#options = options;
    this.#media = new LocalMedia({ ...options, onTrack: () => this.#tell() });
    this.#media.open(wanted).then(
      () => this.#tell(),
      (error: unknown) => options.log.error('no media could be opened', { error }),
    );
  }

  /** The devices that could not be had, and why; empty before the stream is there. */
  get missingDevices(): readonly MissingDevice[] {
    return this.#media.missing;
  }

  /**
   * Calls `listener` with the stream once it is there, and with another one when a device was changed: the host chose
   * one, or one has gone. A device that is denied or missing is silence or a black picture.
   *
   * @returns the undo.
   */
  on(_event: 'streamChanged', listener: (stream: MediaStream) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Lets the devices go: every track ends, and listeners hear nothing more. Again it does nothing. */
  dispose(): void {
    this.#disposed = true;
    this.#media.close();
  }

  #tell(): void {
    const { rtc, log } = this.#options;
    const { audioTrack, videoTrack } = this.#media;
    if (this.#disposed) return;
    // Another stream each time: a host that compares them sees that something changed.
    const stream = rtc.createMediaStream([audioTrack, videoTrack].filter((track) => track !== null));
    for (const listener of [...this.#listeners]) callHost(log, 'streamChanged', listener, stream);
  }
}
