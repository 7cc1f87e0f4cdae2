/** The diagnostics of the app: whether everything is available, and the log without secrets. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Findings, findOut } from '../../../src/app/features/diagnostics/checks.ts';
import { keepLog } from '../../../src/app/features/diagnostics/kept-log.ts';
import { logText } from '../../../src/app/features/diagnostics/log-text.ts';
import { FakeConnectivity } from '../../../src/app/testing/fakes/fake-connectivity.ts';
import { FakeDevicePermissions } from '../../../src/app/testing/fakes/fake-device-permissions.ts';
import { HandClock } from '../support/hand-clock.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import type { ProductClient } from '../../../src/app/core/product/product-client.ts';
import { ProductError } from '../../../src/app/core/product/product-error.ts';
import { createStore } from '../../../src/common/store.ts';
import { copyText } from '../../../src/ui/toasts/copy-text.ts';

describe('the stored log', () => {
  it('forwards every line, and stores the last two hundred with their time', () => {
    const clock = new HandClock();
    const logger = new RecordingLogger();
    const log = keepLog(logger, clock);
    for (let line = 0; line < 250; line += 1) log.warn(`line ${line}`);
    log.info('the last');
    expect(logger.lines).toHaveLength(251);
    expect(logger.lines.at(-1)).toEqual({ level: 'info', message: 'the last', detail: undefined });
    expect(log.lines()).toHaveLength(200);
    expect(log.lines()[0]?.message).toBe('line 51');
    expect(log.lines().at(-1)).toEqual({ at: clock.wallTime(), level: 'info', message: 'the last', detail: undefined });
    log.clear();
    expect(log.lines()).toEqual([]);
  });

  it('stores no content of the page: only the message of an error, and the type of other values', () => {
    const log = keepLog(new RecordingLogger(), new HandClock());
    log.error('failed', Object.assign(new TypeError('no'), { code: 42, element: {} }));
    log.warn('odd', { nodes: [] });
    log.warn('text', 'as it is');
    expect(log.lines().map(({ detail }) => detail)).toEqual([
      { name: 'TypeError', message: 'no', code: '42' },
      '[object Object]',
      'as it is',
    ]);
  });

  it('is shown without tokens, passwords, addresses, email addresses and phone numbers', () => {
    const log = keepLog(new RecordingLogger(), new HandClock());
    log.error('refused', new Error('GET /x?token=s3cr3t from 192.168.0.7 failed: authorization: Bearer abc.def'));
    log.warn('to mina@example.com and +886912345678', 'password=mangosteen turn:relay.example:3478');
    log.info('reached 10.1.2.3 with token=hidden');
    const text = logText(log.lines());
    expect(text.split('\n')).toHaveLength(3);
    expect(text).toContain('error refused');
    for (const secret of [
      's3cr3t',
      '192.168.0.7',
      'abc.def',
      'mina@',
      '912345678',
      'mangosteen',
      'relay.example',
      '10.1.',
      'hidden',
    ]) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('the requirements of calls and chats', () => {
  /** Makes the server answer after these milliseconds in turn, or fail. */
  function place(answers: readonly (number | ProductError)[], changed: Partial<Findings> = {}) {
    const clock = new HandClock();
    const permissions = new FakeDevicePermissions();
    permissions.camera = changed.camera ?? 'granted';
    let asked = 0;
    const product = {
      ask() {
        const answer = answers[asked] ?? 0;
        asked += 1;
        if (typeof answer !== 'number') return Promise.reject(answer);
        clock.advance(answer);
        return Promise.resolve({});
      },
    } as unknown as Pick<ProductClient, 'ask'>;
    return findOut({
      product,
      permissions,
      clock,
      connectivity: new FakeConnectivity(changed.online ?? true),
      events: { isOpen: createStore(changed.live ?? true) },
      calling: { connection: createStore(changed.calling ?? 'on') },
      canConnect: () => (changed.webrtc === false ? Promise.reject(new Error('forbidden')) : Promise.resolve(true)),
    });
  }
  const refused = new ProductError('refused', 'no', { status: 429 });

  it('are checked at the same time, and the latency is the median of three answers', async () => {
    expect(await place([900, 40, 60])).toEqual({
      online: true,
      serverMs: 60,
      live: true,
      calling: 'on',
      webrtc: true,
      microphone: 'granted',
      camera: 'granted',
    });
  });

  it('are reported as missing when they are; a server that refuses a request counts as available', async () => {
    const missing = { online: false, live: false, calling: 'failed', webrtc: false, camera: 'denied' } as const;
    const gone = [30, new ProductError('unreachable', 'no answer')];
    expect(await place(gone, missing)).toEqual({ ...missing, serverMs: null, microphone: 'granted' });
    expect((await place([refused, refused, refused])).serverMs).toBe(0);
  });
});

describe('a copied text', () => {
  afterEach(() => vi.unstubAllGlobals());

  async function copying(navigator: object) {
    const logger = new RecordingLogger();
    const told: string[] = [];
    vi.stubGlobal('navigator', navigator);
    await copyText(
      'RB17',
      { copied: 'copied', refused: 'refused' },
      { toasts: { show: (text) => void told.push(text) }, logger },
    );
    return { told, warnings: logger.of('warn') };
  }

  it('is confirmed once it is copied', async () => {
    const kept: string[] = [];
    const clipboard = { writeText: (text: string) => Promise.resolve(void kept.push(text)) };
    expect(await copying({ clipboard })).toEqual({ told: ['copied'], warnings: [] });
    expect(kept).toEqual(['RB17']);
  });

  it.each([
    ['the browser refuses', { clipboard: { writeText: () => Promise.reject(new Error('not allowed')) } }],
    ['there is no clipboard', {}],
  ])('is reported as not copied where %s', async (_why, navigator) => {
    expect(await copying(navigator)).toEqual({ told: ['refused'], warnings: ['a text was not copied'] });
  });
});
