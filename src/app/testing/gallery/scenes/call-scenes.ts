import type { Quote } from '../../../../protocol/product/calls.ts';
import type { CallKind } from '../../../../react/index.ts';
import type { FakeCallingLibrary } from '../../fakes/fake-calling-library.ts';
import type { Scenes, Stage } from '../scene.ts';
import { ErrorCode } from '../../../../protocol/errors.ts';

/** A man's quote for a video call. */
export const quote: Quote = {
  allowed: true,
  reason: null,
  rate: 40,
  max_minutes: 32,
  coins: 1_280,
  points: null,
};

type FakeCall = FakeCallingLibrary['dialled'][number];

const home = '/home-man';
export const yuAn = { userId: 'yu-an', nickname: '予安', profileUrl: '/portraits/yu-an.svg' };
const paiHan = { userId: 'pei-han', nickname: '沛涵', profileUrl: '/portraits/pei-han.svg' };
const nameless = { userId: 'user-20391', nickname: '', profileUrl: '' };

/** Returns a function that places a call and brings it to a state. */
function inCall(kind: CallKind, act: (call: FakeCall, stage: Stage) => void | Promise<void>) {
  return async (stage: Stage): Promise<void> => {
    stage.services.calling.dial(yuAn, kind);
    const call = stage.library.dialled.at(-1);
    if (call !== undefined) await act(call, stage);
  };
}

function connected(
  kind: CallKind,
  seconds: number,
  act: (call: FakeCall, stage: Stage) => void | Promise<void> = () => {},
) {
  return inCall(kind, async (call, stage) => {
    call.durationMs = seconds * 1000;
    call.connect();
    await act(call, stage);
  });
}

/** Returns a function that accepts a second call while the first one is held. */
function twoCalls(act: (stage: Stage) => void = () => {}) {
  return connected('video', 340, (_first, stage) => {
    const second = stage.library.ring(paiHan, false);
    stage.services.calling.accept(second.callId, 'hold');
    second.durationMs = 12_000;
    second.connect();
    act(stage);
  });
}

const fair = { mos: 3.1, packetsLostRate: 0.012, rtt: 92, jitter: 14 };
const poor = { state: 'poor', mos: 1.6, packetsLostRate: 0.21, rtt: 640, jitter: 88 } as const;

/** Returns a function that emits the server's billing of the active call. */
function billed(bill: { coins_left?: number; points_earned?: number; endsInMs?: number }) {
  return (_call: unknown, { services }: Stage): void => {
    const { billing, calling, ports } = services;
    billing.apply({
      type: 'call_billing',
      call_id: calling.state.get().active?.callId ?? '',
      billed_minutes: 13,
      rate: 40,
      coins_left: bill.coins_left ?? null,
      points_earned: bill.points_earned ?? null,
      ends_at: bill.endsInMs === undefined ? null : ports.clock.wallTime() + bill.endsInMs,
    });
  };
}

/** Opens the overflow menu. */
async function openMore(_call: FakeCall, { shown }: Stage): Promise<void> {
  (await shown('[role=dialog] header [aria-haspopup=dialog]')).click();
}

