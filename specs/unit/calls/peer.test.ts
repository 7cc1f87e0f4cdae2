import { describe, expect, it } from 'vitest';
import { Peer, type PeerSignals } from '../../../src/calls/peer/peer.ts';
import { Peers } from '../../../src/calls/peer/peers.ts';
import type { RelayCredential } from '../../../src/protocol/entities.ts';
import { packSdp, unpackSdp } from '../../../src/protocol/sdp-codec.ts';
import { createWorld } from '../../../sim/virtual/world.ts';
import type { VirtualPeerConnection } from '../../../sim/virtual/peer-connection.ts';
import type { VirtualPlatform } from '../../../sim/virtual/platform.ts';
import { testExchange } from './support/test-exchange.ts';

type Kind = 'offer' | 'answer' | 'candidate';

interface Side {
  readonly peer: Peer;
  readonly platform: VirtualPlatform;
  readonly notices: string[];
  readonly errors: string[];
  readonly tracks: string[];
  /** The times of each message, in milliseconds since the start. */
  readonly sent: { kind: Kind; at: number; sdp: string }[];
  /** The kinds of messages that do not arrive, and how many more of each. */
  readonly lost: Map<Kind, number>;
  /** Makes the engine find a local candidate. */
  found(candidate: RTCIceCandidate): void;
}

const TURN: RelayCredential = { username: '', password: '', turn_urls: [], transport_policy: 'all' };

/** Makes an engine refuse a step of a negotiation, so many times. */
function refuse(
  platform: VirtualPlatform,
  step: 'setLocalDescription' | 'setRemoteDescription' | 'createAnswer',
  times: number,
): void {
  const connection = platform.rtc.made[0];
  if (!connection) throw new Error('no connection');
  const perform = connection[step].bind(connection) as (...given: unknown[]) => Promise<unknown>;
  let left = times;
  const refusing = (...given: unknown[]) => {
    left -= 1;
    return left < 0 ? perform(...given) : Promise.reject(new DOMException('refused', 'OperationError'));
  };
  Object.assign(connection, { [step]: refusing });
}

/** Makes and applies an answer as a browser does in one step: without an offer of the other side it makes an offer. */
async function answerAtOnce(connection: VirtualPeerConnection): Promise<RTCSessionDescriptionInit> {
  const isOffered = connection.signalingState === 'have-remote-offer';
  const description = await (isOffered ? connection.createAnswer() : connection.createOffer());
  await connection.setLocalDescription(description);
  return description;
}

interface PairOptions {
  /** True when the engine of the second side makes and applies an answer in one step. Default: false. */
  readonly atOnce?: boolean;
  /** How much later the devices of the second side open, milliseconds. Default: 0. */
  readonly lateMs?: number;
}

/** Two peer connections with only a wire between them, in virtual time. */
function pair({ atOnce = false, lateMs = 0 }: PairOptions = {}) {
  const world = createWorld({ seed: 7, exchange: (clock) => testExchange(clock) });
  const start = world.clock.now();
  const sides: Partial<Record<'a' | 'b', Side>> = {};
  const make = (name: 'a' | 'b', role: 'initiator' | 'responder'): Side => {
    const platform = world.platform(name);
    const [notices, errors, tracks, sent, lost]: [string[], string[], string[], Side['sent'], Side['lost']] = [
      [],
      [],
      [],
      [],
      new Map<Kind, number>(),
    ];
    const other = () => sides[name === 'a' ? 'b' : 'a']?.peer;
    const carry = (kind: Kind, sdp: string, arrive: () => void) => {
      sent.push({ kind, at: world.clock.now() - start, sdp });
      const left = lost.get(kind) ?? 0;
      lost.set(kind, left - 1);
      // A message that is lost on the way up is never acknowledged.
      if (left > 0) return new Promise<void>(() => undefined);
      return new Promise<void>((resolve) => {
        world.clock.after(1, () => {
          arrive();
          resolve();
        });
      });
    };
    const signals: PeerSignals = {
      offer: (sdp, id) => carry('offer', sdp, () => other()?.receiveOffer(sdp, id)),
      answer: (sdp, id) => carry('answer', sdp, () => other()?.receiveAnswer(sdp, id)),
      candidate: (candidate) => carry('candidate', candidate.sdp, () => other()?.receiveCandidate(candidate)),
    };
    const connection = platform.rtc.createPeerConnection({});
    const found: Side['found'][] = [];
    const listen = connection.addEventListener.bind(connection);
    connection.addEventListener = (type, listener) => {
      if (type === 'icecandidate') found.push((candidate) => listener({ candidate } as never));
      listen(type, listener);
    };
    const isLate = name === 'b' && lateMs > 0;
    const opened = platform.devices.getUserMedia({ audio: true, video: true }).then(async (stream) => {
      if (isLate) await new Promise<void>((resolve) => void world.clock.after(lateMs, resolve));
      return stream.getTracks();
    });
    const peer = new Peer({
      role,
      connection,
      makeAnswer: atOnce && name === 'b' ? () => answerAtOnce(connection) : undefined,
      localTracks: opened,
      plan: [
        { kind: 'audio', direction: 'sendrecv' },
        { kind: 'video', direction: 'sendrecv' },
      ],
      signals,
      events: {
        connected: () => notices.push('connected'),
        lost: () => notices.push('lost'),
        closed: () => notices.push('closed'),
        track: (track) => tracks.push(track.kind),
      },
      clock: platform.clock,
      log: { debug: () => undefined, error: (message) => void errors.push(message) },
    });
    const side: Side = {
      peer,
      platform,
      notices,
      errors,
      tracks,
      sent,
      lost,
      found: (candidate) => {
        for (const tell of found) tell(candidate);
      },
    };
    sides[name] = side;
    return side;
  };
  const [a, b] = [make('a', 'initiator'), make('b', 'responder')];
  const states = () => [a.peer.state, b.peer.state];
  return { world, a, b, states };
}

