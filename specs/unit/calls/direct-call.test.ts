import { describe, expect, it, vi } from 'vitest';
import { CallRecord } from '../../../src/calls/direct-call/call-record.ts';
import type { RtcPeerConnection } from '../../../src/calls/platform/rtc.ts';
import { callWorld, type MediaPeer } from './support/call-world.ts';
import { connected, ringing } from './support/two-people.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

/** Two users, a call between them, and all traffic between them, in virtual time. */
const VIDEO = { isVideoCall: true, callOption: {} };
const VOICE = { isVideoCall: false, callOption: {} };

const nothingLeft = (...parties: MediaPeer[]) => {
  for (const party of parties) expect(party.leftovers(), party.name).toEqual([]);
};

/** Makes the browser of a user ask for the devices. Returns the function by which the user allows them. */
function holdDevices({ platform: { devices } }: MediaPeer): () => void {
  const { getUserMedia } = devices;
  let allow: () => void = () => undefined;
  const allowed = new Promise<void>((resolve) => (allow = resolve));
  devices.getUserMedia = async (constraints) => {
    await allowed;
    return getUserMedia.call(devices, constraints);
  };
  return () => allow();
}

describe('the caller', () => {
  it('DC-01: is idle until the dial is acknowledged, then dialing', async () => {
    const world = await callWorld();
    const [alice] = [await world.party('alice'), await world.party('bob')];
    const call = alice.dial('bob', VIDEO);
    expect(alice.state(call)).toBe('idle');
    expect(call.callId).toBe('');
    await world.settle();
    expect(alice.path()).toEqual(['dialing']);
    expect(call.callId).not.toBe('');
    expect(call.callee.userId).toBe('bob');
  });

  it('DC-02 ERR-1400103: ends dial_failed when the exchange refuses the dial', async () => {
    const world = await callWorld();
    const alice = await world.party('alice');
    const call = alice.dial('nobody-here', VIDEO);
    await world.settle();
    expect(alice.path()).toEqual(['closing', 'ending', 'ended']);
    expect(call.endResult).toBe('DIAL_FAILED');
    expect(alice.dialled).toEqual([{ call, code: ErrorCode.ERR_CALLEE_DOES_NOT_EXIST }]);
    nothingLeft(alice);
  });

  it('DC-03 DC-47 DC-57 ERR-1800100: that ends before the acknowledgement is aborted and canceled, and the exchange is notified', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const call = alice.dial('bob', VIDEO);
    call.end();
    expect(alice.path()).toEqual(['aborted', 'ended']);
    expect(call.endResult).toBe('CANCELED');
    expect(alice.told()).toEqual(['onEnded']);
    await world.advance(100_000);
    expect(alice.dialled).toEqual([{ call, code: ErrorCode.DIAL_CANCELED }]);
    expect(alice.sent('alive')).toEqual([]);
    expect(alice.sent('cancel')).toHaveLength(1);
    expect(bob.rings.map((ring) => ring.endResult)).toEqual(['CANCELED']);
    expect(alice.requests('summary')).toHaveLength(0);
    nothingLeft(alice, bob);
  });

  it('DC-04 DC-46: plays the dialing sound while it dials, and no sound after its end', async () => {
    const { alice, call, world } = await ringing();
    expect(alice.sound()).toBe('DIALING');
    call.end();
    await world.settle();
    expect(alice.path().at(-1)).toBe('ended');
    expect(alice.sound()).toBe(null);
  });

  it('DC-05 DC-41 PAY-17: sends alive every 30 s while it dials, and not after the end', async () => {
    const { alice, world, call } = await ringing();
    await world.advance(29_000);
    expect(alice.sent('alive')).toHaveLength(0);
    await world.advance(1_000);
    expect(alice.sent('alive')).toHaveLength(1);
    await world.advance(29_900);
    expect(alice.sent('alive')).toHaveLength(1);
    call.end();
    await world.advance(120_000);
    expect(alice.sent('alive')).toHaveLength(1);
    expect(alice.replies('alive_ack')[0]).toMatchObject({ payload: { alive_at: expect.any(Number) } });
  });

  it('DC-06 DC-09 DC-17 SET-01: the ring timeout of 60 s ends both sides no_answer, and reports it once', async () => {
    const { alice, bob, world, call, rung } = await ringing();
    await world.advance(59_900);
    expect([alice.state(call), bob.state(rung)]).toEqual(['dialing', 'ringing']);
    await world.advance(100);
    expect([call.endResult, rung.endResult]).toEqual(['NO_ANSWER', 'NO_ANSWER']);
    expect(alice.path()).toEqual(['dialing', 'closing', 'ending', 'ended']);
    expect(bob.path()).toEqual(['ringing', 'closing', 'ending', 'ended']);
    expect(alice.sent('no_answer')).toHaveLength(1);
    nothingLeft(alice, bob);
  });

  it('DC-06 SET-01: rings as long as the host sets', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    alice.client.setRingingTimeout(5);
    const call = alice.dial('bob', VIDEO);
    await world.advance(4_990);
    expect(alice.state(call)).toBe('dialing');
    await world.advance(20);
    expect([call.endResult, bob.rung().endResult]).toEqual(['NO_ANSWER', 'NO_ANSWER']);
  });

  it('DC-07 DC-26 DC-52 PAY-04: is established on the remote accept, makes the peer connection and the offer', async () => {
    const { alice, bob, rung, world } = await ringing();
    expect(alice.peerConnections()).toBe(0);
    rung.accept({ callOption: {} });
    await world.settle();
    expect(alice.path()).toContain('established');
    expect(alice.told()).toContain('onEstablished');
    expect(alice.peerConnections()).toBe(1);
    expect(alice.sent('offer')).toHaveLength(1);
    expect(bob.sent('offer')).toHaveLength(0);
    expect(alice.events('accept')[0]?.payload).toMatchObject({ audio: true, video: true, turn_credential: {} });
  });

  it('DC-08 DC-18 DC-19: ending while it dials cancels the call on both sides', async () => {
    const { alice, bob, call, rung, world } = await ringing();
    call.end();
    await world.settle();
    expect(alice.sent('cancel')).toHaveLength(1);
    expect(alice.path()).toEqual(['dialing', 'closing', 'ending', 'ended']);
    expect(bob.path()).toEqual(['ringing', 'canceled', 'closing', 'ending', 'ended']);
    expect([call.endResult, rung.endResult]).toEqual(['CANCELED', 'CANCELED']);
    expect([call.endedBy?.userId, rung.endedBy?.userId]).toEqual(['alice', 'alice']);
    nothingLeft(alice, bob);
  });

  it('DC-10 DC-15: a decline ends both sides declined; the caller takes the result from the exchange', async () => {
    const { alice, bob, call, rung, world } = await ringing();
    rung.end();
    await world.settle();
    expect(bob.sent('decline')).toHaveLength(1);
    expect(bob.path()).toEqual(['ringing', 'closing', 'ending', 'ended']);
    expect(alice.path()).toEqual(['dialing', 'closing', 'ending', 'ended']);
    expect([call.endResult, rung.endResult]).toEqual(['DECLINED', 'DECLINED']);
    expect(call.endedBy?.userId).toBe('bob');
    nothingLeft(alice, bob);
  });

  it('DC-55 ERR-1800101: may not dial its own user id, and nothing is sent', async () => {
    const world = await callWorld();
    const alice = await world.party('alice');
    expect(() => alice.dial('alice', VIDEO)).toThrow(
      expect.objectContaining({ code: ErrorCode.MY_USER_ID_NOT_ALLOWED }),
    );
    await world.settle();
    expect(alice.sent('dial')).toEqual([]);
  });

  it('DC-56 LIB-10 LIB-11: a dial needs a callee user id and a call option, each named, and nothing is sent', async () => {
    const world = await callWorld();
    const alice = await world.party('alice');
    const dial = (params: unknown) => () => alice.client.dial(params as never);
    const refusal = (code: number, param: string) => expect.objectContaining({ code, param });
    expect(dial(undefined)).toThrow(refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'params'));
    expect(dial({ isVideoCall: true, callOption: {} })).toThrow(refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'userId'));
    expect(dial({ userId: '', isVideoCall: true, callOption: {} })).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'userId'),
    );
    expect(dial({ userId: Number.NaN, isVideoCall: true, callOption: {} })).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'userId'),
    );
    expect(dial({ userId: 7, isVideoCall: true, callOption: {} })).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'userId'),
    );
    expect(dial({ userId: 'bob', isVideoCall: true })).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_VALUE, 'callOption'),
    );
    expect(dial({ userId: 'bob', isVideoCall: 'yes', callOption: {} })).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'isVideoCall'),
    );
    expect(dial({ userId: 'bob', isVideoCall: true, callOption: 'x' })).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'callOption'),
    );
    expect(dial({ userId: 'bob', isVideoCall: true, callOption: { audioEnabled: 1 } })).toThrow(
      refusal(ErrorCode.INVALID_PARAMETER_TYPE, 'callOption.audioEnabled'),
    );
    await world.settle();
    expect(alice.sent('dial')).toEqual([]);
    expect(alice.devicesOpened()).toBe(0);
  });
});

