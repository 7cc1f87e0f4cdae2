import type { RecorderPort } from '../../../src/calls/platform/recorder.ts';
import { check, checkEqual, nameOf, rejection, within, type ContractSuite, type Pass } from './contract.ts';

export interface RecorderSubject {
  readonly recorder: RecorderPort;
  /** Makes a new live track. */
  readonly track: (kind: 'audio' | 'video') => MediaStreamTrack;
  readonly pass: Pass;
}

export const recorderContract: ContractSuite<RecorderSubject> = [
  {
    title: 'supports webm, and reports which types it does not support',
    run: async ({ recorder }) => {
      const types = ['audio/webm', 'video/webm', 'text/plain'];
      checkEqual(
        types.map((type) => recorder.isSupported(type)),
        [true, true, false],
        'what is supported',
      );
    },
  },
  ...(['audio/webm', 'video/webm'] as const).map((mimeType) => ({
    title: `records ${mimeType} until it is stopped, and a second stop does nothing`,
    run: async ({ recorder, track, pass }: RecorderSubject) => {
      const audio = [track('audio'), track('audio')];
      const video = mimeType === 'video/webm' ? track('video') : null;
      const running = recorder.start({ audio, video }, mimeType);
      await pass(300);
      running.stop();
      running.stop();
      const data = await within(pass, running.data, 'the recording comes');
      check(data.type.startsWith(mimeType), `it is ${mimeType}, not ${data.type}`);
      check(data.size > 0, 'it is not empty');
      for (const source of [...audio, ...(video ? [video] : [])]) {
        checkEqual(source.readyState, 'live', 'the recorded tracks go on');
        source.stop();
      }
    },
  })),
  {
    title: 'an unsupported type throws NotSupportedError',
    run: async ({ recorder, track }) => {
      const source = track('audio');
      const started = async () => recorder.start({ audio: [source], video: null }, 'audio/nothing');
      const error = await rejection(started(), 'an unknown type');
      checkEqual(nameOf(error), 'NotSupportedError', 'the name of the error');
      source.stop();
    },
  },
];
