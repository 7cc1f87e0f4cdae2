/** The page of a device: its environment, its state, and the pictures that it draws. */
import type { Environment } from '../../src/calls/platform/environment.ts';
import type { FramesPort } from '../../src/calls/platform/frames.ts';
import type { PagePort, PageState } from '../../src/calls/platform/page.ts';

/** Returns the environment of a secure page in a browser with real-time media. Parts of it can be replaced. */
export function virtualEnvironment(otherwise: Partial<Environment> = {}): Environment {
  return {
    hasWindow: true,
    hasRealTimeMedia: true,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    location: { protocol: 'https:', hostname: 'virtual.example' },
    ...otherwise,
  };
}

/** A page whose state a test controls. */
export class VirtualPage implements PagePort {
  state: PageState = 'active';
  readonly #changed = new Set<(state: PageState) => void>();
  readonly #online = new Set<() => void>();

  /** The number of listeners that were not removed. */
  get listeners(): number {
    return this.#changed.size + this.#online.size;
  }

  onChange(changed: (state: PageState) => void): () => void {
    this.#changed.add(changed);
    return () => this.#changed.delete(changed);
  }

  onOnline(online: () => void): () => void {
    this.#online.add(online);
    return () => this.#online.delete(online);
  }

  /** Moves the page to another state and notifies listeners. The same state again has no effect. */
  go(state: PageState): void {
    if (state === this.state) return;
    this.state = state;
    for (const changed of this.#changed) changed(state);
  }

  /** Notifies listeners that the network is back. */
  goOnline(): void {
    for (const online of this.#online) online();
  }
}

/** Pictures without pixels: a drawn picture names the track that it shows. */
export class VirtualFrames implements FramesPort {
  /** Set by a test: pictures cannot be drawn. */
  broken = false;

  hasPicture(element: HTMLMediaElement): boolean {
    return shown(element) !== undefined;
  }

  draw(element: HTMLMediaElement): string {
    const track = shown(element);
    if (this.broken || !track) throw new DOMException('frames: draw', 'SecurityError');
    return `data:image/png,${encodeURIComponent(track.enabled ? track.label : 'black')}`;
  }
}

function shown({ srcObject }: HTMLMediaElement): MediaStreamTrack | undefined {
  return srcObject && 'getVideoTracks' in srcObject ? srcObject.getVideoTracks()[0] : undefined;
}