describe('the callee', () => {
  it('DC-11 DC-12 ENT-07 PAY-02: rings on an incoming dial, with the caller, the kind and the ringing sound', async () => {
    const { bob, rung } = await ringing();
    expect(bob.path()).toEqual(['ringing']);
    expect(bob.sound()).toBe('RINGING');
    expect(rung).toMatchObject({ isVideoCall: true, myRole: 'dc_callee' });
    expect([rung.caller.userId, rung.caller.role, rung.callee.role]).toEqual(['alice', 'dc_caller', 'dc_callee']);
  });

  it('DC-13: sends alive every 30 s while it rings', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    alice.client.setRingingTimeout(200);
    bob.client.setRingingTimeout(200);
    alice.dial('bob', VIDEO);
    await world.advance(90_500);
    expect(bob.sent('alive')).toHaveLength(3);
  });

  it('DC-14 DC-20 DC-22 PAY-03: accepting sends accept; its acknowledgement establishes the call', async () => {
    const { bob, rung, world } = await ringing();
    rung.accept({ callOption: { videoEnabled: false } });
    expect(bob.state(rung)).toBe('accepting');
    await world.settle();
    expect(bob.sent('accept')[0]?.payload).toMatchObject({
      call_id: rung.callId,
      constraints: { audio: true, video: false },
      capabilities: ['turn_changed'],
    });
    expect(bob.path().slice(0, 3)).toEqual(['ringing', 'accepting', 'established']);
    expect(bob.told()).toContain('onEstablished');
  });

  it('D27 DC-20: the dial, and an accept in the listener of the ring, leave before the devices open', async () => {
    const world = await callWorld();
    const parties = [await world.party('alice'), await world.party('bob')] as const;
    const [alice, bob] = parties;
    const before: Record<string, number> = {};
    for (const party of parties) {
      const { devices } = party.platform;
      const { getUserMedia } = devices;
      devices.getUserMedia = (constraints) => {
        before[party.name] = party.sent('dial').length + party.sent('accept').length;
        return getUserMedia.call(devices, constraints);
      };
    }
    bob.client.addListener('eager', { onRinging: (rung) => rung.accept({ callOption: {} }) });
    alice.dial('bob', VIDEO);
    await world.settle();
    expect(before).toEqual({ alice: 1, bob: 1 });
  });

  it('DC-12 PAY-02: the dial-received of a call that is accepted in the listener of the ring follows after 2 s, and the accept tells the caller', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const received = () => bob.requests('action').filter((text) => text.includes('dial_rcv')).length;
    bob.client.addListener('eager', { onRinging: (rung) => rung.accept({ callOption: {} }) });
    alice.dial('bob', VIDEO);
    await world.advance(1_900);
    const told = ['onCalleeDialReceived', 'onEstablished', 'onConnected'];
    expect([received(), alice.told()]).toEqual([0, told]);
    await world.advance(200);
    expect([received(), alice.told()]).toEqual([1, told]);
  });

  it('DC-12: a call that is accepted at once and ends within 2 s sends no dial-received', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    bob.client.addListener('eager', { onRinging: (rung) => rung.accept({ callOption: {} }) });
    const call = alice.dial('bob', VIDEO);
    await world.advance(500);
    expect(bob.told()).toContain('onConnected');
    call.end();
    await world.advance(3_000);
    expect(bob.told()).toContain('onEnded');
    expect(bob.requests('action').filter((text) => text.includes('dial_rcv'))).toEqual([]);
  });

  it('D27: before accept it opens no device and creates no peer connection', async () => {
    const { bob, rung, world } = await ringing();
    await world.advance(20_000);
    expect([bob.devicesOpened(), bob.peerConnections()]).toEqual([0, 0]);
    rung.accept({ callOption: {} });
    await world.settle();
    expect([bob.devicesOpened(), bob.peerConnections()]).toEqual([1, 1]);
  });

  it('DC-23 PAY-05: an offer that comes before the acknowledgement establishes the call', async () => {
    const { alice, bob, call, rung, world } = await ringing();
    bob.delay({ to: 'bob', type: 'accept_ack', by: 5_000 });
    rung.accept({ callOption: {} });
    await world.advance(1_500);
    expect(bob.path()).toEqual(['ringing', 'accepting', 'established', 'connected']);
    expect(bob.told().slice(0, 2)).toEqual(['onEstablished', 'onConnected']);
    expect([bob.sent('audio').length, bob.sent('video').length]).toEqual([1, 1]);
    await world.advance(10_000);
    expect(alice.state(call)).toBe('connected');
    expect(bob.path().at(-1)).toBe('connected');
    expect(bob.errors()).toEqual([]);
  });

  it('DC-24 ERR-1400101: an accept the exchange refuses ends accept_failed', async () => {
    const { bob, call, rung, world } = await ringing();
    bob.delay({ to: 'bob', type: 'cancel', by: 3_000 });
    call.end();
    await world.advance(100);
    rung.accept({ callOption: {} });
    await world.advance(10_000);
    expect(rung.endResult).toBe('ACCEPT_FAILED');
    expect(bob.path()).toEqual(['ringing', 'accepting', 'closing', 'ending', 'ended']);
    nothingLeft(bob);
  });

  it('DC-18 D11: a cancel that comes while it accepts ends it canceled', async () => {
    const { bob, call, rung, world } = await ringing();
    bob.delay({ from: 'bob', type: 'accept', by: 3_000 });
    rung.accept({ callOption: {} });
    call.end();
    await world.advance(100);
    expect(rung.endResult).toBe('CANCELED');
    expect(bob.path()).toEqual(['ringing', 'accepting', 'closing', 'ending', 'ended']);
    await world.advance(5_000);
    nothingLeft(bob);
  });

  it('DC-21 DC-25 SET-02: an accept without a reply times out after 60 s, and says why', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    alice.client.setRingingTimeout(200);
    alice.dial('bob', VIDEO);
    await world.settle();
    const rung = bob.rung();
    bob.lose({ from: 'bob', type: 'accept' });
    rung.accept({ callOption: {} });
    await world.advance(59_900);
    expect(bob.state(rung)).toBe('accepting');
    await world.advance(200);
    expect(bob.path()).toEqual(['ringing', 'accepting', 'closing', 'ending', 'ended']);
    expect(rung.endResult).toBe('TIMED_OUT');
    expect(bob.sent('timeout').map(({ payload }) => payload)).toEqual([
      { call_id: rung.callId, reason: 'accepting_timeout' },
    ]);
  });

  it('DC-16 DC-44: another device that accepts ends this one other_device_accepted, without a summary', async () => {
    const world = await callWorld();
    const [alice, phone, laptop] = [
      await world.party('alice'),
      await world.party('bob', 'phone'),
      await world.party('bob', 'laptop'),
    ];
    const call = alice.dial('bob', VIDEO);
    await world.settle();
    laptop.rung().accept({ callOption: {} });
    await world.advance(2_000);
    expect(phone.rung().endResult).toBe('OTHER_DEVICE_ACCEPTED');
    expect(phone.path()).toEqual(['ringing', 'closing', 'ending', 'ended']);
    expect(phone.sound()).toBe(null);
    expect([alice.state(call), laptop.state(laptop.rung())]).toEqual(['connected', 'connected']);
    call.end();
    await world.advance(1_000);
    expect(phone.requests('summary')).toHaveLength(0);
    expect(laptop.requests('summary')).toHaveLength(1);
    expect(alice.requests('summary')).toHaveLength(1);
    nothingLeft(phone, laptop, alice);
  });

  it('DC-17: rings no longer than its own ring timeout, while the other devices continue to ring', async () => {
    const world = await callWorld();
    const [alice, phone, laptop] = [
      await world.party('alice'),
      await world.party('bob', 'phone'),
      await world.party('bob', 'laptop'),
    ];
    phone.client.setRingingTimeout(10);
    const call = alice.dial('bob', VIDEO);
    await world.advance(11_000);
    expect(phone.rung().endResult).toBe('NO_ANSWER');
    expect([alice.state(call), laptop.state(laptop.rung())]).toEqual(['dialing', 'ringing']);
  });

  it('DC-50: an incoming dial that comes twice rings once', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    bob.duplicate({ to: 'bob', type: 'dial', times: 3 });
    alice.dial('bob', VIDEO);
    await world.settle();
    expect(bob.events('dial')).toHaveLength(3);
    expect(bob.rings).toHaveLength(1);
    expect(bob.requests('action').filter((text) => text.includes('dial_rcv'))).toHaveLength(1);
  });

  it('PAY-13 HTTP-25: notifies the caller that it rings, over HTTP with the short-lived token and no session', async () => {
    const { alice, bob } = await ringing();
    const [request] = bob.httpRequests('/v1/action/direct_call');
    expect(request?.headers).toMatchObject({ 'x-short-lived-token': expect.stringMatching(/.{16}/) });
    expect(request?.headers).not.toHaveProperty('x-session-token');
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      type: 'dial_rcv',
      payload: { callee_delivery_info: {}, received_type: 'websocket' },
    });
    expect(alice.told()).toEqual(['onCalleeDialReceived']);
  });

  it('DC-51 ERR-1400105: only the callee accepts or declines', async () => {
    const { alice, call, rung, world } = await ringing();
    expect(() => call.accept({ callOption: {} })).toThrow(
      expect.objectContaining({ code: ErrorCode.ERR_NO_PERMISSION }),
    );
    await expect(
      alice.command('accept', { call_id: call.callId, constraints: { audio: true, video: true }, capabilities: [] }),
    ).rejects.toMatchObject({ code: ErrorCode.ERR_NO_PERMISSION });
    await expect(alice.command('decline', { call_id: call.callId })).rejects.toMatchObject({
      code: ErrorCode.ERR_NO_PERMISSION,
    });
    await world.settle();
    expect([alice.state(call), rung.isEnded]).toEqual(['dialing', false]);
    expect(alice.sent('accept')).toHaveLength(1);
  });
});