async function connectedPair() {
  const all = pair();
  all.a.peer.offer();
  await all.world.advance(500);
  expect(all.states()).toEqual(['connected', 'connected']);
  return all;
}

const offers = (side: Side) => side.sent.filter(({ kind }) => kind === 'offer');
const ufrag = (packed: string) => /a=ice-ufrag:(\S+)/.exec(unpackSdp(packed))?.[1];

describe('one peer connection', () => {
  it('PC-01 PC-02 PC-04 PC-05 PC-07 PC-08: offer, answer, connected, with both sides’ tracks', async () => {
    const { world, a, b, states } = pair();
    expect(states()).toEqual(['idle', 'idle']);
    a.peer.offer();
    expect(a.peer.state).toBe('offering');
    // Opening the devices takes 5 ms, the wire 1 ms.
    await world.advance(7);
    expect(states()).toEqual(['offering', 'answering']);
    await world.advance(200);
    expect(states()).toEqual(['connected', 'connected']);
    expect([a.notices, b.notices]).toEqual([['connected'], ['connected']]);
    expect([a.tracks, b.tracks]).toEqual([
      ['audio', 'video'],
      ['audio', 'video'],
    ]);
    expect([a.errors, b.errors]).toEqual([[], []]);
    expect([a.platform.rtc.made[0]?.signalingState, b.platform.rtc.made[0]?.signalingState]).toEqual([
      'stable',
      'stable',
    ]);
  });

  it('PC-04: the answer sets the remote description while offering', async () => {
    const { world, a, b } = pair();
    world.media.cutDevice('b');
    a.peer.offer();
    await world.advance(100);
    expect(b.sent.filter(({ kind }) => kind === 'answer')).toHaveLength(1);
    expect(a.peer.state).toBe('offering');
    expect(a.platform.rtc.made[0]?.signalingState).toBe('stable');
  });

  it('PC-03 PC-06 PC-09 PC-15: closes from idle, offering, answering, connected and every state after', async () => {
    const idle = pair();
    idle.a.peer.close();
    expect(idle.a.peer.state).toBe('closed');
    const early = pair();
    early.a.peer.offer();
    await early.world.advance(7);
    expect(early.states()).toEqual(['offering', 'answering']);
    early.a.peer.close();
    early.b.peer.close();
    expect(early.states()).toEqual(['closed', 'closed']);
    for (const cut of [0, 8_000, 18_000]) {
      const { world, a, b, states } = await connectedPair();
      if (cut > 0) world.media.cut('a', 'b');
      await world.advance(cut);
      a.peer.close();
      b.peer.close();
      expect(states()).toEqual(['closed', 'closed']);
      expect([a.platform.rtc.open, b.platform.rtc.open]).toEqual([[], []]);
      await world.advance(60_000);
      expect([a.errors, b.errors]).toEqual([[], []]);
    }
  });

  it('PC-11 PC-17: a short cut: reconnecting on ICE disconnected, then connected again', async () => {
    const { world, a, b, states } = await connectedPair();
    world.media.cut('a', 'b');
    await world.advance(7_000);
    expect(states()).toEqual(['connected', 'connected']);
    await world.advance(1_000);
    expect(states()).toEqual(['reconnecting', 'reconnecting']);
    world.media.restore('a', 'b');
    await world.advance(200);
    expect(states()).toEqual(['connected', 'connected']);
    expect(a.notices).toEqual(['connected', 'lost', 'connected']);
    expect([offers(a).length, offers(b).length]).toEqual([1, 0]);
  });

  it('PC-18 PC-19 PC-20 PC-21 PC-22: a long cut: ICE failed starts a restart, offered by the initiator alone', async () => {
    const { world, a, b, states } = await connectedPair();
    world.media.cut('a', 'b');
    await world.advance(17_600);
    expect(states()).toEqual(['iceRestartOffering', 'iceRestartAnswering']);
    expect([offers(a).length, offers(b).length]).toEqual([2, 0]);
    expect(ufrag(offers(a)[1]?.sdp ?? '')).not.toBe(ufrag(offers(a)[0]?.sdp ?? ''));
    await world.advance(400);
    expect(b.sent.filter(({ kind }) => kind === 'answer')).toHaveLength(2);
    world.media.restore('a', 'b');
    await world.advance(500);
    expect([a.notices, b.notices]).toEqual([
      ['connected', 'lost', 'connected'],
      ['connected', 'lost', 'connected'],
    ]);
    expect(states()).toEqual(['connected', 'connected']);
    expect([a.errors, b.errors]).toEqual([[], []]);
  });

  it('PC-12 PC-13: ICE failed without a disconnected before it restarts from connected', async () => {
    const { a, b, states } = await connectedPair();
    for (const { platform } of [a, b]) platform.rtc.made[0]?.ice('disconnected', 'failed');
    expect(states()).toEqual(['iceRestartOffering', 'iceRestartAnswering']);
    expect([a.notices.at(-1), b.notices.at(-1)]).toEqual(['lost', 'lost']);
  });

  it('PC-10 PC-16 PC-22: an offer that comes while connected is reconnecting, then answered as a restart', async () => {
    const { world, a, b, states } = await connectedPair();
    a.platform.rtc.made[0]?.ice('disconnected', 'failed');
    a.platform.rtc.made[0]?.ice('connected', 'connected');
    await world.advance(500);
    expect(b.notices).toEqual(['connected', 'lost', 'connected']);
    expect(b.sent.filter(({ kind }) => kind === 'answer')).toHaveLength(2);
    expect(states()).toEqual(['connected', 'connected']);
    expect([a.errors, b.errors]).toEqual([[], []]);
  });

  it('D06: ICE that fails during a restart is offered anew, and the state stays', async () => {
    const { world, a, states } = await connectedPair();
    world.media.cut('a', 'b');
    await world.advance(17_600);
    expect(offers(a)).toHaveLength(2);
    await world.advance(16_000);
    expect(states()).toEqual(['iceRestartOffering', 'iceRestartAnswering']);
    expect(offers(a)).toHaveLength(3);
    world.media.restore('a', 'b');
    await world.advance(500);
    expect(states()).toEqual(['connected', 'connected']);
  });

  it('B45 PC-19: the answer to a replaced offer is not applied to its successor', async () => {
    const { world, a, b } = await connectedPair();
    const stale = b.sent.find(({ kind }) => kind === 'answer')?.sdp ?? '';
    a.lost.set('offer', 1);
    a.platform.rtc.made[0]?.ice('disconnected', 'failed');
    await world.advance(100);
    a.peer.receiveAnswer(stale, '1');
    await world.advance(100);
    expect(a.platform.rtc.made[0]?.signalingState).toBe('have-local-offer');
    // The offer is sent again, and its own answer is accepted.
    await world.advance(3_000);
    expect([a.platform.rtc.made[0]?.signalingState, a.errors]).toEqual(['stable', []]);
  });

  it('PC-19: an answer that names no offer is accepted', async () => {
    const { world, a, b } = pair();
    b.lost.set('answer', Infinity);
    a.peer.offer();
    await world.advance(200);
    a.peer.receiveAnswer(b.sent.find(({ kind }) => kind === 'answer')?.sdp ?? '');
    await world.advance(200);
    expect(a.peer.state).toBe('connected');
  });

  it('D04: ICE failed is read from connectionState alone, as Chromium reports it', async () => {
    const { world, a } = await connectedPair();
    world.media.cut('a', 'b');
    await world.advance(18_000);
    expect(a.platform.rtc.made[0]?.iceConnectionState).not.toBe('failed');
    expect(a.peer.state).toBe('iceRestartOffering');
  });

  it('PC-14: a disposable connection closes on ICE disconnected and on ICE failed', async () => {
    for (const connection of ['disconnected', 'failed'] as const) {
      const { a } = await connectedPair();
      a.peer.makeDisposable();
      a.platform.rtc.made[0]?.ice('disconnected', connection);
      expect(a.peer.state, connection).toBe('closed');
      expect(a.notices.at(-1)).toBe('closed');
    }
  });

  it('PC-23 PC-24: a transition to the same state and an event out of place are refused, logged, and change nothing', async () => {
    const { a, world } = pair();
    a.peer.offer();
    a.peer.offer();
    expect(a.errors).toEqual(['peer connection: offerRequested in offering: same state']);
    await world.advance(500);
    a.peer.offer();
    expect(a.errors.at(-1)).toBe('peer connection: offerRequested in connected: not allowed');
    expect(a.peer.state).toBe('connected');
  });

  it('PC-26: an offer is sent again after 2.5 s, then 3.5 s and so on, 12 times in all', async () => {
    const { world, a, b } = pair();
    a.lost.set('offer', Infinity);
    a.peer.offer();
    await world.advance(200_000);
    const seconds = offers(a).map(({ at }) => (at - (offers(a)[0]?.at ?? 0)) / 1000);
    expect(seconds).toEqual([0, 2.5, 6, 10.5, 16, 22.5, 30, 38.5, 48, 58.5, 70, 82.5]);
    expect(b.peer.state).toBe('idle');
  });

  it('PC-26: an answer is sent again with the same waits until it is acknowledged, and a resent offer gets the same answer', async () => {
    const { world, a, b, states } = pair();
    b.lost.set('answer', 2);
    a.peer.offer();
    await world.advance(2_400);
    expect([b.sent.filter(({ kind }) => kind === 'answer').length, states()[0]]).toEqual([1, 'offering']);
    await world.advance(10_000);
    const answers = b.sent.filter(({ kind }) => kind === 'answer');
    expect(answers.length).toBeGreaterThanOrEqual(3);
    expect(new Set(answers.map(({ sdp }) => sdp)).size).toBe(1);
    expect(states()).toEqual(['connected', 'connected']);
    const sent = a.sent.length + b.sent.length;
    await world.advance(100_000);
    expect(a.sent.length + b.sent.length).toBe(sent);
    expect([a.errors, b.errors]).toEqual([[], []]);
  });

  it('PAY-07: a candidate that opens a TCP connection is not sent, since its checks name it', async () => {
    const { a } = await connectedPair();
    const former = a.sent.length;
    const tcp = 'candidate:1 1 tcp 1518280447 192.0.2.1 9 typ host tcptype';
    for (const tcpType of ['active', 'passive'] as const) {
      a.found({ candidate: `${tcp} ${tcpType}`, sdpMid: '0', sdpMLineIndex: 0, tcpType } as RTCIceCandidate);
    }
    expect(a.sent.slice(former).map(({ kind, sdp }) => [kind, sdp])).toEqual([['candidate', `${tcp} passive`]]);
  });

  it('PC-07: a candidate that the engine refuses affects no other, also when it arrived early', async () => {
    const { world, a, b, states } = pair();
    const connection = b.platform.rtc.made[0];
    if (!connection) throw new Error('no connection');
    const add = connection.addIceCandidate.bind(connection);
    connection.addIceCandidate = (candidate) =>
      candidate.candidate === 'nonsense' ? Promise.reject(new Error('refused')) : add(candidate);
    b.peer.receiveCandidate({ sdp: 'nonsense', sdp_mid: '0', sdp_mline_index: 0 });
    a.peer.offer();
    await world.advance(500);
    expect(states()).toEqual(['connected', 'connected']);
    expect(b.errors).toEqual(['peer connection: adding a candidate failed']);
  });

  it('PC-06 PC-26: a connection that closes while the engine creates the offer sends none afterwards', async () => {
    const { world, a } = pair();
    const connection = a.platform.rtc.made[0];
    if (!connection) throw new Error('no connection');
    connection.createOffer = () =>
      new Promise((resolve) => void world.clock.after(50, () => resolve({ type: 'offer', sdp: '' })));
    a.peer.offer();
    await world.advance(20);
    a.peer.close();
    await world.advance(100_000);
    expect(a.sent).toEqual([]);
    expect(a.errors).toEqual([]);
  });

  it('PC-01 PC-07: a description is sent while the engine still applies it', async () => {
    const { world, a, b, states } = pair();
    for (const connection of [a, b].map(({ platform }) => platform.rtc.made[0])) {
      if (!connection) throw new Error('no connection');
      const apply = connection.setLocalDescription.bind(connection);
      connection.setLocalDescription = async (description) => {
        await apply(description);
        await new Promise<void>((resolve) => void world.clock.after(50, resolve));
      };
    }
    a.peer.offer();
    await world.advance(40);
    expect([a, b].map(({ sent }) => sent[0]?.kind)).toEqual(['offer', 'answer']);
    await world.advance(500);
    expect(states()).toEqual(['connected', 'connected']);
    expect([a.errors, b.errors]).toEqual([[], []]);
  });

  it('PC-07: neither an answer nor a candidate waits for slow candidates', async () => {
    const { world, a, b } = pair();
    const connection = b.platform.rtc.made[0];
    if (!connection) throw new Error('no connection');
    const begun: (string | undefined)[] = [];
    connection.addIceCandidate = ({ candidate }) => {
      begun.push(candidate);
      return new Promise(() => undefined);
    };
    const given = ['first', 'second', 'third'];
    for (const sdp of given.slice(0, 2)) b.peer.receiveCandidate({ sdp, sdp_mid: '0', sdp_mline_index: 0 });
    a.peer.offer();
    await world.advance(100);
    b.peer.receiveCandidate({ sdp: 'third', sdp_mid: '0', sdp_mline_index: 0 });
    await world.advance(1);
    expect(begun.filter((sdp) => given.includes(sdp ?? ''))).toEqual(given);
    expect(b.sent[0]?.kind).toBe('answer');
  });

  it('PC-07: the tracks of the side that answers are in the connection before the offer, and a candidate waits for no answer', async () => {
    const { world, a, b } = pair();
    const connection = b.platform.rtc.made[0];
    if (!connection) throw new Error('no connection');
    await world.advance(6);
    expect(connection.getTransceivers().map(({ sender }) => sender.track?.kind)).toEqual(['audio', 'video']);
    const added: (string | undefined)[] = [];
    const add = connection.addIceCandidate.bind(connection);
    connection.addIceCandidate = (candidate) => {
      added.push(candidate.candidate);
      return add(candidate);
    };
    connection.createAnswer = () => new Promise(() => undefined);
    b.peer.receiveCandidate({ sdp: 'candidate:early', sdp_mid: '0', sdp_mline_index: 0 });
    expect(added).toEqual([]);
    a.peer.offer();
    await world.advance(20);
    b.peer.receiveCandidate({ sdp: 'candidate:late', sdp_mid: '0', sdp_mline_index: 0 });
    expect([added[0], added.at(-1)]).toEqual(['candidate:early', 'candidate:late']);
    expect(b.sent).toEqual([]);
  });

  it('PC-07: a track that comes while the engine applies the offer is added after it', async () => {
    const { world, a, b, states } = pair({ lateMs: 20 });
    const connection = b.platform.rtc.made[0];
    if (!connection) throw new Error('no connection');
    const order: string[] = [];
    const [apply, add] = [connection.setRemoteDescription.bind(connection), connection.addTrack.bind(connection)];
    connection.setRemoteDescription = async (description) => {
      order.push('begun');
      await new Promise<void>((resolve) => void world.clock.after(50, resolve));
      await apply(description);
      order.push('applied');
    };
    connection.addTrack = (track) => {
      order.push(track.kind);
      return add(track);
    };
    a.peer.offer();
    await world.advance(500);
    expect(order).toEqual(['begun', 'applied', 'audio', 'video']);
    expect([b.tracks, states()]).toEqual([
      ['audio', 'video'],
      ['connected', 'connected'],
    ]);
  });

  it('PC-02 PC-07: an engine with one step for an answer makes it once, and applies it before it is sent', async () => {
    const { world, a, b, states } = pair({ atOnce: true });
    const connection = b.platform.rtc.made[0];
    if (!connection) throw new Error('no connection');
    const applied: (string | undefined)[] = [];
    const apply = connection.setLocalDescription.bind(connection);
    connection.setLocalDescription = async (description) => {
      applied.push(description.sdp);
      await apply(description);
    };
    a.peer.offer();
    await world.advance(500);
    expect(states()).toEqual(['connected', 'connected']);
    const answers = b.sent.filter(({ kind }) => kind === 'answer');
    expect(answers.map(({ sdp }) => unpackSdp(sdp))).toEqual(applied);
    expect([a.errors, b.errors]).toEqual([[], []]);
  });

  it('PC-07 PC-26: an engine with one step for an answer makes an offer when it refuses the offer, and takes the next one', async () => {
    const { world, a, b, states } = pair({ atOnce: true });
    refuse(b.platform, 'setRemoteDescription', 1);
    a.peer.offer();
    await world.advance(2_000);
    expect([b.sent, b.platform.rtc.made[0]?.signalingState]).toEqual([[], 'have-local-offer']);
    await world.advance(3_000);
    expect(states()).toEqual(['connected', 'connected']);
    expect(b.errors).toEqual(['peer connection: answering failed']);
  });

  it('PC-16: a candidate waits for the latest description of the other side, and a refused one does not hold it', async () => {
    const { world, a, b } = await connectedPair();
    const connection = b.platform.rtc.made[0];
    if (!connection) throw new Error('no connection');
    const order: string[] = [];
    const apply = connection.setRemoteDescription.bind(connection);
    connection.setRemoteDescription = async (description) => {
      await new Promise<void>((resolve) => void world.clock.after(30, resolve));
      order.push('description');
      return apply(description);
    };
    connection.addIceCandidate = async ({ candidate = '' }) => void order.push(candidate);
    const offer = unpackSdp(offers(a)[0]?.sdp ?? '');
    for (const version of ['12', '13', 'refused']) {
      const sdp = offer.replace(/^(o=\S+ \d+) \d+/m, `$1 ${version}`);
      b.peer.receiveOffer(packSdp(version === 'refused' ? sdp.replace(/^m=audio/m, 'm=refused\r\nm=audio') : sdp));
      b.peer.receiveCandidate({ sdp: version, sdp_mid: '0', sdp_mline_index: 0 });
    }
    await world.advance(200);
    expect(order).toEqual(['description', 'description', 'description', '12', '13', 'refused']);
  });

  it('PC-26: a repeated offer while its answer is being created is no error', async () => {
    const { world, a, b, states } = pair();
    const connection = b.platform.rtc.made[0];
    if (!connection) throw new Error('no connection');
    const create = connection.createAnswer.bind(connection);
    connection.createAnswer = async () => {
      await new Promise<void>((resolve) => void world.clock.after(4_000, resolve));
      return create();
    };
    a.peer.offer();
    await world.advance(6_000);
    expect(offers(a).length).toBeGreaterThan(1);
    expect([a.errors, b.errors]).toEqual([[], []]);
    expect(states()).toEqual(['connected', 'connected']);
  });

  it('PC-01 PC-07: a description that the engine refuses once is applied again, and is not sent again', async () => {
    const { world, a, b, states } = pair();
    for (const { platform } of [a, b]) refuse(platform, 'setLocalDescription', 1);
    a.peer.offer();
    await world.advance(500);
    expect(states()).toEqual(['connected', 'connected']);
    expect([a, b].map(({ sent }) => sent.filter(({ kind }) => kind !== 'candidate').length)).toEqual([1, 1]);
    expect([a.errors, b.errors]).toEqual([[], []]);
  });

  it('PC-07 PC-26: an answer that the engine does not make is made when the offer comes again', async () => {
    for (const step of ['setRemoteDescription', 'createAnswer'] as const) {
      const { world, a, b, states } = pair();
      refuse(b.platform, step, 2);
      a.peer.offer();
      await world.advance(2_000);
      expect(b.sent).toEqual([]);
      await world.advance(10_000);
      expect(states()).toEqual(['connected', 'connected']);
      expect(offers(a)).toHaveLength(3);
      expect(b.errors).toEqual(Array.from({ length: 2 }, () => 'peer connection: answering failed'));
    }
  });

  it('PC-07 PC-26: an answer that the engine refuses twice is no longer sent, and another one answers the next offer', async () => {
    const { world, a, b, states } = pair();
    refuse(b.platform, 'setLocalDescription', 2);
    b.lost.set('answer', 1);
    a.peer.offer();
    await world.advance(2_490);
    expect(states()).toEqual(['offering', 'answering']);
    await world.advance(500);
    expect(states()).toEqual(['connected', 'connected']);
    await world.advance(60_000);
    expect(b.sent.filter(({ kind }) => kind === 'answer')).toHaveLength(2);
    expect(b.errors).toEqual(['peer connection: answering failed']);
  });

  it('PC-01: an offer whose tracks the engine refuses is not sent', async () => {
    const { world, a, b } = pair();
    const connection = a.platform.rtc.made[0];
    if (!connection) throw new Error('no connection');
    connection.addTransceiver = () => {
      throw new DOMException('no more sections', 'OperationError');
    };
    a.peer.offer();
    await world.advance(60_000);
    expect([a.sent, b.peer.state]).toEqual([[], 'idle']);
    expect(a.errors).toEqual(['peer connection: offering failed']);
  });

  it('PC-24 B42 B45: corrupt descriptions and an unexpected answer change nothing', async () => {
    const { a, b, states } = await connectedPair();
    b.peer.receiveOffer('not base64!');
    a.peer.receiveAnswer('bm90IGd6aXAgYXQgYWxs');
    a.peer.receiveAnswer(b.sent.find(({ kind }) => kind === 'answer')?.sdp ?? '');
    expect(states()).toEqual(['connected', 'connected']);
    expect(b.errors).toEqual(['peer connection: the offer cannot be read']);
    expect(a.errors).toEqual(['peer connection: the answer cannot be read']);
  });
});

