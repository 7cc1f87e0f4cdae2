/** Tests the browser's implementation of the ports, in a browser. */
import { readFile } from 'node:fs/promises';
import { chromium, expect, type Page } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, findChromium } from '../../cli/worlds/browser/chromium.ts';
import type { lab as Lab } from './platform-browser/entry.ts';
import { startServer } from './platform-browser/server.ts';
import { bundleModule } from './support/bundle-for-page.ts';
import { SHARED_TAB } from './support/shared-tab.ts';
import { test } from './support/worker-test.ts';
import { machineFactor } from '../../tools/run/machine-factor.ts';

/** In the page: the objects that entry.ts made. */
declare const lab: typeof Lab;

let server: Awaited<ReturnType<typeof startServer>>;
test.beforeAll(async () => {
  server = await startServer(await bundleModule(new URL('platform-browser/entry.ts', import.meta.url)));
});
test.afterAll(() => server.close());

async function openLab(page: Page, url = server.url): Promise<void> {
  await page.goto(url);
  await page.waitForFunction(() => 'lab' in globalThis);
  await page.evaluate((factor) => lab.setPatience(factor), machineFactor());
}

/** Runs in a Chromium with other switches than the other tests. */
async function withChromium(
  { without = [], add = [], url }: { without?: string[]; add?: string[]; url?: string },
  run: (page: Page) => Promise<void>,
): Promise<void> {
  const executablePath = findChromium();
  const kept = CHROMIUM_ARGUMENTS.filter((argument) => !without.some((start) => argument.startsWith(start)));
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: [...kept, ...add] });
  try {
    // Without the permissions of the other tests.
    const page = await browser.newPage({ permissions: [] });
    await openLab(page, url);
    await run(page);
  } finally {
    await browser.close();
  }
}

/** Returns the name of the error of getUserMedia. */
const refusal = (page: Page, constraints: MediaStreamConstraints) =>
  page.evaluate(
    (wanted) =>
      lab.platform.devices.getUserMedia(wanted).then(
        () => 'no error',
        (error: unknown) => (error instanceof Error ? error.name : String(error)),
      ),
    constraints,
  );

test('the platform can be imported and created without a window', async () => {
  const { browserPlatform } = await import('../../src/calls/platform/browser.ts');
  const platform = browserPlatform();
  expect(platform.environment.hasWindow).toBe(false);
  expect(platform.environment.hasRealTimeMedia).toBe(false);
  expect(platform.environment.location).toBeNull();
  expect(platform.page.state).toBe('active');
  platform.page.onChange(() => undefined)();
  platform.page.onOnline(() => undefined)();
  platform.devices.onChange(() => undefined)();
  expect(platform.devices.canCaptureDisplay).toBe(false);
  expect(platform.recorder.isSupported('video/webm')).toBe(false);
  expect(await platform.devices.enumerate()).toEqual([]);
  platform.sounds.play('RINGING', { looped: true }).stop();
});

/** A random identifier (RFC 9562, version 4). */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('environment and identifiers', async ({ page }) => {
  await openLab(page);
  const seen = await page.evaluate(() => {
    const { environment, newId, random } = lab.platform;
    const { hasWindow, hasRealTimeMedia, userAgent, location } = environment;
    const ids = Array.from({ length: 1000 }, () => newId());
    const rolls = Array.from({ length: 1000 }, () => random());
    return {
      hasWindow,
      hasRealTimeMedia,
      userAgent,
      location,
      id: ids[0],
      distinct: new Set(ids).size,
      inRange: rolls.every((roll) => roll >= 0 && roll < 1),
    };
  });
  expect(seen).toMatchObject({ hasWindow: true, hasRealTimeMedia: true, distinct: 1000, inRange: true });
  expect(seen.location).toEqual({ protocol: 'http:', hostname: 'localhost' });
  expect(seen.userAgent).toContain('Chrome');
  expect(seen.id).toMatch(UUID);
});

test('PC-07: a peer connection makes an answer and applies it in one step', async ({ page }) => {
  await openLab(page);
  const seen = await page.evaluate(async () => {
    const { rtc } = lab.platform;
    const [caller, callee] = [rtc.createPeerConnection({}), rtc.createPeerConnection({})];
    caller.addTransceiver('audio');
    const offer = await caller.createOffer();
    await caller.setLocalDescription(offer);
    const described = callee.setRemoteDescription(offer);
    const answer = await rtc.answer?.(callee);
    await described;
    if (answer) await caller.setRemoteDescription(answer);
    const sides = [caller, callee];
    const directions = sides.map((side) => side.getTransceivers().map(({ currentDirection }) => currentDirection));
    for (const side of sides) side.close();
    return { type: answer?.type, directions };
  });
  expect(seen).toEqual({ type: 'answer', directions: [['sendonly'], ['recvonly']] });
});

for (const port of ['clock', 'socket', 'fetch', 'rtc', 'devices', 'frames', 'recorder'] as const) {
  test(`the ${port} port keeps its contract`, async ({ page }) => {
    await openLab(page);
    await page.click('button');
    const results = await page.evaluate((name) => lab.contracts[name](), port);
    expect(results.length).toBeGreaterThan(0);
    expect(results.filter(({ broken }) => broken !== null)).toEqual([]);
  });
}