describe('an established call', () => {
  it('DC-27 PAY-08: sends the audio and video state of both sides to each other', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const call = alice.dial('bob', { isVideoCall: true, callOption: { audioEnabled: false } });
    await world.settle();
    bob.rung().accept({ callOption: { videoEnabled: false } });
    await world.advance(1_100);
    const states = (party: MediaPeer) =>
      [...party.sent('audio'), ...party.sent('video')].map(({ type, payload }) => [type, payload]);
    expect(states(alice)).toEqual([
      ['audio', { call_id: call.callId, is_enabled: false }],
      ['video', { call_id: call.callId, is_enabled: true }],
    ]);
    expect(states(bob)).toEqual([
      ['audio', { call_id: call.callId, is_enabled: true }],
      ['video', { call_id: call.callId, is_enabled: false }],
    ]);
    expect([call.isRemoteAudioEnabled, call.isRemoteVideoEnabled]).toEqual([true, false]);
    expect([bob.rung().isRemoteAudioEnabled, bob.rung().isRemoteVideoEnabled]).toEqual([false, true]);
  });

  it('DC-27: sends a state that the other side knows a second later, when media is connected', async () => {
    const { alice, bob, rung, world } = await ringing();
    const states = () => [alice, bob].map((party) => [party.sent('audio').length, party.sent('video').length]);
    rung.accept({ callOption: {} });
    await world.advance(900);
    expect([alice.told().at(-1), bob.told().at(-1), ...states()]).toEqual([
      'onConnected',
      'onConnected',
      [0, 0],
      [0, 0],
    ]);
    await world.advance(200);
    expect(states()).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it('DC-27: sends a state that changed while the call rang before the offer', async () => {
    const { alice, call, rung, world } = await ringing();
    call.muteMicrophone();
    rung.accept({ callOption: {} });
    await world.advance(500);
    const sent = world.world.network.trace.flatMap((line) =>
      line.device === 'alice' && line.direction === 'up' ? line.type : [],
    );
    expect(sent.slice(sent.indexOf('audio'), sent.indexOf('offer') + 1)).toEqual(['audio', 'video', 'offer']);
    expect([rung.isRemoteAudioEnabled, rung.isRemoteVideoEnabled]).toEqual([false, true]);
    await world.advance(2_000);
    expect([alice.sent('audio').length, alice.sent('video').length]).toEqual([1, 1]);
  });

  it('DC-27: sends at once that the callee has muted while the accept was on its way', async () => {
    const { call, rung, world } = await ringing();
    rung.accept({ callOption: {} });
    rung.muteMicrophone();
    await world.advance(500);
    expect([call.isRemoteAudioEnabled, call.isRemoteVideoEnabled]).toEqual([false, true]);
  });

  it.each([
    ['with the camera off', { videoEnabled: false }],
    ['whose camera stops meanwhile', {}],
  ])('DC-27 DC-53: the state of a side that shares its screen has the picture on, %s', async (_name, callOption) => {
    const { alice, call, rung, world } = await ringing({ isVideoCall: true, callOption });
    rung.accept({ callOption: {} });
    await world.advance(400);
    await world.done(call.startScreenShare());
    call.stopVideo();
    await world.advance(2_000);
    expect(alice.sent('video').at(-1)?.payload).toEqual({ call_id: call.callId, is_enabled: true });
    expect(rung.isRemoteVideoEnabled).toBe(true);
  });

  it('DC-27 DC-49: a caller that missed the accept learns of it from the state of the callee', async () => {
    const { alice, bob, call, rung, world } = await ringing();
    alice.lose({ to: 'alice', type: 'accept' });
    rung.accept({ callOption: {} });
    await world.advance(900);
    expect([alice.state(call), bob.state(rung)]).toEqual(['dialing', 'established']);
    await world.advance(1_000);
    expect([alice.state(call), bob.state(rung)]).toEqual(['connected', 'connected']);
  });

  it('DC-27: a call that ends within the second sends no state', async () => {
    const { alice, bob, call, rung, world } = await ringing();
    rung.accept({ callOption: {} });
    await world.advance(500);
    call.end();
    await world.advance(3_000);
    expect([...alice.sent('audio'), ...alice.sent('video'), ...bob.sent('audio'), ...bob.sent('video')]).toEqual([]);
    expect([call.endResult, rung.endResult]).toEqual(['COMPLETED', 'COMPLETED']);
  });

  it('DC-26: an offer that waits for the devices takes their tracks before the local view shows them', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    const allow = holdDevices(alice);
    const order: string[] = [];
    const localMediaView = {
      muted: true,
      set srcObject(_stream: unknown) {
        order.push('view');
      },
    } as unknown as HTMLMediaElement;
    alice.dial('bob', { isVideoCall: true, callOption: { localMediaView } });
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.settle();
    const [connection] = alice.platform.rtc.open;
    if (!connection) throw new Error('no connection');
    const addTransceiver = connection.addTransceiver.bind(connection);
    connection.addTransceiver = (...added) => {
      order.push('track');
      return addTransceiver(...added);
    };
    allow();
    await world.settle();
    expect(order).toEqual(['track', 'track', 'view']);
  });

  it('DC-27: a voice call sends no video state and opens no camera', async () => {
    const { alice, bob } = await connected(VOICE);
    expect([...alice.sent('video'), ...bob.sent('video')]).toEqual([]);
    expect(alice.constraintsAsked()).toEqual([expect.objectContaining({ video: false })]);
  });

  it('DC-30 PAY-11: an offer whose tracks the engine refuses is not sent, and the call times out with offering_timeout', async () => {
    const { alice, call, rung, world } = await ringing();
    const { createPeerConnection } = alice.platform.rtc;
    alice.platform.rtc.createPeerConnection = (configuration) => {
      const connection = createPeerConnection.call(alice.platform.rtc, configuration);
      connection.addTransceiver = () => {
        throw new DOMException('no more sections', 'OperationError');
      };
      return connection;
    };
    rung.accept({ callOption: {} });
    await world.advance(1_000);
    expect([alice.sent('offer'), alice.errors()]).toEqual([[], [expect.stringContaining('offering failed')]]);
    await world.advance(60_000);
    expect(alice.sent('timeout').map(({ payload }) => payload)).toEqual([
      { call_id: call.callId, reason: 'offering_timeout' },
    ]);
    expect([call.endResult, rung.endResult]).toEqual(['TIMED_OUT', 'TIMED_OUT']);
  });

  it('DC-31 PAY-11: a call whose answer the engine refuses times out', async () => {
    const { alice, bob, call, rung, world } = await ringing();
    alice.client.setCallConnectionTimeout(200);
    const { createPeerConnection } = bob.platform.rtc;
    bob.platform.rtc.createPeerConnection = (configuration) => {
      const connection = createPeerConnection.call(bob.platform.rtc, configuration);
      connection.setLocalDescription = () => Promise.reject(new DOMException('refused', 'OperationError'));
      return connection;
    };
    rung.accept({ callOption: {} });
    await world.advance(59_000);
    expect([call.isEnded, bob.errors()]).toEqual([false, [expect.stringContaining('answering failed')]]);
    await world.advance(2_000);
    expect(bob.sent('timeout').map(({ payload }) => payload)).toEqual([
      { call_id: rung.callId, reason: 'answering_timeout' },
    ]);
    expect([call.endResult, rung.endResult]).toEqual(['TIMED_OUT', 'TIMED_OUT']);
  });

  it('DC-28 DC-30 PAY-11: media that never connects times out for the caller after 60 s, with offering_timeout', async () => {
    const { alice, bob, call, rung, world } = await ringing();
    world.cutMedia();
    bob.client.setCallConnectionTimeout(200);
    rung.accept({ callOption: {} });
    await world.advance(59_900);
    expect(alice.state(call)).toBe('established');
    await world.advance(300);
    expect(alice.sent('timeout').map(({ payload }) => payload)).toEqual([
      { call_id: call.callId, reason: 'offering_timeout' },
    ]);
    expect([call.endResult, rung.endResult]).toEqual(['TIMED_OUT', 'TIMED_OUT']);
    nothingLeft(alice, bob);
  });

  it('DC-31: media that never connects times out for the callee 60 s after its accept, with answering_timeout', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    alice.client.setCallConnectionTimeout(200);
    const call = alice.dial('bob', VIDEO);
    await world.settle();
    world.cutMedia();
    bob.rung().accept({ callOption: {} });
    await world.advance(60_100);
    expect(bob.sent('timeout').map(({ payload }) => payload)).toEqual([
      { call_id: call.callId, reason: 'answering_timeout' },
    ]);
    expect([call.endResult, bob.rung().endResult]).toEqual(['TIMED_OUT', 'TIMED_OUT']);
  });

  it('D10: a local end before it connects ends not_connected on both sides', async () => {
    const { alice, bob, call, rung, world } = await ringing();
    world.cutMedia();
    rung.accept({ callOption: {} });
    await world.advance(1_000);
    call.end();
    await world.advance(1_000);
    expect(alice.sent('end')).toHaveLength(1);
    expect([call.endResult, rung.endResult]).toEqual(['NOT_CONNECTED', 'NOT_CONNECTED']);
    nothingLeft(alice, bob);
  });

  it('DC-52: an offer from the callee is refused', async () => {
    const { alice, bob, call } = await connected();
    const sdp = alice.sent('offer')[0]?.payload['sdp'];
    await expect(bob.command('offer', { call_id: call.callId, sdp })).rejects.toMatchObject({
      code: ErrorCode.ERR_NO_PERMISSION,
    });
    expect(alice.state(call)).toBe('connected');
  });
});

