/** Each limit where it applies: a value just within it is accepted, a value just past it is not. */
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { LogBuffer } from '../../../src/calls/logging/log-buffer.ts';
import { Log } from '../../../src/calls/logging/log.ts';
import { recordingFileName } from '../../../src/calls/media/recording-file.ts';
import { videoConstraints } from '../../../src/calls/media/video-constraints.ts';
import { RestClient } from '../../../src/calls/rest/rest-client.ts';
import { login } from '../../../src/calls/rest/requests.ts';
import { clampStatsInterval } from '../../../src/calls/stats/sampler.ts';
import { debugLogsBody } from '../../../src/protocol/client-logs.ts';
import {
  capabilities,
  chatChannel,
  customItems,
  mos,
  relayCredential,
  user,
  userId,
  webhookTarget,
} from '../../../src/protocol/entities.ts';
import { decodeServerFrame } from '../../../src/protocol/envelope.ts';
import { deleteCustomItemsBody, pushTokenBody, summaryBody } from '../../../src/protocol/http.ts';
import { COMMANDS } from '../../../src/protocol/messages/commands.ts';
import { unpackSdp } from '../../../src/protocol/sdp-codec.ts';
import { VirtualClock } from '../../../sim/virtual/clock.ts';
import { AV, CANDIDATE, createExchangeFixture } from '../exchange/exchange-fixture.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { loadedParts } from '../../../src/calls/client/loaded-parts.ts';

const chars = (count: number) => 'x'.repeat(count);
const keys = (count: number) => Array.from({ length: count }, (_, at) => `key${at}`);
const itemsOf = (count: number) => Object.fromEntries(keys(count).map((key) => [key, 'value']));
const webhook = (more: object) => ({ url: 'https://hooks.example', ...more });
const line = (log_message = '') => ({ log_dt: '2026.01.01 00:00:00:000', log_level: 'ERROR', log_message });
const logsOf = (logs: unknown[]) => ({ version: 1, is_overflow_logs: false, logs });
const numbers = (count: number) => Array.from({ length: count }, () => 4);
const candidates = (count: number) => Array.from({ length: count }, () => CANDIDATE);
const someone = { user_id: 'alice', nickname: '', profile_url: '', metadata: {}, is_active: true };
const channelUrl = (length: number) => ({ channel_url: chars(length) });

describe('the contents of messages', () => {
  it.each<[what: string, schema: v.GenericSchema, most: number, of: (size: number) => unknown]>([
    ['a user id: characters', userId, 128, chars],
    ['custom items', customItems, 10, itemsOf],
    ['a custom item’s key: characters', customItems, 128, (size) => ({ [chars(size)]: 'value' })],
    ['a custom item’s value: characters', customItems, 128, (size) => ({ key: chars(size) })],
    ['custom items to delete', deleteCustomItemsBody, 10, (size) => ({ keys: keys(size) })],
    ['a push token: characters', pushTokenBody, 4_096, (size) => ({ token: chars(size), is_unique: false })],
    ['the address of a chat channel: characters', chatChannel, 2_048, channelUrl],
    ['events of a webhook', webhookTarget, 16, (size) => webhook({ enabled_events: keys(size) })],
    ['an event of a webhook: characters', webhookTarget, 128, (size) => webhook({ enabled_events: [chars(size)] })],
    ['headers of a webhook', webhookTarget, 16, (size) => webhook({ headers: itemsOf(size) })],
    ['a header of a webhook: characters', webhookTarget, 1_024, (size) => webhook({ headers: { name: chars(size) } })],
    ['scores of a summary', summaryBody.entries.summary_data.entries.audio.entries.mos_list, 40_000, numbers],
    ['capabilities', capabilities, 32, keys],
    ['a capability: characters', capabilities, 64, (size) => [chars(size)]],
    ['the id of a recording: characters', COMMANDS.COMM.recording.entries.recording_id, 128, chars],
    ['candidates to remove', COMMANDS.SGNL.remove_candidates.entries.candidates, 100, candidates],
    ['a nickname: characters', user, 1_024, (size) => ({ ...someone, nickname: chars(size) })],
    ['metadata of a user', user, 64, (size) => ({ ...someone, metadata: itemsOf(size) })],
    ['the address of a picture: characters', user, 4_096, (size) => ({ ...someone, profile_url: chars(size) })],
    ['lines of a log', debugLogsBody, 500, (size) => logsOf(Array.from({ length: size }, () => line()))],
    ['a line of a log: characters', debugLogsBody, 1_000, (size) => logsOf([line(chars(size))])],
  ])('%s', (_what, schema, most, of) => {
    expect([most, most + 1].map((size) => v.is(schema, of(size)))).toEqual([true, false]);
  });

  it('ENT-18: only addresses of a relay with up to 512 characters are used', () => {
    const credential = { username: '', password: '', turn_urls: [chars(512), chars(513)], transport_policy: 'all' };
    expect(v.parse(relayCredential, credential).turn_urls).toEqual([chars(512)]);
  });

  it('QM-06: a score outside 1 to 4.5 is clamped to the scale', () => {
    expect([0, 0.9, 1, 4.5, 4.6, 9].map((score) => v.parse(mos, score))).toEqual([1, 1, 1, 4.5, 4.5, 4.5]);
  });

  it('a frame of 64 KiB is read, and one of a byte more is not', () => {
    const framed = (bytes: number) => () => decodeServerFrame(`"${chars(bytes - 2)}"`);
    expect(framed(65_536)).not.toThrow('too large');
    expect(framed(65_537)).toThrow('too large');
  });

  it('PAY-19: a compressed sdp is read up to 32 Ki characters, and inflates up to 256 KiB', () => {
    expect(() => unpackSdp(chars(32_768))).not.toThrow('the compressed sdp is too large');
    expect(() => unpackSdp(chars(32_769))).toThrow('the compressed sdp is too large');
    const packed = (bytes: number) => gzipSync(chars(bytes)).toString('base64');
    expect(unpackSdp(packed(262_144))).toHaveLength(262_144);
    expect(() => unpackSdp(packed(262_145))).toThrow('the sdp inflates past its bound');
  });
});

