import type { FramesPort } from '../../../src/calls/platform/frames.ts';
import { check, checkEqual, eventually, type ContractSuite, type Pass } from './contract.ts';

export interface FramesSubject {
  readonly frames: FramesPort;
  /** Makes a video element that shows the stream. */
  readonly element: (stream: MediaStream | null) => HTMLMediaElement;
  /** Makes a stream with a picture. */
  readonly picture: () => MediaStream;
  readonly pass: Pass;
}

export const framesContract: ContractSuite<FramesSubject> = [
  {
    title: 'an element without media has no picture, and draws none',
    run: async ({ frames, element }) => {
      const empty = element(null);
      checkEqual(frames.hasPicture(empty), false, 'it has a picture');
      let drawn: string | null = null;
      try {
        drawn = frames.draw(empty);
      } catch {
        // The port may throw, because the element has no picture.
      }
      checkEqual(drawn, null, 'the drawn picture');
    },
  },
  {
    title: 'a displayed picture is drawn as a PNG in a data URL',
    run: async ({ frames, element, picture, pass }) => {
      const stream = picture();
      const showing = element(stream);
      await eventually(pass, () => frames.hasPicture(showing), 'the picture arrives');
      check(frames.draw(showing).startsWith('data:image/png'), 'it is a PNG');
      for (const track of stream.getTracks()) track.stop();
    },
  },
];