test.describe('clock', () => {
  test('timers fire on time, in order, and not after they were cancelled', async ({ page }) => {
    await openLab(page);
    const { fired, early, isWallTime } = await page.evaluate(async () => {
      const { clock } = lab.platform;
      const begin = clock.now();
      const names: string[] = [];
      let tooEarly = 0;
      const note = (name: string, ms: number) => () => {
        if (clock.now() - begin < ms) tooEarly += 1;
        names.push(name);
      };
      clock.after(60, note('60', 60));
      clock.after(20, note('20', 20));
      clock.after(0, note('0', 0));
      clock.after(-5, note('-5', 0));
      clock.after(30, () => void names.push('never')).cancel();
      const beat = clock.every(25, note('beat', 25));
      // Uses a timer of the same clock, because a wait of the test may end after the next beat.
      clock.after(90, () => {
        beat.cancel();
        beat.cancel();
      });
      await new Promise<void>((done) => clock.after(150, done));
      const [before, told, after] = [Date.now(), clock.wallTime(), Date.now()];
      return { fired: names, early: tooEarly, isWallTime: before <= told && told <= after };
    });
    expect(fired.filter((name) => name !== 'beat')).toEqual(['0', '-5', '20', '60']);
    // A busy host skips beats. The first is due after 20 ms, and three are due before the timer is cancelled.
    const beats = fired.filter((name) => name === 'beat').length;
    expect([beats >= 1, beats <= 3, fired.indexOf('beat') > fired.indexOf('20')]).toEqual([true, true, true]);
    expect(early).toBe(0);
    expect(isWallTime).toBe(true);
  });

  test('timers due at the same instant fire in the order of their starts, a repeating one by its first start (D01)', async ({
    page,
  }) => {
    await openLab(page);
    const fired = await page.evaluate(async () => {
      // The clock is set by hand, so that two timers are due at exactly the same instant.
      let now = 0;
      performance.now = () => now;
      const { clock } = lab.browserPlatform();
      const names: string[] = [];
      clock.every(30, () => void names.push(`alive ${now}`));
      clock.after(60, () => void names.push(`ring ${now}`));
      clock.after(60, () => void names.push(`other ${now}`));
      for (const [instant, count] of [
        [30, 1],
        [60, 4],
      ] as const) {
        now = instant;
        await lab.eventually(() => names.length >= count, `${count} timers fire`);
      }
      return names;
    });
    expect(fired).toEqual(['alive 30', 'alive 60', 'ring 60', 'other 60']);
  });

  test('periods missed in a freeze are skipped', async ({ page }) => {
    await openLab(page);
    const beats = await page.evaluate(async () => {
      let now = 0;
      performance.now = () => now;
      const { clock } = lab.browserPlatform();
      let count = 0;
      clock.every(10, () => void (count += 1));
      now = 1000;
      await new Promise((done) => setTimeout(done, 60));
      return count;
    });
    expect(beats).toBe(1);
  });

  test('a wait longer than the limit of host timers does not fire at once, and a failing timer affects no other', async ({
    page,
  }) => {
    await openLab(page);
    const reported: string[] = [];
    page.on('pageerror', ({ message }) => reported.push(message));
    const fired = await page.evaluate(async () => {
      const { clock } = lab.browserPlatform();
      const names: string[] = [];
      clock.after(2 ** 31 + 1000, () => void names.push('after a month'));
      clock.every(2 ** 40, () => void names.push('after an age'));
      clock.after(10, () => {
        throw new Error('not today');
      });
      clock.after(10, () => void names.push('next'));
      await new Promise((done) => setTimeout(done, 100));
      return names;
    });
    expect(fired).toEqual(['next']);
    await expect.poll(() => reported).toEqual(['not today']);
  });
});

test.describe('sockets', () => {
  /** Opens a socket in the page, reacts to its events, and returns all events until it closed. */
  const story = (page: Page, url: string, replies: Record<string, string>) =>
    page.evaluate(
      ([address, answers]) =>
        new Promise<string[]>((resolve) => {
          const seen: string[] = [];
          const act = (news: string) => {
            seen.push(news);
            const reply = answers[news];
            if (reply?.startsWith('send ')) socket.send(reply.slice(5));
            if (reply === 'close') socket.close();
            if (reply === 'close 4002') socket.close(4002);
            if (reply === 'close 1006') socket.close(1006);
          };
          const socket = lab.platform.sockets.open(address, {
            opened: () => act('opened'),
            received: (text) => act(`received ${text}`),
            closed: (code) => {
              act(`closed ${code}`);
              socket.send('too late');
              socket.close();
              // Any further event would have arrived by then.
              setTimeout(() => resolve(seen), 100);
            },
          });
          socket.send('too early');
        }),
      [url, replies] as const,
    );
  const channel = () => `ws://localhost:${server.port}/channel`;

  test('text is sent both ways, binary frames are ignored, and the server closes with its code', async ({ page }) => {
    await openLab(page);
    expect(
      await story(page, channel(), {
        'received welcome': 'send hello 您好',
        'received echo hello 您好': 'send close 4001',
      }),
    ).toEqual(['opened', 'received welcome', 'received echo hello 您好', 'closed 4001']);
  });

  test('close() ends in one closed event, with the given code where a page may set it', async ({ page }) => {
    await openLab(page);
    expect(await story(page, channel(), { 'received welcome': 'close' })).toEqual([
      'opened',
      'received welcome',
      'closed 1000',
    ]);
    expect((await story(page, channel(), { 'received welcome': 'close 4002' })).at(-1)).toBe('closed 4002');
    expect((await story(page, channel(), { 'received welcome': 'close 1006' })).at(-1)).toBe('closed 1000');
  });
});

