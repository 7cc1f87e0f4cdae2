import type { Quote } from '../../../../protocol/product/calls.ts';
import type { CallKind } from '../../../../react/index.ts';
import type { LibraryMissingDevice } from '../../../../react/library/library-values.ts';
import type { Scene, Scenes, Stage } from '../scene.ts';
import { quote, yuAn } from './call-scenes.ts';

/** Returns a scene in which a user calls from a device for the first time. */
function first(kind: CallKind, prepare: (stage: Stage) => void = () => {}, answer: Quote = quote): Scene {
  return {
    path: '/home-man',
    isFirstCall: true,
    api: { quoteCall: answer },
    async play(stage) {
      prepare(stage);
      void stage.services.dialer.dial(yuAn, kind);
      await stage.shown('[role=dialog]');
    },
  };
}

const without =
  (...missing: readonly LibraryMissingDevice[]) =>
  ({ library, permissions }: Stage): void => {
    library.ownMissing = missing;
    permissions.camera = 'denied';
    permissions.microphone = 'denied';
  };

export const beforeCallScenes: Scenes = {
  'before-call': first('video'),
  'before-call-voice': first('voice'),
  'before-call-denied': first(
    'video',
    without({ kind: 'audio', reason: 'NotAllowedError' }, { kind: 'video', reason: 'NotAllowedError' }),
  ),
  'before-call-absent': first(
    'video',
    without({ kind: 'audio', reason: 'NotFoundError' }, { kind: 'video', reason: 'NotReadableError' }),
  ),
  'before-call-no-service': first('video', ({ services }) => services.calling.stop()),
  'before-call-short': first('video', undefined, {
    ...quote,
    allowed: false,
    reason: 'insufficient_coins',
    coins: 12,
    max_minutes: 0,
  }),
  'before-call-not-taken': first('video', undefined, { ...quote, allowed: false, reason: 'not_accepted' }),
  'call-outgoing-cost': { ...first('video'), isFirstCall: false },
};