describe('a connected call', () => {
  it('DC-29 DC-32 DC-34 PAY-12: connects with its peer connection, reports its path, and leaves no connection timer', async () => {
    const { alice, bob, call, rung, world } = await connected();
    expect(alice.path()).toEqual(['dialing', 'established', 'connected']);
    expect(bob.path()).toEqual(['ringing', 'accepting', 'established', 'connected']);
    expect([...alice.told(), ...bob.told()].filter((name) => name === 'onConnected')).toHaveLength(2);
    for (const party of [alice, bob]) {
      expect(party.sent('connected').map(({ payload }) => payload)).toEqual([
        {
          call_id: call.callId,
          connection: { connection_type: expect.any(String), relay_protocol: null, protocol: 'udp' },
          reconnect: false,
        },
      ]);
    }
    await world.advance(200_000);
    expect([alice.state(call), bob.state(rung)]).toEqual(['connected', 'connected']);
    expect([...alice.sent('timeout'), ...bob.sent('timeout')]).toEqual([]);
  });

  it('DC-33 DC-41 ST-01: samples statistics every second while connected, and not after the end', async () => {
    const { alice, call, world } = await connected();
    const before = alice.statsRead();
    await world.advance(10_000);
    expect(alice.statsRead() - before).toBe(10);
    call.end();
    const after = alice.statsRead();
    await world.advance(10_000);
    expect(alice.statsRead()).toBe(after);
  });

  it('DC-41: an end stops a running recording and screen share before media is closed, and leaves no timer', async () => {
    const { alice, bob, call, rung, world } = await connected();
    await world.done(call.startScreenShare());
    const [screen] = alice.platform.devices.screens;
    rung.startRecording({ callId: rung.callId, recordingType: 'local_remote_audios', fileName: undefined });
    expect([screen?.readyState, bob.platform.recorder.running.length]).toEqual(['live', 1]);
    rung.end();
    expect(bob.platform.recorder.running).toEqual([]);
    await world.settle();
    expect([screen?.readyState, bob.platform.recorder.saved.length]).toEqual(['ended', 1]);
    nothingLeft(alice, bob);
    for (const party of [alice, bob]) party.client.deauthenticate();
    await world.advance(5_000);
    expect(world.world.leftovers().filter((what) => what.startsWith('a timer'))).toEqual([]);
  });

  it('DC-36 DC-42 DC-43 DC-45 ST-06 HTTP-28: an end completes both sides, closes media, sends one summary each and notifies once', async () => {
    const { alice, bob, call, rung, world } = await connected();
    await world.advance(8_000);
    call.end();
    expect(alice.path().slice(-3)).toEqual(['closing', 'ending', 'ended']);
    await world.settle();
    expect(alice.sent('end')).toHaveLength(1);
    expect([call.endResult, rung.endResult]).toEqual(['COMPLETED', 'COMPLETED']);
    expect(bob.path().slice(-3)).toEqual(['closing', 'ending', 'ended']);
    for (const party of [alice, bob]) {
      expect(party.told().filter((name) => name === 'onEnded')).toHaveLength(1);
      expect(party.openPeerConnections()).toBe(0);
      expect(party.liveTracks()).toBe(0);
      const [summary, ...more] = party.requests('summary').map((text) => JSON.parse(text));
      expect(more).toEqual([]);
      expect(summary.summary_data).toMatchObject({ end_result: 'completed', reconnection_count: 0 });
    }
    expect(call.getDuration()).toBeGreaterThanOrEqual(8_000);
    expect(call.getDuration()).toBeLessThan(11_000);
    nothingLeft(alice, bob);
  });

  it('DC-53: either side may end, mute, show, hold, share and record; the other side gets the event', async () => {
    for (const [one, other] of [
      ['alice', 'bob'],
      ['bob', 'alice'],
    ] as const) {
      const world = await connected();
      const party = (name: 'alice' | 'bob') => world[name];
      const mine = one === 'alice' ? world.call : world.rung;
      const theirs = one === 'alice' ? world.rung : world.call;
      mine.muteMicrophone();
      mine.stopVideo();
      await world.world.settle();
      expect([theirs.isRemoteAudioEnabled, theirs.isRemoteVideoEnabled]).toEqual([false, false]);
      mine.unmuteMicrophone();
      mine.startVideo();
      await world.world.settle();
      expect([theirs.isRemoteAudioEnabled, theirs.isRemoteVideoEnabled]).toEqual([true, true]);
      await world.world.done(mine.hold());
      expect([mine.isOnHold, theirs.isOnHold]).toEqual([true, true]);
      await world.world.done(mine.unhold());
      expect([mine.isOnHold, theirs.isOnHold]).toEqual([false, false]);
      await world.world.done(mine.startScreenShare());
      const [screen] = party(one).platform.devices.screens;
      expect(screen).toBeDefined();
      expect(party(one).sentPicture()).toBe(screen);
      const recording = mine.startRecording({
        callId: mine.callId,
        recordingType: 'local_remote_audios',
        fileName: undefined,
      });
      await world.world.settle();
      expect([mine.localRecordingStatus, theirs.remoteRecordingStatus]).toEqual(['recording', 'recording']);
      mine.stopRecording(recording);
      mine.stopScreenShare();
      await world.world.settle();
      expect([theirs.remoteRecordingStatus, party(one).platform.recorder.saved.length]).toEqual(['none', 1]);
      expect(party(one).sentPicture()?.label).toBe('Camera 1');
      mine.end();
      await world.world.settle();
      expect([mine.endResult, theirs.endResult, theirs.endedBy?.userId]).toEqual(['COMPLETED', 'COMPLETED', one]);
      expect(party(other).told()).toContain('onEnded');
    }
  });
});