test('fetch sends no cookie, and follows no redirect', async ({ page }) => {
  await openLab(page);
  const { echo, redirected } = await page.evaluate(async () => {
    const request = { method: 'GET', headers: {}, signal: new AbortController().signal } as const;
    const [echoed, moved] = [await lab.platform.fetch('/echo', request), await lab.platform.fetch('/moved', request)];
    return { echo: await echoed.text(), redirected: moved.redirected };
  });
  expect(await page.context().cookies()).toMatchObject([{ name: 'taste' }]);
  expect(JSON.parse(echo)).toEqual({ method: 'GET', body: '' });
  expect(redirected).toBe(true);
  expect(server.asked).not.toContain('/target');
});

test.describe('devices and peer connections', () => {
  test('silence and a black picture of one frame a second are sent, and nothing is left behind', async ({ page }) => {
    await openLab(page);
    await page.click('button');
    const seen = await page.evaluate(async () => {
      const contexts: AudioContext[] = [];
      const Native = AudioContext;
      globalThis.AudioContext = class extends Native {
        constructor() {
          super();
          contexts.push(this);
        }
      };
      const { clock, rtc, devices } = lab.platform;
      const [caller, callee] = [rtc.createPeerConnection({}), rtc.createPeerConnection({})];
      const candidates = [caller, callee].map((from, at) => {
        const to = [callee, caller][at];
        from.addEventListener('icecandidate', ({ candidate }) => {
          if (candidate) void described.then(() => to?.addIceCandidate(candidate.toJSON()));
        });
        return from;
      });
      let ready: () => void = () => undefined;
      const described = new Promise<void>((done) => (ready = done));
      const tracks = [devices.silence(), devices.blackPicture()];
      const stream = rtc.createMediaStream(tracks);
      for (const track of tracks) caller.addTransceiver(track, { direction: 'sendrecv', streams: [stream] });
      const received: MediaStreamTrack[] = [];
      callee.addEventListener('track', ({ track }) => void received.push(track));
      const connected = new Promise<void>((done) =>
        callee.addEventListener('connectionstatechange', () => {
          if (callee.connectionState === 'connected') done();
        }),
      );
      const offer = await caller.createOffer();
      await caller.setLocalDescription(offer);
      await callee.setRemoteDescription(offer);
      const answer = await callee.createAnswer();
      await callee.setLocalDescription(answer);
      await caller.setRemoteDescription(answer);
      ready();
      await connected;

      const sampler = new lab.StatsSampler({ clock, log: { debug: () => undefined } });
      sampler.start(callee);
      const frames = () => sampler.latest?.video?.received?.frames ?? 0;
      /** Returns the received statistics as soon as this number of frames has arrived. */
      const figures = async (least: number) => {
        await lab.eventually(() => frames() >= least, `${least} frames arrive`);
        const { audio, video, transport } = sampler.latest ?? {};
        return { packets: audio?.received?.packets ?? 0, frames: frames(), transport, video, at: clock.now() };
      };
      const before = await figures(1);
      const after = await figures(before.frames + 5);
      sampler.stop();
      // The picture as the other side sees it.
      const video = document.createElement('video');
      video.muted = true;
      video.srcObject = rtc.createMediaStream(received);
      await video.play();
      const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
      const context = canvas.getContext('2d');
      context?.drawImage(video, 0, 0);
      const pixels = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
      const brightest = Array.from(pixels).reduce((max, value, at) => (at % 4 === 3 ? max : Math.max(max, value)), 0);

      const labels = tracks.map(({ kind, readyState }) => `${kind} ${readyState}`);
      for (const track of tracks) track.stop();
      for (const connection of candidates) connection.close();
      await lab.eventually(() => contexts.every(({ state }) => state === 'closed'), 'the silence is let go');
      return {
        labels,
        kinds: received.map(({ kind }) => kind),
        packets: after.packets - before.packets,
        framesPerSecond: (1_000 * (after.frames - before.frames)) / (after.at - before.at),
        transport: after.transport,
        codec: after.video?.received?.codec,
        size: [canvas.width, canvas.height],
        brightest,
        contexts: contexts.length,
      };
    });
    expect(seen.labels).toEqual(['audio live', 'video live']);
    expect(seen.kinds).toEqual(['audio', 'video']);
    // A busy sender skips some of the fifty packets a second.
    expect(seen.packets).toBeGreaterThan(100);
    expect(seen.framesPerSecond).toBeLessThan(2);
    expect(seen.transport).toMatchObject({ candidateType: 'host', protocol: 'udp' });
    expect(seen.codec).toBe('VP8');
    expect(seen.size[0]).toBeGreaterThan(0);
    expect(seen.brightest).toBeLessThan(16);
    expect(seen.contexts).toBe(1);
  });

  test('a configuration that the browser refuses throws', async ({ page }) => {
    await openLab(page);
    await expect(
      page.evaluate(() => lab.platform.rtc.createPeerConnection({ iceServers: [{ urls: 'nonsense:1' }] })),
    ).rejects.toThrow(/SyntaxError/);
  });

  test('F68: the 501st peer connection of a page is refused with a named error, and the page continues', async ({
    page,
  }) => {
    await openLab(page);
    const [made, why] = await page.evaluate(() => {
      const connections: { close(): void }[] = [];
      try {
        while (connections.length <= 1_000) connections.push(lab.platform.rtc.createPeerConnection({}));
        return [connections.length, ''] as const;
      } catch (error) {
        return [connections.length, String(error)] as const;
      } finally {
        for (const connection of connections) connection.close();
      }
    });
    expect(made).toBe(500);
    expect(why).toMatch(/Cannot create so many PeerConnections/);
    // The browser frees closed connections. Then the page makes connections again, and they work.
    const offered = () =>
      page.evaluate(async () => {
        try {
          const connection = lab.platform.rtc.createPeerConnection({});
          connection.addTransceiver('audio');
          const { sdp } = await connection.createOffer();
          connection.close();
          return sdp;
        } catch (error) {
          return String(error);
        }
      });
    await page.requestGC();
    await expect.poll(offered).toContain('m=audio');
  });

  test('devices are listed and opened, and refused with a named error', async ({ page }) => {
    await openLab(page);
    const kinds = await page.evaluate(async () => {
      const stream = await lab.platform.devices.getUserMedia({ audio: true, video: true });
      const devices = await lab.platform.devices.enumerate();
      for (const track of stream.getTracks()) track.stop();
      return [...new Set(devices.map(({ kind }) => kind))].toSorted();
    });
    expect(kinds).toEqual(['audioinput', 'audiooutput', 'videoinput']);
    expect(await refusal(page, { video: { width: { exact: 100_000 } } })).toBe('OverconstrainedError');
  });

  test('changes of devices are reported until the listener is removed', async ({ page }) => {
    await openLab(page);
    const told = await page.evaluate(() => {
      let times = 0;
      const undo = lab.platform.devices.onChange(() => void (times += 1));
      navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
      undo();
      navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
      return times;
    });
    expect(told).toBe(1);
  });

  test('a missing device fails with NotFoundError, and the other device still works', async () => {
    await withChromium(
      { without: ['--use-fake-device'], add: ['--use-fake-device-for-media-stream=device-count=0'] },
      async (page) => {
        expect(await refusal(page, { audio: true, video: true })).toBe('NotFoundError');
        expect(await refusal(page, { audio: true })).toBe('no error');
        const opened = await page.evaluate(async () => {
          const warnings: string[] = [];
          const media = lab.localMedia({ warning: (line) => void warnings.push(line) });
          const { audioTrack, videoTrack } = await media.open({ video: true });
          const states = () => [audioTrack, videoTrack].map((track) => track?.readyState);
          const open = states();
          media.close();
          return { missing: media.missing, open, closed: states(), warnings };
        });
        expect(opened).toEqual({
          missing: [{ kind: 'video', reason: 'NotFoundError' }],
          open: ['live', 'live'],
          closed: ['ended', 'ended'],
          warnings: ['no video device (NotFoundError): a black picture is sent instead'],
        });
      },
    );
  });

  test('DEV-07: a camera with a higher rate is opened with 24 frames a second', async () => {
    await withChromium(
      { without: ['--use-fake-device'], add: ['--use-fake-device-for-media-stream=fps=60'] },
      async (page) => {
        const rate = await page.evaluate(async () => {
          const media = lab.localMedia({ warning: () => undefined });
          const { videoTrack } = await media.open({ video: true });
          const { frameRate } = videoTrack?.getSettings() ?? {};
          media.close();
          return frameRate;
        });
        expect(rate).toBe(24);
      },
    );
  });

  test('a page in an insecure context has no devices, but has identifiers', async () => {
    await withChromium(
      { add: ['--host-resolver-rules=MAP plain.test 127.0.0.1'], url: `http://plain.test:${server.port}` },
      async (page) => {
        expect(await page.evaluate(() => isSecureContext)).toBe(false);
        expect(await refusal(page, { audio: true })).toBe('NotAllowedError');
        expect(await page.evaluate(() => lab.platform.devices.enumerate())).toEqual([]);
        const ids = await page.evaluate(() => Array.from({ length: 1000 }, () => lab.platform.newId()));
        expect(new Set(ids).size).toBe(1000);
        expect(ids.filter((id) => !UUID.test(id))).toEqual([]);
      },
    );
  });
});

