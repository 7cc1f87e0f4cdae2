import type { FramesPort } from '../../src/calls/platform/frames.ts';

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
