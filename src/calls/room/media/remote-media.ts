import type { Timer } from '../../../common/clock.ts';
import { ROOM_TIMES } from '../../../protocol/limits.ts';
import type { MediaElement } from '../../platform/media-element.ts';
import { MediaView } from '../../media/media-view.ts';
import type { Logger } from '../../logging/log.ts';
import type { Platform } from '../../platform/platform.ts';
import type { MediaEndpoint, MediaEndpointEvents } from './media-endpoint.ts';

export interface RemoteMediaOptions {
  readonly participantId: string;
  readonly platform: Pick<Platform, 'clock'>;
  readonly log: Pick<Logger, 'warning'>;
  /** Makes the endpoint that receives the participant. Null in a room without viewers. */
  readonly endpoint: ((events: Pick<MediaEndpointEvents, 'received'>) => MediaEndpoint) | null;
}

/** Returns whether an element shows pictures. Every element does that is not for sound only. */
const showsPictures = (element: MediaElement | null) =>
  element !== null && (element as Partial<Element>).localName !== 'audio';

/**
 * The media of one remote participant: the endpoint that receives it, and the view that shows it. A picture that the
 * view does not show is not received.
 */
export class RemoteMedia {
  readonly view: MediaView;
  readonly #options: RemoteMediaOptions;
  #endpoint: MediaEndpoint | null = null;
  /** Runs while no view shows the picture, which is still received. */
  #unseen: Timer | null = null;

  constructor(options: RemoteMediaOptions) {
    this.#options = options;
    this.view = new MediaView({ muted: false, log: options.log });
  }

  /** Receives the media of the participant from now on. A second call does nothing. */
  connect(): void {
    const { endpoint, participantId } = this.#options;
    if (this.#endpoint || !endpoint) return;
    this.#endpoint = endpoint({ received: (stream) => this.view.attach(stream) });
    this.#endpoint.begin();
    this.#endpoint.attach(participantId);
    this.#lookAtView();
  }

  async setView(element: MediaElement | null): Promise<void> {
    await this.view.set(element);
    this.#lookAtView();
  }

  /** Clears the view, and releases the endpoint at the exchange. A later {@link connect} makes another one. */
  release(): void {
    this.close();
    this.#endpoint?.release();
    this.#endpoint = null;
  }

  /** Clears the view. The endpoint exits with the others. */
  close(): void {
    this.#unseen?.cancel();
    this.#unseen = null;
    this.view.attach(null);
  }

  #lookAtView(): void {
    if (!this.#endpoint) return;
    if (showsPictures(this.view.element)) {
      this.#unseen?.cancel();
      this.#unseen = null;
      this.#endpoint.setReceivesPicture(true);
      return;
    }
    // A host that moves a view removes the element for a moment.
    this.#unseen ??= this.#options.platform.clock.after(ROOM_TIMES.unseenPictureMs, () => {
      this.#endpoint?.setReceivesPicture(false);
    });
  }
}