describe('the limits of the library', () => {
  it('an answer over HTTP is read up to 1 MiB', async () => {
    const answerOf = (length: number) => {
      const text = JSON.stringify({ code: ErrorCode.ERR_INVALID_CALL_STATUS, message: chars(length - 29) });
      expect(text).toHaveLength(length);
      const clock = new VirtualClock();
      const rest = new RestClient({
        clock,
        fetch: () => Promise.resolve({ status: 400, redirected: false, text: () => Promise.resolve(text) }),
        log: new Log({ clock, print: () => undefined }, loadedParts().logText),
        apiHost: 'https://api.example',
        clientId: 'client-1',
        session: () => undefined,
      });
      return login(rest, { appId: 'app', userId: 'alice' }).catch((error: { code: number }) => error.code);
    };
    // A longer body is not read, so the code in it is unknown.
    expect([await answerOf(1_048_576), await answerOf(1_048_577)]).toEqual([
      ErrorCode.ERR_INVALID_CALL_STATUS,
      ErrorCode.ERR_REQUEST_FAILED,
    ]);
  });

  it('the newest 500 lines of the log wait, each of up to 1000 characters', () => {
    const buffer = new LogBuffer();
    const add = (message: string) => buffer.add({ log_dt: '', log_level: 'ERROR', log_message: message });
    for (const key of keys(500)) add(key);
    expect(buffer.take()).toMatchObject({ entries: { length: 500 }, overflowed: false });
    for (const key of keys(501)) add(key);
    expect(buffer.take()).toMatchObject({ entries: { length: 500, 0: { log_message: 'key1' } }, overflowed: true });

    const log = new Log({ clock: new VirtualClock(), print: () => undefined }, loadedParts().logText);
    log.setUploadLevel('ERROR');
    log.error(chars(1_000));
    log.error(chars(1_001));
    const [whole, cut] = log.takeBuffered().entries;
    expect([whole?.log_message, cut?.log_message]).toEqual([chars(1_000), `${chars(999)}…`]);
  });

  it('ST-02: the stats interval is 3 s, and is clamped to 1 to 60', () => {
    expect([undefined, 0.9, 1, 60, 61].map(clampStatsInterval)).toEqual([3, 1, 1, 60, 60]);
  });

  it('a camera is requested with 24 frames a second', () => {
    expect(videoConstraints({}, { front: true }).frameRate).toEqual({ ideal: 24 });
  });

  it('the name of a recording is cut at 255 bytes, including its extension', () => {
    const named = (length: number) =>
      recordingFileName(chars(length), { type: 'remote_audio_only', callId: '', timestamp: 0, extension: 'webm' });
    expect([named(250), named(251)]).toEqual([`${chars(250)}.webm`, `${chars(250)}.webm`]);
  });
});

describe('the limits of the exchange', () => {
  it('B44: it forwards 100 candidates of a leg', async () => {
    const fixture = createExchangeFixture();
    const [alice, bob] = [await fixture.device('alice'), await fixture.device('bob')];
    const call_id = alice.dial('bob');
    bob.send('accept', { call_id, constraints: AV, capabilities: [] });
    const replies = Array.from({ length: 101 }, () => alice.send('candidate', { call_id, candidate: CANDIDATE }));
    expect(replies.map(({ error }) => error === undefined)).toEqual([...Array<boolean>(100).fill(true), false]);
  });
});
