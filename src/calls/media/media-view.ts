import type { Logger } from '../logging/log.ts';

/** What the library uses of an HTMLMediaElement. */
export interface MediaElement {
  srcObject: MediaProvider | null;
  muted?: boolean;
  play?(): Promise<void> | void;
  /** Undefined in a browser without a choice of speakers. */
  setSinkId?(deviceId: string): Promise<void>;
}

export interface MediaViewOptions {
  /** True mutes the element, so that users do not hear their own microphone. */
  readonly muted: boolean;
  readonly log: Pick<Logger, 'warning'>;
}

/**
 * The element a host gave for one side's media, and the media to show in it; each may come first, or change, or go.
 * Nothing here throws, before, during or after the call (§2; hosts set views on every render and on unmount).
 */
export class MediaView {
  readonly #options: MediaViewOptions;
  #element: MediaElement | null = null;
  #stream: MediaStream | null = null;
  /** The speaker to play through. Undefined before the host chooses one. */
  #speaker: string | undefined;

  constructor(options: MediaViewOptions) {
    this.#options = options;
  }

  /** The element given last, null where there is none. */
  get element(): MediaElement | null {
    return this.#element;
  }

  /**
   * Shows the media in `element` from now on; null or undefined shows it nowhere. The former element lets go of it; the
   * same element again changes nothing.
   */
  set(element: MediaElement | null | undefined): Promise<void> {
    if (this.#element && this.#element !== element) this.#clear(this.#element);
    const isNew = this.#element !== element;
    this.#element = element ?? null;
    this.#show();
    if (isNew && this.#speaker !== undefined) {
      const warn = (error: unknown) => this.#options.log.warning('the chosen speaker is not used', { error });
      this.setSpeaker(this.#speaker).catch(warn);
    }
    return Promise.resolve();
  }

  /** Plays through this speaker from now on, where the browser can. Rejects when the element refuses it. */
  async setSpeaker(deviceId: string): Promise<void> {
    await this.#element?.setSinkId?.(deviceId);
    this.#speaker = deviceId;
  }

  /** The media to show; null when there is none any more. */
  attach(stream: MediaStream | null): void {
    if (this.#stream !== stream && this.#element && !stream) this.#clear(this.#element);
    this.#stream = stream;
    this.#show();
  }

  #show(): void {
    const element = this.#element;
    if (!element) return;
    try {
      if (this.#options.muted) element.muted = true;
      // Setting the same stream again would restart the picture: a flicker.
      if (!this.#stream || element.srcObject === this.#stream) return;
      element.srcObject = this.#stream;
      // A browser that does not allow playing yet refuses; an element with autoplay needs no word from us.
      element.play?.()?.catch(() => undefined);
    } catch (error) {
      this.#options.log.warning('a media view cannot show media', { error });
    }
  }

  /** Lets go of our media only: by now the element may show another call. */
  #clear(element: MediaElement): void {
    try {
      if (this.#stream && element.srcObject === this.#stream) element.srcObject = null;
    } catch (error) {
      this.#options.log.warning('a media view cannot let go of media', { error });
    }
  }
}