describe('a call whose media is lost', () => {
  it('DC-35 DC-37 DC-39 DC-34: reconnects after a short cut, with its sounds, events, count and connected state', async () => {
    const { alice, bob, call, rung, world } = await connected();
    world.cutMedia();
    await world.advance(8_000);
    expect([alice.state(call), bob.state(rung)]).toEqual(['reconnecting', 'reconnecting']);
    expect(alice.sound()).toBe('RECONNECTING');
    world.restoreMedia();
    await world.advance(1_500);
    expect([alice.state(call), bob.state(rung)]).toEqual(['connected', 'connected']);
    expect(alice.told().slice(-2)).toEqual(['onReconnecting', 'onReconnected']);
    expect(alice.sounds().slice(-2)).toEqual(['RECONNECTING', 'RECONNECTED']);
    expect(alice.sent('connected').map(({ payload }) => payload['reconnect'])).toEqual([false, true]);
    call.end();
    await world.settle();
    const summary = JSON.parse(alice.requests('summary')[0] ?? '');
    expect(summary.summary_data.reconnection_count).toBe(1);
  });

  it('DC-38: sends connection-lost 30 s after the loss; both sides end connection_lost', async () => {
    const { alice, bob, call, rung, world } = await connected();
    world.cutMedia();
    await world.advance(7_600);
    expect(alice.state(call)).toBe('reconnecting');
    await world.advance(29_700);
    expect(alice.state(call)).toBe('reconnecting');
    await world.advance(700);
    expect([call.endResult, rung.endResult]).toEqual(['CONNECTION_LOST', 'CONNECTION_LOST']);
    expect(alice.sent('connection_lost').length + bob.sent('connection_lost').length).toBeGreaterThanOrEqual(1);
    nothingLeft(alice, bob);
  });

  it.each(['alice', 'bob'])('I9 DC-36: an end by %s completes both sides without a report of media', async (who) => {
    const { alice, bob, call, rung, world } = await ringing();
    for (const device of [alice, bob]) device.lose({ from: device === alice ? 'alice' : 'bob', type: 'connected' });
    rung.accept({ callOption: {} });
    await world.advance(2_000);
    expect([alice.state(call), bob.state(rung)]).toEqual(['connected', 'connected']);
    (who === 'alice' ? call : rung).end();
    await world.settle();
    expect([call.endResult, rung.endResult]).toEqual(['COMPLETED', 'COMPLETED']);
  });

  it('DC-40: a local end while reconnecting sends end and completes', async () => {
    const { alice, bob, call, rung, world } = await connected();
    world.cutMedia();
    await world.advance(9_000);
    call.end();
    await world.settle();
    expect(alice.sent('end')).toHaveLength(1);
    expect([call.endResult, rung.endResult]).toEqual(['COMPLETED', 'COMPLETED']);
    nothingLeft(alice, bob);
  });
});

