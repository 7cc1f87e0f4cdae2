import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';
import { applySignal, type CallFrame, type SignalTargets } from '../../../src/calls/direct-call/incoming-signals.ts';
import { eventFrom } from '../../../src/protocol/envelope.ts';
import { callWorld, type MediaPeer } from './support/call-world.ts';
import { connected, ringing } from './support/two-people.ts';

/** The effect of each type of signalling message on the client (§7). */

const golden: CallFrame[] = JSON.parse(
  readFileSync(new URL('../../../fixtures/wire/events.json', import.meta.url), 'utf8'),
)
  .map(eventFrom)
  .filter(({ type }: { type: string }) => type !== 'log_level');

/** Applies a signal, and lists the requests to the parts of the call. A call has peer connections from its accept on. */
function applied(
  frame: CallFrame,
  { localUserId = 'bob', lastSignal = 0, hasPeers = frame.type !== 'accept' } = {},
): unknown[][] {
  const asked: unknown[][] = [];
  const part = (name: string) =>
    new Proxy(
      {},
      {
        get:
          (_, method) =>
          (...given: unknown[]) =>
            void asked.push([`${name}.${String(method)}`, ...given]),
      },
    );
  const parts = {
    lifecycle: part('lifecycle'),
    peers: () => (hasPeers ? part('peers') : null),
    relay: part('relay'),
    remote: part('remote'),
  };
  applySignal(frame, { ...parts, localUserId, lastSignal: () => lastSignal } as unknown as SignalTargets);
  return asked;
}

type Payload = Record<string, any>;

/** What each event requests of the call, by its payload. */
const EVENTS: Readonly<Record<string, (payload: Payload) => unknown[][]>> = {
  // It created the call that it is applied to.
  dial: () => [],
  dial_rcv: () => [['remote.dialReceived']],
  accept: ({ turn_credential, audio, video }) => [
    ['relay.use', turn_credential],
    ['remote.dialReceived'],
    ['remote.audio', audio],
    ['remote.video', video],
    ['lifecycle.raise', 'remoteAccepted'],
  ],
  other_device_accepted: () => [['lifecycle.raise', 'otherDeviceAccepted']],
  cancel: () => [['lifecycle.raise', 'remoteCanceled', { by: 'alice' }]],
  decline: () => [['lifecycle.raise', 'remoteEnded', { result: 'declined', by: 'bob' }]],
  end: () => [['lifecycle.raise', 'remoteEnded', { result: 'completed', by: 'bob' }]],
  timeout: () => [['lifecycle.raise', 'remoteEnded', { result: 'timed_out', by: null }]],
  connection_lost: () => [['lifecycle.raise', 'remoteEnded', { result: 'connection_lost', by: null }]],
  no_answer: () => [['lifecycle.raise', 'remoteEnded', { result: 'no_answer', by: null }]],
  unknown_end: () => [['lifecycle.raise', 'remoteEnded', { result: 'unknown', by: null }]],
  hold: () => [['remote.hold', true]],
  custom_items_update: ({ custom_items: items, updated: keys, affected_at: affectedAt }) => [
    ['remote.customItems', { how: 'updated', items, keys, affectedAt }],
  ],
  custom_items_delete: ({ custom_items: items, deleted: keys, affected_at: affectedAt }) => [
    ['remote.customItems', { how: 'deleted', items, keys, affectedAt }],
  ],
  turn_changed: ({ turn_credential }) => [['relay.change', turn_credential]],
  offer: (payload) => [['lifecycle.raise', 'offerReceived', { offer: payload }]],
  answer: ({ sdp, peer_connection_id, offer_id }) => [['peers.receiveAnswer', sdp, peer_connection_id, offer_id]],
  candidate: ({ candidate, peer_connection_id }) => [['peers.receiveCandidate', candidate, peer_connection_id]],
  remove_candidates: ({ candidates, peer_connection_id }) => [
    ['peers.removeCandidates', candidates, peer_connection_id],
  ],
  // Each side uses its own connection (ADR 0017).
  connected: () => [],
  snapshot: ({ signal_snapshot }) => [
    ['remote.audio', signal_snapshot.is_audio_enabled],
    ['remote.video', signal_snapshot.is_video_enabled],
    ['remote.recording', signal_snapshot.recording],
  ],
  audio: ({ is_enabled }) => [['remote.audio', is_enabled]],
  video: ({ is_enabled }) => [['remote.video', is_enabled]],
  recording: ({ recording_status }) => [['remote.recording', recording_status]],
};

