import type { FakeCallingLibrary } from '../fakes/fake-calling-library.ts';
import type { Services } from '../services/services.ts';
import type { CallKind } from '../calling/call-state.ts';
import type { Answers } from './gallery-server.ts';

export interface Scene {
  readonly path: string;
  readonly answers?: Answers;
  readonly visitor?: boolean;
  readonly offline?: boolean;
  /** The shape of the other side's picture. */
  readonly remote?: 'portrait' | 'landscape' | 'white';
  play?(stage: Stage): void;
}

export interface Stage {
  readonly services: Services;
  readonly library: FakeCallingLibrary;
}

const home = '/home-man';
const yuAn = { userId: 'yu-an', nickname: '予安', profileUrl: '/portraits/yu-an.svg' };
const nameless = { userId: 'user-20391', nickname: '', profileUrl: '' };

/** A call placed here, brought to some point. */
function inCall(kind: CallKind, act: (call: FakeCallingLibrary['dialled'][number], stage: Stage) => void) {
  return (stage: Stage): void => {
    stage.services.calling.dial(yuAn, kind);
    const call = stage.library.dialled.at(-1);
    if (call !== undefined) act(call, stage);
  };
}

function connected(
  kind: CallKind,
  seconds: number,
  act: (call: FakeCallingLibrary['dialled'][number], stage: Stage) => void = () => {},
) {
  return inCall(kind, (call, stage) => {
    call.durationMs = seconds * 1000;
    call.connect();
    act(call, stage);
  });
}

export const scenes: Readonly<Record<string, Scene>> = {
  landing: { path: '/home', visitor: true },
  'landing-loading': { path: '/home', visitor: true, answers: 'loading' },
  login: { path: '/login', visitor: true },
  'login-loading': { path: '/login', visitor: true, answers: 'loading' },
  'login-empty': { path: '/login', visitor: true, answers: 'empty' },
  'login-failed': { path: '/login', visitor: true, answers: 'failed' },
  'not-found': { path: '/nowhere' },
  home: { path: home },
  'home-loading': { path: home, answers: 'loading' },
  'home-empty': { path: home, answers: 'empty' },
  'home-failed': { path: home, answers: 'failed' },
  'home-filtered-out': { path: `${home}?only=online,verified&city=花蓮` },
  'home-filtered': { path: `${home}?only=online,video` },
  'home-offline': { path: home, offline: true },
  'incoming-video': { path: home, play: ({ library }) => void library.ring(yuAn, true) },
  'incoming-voice': { path: home, play: ({ library }) => void library.ring(nameless, false) },
  'incoming-in-call': {
    path: home,
    play: connected('voice', 65, (_call, { library }) => void library.ring(nameless, true)),
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
  'call-ended': { path: home, play: connected('video', 754, (call) => call.finish('completed', 754_000)) },
  'call-no-answer': { path: home, play: inCall('video', (call) => call.finish('NO_ANSWER')) },
  'call-lost': { path: home, play: connected('voice', 90, (call) => call.finish('connection_lost', 90_000)) },
  'call-dial-failed': {
    path: home,
    play: inCall('voice', (_call, { library }) =>
      library.dialCallback?.(undefined, { code: 1400103, message: 'no such callee' }),
    ),
  },
};