export const callScenes: Scenes = {
  'incoming-video': { path: home, api: { quoteCall: quote }, play: ({ library }) => void library.ring(yuAn, true) },
  'incoming-earning': {
    path: '/home-woman',
    as: 'woman',
    api: { quoteCall: { ...quote, max_minutes: null, coins: null, points: 1_800 } },
    play: ({ library }) => void library.ring(yuAn, true),
  },
  'incoming-voice': { path: home, play: ({ library }) => void library.ring(nameless, false) },
  'incoming-in-call': {
    path: home,
    play: connected('voice', 65, (_call, { library }) => void library.ring(nameless, true)),
  },
  'incoming-unseen': {
    path: home,
    api: { quoteCall: quote },
    play: ({ library, left }) => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      left.addEventListener('abort', () => Reflect.deleteProperty(document, 'hidden'));
      library.ring(yuAn, true);
    },
  },
  'incoming-while-dialling': {
    path: home,
    api: { quoteCall: quote },
    play: inCall('voice', (_call, { library }) => void library.ring(nameless, true)),
  },
  'missed-below-sheet': {
    path: home,
    async play({ library, shown }) {
      (await shown('nav button[aria-haspopup=dialog]')).click();
      await shown('[role=dialog]');
      library.ring(yuAn, true).finish('canceled');
    },
  },
  missed: { path: home, play: ({ library }) => library.ring(yuAn, true).finish('canceled') },
  'call-outgoing-video': { path: home, play: inCall('video', () => {}) },
  'call-outgoing-voice': { path: home, play: inCall('voice', () => {}) },
  'call-connecting': { path: home, play: inCall('video', (call) => call.establish()) },
  'call-video': { path: home, play: connected('video', 125) },
  'call-video-portrait': { path: home, remote: 'portrait', play: connected('video', 125) },
  'call-video-white': { path: home, remote: 'white', play: connected('video', 125) },
  'call-voice': { path: home, play: connected('voice', 3725) },
  'call-all-off': {
    path: home,
    play: connected('video', 42, (call, { services }) => {
      services.calling.toggleMicrophone();
      services.calling.toggleCamera();
      call.setRemote({ audio: false, video: false });
    }),
  },
  'call-no-camera': {
    path: home,
    play: inCall('video', (call) => call.missDevices({ kind: 'video', reason: 'NotFoundError' })),
  },
  'call-nothing-to-send': {
    path: home,
    remote: 'portrait',
    play: connected('video', 42, (call) =>
      call.missDevices({ kind: 'audio', reason: 'NotAllowedError' }, { kind: 'video', reason: 'NotAllowedError' }),
    ),
  },
  'call-no-microphone': {
    path: home,
    play: connected('voice', 42, (call) => call.missDevices({ kind: 'audio', reason: 'NotReadableError' })),
  },
  'call-reconnecting': {
    path: home,
    remote: 'portrait',
    play: connected('video', 200, (call) => call.loseConnection()),
  },
  'call-held-here': {
    path: home,
    remote: 'portrait',
    play: connected('video', 200, (_call, { services }) => void services.calling.hold()),
  },
  'call-held-there': { path: home, play: connected('voice', 200, (call) => call.setHold(false, true)) },
  'call-two': { path: home, play: twoCalls() },
  'call-quality-good': {
    path: home,
    remote: 'portrait',
    play: connected('video', 200, (call) => call.measure({ state: 'good', mos: 4.1 })),
  },
  'call-quality-poor': {
    path: home,
    remote: 'landscape',
    play: connected('video', 200, (call) => {
      call.measure(poor);
      call.measure(poor);
    }),
  },
  'call-sharing': {
    path: home,
    remote: 'portrait',
    play: connected('video', 200, (_call, { services }) => void services.calling.toggleScreenShare()),
  },
  'call-more-video': {
    path: home,
    remote: 'portrait',
    play: connected('video', 200, async (call, stage) => {
      for (const mos of [3.1, 3.4, 2.9, 3.3, 3.8, 4.1, 4, 3.6]) call.measure({ ...fair, state: 'average', mos });
      await openMore(call, stage);
    }),
  },
  'call-more-voice': { path: home, play: connected('voice', 20, openMore) },
  'call-video-black': {
    path: home,
    remote: 'black',
    play: connected('video', 65, (call) => call.measure({ ...fair, state: 'average' })),
  },
  'call-billed': {
    path: home,
    remote: 'portrait',
    play: connected('video', 754, billed({ coins_left: 1280 })),
  },
  'call-billed-low': {
    path: home,
    remote: 'landscape',
    play: connected('video', 754, billed({ coins_left: 55 })),
  },
  'call-billed-last': { path: home, play: connected('voice', 754, billed({ coins_left: 12, endsInMs: 41_000 })) },
  'call-earning': {
    path: '/home-woman',
    as: 'woman',
    remote: 'landscape',
    play: connected('video', 754, (call, stage) => {
      call.measure({ ...fair, state: 'good' });
      billed({ points_earned: 20_850 })(call, stage);
    }),
  },
  'call-ended-billed': {
    path: home,
    play: connected('video', 754, (call, stage) => {
      billed({ coins_left: 760 })(call, stage);
      call.finish('completed', 754_000);
    }),
  },
  'docked-video': {
    path: home,
    remote: 'landscape',
    play: connected('video', 200, (_call, { services }) => services.callDock.dock()),
  },
  'docked-voice': { path: home, play: connected('voice', 200, (_call, { services }) => services.callDock.dock()) },
  'docked-ended': {
    path: home,
    play: connected('voice', 200, (call, { services }) => {
      services.callDock.dock();
      call.finish('completed', 200_000);
    }),
  },
  'call-ended': {
    path: home,
    api: { rateCall: {} },
    play: connected('video', 754, (call) => call.finish('completed', 754_000)),
  },
  'call-no-answer': { path: home, play: inCall('video', (call) => call.finish('NO_ANSWER')) },
  'call-lost': { path: home, play: connected('voice', 90, (call) => call.finish('connection_lost', 90_000)) },
  'call-dial-failed': {
    path: home,
    play: inCall('voice', (_call, { library }) =>
      library.dialCallback?.(undefined, { code: ErrorCode.ERR_CALLEE_DOES_NOT_EXIST, message: 'no such callee' }),
    ),
  },
};
