import type { Logger } from '../logging/log.ts';
import type { MediaElement } from '../platform/media-element.ts';

export interface MediaViewOptions {
  /** True mutes the element, so that users do not hear their own microphone. */
  readonly muted: boolean;
  readonly log: Pick<Logger, 'warning'>;
}

/**
 * The element of the host for one side's media, and the media to show in it. Each may come first, change, or be
 * removed. No method throws at any time of the call (§2): hosts set views on every render and on unmount.
 */
export class MediaView<View extends MediaElement = MediaElement> {
  readonly #options: MediaViewOptions;
  #element: View | null = null;
  #stream: MediaStream | null = null;
  /** The speaker to play through. Undefined before the host chooses one. */
  #speaker: string | undefined;

  constructor(options: MediaViewOptions) {
    this.#options = options;
  }

  /** The last element. Null without one. */
  get element(): View | null {
    return this.#element;
  }

  /**
   * Shows the media in `element` from now on. Null or undefined shows it nowhere. The former element is cleared. The
   * same element again changes nothing.
   */
  set(element: View | null | undefined): Promise<void> {
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

  /** Plays through this speaker from now on, in a browser that supports it. Rejects when the element refuses it. */
  async setSpeaker(deviceId: string): Promise<void> {
    // Without an element the choice is known at once, for one that comes next.
    if (this.#element?.setSinkId) await this.#element.setSinkId(deviceId);
    this.#speaker = deviceId;
  }

  /** Sets the media to show. Null for none. */
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
      // Setting the same stream again would restart the picture, which flickers.
      if (!this.#stream || element.srcObject === this.#stream) return;
      element.srcObject = this.#stream;
      // A browser that does not allow playing yet refuses. An element with autoplay starts without this call.
      element.play?.()?.catch(() => undefined);
    } catch (error) {
      this.#options.log.warning('a media view cannot show media', { error });
    }
  }

  /** Removes only the media of this view: the element may show another call by now. */
  #clear(element: MediaElement): void {
    try {
      if (this.#stream && element.srcObject === this.#stream) element.srcObject = null;
    } catch (error) {
      this.#options.log.warning('a media view cannot remove media', { error });
    }
  }
}