test.describe('sounds', () => {
  /** In the page: records the sound that is sent to the speaker. */
  const listen = () => {
    const NEWEST = 2_048;
    const analysers: AnalyserNode[] = [];
    const connect: (this: AudioNode, target: AudioNode) => AudioNode = AudioNode.prototype.connect;
    const samples = new Float32Array(32_768);
    const tapped = function (this: AudioNode, target: AudioNode) {
      if (target instanceof AudioDestinationNode) {
        const analyser = new AnalyserNode(this.context, { fftSize: samples.length });
        connect.call(this, analyser);
        analysers.push(analyser);
      }
      return connect.call(this, target);
    };
    Object.defineProperty(AudioNode.prototype, 'connect', { value: tapped });
    /**
     * Returns whether sound is playing, from the newest samples or more of them. A suspended audio context plays
     * none.
     */
    const isLoud = (count = NEWEST) =>
      analysers.some((analyser) => {
        if (analyser.context.state !== 'running') return false;
        analyser.getFloatTimeDomainData(samples);
        return samples.subarray(-count).some((sample) => Math.abs(sample) > 0.01);
      });
    const until = async (holds: () => boolean, what: string) => {
      await lab.eventually(holds, what);
      // The audio engine times sounds, and a busy machine delays it too.
      return Math.max(0, ...analysers.map(({ context }) => context.currentTime));
    };
    const ears: Ears = {
      // Reads past samples, because a short sound may be over before a busy page looks again.
      hear: async () => void (await until(() => isLoud(samples.length), 'a sound is heard')),
      rhythm: async () => {
        const begun = await until(() => isLoud(), 'a sound begins');
        const ended = await until(() => !isLoud(), 'the sound pauses');
        const again = await until(() => isLoud(), 'the sound comes again');
        return { sound: ended - begun, pause: again - ended };
      },
      rest: async () => void (await until(() => states().every((state) => state === 'suspended'), 'the engine rests')),
      hearsNothing: async (ms) => {
        for (const end = performance.now() + ms; performance.now() < end;) {
          if (isLoud(samples.length)) return false;
          await new Promise((done) => setTimeout(done, 50));
        }
        return true;
      },
      states: () => states(),
    };
    const states = () => analysers.map(({ context }) => context.state);
    Object.assign(globalThis, { ears });
  };
  interface Ears {
    /** Waits for a sound. */
    hear(): Promise<void>;
    /** Returns the length of a sound and of the silence until the next one, in seconds. */
    rhythm(): Promise<{ sound: number; pause: number }>;
    /** Waits until the audio engine is suspended, so that nothing can sound. */
    rest(): Promise<void>;
    hearsNothing(ms: number): Promise<boolean>;
    states(): AudioContextState[];
  }

  /** Expects one second of sound and two of silence. A busy page measures both late. */
  const expectRinging = ({ sound, pause }: { sound: number; pause: number }) => {
    expect(Math.abs(sound - 1)).toBeLessThan(0.5);
    expect(Math.abs(pause - 2)).toBeLessThan(0.5);
  };

  test('the ringing tone plays one second in three, until it is stopped', async ({ page }) => {
    await page.addInitScript(listen);
    await openLab(page);
    await page.click('button');
    const { rhythm, states, isSilent, atRest } = await page.evaluate(async () => {
      const { ears } = globalThis as unknown as { ears: Ears };
      const sound = lab.platform.sounds.play('DIALING', { looped: true });
      const playing = { rhythm: await ears.rhythm(), states: ears.states() };
      sound.stop();
      sound.stop();
      await ears.rest();
      return { ...playing, isSilent: await ears.hearsNothing(500), atRest: ears.states() };
    });
    expectRinging(rhythm);
    expect(states).toEqual(['running']);
    expect(isSilent).toBe(true);
    expect(atRest).toEqual(['suspended']);
  });

  test('a loop that is stopped at once starts no audio engine', async ({ page }) => {
    await page.addInitScript(listen);
    await openLab(page);
    await page.click('button');
    const states = await page.evaluate(async () => {
      const { ears } = globalThis as unknown as { ears: Ears };
      const { sounds } = lab.platform;
      sounds.play('RECONNECTED', { looped: false });
      await ears.hear();
      await ears.rest();
      sounds.play('RINGING', { looped: true }).stop();
      return ears.states();
    });
    // The engine of the first sound, to which the loop added nothing.
    expect(states).toEqual(['suspended']);
  });

  test('a sound that plays once is heard, and then the audio engine is suspended', async ({ page }) => {
    await page.addInitScript(listen);
    await openLab(page);
    await page.click('button');
    const states = await page.evaluate(async () => {
      const { ears } = globalThis as unknown as { ears: Ears };
      lab.platform.sounds.play('RECONNECTED', { looped: false });
      await ears.hear();
      await ears.rest();
      return ears.states();
    });
    expect(states).toEqual(['suspended']);
  });

  test('sounds have the given volume, also while they play', async ({ page }) => {
    await page.addInitScript(listen);
    await openLab(page);
    await page.click('button');
    const seen = await page.evaluate(async () => {
      const { ears } = globalThis as unknown as { ears: Ears };
      const { sounds } = lab.platform;
      const players: HTMLAudioElement[] = [];
      const Native = Audio;
      globalThis.Audio = function (url?: string) {
        const player = new Native(url);
        players.push(player);
        return player;
      } as unknown as typeof Audio;
      await sounds.preload('/tone.wav');
      sounds.setVolume(0);
      const synthesised = sounds.play('RECONNECTING', { looped: true });
      const recorded = sounds.play('RINGING', { url: '/tone.wav', looped: true });
      const atFirst = players.map((player) => player.muted);
      // Longer than its pause.
      const isSilent = await ears.hearsNothing(2_500);
      sounds.setVolume(0.5);
      await ears.hear();
      synthesised.stop();
      recorded.stop();
      return { isSilent, atFirst, now: players.map((player) => [player.muted, player.volume]) };
    });
    expect(seen).toEqual({ isSilent: true, atFirst: [true], now: [[false, 0.5]] });
  });

  test('two calls that were silenced leave no sound behind', async ({ page }) => {
    await page.addInitScript(listen);
    await openLab(page);
    await page.click('button');
    const { states, isSilent } = await page.evaluate(async () => {
      const { ears } = globalThis as unknown as { ears: Ears };
      const sounds = new lab.CallSounds(lab.platform.sounds);
      const [one, other] = [sounds.voice(), sounds.voice()];
      one.play('RECONNECTING', true);
      other.play('RINGING', true);
      await ears.hear();
      one.stop();
      other.stop();
      await ears.rest();
      return { states: [...new Set(ears.states())], isSilent: await ears.hearsNothing(500) };
    });
    expect(states).toEqual(['suspended']);
    expect(isSilent).toBe(true);
  });

  test('with autoplay blocked nothing fails: a loop is heard from the first gesture, a short sound never', async ({
    page,
  }) => {
    const news: string[] = [];
    page.on('console', (message) => {
      // Except for the browser's warnings about the refusal.
      if (message.type() === 'log') news.push(message.text());
    });
    page.on('pageerror', ({ message }) => void news.push(message));
    await page.addInitScript(listen);
    // Everything that a test does in a page counts as a gesture. So the page acts by itself, and reports through its
    // console.
    await page.addInitScript(() => {
      const { ears } = globalThis as unknown as { ears: Ears };
      const act = async () => {
        if (!('lab' in globalThis)) {
          setTimeout(() => void act(), 20);
          return;
        }
        const { sounds } = lab.platform;
        sounds.play('RECONNECTED', { looped: false });
        sounds.play('RINGING', { looped: true }).stop();
        const players: HTMLAudioElement[] = [];
        const Native = Audio;
        globalThis.Audio = function (url?: string) {
          const player = new Native(url);
          players.push(player);
          return player;
        } as unknown as typeof Audio;
        sounds.play('RINGING', { url: '/tone.wav', looped: true });
        sounds.play('RINGING', { url: '/tone.wav', looped: true }).stop();
        sounds.play('RECONNECTED', { url: '/tone.wav', looped: false });
        sounds.play('DIALING', { looped: true });
        // A short sound is outdated after a second.
        const isSilent = await ears.hearsNothing(1_500);
        console.log(`before: ${isSilent ? 'silence' : 'sound'} ${[...new Set(ears.states())].join()}`);
        document.querySelector('button')?.addEventListener('click', () => {
          void ears.rhythm().then((rhythm) => {
            console.log(`playing: ${players.map(({ paused }) => !paused).join()}`);
            console.log(JSON.stringify(rhythm));
          });
        });
        console.log('ready');
      };
      void act();
    });
    await page.goto(server.url);
    await expect.poll(() => news).toEqual(['before: silence suspended', 'ready']);
    await page.mouse.click(20, 20);
    await expect.poll(() => news).toHaveLength(4);
    expect(news[2]).toBe('playing: true,false,false');
    expectRinging(JSON.parse(news[3] ?? '') as { sound: number; pause: number });
  });

  test('a sound file is loaded, played in a loop and stopped; a file without sound is refused', async ({ page }) => {
    await openLab(page);
    await page.click('button');
    const seen = await page.evaluate(async () => {
      const players: HTMLAudioElement[] = [];
      const play = HTMLMediaElement.prototype.play;
      HTMLMediaElement.prototype.play = function (this: HTMLAudioElement) {
        players.push(this);
        return play.call(this);
      };
      const { sounds } = lab.platform;
      const file = URL.createObjectURL(await (await fetch('/tone.wav')).blob());
      const loaded = await Promise.all(
        ['/tone.wav', file, '/noise.wav', '/nowhere.wav'].map((url) => sounds.preload(url)),
      );
      // A host may revoke the object url.
      URL.revokeObjectURL(file);
      const sound = sounds.play('RINGING', { url: file, looped: true });
      const [player] = players;
      if (!player) throw new Error('nothing is played');
      // Each repetition seeks the start. The first start is the player's.
      let begun = 0;
      await new Promise<void>((heard) => {
        player.addEventListener('seeked', () => {
          begun += 1;
          if (begun === 3) heard();
        });
      });
      const playing = !player.paused;
      sound.stop();
      return { loaded, playing, paused: player.paused, times: players.length };
    });
    expect(seen).toEqual({ loaded: [true, true, false, false], playing: true, paused: true, times: 1 });
  });
});