describe('a call beside other calls', () => {
  async function three() {
    const world = await callWorld();
    const [alice, bob, carol] = [await world.party('alice'), await world.party('bob'), await world.party('carol')];
    const first = alice.dial('bob', VIDEO);
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    return { world, alice, bob, carol, first };
  }

  it('DC-54: dialling holds the other call when asked to', async () => {
    const { world, alice, bob, carol, first } = await three();
    alice.dial('carol', { ...VIDEO, holdActiveCall: true });
    await world.advance(500);
    expect([first.isEnded, first.isOnHold, bob.rung().isOnHold]).toEqual([false, true, true]);
    expect(carol.rings).toHaveLength(1);
  });

  it('DC-54: dialling ends the other call otherwise', async () => {
    const { world, alice, bob, first } = await three();
    alice.dial('carol', VIDEO);
    await world.advance(500);
    expect([first.endResult, bob.rung().endResult]).toEqual(['COMPLETED', 'COMPLETED']);
  });

  it('DC-54: accepting holds or ends the other call, as the host asks', async () => {
    for (const holdActiveCall of [true, false]) {
      const { world, alice, carol, first } = await three();
      const second = carol.dial('alice', VIDEO);
      await world.settle();
      alice.rung().accept({ callOption: {}, holdActiveCall });
      await world.advance(1_000);
      expect([first.isEnded, first.isOnHold]).toEqual([!holdActiveCall, holdActiveCall]);
      expect(carol.state(second)).toBe('connected');
    }
  });

  it('DC-54: when a host ends the ringing call in the event that the other call ended, nothing is accepted', async () => {
    const { world, alice, carol, first } = await three();
    carol.dial('alice', VIDEO);
    await world.settle();
    const rung = alice.rung();
    const opened = alice.devicesOpened();
    first.onEnded = () => rung.end();
    rung.accept({ callOption: {} });
    await world.settle();
    expect([rung.endResult, alice.sent('accept'), alice.devicesOpened()]).toEqual(['DECLINED', [], opened]);
    expect(alice.errors()).toEqual([]);
    nothingLeft(alice, carol);
  });

  it('HOLD-02 HOLD-03 HOLD-04 ERR-1800801 ERR-1800802 ERR-1800803: the rules of hold', async () => {
    const { world, alice, bob, carol, first } = await three();
    await expect(first.unhold()).rejects.toMatchObject({ code: ErrorCode.ERR_ACTIVE_CALL_IN_PROGRESS });
    alice.dial('carol', { ...VIDEO, holdActiveCall: true });
    await world.settle();
    carol.rung().accept({ callOption: {} });
    await world.advance(1_000);
    await expect(first.hold()).rejects.toMatchObject({ code: ErrorCode.ERR_CALL_ALREADY_ON_HOLD });
    await expect(first.unhold()).rejects.toMatchObject({ code: ErrorCode.ERR_ANOTHER_CALL_IN_PROGRESS });
    await expect(bob.rung().unhold()).rejects.toMatchObject({ code: ErrorCode.ERR_ACTIVE_CALL_IN_PROGRESS });
    await world.done(first.unhold(true));
    await world.advance(500);
    expect([first.isOnHold, carol.rung().endResult]).toEqual([false, 'COMPLETED']);
  });
});

