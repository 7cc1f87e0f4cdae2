import { optionalFlag, requireObject } from '../host/checks.ts';
import { callHost } from '../host/call-host.ts';
import { invalidValue } from '../../protocol/errors.ts';
import type { Logger } from '../logging/log.ts';
import { LocalMedia, type LocalMediaOptions, type MissingDevice } from './local-media.ts';

/** The kinds of devices that a host asks for. At least one is true. */
export interface MediaConstraints {
  /** True asks for microphones, and for speakers in browsers that list them. Default: false. */
  audio?: boolean;
  /** True asks for cameras. Default: false. */
  video?: boolean;
}

/**
 * Checks the kinds of devices.
 * @throws CallError `INVALID_PARAMETER_TYPE` for a value that is not a flag. `INVALID_PARAMETER_VALUE` for
 *   `constraints` when neither kind is requested (§5).
 */
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
 * The microphone and the camera outside a call: the stream that a call would send. `useMedia` creates it. `dispose`
 * closes it.
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

  /** The devices that could not be opened, with the reason. Empty before the stream is open. */
  get missingDevices(): readonly MissingDevice[] {
    return this.#media.missing;
  }

  /**
   * Registers a listener for the stream. It runs when the stream is open, and with a new stream when a device changes.
   *
   * A device that is denied or missing is silence or a black picture.
   *
   * @returns a function that removes the listener.
   */
  on(_event: 'streamChanged', listener: (stream: MediaStream) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends every track and removes the listeners. A second call does nothing. */
  dispose(): void {
    this.#disposed = true;
    this.#media.close();
  }

  #tell(): void {
    const { rtc, log } = this.#options;
    const { audioTrack, videoTrack } = this.#media;
    if (this.#disposed) return;
    // A new stream each time: a host that compares them notices the change.
    const stream = rtc.createMediaStream([audioTrack, videoTrack].filter((track) => track !== null));
    for (const listener of [...this.#listeners]) callHost(log, 'streamChanged', listener, stream);
  }
}