test.describe('screen and recordings', () => {
  test('a screen is captured, and ends when its track is stopped', async ({ page }) => {
    await openLab(page);
    const shared = await page.context().newPage();
    await shared.setContent(`<title>${SHARED_TAB}</title><p>a slide`);
    await page.bringToFront();
    await page.click('button');
    const seen = await page.evaluate(async () => {
      const { devices } = lab.platform;
      const stream = await devices.getDisplayMedia({ video: true });
      const [track] = stream.getVideoTracks();
      const video = document.createElement('video');
      video.muted = true;
      video.srcObject = stream;
      await video.play();
      const live = { kinds: stream.getTracks().map(({ kind }) => kind), state: track?.readyState };
      track?.stop();
      const { videoWidth, videoHeight } = video;
      return { ...live, can: devices.canCaptureDisplay, after: track?.readyState, area: videoWidth * videoHeight };
    });
    expect(seen).toEqual({ kinds: ['video'], state: 'live', can: true, after: 'ended', area: expect.any(Number) });
    expect(seen.area).toBeGreaterThan(0);
  });

  test('a denied screen share fails with NotAllowedError, and so does a browser without capture with its reason', async () => {
    await withChromium({ without: ['--use-fake-ui'], add: ['--use-fake-ui-for-media-stream=deny'] }, async (page) => {
      await page.click('button');
      const seen = await page.evaluate(async () => {
        const { devices } = lab.platform;
        const name = await devices.getDisplayMedia({ video: true }).then(
          () => 'no error',
          (error: unknown) => (error instanceof Error ? error.name : String(error)),
        );
        Object.defineProperty(navigator.mediaDevices, 'getDisplayMedia', { value: undefined });
        return { name, can: devices.canCaptureDisplay };
      });
      expect(seen).toEqual({ name: 'NotAllowedError', can: false });
    });
  });

  test('two tones and a picture are recorded to a file that plays, with its size, length and both tones', async ({
    page,
  }) => {
    await openLab(page);
    await page.click('button');
    const seen = await page.evaluate(async () => {
      const wait = (ms: number) => new Promise<void>((done) => lab.platform.clock.after(ms, done));
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [320, 180];
      const context = canvas.getContext('2d');
      const painting = lab.platform.clock.every(40, () => {
        if (!context) return;
        context.fillStyle = '#0c0';
        context.fillRect(0, 0, 320, 180);
      });
      const audio = new AudioContext();
      const tone = (frequency: number) => {
        const destination = new MediaStreamAudioDestinationNode(audio);
        const oscillator = new OscillatorNode(audio, { frequency });
        oscillator.connect(new GainNode(audio, { gain: 0.3 })).connect(destination);
        oscillator.start();
        return destination.stream.getAudioTracks();
      };
      const video = canvas.captureStream(25).getVideoTracks()[0] ?? null;
      const tracks = { audio: [...tone(500), ...tone(2000)], video };
      const startedAt = performance.now();
      const running = lab.platform.recorder.start(tracks, 'video/webm');
      await wait(2000);
      running.stop();
      const ran = (performance.now() - startedAt) / 1_000;
      const blob = await running.data;
      painting.cancel();

      const player = document.createElement('video');
      player.muted = true;
      player.src = URL.createObjectURL(blob);
      await new Promise((done) => player.addEventListener('loadeddata', done, { once: true }));
      // The length is known before playback, and the file has a seek index.
      const [length, seekable] = [player.duration, player.seekable.length === 1 && player.seekable.end(0)];
      player.currentTime = length / 2;
      await new Promise((done) => player.addEventListener('seeked', done, { once: true }));
      const pixel = new OffscreenCanvas(1, 1).getContext('2d');
      pixel?.drawImage(player, 0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = pixel?.getImageData(0, 0, 1, 1).data ?? [];
      const decoded = await audio.decodeAudioData(await blob.arrayBuffer());
      const all = decoded.getChannelData(0);
      /** Returns the strength of a frequency in these samples. */
      const strength = (samples: Float32Array, frequency: number) => {
        let [sine, cosine] = [0, 0];
        samples.forEach((sample, at) => {
          const phase = (2 * Math.PI * frequency * at) / decoded.sampleRate;
          sine += sample * Math.sin(phase);
          cosine += sample * Math.cos(phase);
        });
        return (2 * Math.hypot(sine, cosine)) / samples.length;
      };
      // A busy machine leaves gaps. So the test measures the quarter second in which the first tone is strongest.
      const quarter = decoded.sampleRate / 4;
      const windows = Array.from({ length: Math.floor(all.length / quarter) }, (_, at) =>
        all.subarray(at * quarter, (at + 1) * quarter),
      );
      const [best = all] = windows.toSorted((one, other) => strength(other, 500) - strength(one, 500));
      return {
        type: blob.type,
        size: [player.videoWidth, player.videoHeight],
        length,
        seekable,
        ran,
        heard: decoded.duration,
        green: green > red + 60 && green > blue + 60,
        strengths: [500, 1200, 2000].map((frequency) => strength(best, frequency)),
      };
    });
    expect(seen.type).toMatch(/^video\/webm/);
    expect(seen.size).toEqual([320, 180]);
    expect(seen.length).toBeGreaterThan(1.5);
    expect(seen.length).toBeLessThan(seen.ran + 0.5);
    expect(seen.seekable).toBe(seen.length);
    expect(seen.heard).toBeGreaterThan(1.5);
    expect(seen.green).toBe(true);
    const [low = 0, between = 0, high = 0] = seen.strengths;
    expect(low).toBeGreaterThan(0.15);
    expect(high).toBeGreaterThan(0.15);
    expect(between).toBeLessThan(0.02);
  });

  test('the audio mix of a recording is released at its end, also when the browser refuses the recording', async ({
    page,
  }) => {
    await openLab(page);
    await page.click('button');
    const states = await page.evaluate(async () => {
      const contexts: AudioContext[] = [];
      const Native = AudioContext;
      const { devices, recorder } = lab.platform;
      const audio = [devices.silence(), devices.silence()];
      globalThis.AudioContext = class extends Native {
        constructor() {
          super();
          contexts.push(this);
        }
      };
      const running = recorder.start({ audio, video: null }, 'audio/webm');
      const [open] = contexts.map(({ state }) => state !== 'closed');
      // The tracks and the recording end. The mix alone would continue.
      running.stop();
      await running.data;
      try {
        recorder.start({ audio, video: null }, 'audio/nothing');
      } catch {
        // The browser refuses the recording, as this test needs.
      }
      await lab.eventually(() => contexts.every(({ state }) => state === 'closed'), 'the mixes are let go');
      for (const track of audio) track.stop();
      return { open, mixes: contexts.length };
    });
    expect(states).toEqual({ open: true, mixes: 2 });
  });

  test('a recording whose sound has ended continues in silence until it is stopped', async ({ page }) => {
    await openLab(page);
    await page.click('button');
    const recorded = await page.evaluate(async () => {
      const { devices, recorder } = lab.platform;
      const [sound, later] = [devices.silence(), devices.silence()];
      const running = recorder.start({ audio: [sound], video: null }, 'audio/webm');
      let hasEnded = false;
      void running.data.then(() => (hasEnded = true));
      // Another recorder of the same track shows that the browser has had the time to end.
      const other = new MediaRecorder(new MediaStream([sound]), { mimeType: 'audio/webm' });
      const otherEnded = new Promise((resolve) => other.addEventListener('stop', resolve));
      other.start();
      sound.stop();
      await otherEnded;
      running.useAudio([later]);
      const isOpen = !hasEnded;
      running.stop();
      const { size } = await running.data;
      later.stop();
      return { isOpen, isEmpty: size === 0 };
    });
    expect(recorded).toEqual({ isOpen: true, isEmpty: false });
  });

  test('a recording is downloaded under its name', async ({ page }) => {
    await openLab(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.evaluate(() => lab.platform.recorder.save('talk.webm', new Blob(['recorded'], { type: 'video/webm' }))),
    ]);
    expect(download.suggestedFilename()).toBe('talk.webm');
    expect(await readFile(await download.path(), 'utf8')).toBe('recorded');
  });
});