describe('the values that a host reads and passes', () => {
  it('LIB-10: whether to end the other calls is a boolean; with another value the other call stays on hold', async () => {
    const { world, call } = await connected();
    await world.done(call.hold());
    await expect(call.unhold('x' as never)).rejects.toMatchObject({
      code: ErrorCode.INVALID_PARAMETER_TYPE,
      param: 'force',
    });
    expect(call.isOnHold).toBe(true);
    await world.done(call.unhold());
    expect(call.isOnHold).toBe(false);
  });

  it('a duration is whole milliseconds, however precise the clock', () => {
    let now = 1_000.25;
    const record = new CallRecord({ now: () => now, wallTime: () => now });
    record.connected();
    now += 448.4000000003;
    expect(record.duration()).toBe(448);
    record.end('completed', null);
    now += 1_000;
    expect(record.duration()).toBe(448);
  });

  it('I8 F48: a call ends no sooner than its length after its start, also where the clock was set back', () => {
    let [now, wall] = [0, 7_200_000];
    const record = new CallRecord({ now: () => now, wallTime: () => wall });
    const unanswered = new CallRecord({ now: () => now, wallTime: () => wall });
    record.connected();
    [now, wall] = [20_000, 3_620_000];
    for (const one of [record, unanswered]) one.end('completed', null);
    expect([record.startedAt, record.endedAt]).toEqual([7_200_000, 7_220_000]);
    expect([unanswered.startedAt, unanswered.endedAt]).toEqual([7_200_000, 7_200_000]);
  });
});

describe('hold outside an established call', () => {
  it('B16 ERR-1400101: a call that is not established cannot be held, and no event reports a hold', async () => {
    const { alice, bob, call, rung, world } = await ringing();
    for (const side of [call, rung])
      await expect(side.hold()).rejects.toMatchObject({ code: ErrorCode.ERR_INVALID_CALL_STATUS });
    expect([alice.sent('hold'), bob.sent('hold'), call.isOnHold]).toEqual([[], [], false]);
    expect([...alice.told(), ...bob.told()]).not.toContain('onUserHoldStatusChanged');
    rung.accept({ callOption: {} });
    await world.advance(1_000);
    await world.done(call.hold());
    expect(call.isOnHold).toBe(true);
  });

  it('B15 B16: an ended call does not change, and holding it is no error', async () => {
    const { alice, call, rung, world } = await connected();
    await world.done(call.hold());
    const crossing = rung.hold();
    call.end();
    await world.done(crossing);
    const told = alice.told();
    for (const side of [call, rung]) {
      await world.done(side.hold());
      await world.done(side.unhold());
      await world.done(side.unhold(true));
    }
    expect([alice.sent('hold').length, alice.told()]).toEqual([1, told]);
    nothingLeft(alice);
  });
});

describe('a call whose channel is lost', () => {
  it('DC-49 HTTP-26: lists the unended calls when it is back and applies the missed signals', async () => {
    const { alice, call, rung, world } = await ringing();
    alice.loseChannel({ forMs: 4_000 });
    await world.advance(500);
    rung.accept({ callOption: {} });
    await world.advance(1_000);
    expect(alice.state(call)).toBe('dialing');
    await world.advance(20_000);
    expect(alice.sent('unended_calls')).toHaveLength(1);
    expect(alice.httpRequests('/v1/direct_calls/missed_signal')).toHaveLength(1);
    expect(alice.state(call)).toBe('connected');
    expect(alice.errors()).toEqual([]);
  });

  it('DC-49: a missed end ends it, with the result of the exchange', async () => {
    const { alice, call, rung, world } = await connected();
    alice.loseChannel({ forMs: 4_000 });
    await world.advance(500);
    rung.end();
    await world.advance(15_000);
    expect(alice.state(call)).toBe('ended');
    expect(call.endResult).toBe('COMPLETED');
  });

  it('HTTP-25: commands are sent over HTTP meanwhile', async () => {
    const { alice, call, rung, world } = await connected();
    alice.loseChannel({ forMs: 60_000 });
    await world.advance(500);
    call.end();
    await world.advance(500);
    expect(rung.endResult).toBe('COMPLETED');
    expect(alice.httpRequests('/v1/action/direct_call').some(({ body }) => body?.includes('"end"'))).toBe(true);
  });

  it('D12 F15: the next command about a call that the exchange lost fails with that cause, and the call ends unknown once', async () => {
    for (const begun of [ringing, connected]) {
      const { alice, bob, call, rung, world } = await begun();
      world.exchangeForgets();
      await world.advance(31_000);
      expect([call.endResult, rung.endResult]).toEqual(['UNKNOWN', 'UNKNOWN']);
      for (const party of [alice, bob]) expect(party.told().filter((name) => name === 'onEnded')).toHaveLength(1);
    }
  });

  it('D12: a call that the exchange lost ends unknown once', async () => {
    const { alice, call, world } = await connected();
    alice.loseChannel({ forMs: 1_000 });
    world.exchangeForgets();
    await world.advance(20_000);
    expect(call.endResult).toBe('UNKNOWN');
    expect(alice.told().filter((name) => name === 'onEnded')).toHaveLength(1);
  });
});

