/**
 * The script of a page in the browser world: the built library, one person who uses it, and reports of both to Node.
 */
import { Participations } from '../../../../sim/scenario/actor/participations.ts';
import { Person } from '../../../../sim/scenario/actor/person.ts';
import { toneOf } from '../../../../sim/scenario/actor/received-media.ts';
import { ActionImpossible, type Acted } from '../../../../sim/scenario/run/world.ts';
import type { Untimed } from '../../../../src/trace/events.ts';
import type * as Library from '../../../../src/calls/index.ts';
import { ObservedPage } from './observed-page.ts';
import { createPageMeter } from './page-meters.ts';
import type { ActedInPage, PageNews, PageRole, PageView, Refusal } from './page-news.ts';

declare global {
  /** The function that sends a report to Node. */
  var scenarioNews: (news: PageNews) => Promise<void>;
  /** The names that the script of the library defines in a page. */
  var SendBirdCall: typeof Library;
  /** The functions that Node calls in the page. */
  var scenarioPage: typeof page;
}

const APP_ID = 'ringback-demo';
const LIBRARY = '/dist/lib/ringback.global.js';
/** The polling interval for states without an event, milliseconds. */
const LOOK_MS = 50;
/** A tenth of a second of silence, played under any name. */
const SILENCE = `data:audio/wav;base64,${silentWav(800)}`;

const CALL_WORDS = [
  ...['state', 'result', 'outcome', 'id', 'role', 'remoteAudio', 'remoteVideo', 'localAudio', 'localVideo', 'onHold'],
  ...['recording', 'remoteRecording', 'sharing', 'duration', 'items', 'endedBy', 'reconnected'],
];
const ROOM_WORDS = [
  ...['state', 'session', 'entered', 'id', 'type', 'me', 'participants', 'remotes', 'connected', 'states', 'items'],
  ...['localAudio', 'localVideo', 'remoteAudio', 'remoteVideo', 'sharing', 'missing', 'height', 'heard', 'seen'],
];
const AREAS = [
  ...['pc', 'pcs', 'calls', 'ws', 'sound', 'errors', 'told', 'user', 'tracks', 'page'],
  ...['rooms', 'invitations', 'endpoint'],
];

let observed: ObservedPage;
let library: typeof Library;
let person: Person;
let seen = '';
let last = 0;
/** The values of actions, and their results. */
const acted: Acted[] = [];

/** Reports an event and the states after it to Node. Without an event, only changed states. */
function emit(news: Pick<PageNews, 'event' | 'sent'> = {}): void {
  const view = person === undefined ? undefined : viewOf(person);
  const text = JSON.stringify(view);
  const changed = view && text !== seen ? { view } : {};
  seen = text ?? '';
  if (news.event || news.sent !== undefined || changed.view)
    void globalThis.scenarioNews({ at: moment(), ...news, ...changed });
}

/** Returns milliseconds since the epoch, strictly increasing, so that the order of events is unambiguous. */
function moment(): number {
  last = Math.max(performance.timeOrigin + performance.now(), last + 0.001);
  return last;
}

function viewOf(of: Person): PageView {
  const valuesIn = (area: 'call' | 'room', words: readonly string[]): Partial<PageView> =>
    of.read([area]) === undefined
      ? {}
      : { [area]: Object.fromEntries(words.map((word) => [word, of.read([area, word])])) };
  return {
    ...valuesIn('call', CALL_WORDS),
    ...valuesIn('room', ROOM_WORDS),
    audio: { tone: of.read(['audio', 'tone']) },
    video: { fps: of.read(['video', 'fps']), marker: of.read(['video', 'marker']) },
    pages: { next: of.read(['rooms', 'next']), previous: of.read(['rooms', 'previous']) },
    ...Object.fromEntries(AREAS.map((area) => [area, of.read([area])])),
    told: of.read(['told']) as string[],
    given: acted.map(({ value }) => value ?? null),
  };
}

/** Adds DEBUG to the warning settings: the library reports some state changes only in debug messages. */
function unlockDebug(): () => void {
  const { freeze } = Object;
  Object.freeze = <T>(value: T): Readonly<T> =>
    freeze(typeof value === 'object' && value !== null && 'WARNING' in value ? { ...value, DEBUG: 'DEBUG' } : value);
  return () => void (Object.freeze = freeze);
}

/** Loads the library as a script tag does. It reads the page as it loads, so replacements are made before. */
function loadLibrary(): Promise<void> {
  const script = document.createElement('script');
  script.src = LIBRARY;
  return new Promise((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error('the library is not built: run "npm run build" first')));
    document.head.append(script);
  });
}

const page = {
  async begin({ name, user, websocketHost, timers, nth, measures }: PageRole): Promise<void> {
    const note = (event: Untimed) => emit({ event });
    observed = new ObservedPage(name, toneOf(nth), note, (sent) => emit({ sent }));
    const lock = unlockDebug();
    await loadLibrary();
    library = globalThis.SendBirdCall;
    lock();
    library.setLoggerLevel('DEBUG' as Library.LoggerLevel);
    library.init(APP_ID, location.origin, websocketHost);
    const sounds = Object.keys(library.SoundType) as Library.SoundType[];
    await Promise.all(sounds.map((sound) => library.addDirectCallSound(sound, `${SILENCE}#${sound}`)));
    const participations = new Participations(name, note);
    const media = measures && createPageMeter(measures);
    person = new Person({ name, user, library, device: observed, participations, note, media, timers });
    setInterval(() => emit(), LOOK_MS);
  },
  signIn: () => person.signIn(),
  /** Converts an immediate refusal to data, because an error cannot cross to Node. */
  act(action: string, parameters: Readonly<Record<string, unknown>>): ActedInPage | Refusal {
    try {
      const made = person.act(action, parameters);
      made.done?.catch(() => undefined);
      acted.push(made);
      const { waits = false, idle } = made;
      return { number: acted.length - 1, waits, ...(idle === undefined ? {} : { idle }) };
    } catch (error) {
      return refusalOf(error);
    } finally {
      emit();
    }
  },
  /** Resolves when the action is over, with its refusal if any. */
  async over(number: number): Promise<Refusal | null> {
    try {
      await acted[number]?.done;
      return null;
    } catch (error) {
      return refusalOf(error);
    } finally {
      emit();
    }
  },
  signOut: () => library.deauthenticate(),
  failDevice: (...failure: Parameters<ObservedPage['failDevice']>) => observed.failDevice(...failure),
  go: (state: Parameters<ObservedPage['go']>[0]) => observed.go(state),
  goOnline: () => observed.goOnline(),
  skewWall: (ms: number) => observed.skewWall(ms),
};

const refusalOf = (error: unknown): Refusal => ({
  message: error instanceof Error ? error.message : String(error),
  ...(typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
    ? { code: error.code }
    : {}),
  isImpossible: error instanceof ActionImpossible,
});

/** Returns a number of silent samples, 8 kHz, one byte each, in base64. */
function silentWav(samples: number): string {
  const words = [
    ...[0x46464952, 36 + samples, 0x45564157, 0x20746d66],
    ...[16, 0x00010001, 8_000, 8_000, 0x00080001, 0x61746164, samples],
  ];
  const bytes = new Uint8Array(44 + samples).fill(128);
  const view = new DataView(bytes.buffer);
  for (const [at, word] of words.entries()) view.setUint32(4 * at, word, true);
  return btoa(String.fromCharCode(...bytes));
}

globalThis.scenarioPage = page;