/** The effect that shows that a reply was handled. It is absent when the reply is lost. */
const REPLIES: Readonly<Record<string, (isLost: boolean) => Promise<unknown>>> = {
  dial_ack: async (isLost) => {
    const world = await callWorld();
    const [alice] = [await world.party('alice'), await world.party('bob')];
    if (isLost) alice.lose({ to: 'alice', type: 'dial_ack' });
    const call = alice.dial('bob', { isVideoCall: true, callOption: {} });
    await world.settle();
    return [alice.state(call), call.callId !== ''];
  },
  accept_ack: async (isLost) => {
    const { world, alice, bob, rung } = await ringing();
    if (isLost) bob.lose({ to: 'bob', type: 'accept_ack' });
    alice.lose({ from: 'alice', type: 'offer' });
    rung.accept({ callOption: {} });
    await world.settle();
    return bob.state(rung);
  },
  hold_ack: async (isLost) => {
    const { world, alice, call } = await connected();
    if (isLost) alice.lose({ to: 'alice', type: 'hold_ack' });
    let outcome = 'waits';
    call.hold().then(
      () => (outcome = 'held'),
      () => (outcome = 'failed'),
    );
    await world.settle();
    return outcome;
  },
  decline_ack: async (isLost) => {
    const { world, bob, rung } = await ringing();
    if (isLost) bob.lose({ to: 'bob', type: 'decline_ack' });
    rung.end();
    await world.advance(70_000);
    return bob.logged('debug').some((line) => line.includes('decline was not sent'));
  },
  alive_ack: async (isLost) => {
    const { world, alice } = await ringing();
    if (isLost) alice.lose({ to: 'alice', type: 'alive_ack' });
    alice.client.setRingingTimeout(1);
    await world.advance(95_000);
    return alice.logged('debug').some((line) => line.includes('alive was not sent'));
  },
};

/** The types of §7 as RT-12 lists them. */
const LISTED =
  'dial dial_ack dial_rcv cancel accept accept_ack other_device_accepted decline decline_ack offer answer candidate ' +
  'remove_candidates audio video hold hold_ack custom_items_update custom_items_delete recording end timeout ' +
  'connection_lost unknown_end alive no_answer connected snapshot turn_changed';

describe('each signalling type', () => {
  it('RT-12: is handled by the client: as an event, as the reply to its command, or as both', () => {
    const handled = new Set([...Object.keys(EVENTS), ...Object.keys(REPLIES)]);
    const unhandled = LISTED.split(' ').filter((type) => !handled.has(type) && !handled.has(`${type}_ack`));
    expect(unhandled).toEqual([]);
    expect(golden.map(({ type }) => type).sort()).toEqual(Object.keys(EVENTS).sort());
  });

  it.each(golden.map((frame) => [frame.type, frame] as const))('RT-12: event %s has its effect', (type, frame) => {
    expect(applied(frame)).toEqual(EVENTS[type]?.(frame.payload));
  });

  it.each(Object.entries(REPLIES))('RT-12: reply %s is handled', async (_, outcome) => {
    expect(await outcome(false)).not.toEqual(await outcome(true));
  });

  it('RT-12: an accept after another one changes the media of the other side alone', () => {
    const accept = golden.find(({ type }) => type === 'accept');
    expect((accept ? applied(accept, { hasPeers: true }) : []).map(([part]) => part)).toEqual([
      'relay.use',
      'remote.dialReceived',
      'remote.audio',
      'remote.video',
    ]);
  });

  it('RT-12 HOLD-01: a hold of this user on another device does not count as a hold of the other side', () => {
    const hold = golden.find(({ type }) => type === 'hold');
    expect(hold && applied(hold, { localUserId: 'alice' })).toEqual([]);
  });
});

describe('a snapshot', () => {
  const snapshotOf = (call: DirectCall, signal_seq: number, party: MediaPeer) =>
    party.inject({
      version: 1,
      message_id: `snapshot-${signal_seq}`,
      cmd: 'SGNL',
      type: 'snapshot',
      delivery_info: { channel: 'websocket' },
      sequence_number: 0,
      payload: {
        call_id: call.callId,
        signal_seq,
        signal_snapshot: {
          is_audio_enabled: false,
          is_video_enabled: false,
          custom_items: { of: 'the snapshot' },
          recording: 'recording',
        },
      },
    });
  const seen = (call: DirectCall) => [call.isRemoteAudioEnabled, call.isRemoteVideoEnabled, call.remoteRecordingStatus];

  it('RT-12 ENT-17: updates audio, video and recording of the other side, and the host is notified', async () => {
    const { world, alice, call } = await connected();
    expect(seen(call)).toEqual([true, true, 'none']);
    const before = alice.told().length;
    snapshotOf(call, 1_000, alice);
    await world.settle();
    expect(seen(call)).toEqual([false, false, 'recording']);
    expect(alice.told().slice(before)).toEqual(['onRemoteRecordingStatusChanged']);
    expect(alice.errors()).toEqual([]);
  });

  it('RT-12: changes nothing after a later signal was applied', async () => {
    const { world, alice, call } = await connected();
    snapshotOf(call, 1, alice);
    await world.settle();
    expect(seen(call)).toEqual([true, true, 'none']);
  });

  it('ENT-03: does not change custom items, because it has no time; missed changes come with the missed signals', async () => {
    const { world, alice, call, rung } = await connected();
    await world.done(rung.updateCustomItems({ topic: 'tea' }));
    alice.loseChannel({ forMs: 1_000 });
    await world.advance(100);
    await world.done(rung.updateCustomItems({ topic: 'cake' }));
    expect(call.customItems).toEqual({ topic: 'tea' });
    await world.advance(10_000);
    expect(call.customItems).toEqual({ topic: 'cake' });
    snapshotOf(call, 1_000, alice);
    await world.settle();
    expect(call.customItems).toEqual({ topic: 'cake' });
  });
});