describe('failures during a call', () => {
  it('a call that ends at the moment it connects is completed on both sides', async () => {
    const { world, alice, bob, call, rung } = await ringing();
    call.onConnected = () => call.end();
    rung.accept({ callOption: {} });
    await world.advance(2_000);
    expect([call.endResult, rung.endResult]).toEqual(['COMPLETED', 'COMPLETED']);
    expect([alice.sent('connected').length, bob.sent('connected').length]).toEqual([1, 1]);
  });

  it('an accept that overtakes the acknowledgement of the dial is not lost', async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    alice.delay({ to: 'alice', type: 'dial_ack', by: 3_000 });
    const call = alice.dial('bob', VIDEO);
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    expect(alice.state(call)).toBe('idle');
    await world.advance(4_000);
    expect([alice.state(call), bob.state(bob.rung())]).toEqual(['connected', 'connected']);
    expect(alice.errors()).toEqual([]);
  });

  it('a call ends although the media engine fails to close', async () => {
    const { alice, call, world } = await connected();
    const [connection] = alice.platform.rtc.made;
    const close = vi.spyOn(connection as RtcPeerConnection, 'close').mockImplementation(() => {
      throw new Error('engine');
    });
    call.end();
    await world.settle();
    expect([alice.state(call), alice.told().at(-1)]).toEqual(['ended', 'onEnded']);
    expect(alice.errors().join('\n')).toMatch(/failed.*engine/);
    close.mockRestore();
    connection?.close();
  });

  it('F03 D13: a call is lost when one side cannot reach the exchange for too long', async () => {
    const { alice, bob, rung, world } = await ringing();
    alice.platform.net.setSockets('stalled');
    alice.platform.net.setHttp('stalled');
    alice.client.setRingingTimeout(300);
    await world.advance(95_000);
    alice.platform.net.restore();
    await world.advance(10_000);
    expect([rung.isEnded, bob.errors()]).toEqual([true, []]);
  });

  it('DC-49 D12: an end that the catch-up missed is found by the next alive', async () => {
    const { alice, call, rung, world } = await connected();
    const undo = world.world.network.rule(({ device, type, direction }) =>
      device === 'alice' && type === 'GET /v1/direct_calls/missed_signal' && direction === 'up'
        ? { answer: { status: 500 } }
        : undefined,
    );
    world.world.network.rule(({ device, type }) =>
      device === 'alice' && type === 'unended_calls' ? 'drop' : undefined,
    );
    alice.loseChannel({ forMs: 1_000 });
    await world.settle();
    rung.end();
    await world.advance(10_000);
    expect(alice.state(call)).not.toBe('ended');
    undo();
    await world.advance(31_000);
    expect([call.endResult, rung.endResult]).toEqual(['COMPLETED', 'COMPLETED']);
  });

  it('DC-58: a reply without a pending request is logged as a wrong response', async () => {
    const { alice, call, world } = await ringing();
    alice.inject({
      version: 1,
      request_id: 'nobody-asked',
      cmd: 'CALL',
      type: 'hold_ack',
      payload: { call_id: call.callId, is_on_hold: true },
    });
    await world.settle();
    expect(alice.errors().join('\n')).toMatch(/1800205|ERR_WRONG_RESPONSE/);
    expect(alice.state(call)).toBe('dialing');
  });

  it('DC-59: a cancel, decline or end that cannot be sent is logged at debug level only', async () => {
    const { alice, bob, call, rung, world } = await connected();
    for (const party of [alice, bob]) party.refuseEverything();
    call.end();
    rung.end();
    await world.advance(30_000);
    expect([call.endResult, rung.endResult]).toEqual(['COMPLETED', 'COMPLETED']);
    expect(alice.logged('debug').join('\n')).toMatch(/end was not sent/);
    expect(
      [...alice.logged('warn'), ...alice.logged('error')].filter((line) => line.includes('end was not sent')),
    ).toEqual([]);
  });

  it('DC-60: a summary that cannot be sent is logged, and the call still ends', async () => {
    const { alice, call, world } = await connected();
    alice.refuseHttp();
    call.end();
    await world.advance(10_000);
    expect(alice.state(call)).toBe('ended');
    expect(alice.errors().join('\n')).toMatch(/summary/);
  });

  it('B35 B36: a call continues when a host throws in a listener, and ends once when a host ends it in onEnded', async () => {
    const { alice, call, rung, world } = await connected();
    call.onEnded = () => {
      call.end();
      throw new Error('host');
    };
    rung.end();
    await world.settle();
    expect(alice.state(call)).toBe('ended');
    expect(alice.errors().join('\n')).toMatch(/onEnded of the host threw/);
  });

  it('PAY-19 B42: an offer that cannot be read is logged; the call lives until its timer', async () => {
    const { alice, bob, call, rung, world } = await ringing();
    world.corrupt({ to: 'bob', type: 'offer', sdp: 'bm90IGd6aXAgYXQgYWxs' });
    rung.accept({ callOption: {} });
    await world.advance(30_000);
    expect(bob.errors().join('\n')).toMatch(/incorrect header check/);
    expect([alice.state(call), bob.state(rung)]).toEqual(['established', 'established']);
    await world.advance(40_000);
    expect([call.endResult, rung.endResult]).toEqual(['TIMED_OUT', 'TIMED_OUT']);
    nothingLeft(alice, bob);
  });
});

describe('answers that arrive after the end of a call or a session', () => {
  it('DC-42: devices that open after the end show nothing in the view', async () => {
    const world = await callWorld();
    const alice = await world.party('alice');
    const view = alice.view();
    const call = alice.dial('bob', { isVideoCall: true, callOption: { localMediaView: view } });
    call.end();
    await world.settle();
    expect(view.srcObject).toBe(null);
    nothingLeft(alice);
  });

  it('LIB-09: the answer to a sign-in after deauthenticate signs no user in', async () => {
    const world = await callWorld();
    const alice = await world.party('alice');
    const signingIn = alice.client.authenticate({ userId: 'alice' });
    alice.client.deauthenticate();
    await expect(world.done(signingIn)).rejects.toMatchObject({ code: ErrorCode.USER_NOT_AUTHENTICATED });
    expect(alice.client.currentUser).toBe(null);
    await expect(alice.client.connectWebSocket()).rejects.toMatchObject({ code: ErrorCode.USER_NOT_AUTHENTICATED });
  });

  it('another user who signs in gets a new channel, and the calls of the previous user end', async () => {
    const { alice, bob, call, world } = await connected();
    await world.done(alice.client.authenticate({ userId: 'carol' }));
    expect(call.endResult).toBe('COMPLETED');
    await world.done(alice.client.connectWebSocket());
    const dialled = bob.dial('carol', VIDEO);
    await world.settle();
    expect(alice.rung().caller.userId).toBe('bob');
    dialled.end();
    await world.settle();
    nothingLeft(alice, bob);
  });
});
