import type { Logger } from '../logging/log.ts';
import type { MediaElement } from '../platform/media-element.ts';
import type { ParticipationMedia } from './participation-media.ts';

/**
 * The elements that the host has set for a room. They outlive a stay, and may be set before media exists. No function
 * throws: hosts set views on every render, and remove them after the exit.
 */
export class RoomViews {
  readonly #log: Pick<Logger, 'warning'>;
  readonly #remote = new Map<string, MediaElement>();
  #local: MediaElement | null = null;
  #largeRoomAudio: MediaElement | null = null;
  #media: ParticipationMedia | null = null;

  constructor(log: Pick<Logger, 'warning'>) {
    this.#log = log;
  }

  get local(): MediaElement | null {
    return this.#local;
  }

  get largeRoomAudio(): MediaElement | null {
    return this.#largeRoomAudio;
  }

  /** Shows the media of a stay from now on. Null after the stay. */
  use(media: ParticipationMedia | null): void {
    this.#media = media;
    if (media)
      for (const [participantId, element] of this.#remote) void this.#try(() => media.setView(participantId, element));
  }

  setLocal(element: MediaElement | null): Promise<void> {
    this.#local = element;
    return this.#try((media) => media.setLocalView(element));
  }

  setRemote(participantId: string, element: MediaElement | null): Promise<void> {
    if (element) this.#remote.set(participantId, element);
    else this.#remote.delete(participantId);
    return this.#try((media) => media.setView(participantId, element));
  }

  /** Forgets the view of a participant who is gone. */
  forget(participantId: string): void {
    this.#remote.delete(participantId);
  }

  setLargeRoomAudio(element: MediaElement | null): void {
    this.#largeRoomAudio = element;
    void this.#try(async (media) => media.setLargeRoomAudio(element));
  }

  async #try(act: (media: ParticipationMedia) => Promise<void>): Promise<void> {
    try {
      if (this.#media) await act(this.#media);
    } catch (error) {
      this.#log.warning('a media view of a room cannot be set', { error });
    }
  }
}
