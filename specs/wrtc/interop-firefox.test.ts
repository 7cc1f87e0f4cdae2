/** Calls between the library in a page of Firefox and the library over wrtc. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DEFAULT_APP_ID } from '../../sim/server/defaults.ts';
import { scaled } from '../../tools/run/machine-factor.ts';
import { serveLibraryPage } from '../bench/library-page.ts';
import { createExchange, type TestExchange } from './exchange.ts';
import { type FirefoxPage, NO_FIREFOX, openFirefox } from './interop/firefox.ts';
import { LibraryUser } from './interop/library-user.ts';

const [LIBRARY_TONE, FIREFOX_TONE] = [440, 660];
const SAME_HZ = 6;
const WINDOWS = 5;
const PICTURES = 5;
/** The energy of a tone of more than half a second (W3C WebRTC Statistics §8.3). Silence has none. */
const LEAST_ENERGY = 0.001;
const CONNECT_MS = scaled(20_000);
const HEAR_MS = scaled(15_000);

/**
 * Signs bob in, and accepts his calls. The page measures what it receives: the energy of the sound and the decoded
 * pictures. A machine without sound hardware has no Web Audio in Firefox, so the page does not measure frequencies.
 */
const SIGN_IN = (api: string) => `(async () => {
  const { calls } = globalThis;
  const connections = [];
  const Native = RTCPeerConnection;
  globalThis.RTCPeerConnection = class extends Native {
    constructor(configuration) {
      super(configuration);
      connections.push(this);
    }
  };
  calls.init(${JSON.stringify(DEFAULT_APP_ID)}, ${JSON.stringify(api)}, ${JSON.stringify(api.replace('http', 'ws'))});
  await calls.authenticate({ userId: 'bob' });
  const element = (id) => document.querySelector(id);
  globalThis.media = { remoteMediaView: element('#remote'), localMediaView: element('#local') };
  calls.addListener('interop', {
    onRinging: (call) => {
      globalThis.call = call;
      call.accept({ callOption: media });
    },
  });
  await calls.connectWebSocket();
  globalThis.measure = async () => {
    const received = { energy: 0, pictures: 0 };
    const last = connections.at(-1);
    if (!last || last.connectionState === 'closed') return received;
    for (const report of (await last.getStats()).values()) {
      if (report.type !== 'inbound-rtp') continue;
      received.energy += report.totalAudioEnergy ?? 0;
      received.pictures += report.framesDecoded ?? 0;
    }
    return received;
  };
})()`;

interface Measured {
  readonly energy: number;
  readonly pictures: number;
}

describe.skipIf(NO_FIREFOX !== undefined)(`with Firefox${NO_FIREFOX === undefined ? '' : ` (${NO_FIREFOX})`}`, () => {
  let exchange: TestExchange;
  let site: Awaited<ReturnType<typeof serveLibraryPage>>;
  let page: FirefoxPage;
  let library: LibraryUser;

  beforeAll(async () => {
    exchange = await createExchange();
    site = await serveLibraryPage();
    page = await openFirefox(site.url, FIREFOX_TONE);
    await vi.waitUntil(() => page.evaluate(`'calls' in globalThis`), { timeout: CONNECT_MS, interval: 100 });
    await page.evaluate(SIGN_IN(exchange.url));
    library = await LibraryUser.signIn(exchange.url, 'alice', LIBRARY_TONE);
  }, scaled(120_000));
  afterAll(async () => {
    library?.close();
    await page?.close();
    await site?.close();
    await exchange?.close();
  });

  /** Waits until each side receives sound and pictures. The library over wrtc measures the tone of Firefox. */
  async function bothReceive(): Promise<void> {
    library.received();
    await expect
      .poll(
        () => {
          const { tone, carried, pictures } = library.received();
          const isTone = tone !== null && Math.abs(tone - FIREFOX_TONE) <= SAME_HZ && carried >= WINDOWS;
          return isTone && pictures > PICTURES;
        },
        { timeout: HEAR_MS, interval: 1_200 },
      )
      .toBe(true);
    const measure = async () => (await page.evaluate('measure()')) as Measured;
    const before = await measure();
    await expect
      .poll(
        async () => {
          const { energy, pictures } = await measure();
          return energy > before.energy + LEAST_ENERGY && pictures > before.pictures + PICTURES;
        },
        { timeout: HEAR_MS, interval: 500 },
      )
      .toBe(true);
  }

  test(
    'the library over wrtc dials: sound and pictures pass both ways, also after a hold',
    async () => {
      const call = library.dial('bob', true);
      const connected = new Promise<void>((resolve) => (call.onConnected = () => resolve()));
      await connected;
      await bothReceive();
      await call.hold();
      await expect.poll(() => page.evaluate('call.isOnHold')).toBe(true);
      await call.unhold();
      await expect.poll(() => page.evaluate('call.isOnHold')).toBe(false);
      await bothReceive();
      call.end();
      await expect.poll(() => page.evaluate('call.endResult'), { timeout: HEAR_MS }).toBe('COMPLETED');
      expect(call.endResult).toBe('COMPLETED');
    },
    scaled(90_000),
  );

  test(
    'Firefox dials: sound and pictures pass both ways, and it hangs up',
    async () => {
      library.isConnected = false;
      await page.evaluate(
        `void (globalThis.call = calls.dial({ userId: 'alice', isVideoCall: true, callOption: media }))`,
      );
      await expect.poll(() => library.isConnected, { timeout: CONNECT_MS }).toBe(true);
      await bothReceive();
      await page.evaluate('call.end()');
      await expect.poll(() => library.call?.endResult, { timeout: HEAR_MS }).toBe('COMPLETED');
    },
    scaled(90_000),
  );
});