describe('a second, prepared peer connection', () => {
  function twoSides() {
    const world = createWorld({ seed: 9, exchange: (clock) => testExchange(clock) });
    const sides: Partial<Record<'a' | 'b', Peers>> = {};
    const notices: Record<'a' | 'b', string[]> = { a: [], b: [] };
    const make = (name: 'a' | 'b', role: 'initiator' | 'responder') => {
      const platform = world.platform(name);
      const other = () => sides[name === 'a' ? 'b' : 'a'];
      const later = (run: () => void) =>
        new Promise<void>((resolve) => {
          world.clock.after(1, () => {
            run();
            resolve();
          });
        });
      const peers = new Peers({
        role,
        plan: [{ kind: 'audio', direction: 'sendrecv' }],
        localTracks: platform.devices.getUserMedia({ audio: true }).then((stream) => stream.getTracks()),
        commands: {
          offer: (sdp, id, offerId) => later(() => other()?.receiveOffer(sdp, id, offerId)),
          answer: (sdp, id, offerId) => later(() => other()?.receiveAnswer(sdp, id, offerId)),
          candidate: (candidate, id) => later(() => other()?.receiveCandidate(candidate, id)),
        },
        events: {
          connected: () => notices[name].push('connected'),
          lost: () => notices[name].push('lost'),
          remoteStream: () => notices[name].push('stream'),
        },
        rtc: platform.rtc,
        clock: platform.clock,
        newId: platform.newId,
        log: { debug: () => undefined, error: (message) => void notices[name].push(message) },
      });
      sides[name] = peers;
      peers.create(TURN);
      return { peers, platform };
    };
    return { world, notices, a: make('a', 'initiator'), b: make('b', 'responder') };
  }

  it('PC-25 PAY-16: replaces the active one 2 s after it connects, on both sides, without a loss', async () => {
    const { world, notices, a, b } = twoSides();
    a.peers.offer();
    await world.advance(500);
    const [first] = [a.peers.connection];
    a.peers.changeRelay({ ...TURN, turn_urls: ['turn:192.0.2.9:3478'], username: 'u', password: 'p' });
    await world.clock.advanceUntil(1_000, () => a.platform.rtc.made[1]?.connectionState === 'connected');
    expect([a.platform.rtc.open.length, b.platform.rtc.open.length]).toEqual([2, 2]);
    await world.advance(1_999);
    expect(a.peers.connection).toBe(first);
    await world.advance(1);
    expect(a.peers.connection).toBe(a.platform.rtc.made[1]);
    // The other side may have connected a moment later.
    await world.advance(100);
    expect(b.peers.connection).toBe(b.platform.rtc.made[1]);
    expect([a.platform.rtc.open.length, b.platform.rtc.open.length]).toEqual([1, 1]);
    expect([...notices.a, ...notices.b]).not.toContain('lost');
    expect(notices.a.filter((notice) => notice === 'connected')).toHaveLength(1);
  });

  it('PC-25 PAY-16: a relay that changes again keeps the call on a working connection, and leaves no other', async () => {
    for (const pause of [1, 1_000]) {
      const { world, notices, a, b } = twoSides();
      a.peers.offer();
      await world.advance(500);
      a.peers.changeRelay(TURN);
      await world.advance(pause);
      a.peers.changeRelay(TURN);
      for (let waited = 0; waited < 4_000; waited += 50) {
        await world.advance(50);
        expect(a.peers.connection?.connectionState, `${waited} ms`).toBe('connected');
      }
      expect([a.platform.rtc.open.length, b.platform.rtc.open.length]).toEqual([1, 1]);
      expect(a.peers.connection).toBe(a.platform.rtc.made[2]);
      expect([...notices.a, ...notices.b]).not.toContain('lost');
    }
  });

  it('PC-25 PC-14: takes over a call whose first connection was lost meanwhile', async () => {
    const { world, notices, a } = twoSides();
    a.peers.offer();
    await world.advance(500);
    a.platform.rtc.made[0]?.ice('disconnected', 'disconnected');
    expect(notices.a).toContain('lost');
    a.peers.changeRelay(TURN);
    await world.advance(5_000);
    expect(notices.a.at(-1)).toBe('connected');
    a.peers.close();
    expect(a.platform.rtc.open).toEqual([]);
  });

  it('PC-25: a prepared connection that is lost within its 2 s waits until it has connected again', async () => {
    const { world, notices, a, b } = twoSides();
    a.peers.offer();
    await world.advance(500);
    a.peers.changeRelay(TURN);
    await world.advance(100);
    const [first, second] = a.platform.rtc.made;
    expect(second?.connectionState).toBe('connected');
    second?.ice('disconnected', 'disconnected');
    await world.advance(4_000);
    expect(a.peers.connection).toBe(first);
    second?.ice('connected', 'connected');
    await world.advance(1_900);
    expect(a.peers.connection).toBe(first);
    await world.advance(200);
    expect(a.peers.connection).toBe(second);
    expect([...notices.a, ...notices.b]).not.toContain('lost');
    expect(b.platform.rtc.open).toHaveLength(1);
  });

  it('PC-14 PC-25: when the first is lost too, the prepared one takes its place and the loss is reported', async () => {
    const { world, notices, a } = twoSides();
    a.peers.offer();
    await world.advance(500);
    a.peers.changeRelay(TURN);
    await world.advance(100);
    const [first, second] = a.platform.rtc.made;
    second?.ice('disconnected', 'disconnected');
    first?.ice('disconnected', 'disconnected');
    expect([a.peers.connection === second, notices.a.at(-1)]).toEqual([true, 'lost']);
    second?.ice('connected', 'connected');
    expect(notices.a.at(-1)).toBe('connected');
    await world.advance(5_000);
    expect(a.platform.rtc.open).toEqual([second]);
    a.peers.close();
    expect(a.platform.rtc.open).toEqual([]);
  });

  it('DC-26: the responder has its connection before the first offer, which names it', async () => {
    const { world, a, b } = twoSides();
    expect(b.platform.rtc.made).toHaveLength(1);
    const before = { ...TURN, turn_urls: ['turn:192.0.2.8:3478'], username: 'u', password: 'p' };
    b.peers.changeRelay(before);
    a.peers.offer();
    await world.advance(500);
    expect(b.platform.rtc.made).toHaveLength(1);
    expect(b.peers.connection?.connectionState).toBe('connected');
    expect(b.platform.rtc.made[0]?.configuration.iceServers).toEqual([
      { urls: before.turn_urls, username: 'u', credential: 'p' },
    ]);
  });

  it('PAY-18: candidates removed before the offer of their connection are dropped', async () => {
    const { world, a, b } = twoSides();
    const candidate = (host: string) => ({
      sdp: `candidate:1 1 udp 2 192.0.2.${host} 5000 typ host`,
      sdp_mid: '0',
      sdp_mline_index: 0,
    });
    const added: (string | undefined)[] = [];
    const connection = b.platform.rtc.made[0];
    if (!connection) throw new Error('no connection');
    const add = connection.addIceCandidate.bind(connection);
    connection.addIceCandidate = (init) => {
      added.push(init.candidate);
      return add(init);
    };
    for (const host of ['1', '2']) b.peers.receiveCandidate(candidate(host), undefined);
    b.peers.removeCandidates([candidate('1')], undefined);
    for (const host of ['3', '4']) b.peers.receiveCandidate(candidate(host), 'named');
    b.peers.removeCandidates([candidate('3')], 'named');
    const receive = b.peers.receiveOffer.bind(b.peers);
    b.peers.receiveOffer = (packed, _id, offerId) => receive(packed, 'named', offerId);
    a.peers.offer();
    await world.advance(500);
    for (const host of ['2', '4']) expect(added).toContain(candidate(host).sdp);
    for (const host of ['1', '3']) expect(added).not.toContain(candidate(host).sdp);
  });
});