test.describe('page', () => {
  test('ENT-25: active, passive, hidden, frozen, terminated', async ({ page }) => {
    await openLab(page);
    const seen = await page.evaluate(() => {
      let visibility: DocumentVisibilityState = 'visible';
      let focus = true;
      Object.defineProperty(document, 'visibilityState', { get: () => visibility });
      document.hasFocus = () => focus;
      const { page: port } = lab.platform;
      const states: string[] = [port.state];
      const undo = port.onChange((state) => void states.push(state === port.state ? state : 'untrue'));
      const look = (next: DocumentVisibilityState) => {
        visibility = next;
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      };
      focus = false;
      window.dispatchEvent(new Event('blur'));
      window.dispatchEvent(new Event('blur'));
      look('hidden');
      document.dispatchEvent(new Event('freeze'));
      look('hidden');
      document.dispatchEvent(new Event('resume'));
      look('visible');
      focus = true;
      window.dispatchEvent(new Event('focus'));
      window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
      window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false }));
      undo();
      undo();
      look('hidden');
      return states;
    });
    expect(seen).toEqual([
      'active',
      'passive',
      'hidden',
      'frozen',
      'hidden',
      'passive',
      'active',
      'frozen',
      'active',
      'terminated',
    ]);
  });

  test('leaving a page ends it', async ({ page }) => {
    await openLab(page);
    await page.evaluate(() => {
      lab.platform.page.onChange((state) =>
        localStorage.setItem('states', `${localStorage.getItem('states') ?? ''} ${state}`),
      );
      // The browser freezes a page that it keeps for the back button. It does not keep this page.
      window.addEventListener('unload', () => undefined);
    });
    await page.goto(`${server.url}/echo`);
    expect(await page.evaluate(() => localStorage.getItem('states'))).toMatch(/(terminated|frozen)$/);
  });

  test('the return of the network is reported', async ({ page, context }) => {
    await openLab(page);
    await page.evaluate(() => {
      Object.assign(globalThis, { online: 0 });
      lab.platform.page.onOnline(() => Object.assign(globalThis, { online: Reflect.get(globalThis, 'online') + 1 }));
    });
    await context.setOffline(true);
    await page.waitForFunction(() => !navigator.onLine);
    await context.setOffline(false);
    await expect.poll(() => page.evaluate(() => Reflect.get(globalThis, 'online'))).toBe(1);
  });
});
