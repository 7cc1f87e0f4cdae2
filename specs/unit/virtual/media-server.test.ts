/** Negotiation as W3C WebRTC and RFC 8829 define it, and the ends of media servers. */
import { describe, expect, test } from 'vitest';
import type { VirtualPeerConnection } from '../../../sim/virtual/peer-connection.ts';
import { createWorld } from '../../../sim/virtual/world.ts';
import { ScriptedExchange } from './scripted-exchange.ts';

/** A media server and a device, whose candidates reach the other side at once. */
function serverAndDevice() {
  const world = createWorld({ seed: 1, exchange: () => new ScriptedExchange() });
  const server = world.mediaServer('sfu');
  const alice = world.platform('alice');
  const [serverEnd, deviceEnd] = [server.connect(), alice.rtc.createPeerConnection({})];
  const trickle = (from: VirtualPeerConnection, to: VirtualPeerConnection) =>
    from.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate) void to.addIceCandidate(candidate.toJSON()).catch(() => undefined);
    });
  trickle(serverEnd, deviceEnd);
  trickle(deviceEnd, serverEnd);
  return { world, server, alice, serverEnd, deviceEnd };
}

async function offerFrom(offerer: VirtualPeerConnection, answerer: VirtualPeerConnection): Promise<void> {
  const offer = await offerer.createOffer();
  await offerer.setLocalDescription(offer);
  await answerer.setRemoteDescription(offer);
  const answer = await answerer.createAnswer();
  await answerer.setLocalDescription(answer);
  await offerer.setRemoteDescription(answer);
}

const sections = (side: VirtualPeerConnection) =>
  side.getTransceivers().map(({ kind, mid, direction, currentDirection }) => [kind, mid, direction, currentDirection]);

/** The packets that arrived, by media section. */
async function received(side: VirtualPeerConnection): Promise<Record<string, number>> {
  const packets: Record<string, number> = {};
  (await side.getStats()).forEach((entry: Record<string, unknown>) => {
    if (entry['type'] === 'inbound-rtp') packets[String(entry['mid'])] = Number(entry['packetsReceived']);
  });
  return packets;
}

describe('the end of a media server', () => {
  /** The server offers two videos, and the device receives both. */
  async function twoVideos() {
    const made = serverAndDevice();
    const { world, server, serverEnd, deviceEnd } = made;
    const tracks: string[] = [];
    deviceEnd.addEventListener('track', ({ track, transceiver }) => tracks.push(`${track.kind} ${transceiver.mid}`));
    for (const participant of ['bob', 'carol'])
      serverEnd.addTransceiver(server.track('video', participant), { direction: 'sendonly' });
    await offerFrom(serverEnd, deviceEnd);
    await world.advance(100);
    return { ...made, tracks };
  }

  test('offers two videos that it only sends, and the device receives each on its section', async () => {
    const { world, serverEnd, deviceEnd, tracks } = await twoVideos();
    expect(tracks).toEqual(['video 0', 'video 1']);
    expect(sections(serverEnd)).toEqual([
      ['video', '0', 'sendonly', 'sendonly'],
      ['video', '1', 'sendonly', 'sendonly'],
    ]);
    expect(sections(deviceEnd)).toEqual([
      ['video', '0', 'recvonly', 'recvonly'],
      ['video', '1', 'recvonly', 'recvonly'],
    ]);
    expect([serverEnd.connectionState, deviceEnd.connectionState]).toEqual(['connected', 'connected']);
    expect(deviceEnd.getTransceivers().map(({ receiver }) => receiver.track.muted)).toEqual([false, false]);
    // One of the two stops: only its section is silent.
    await serverEnd.getTransceivers()[1]?.sender.replaceTrack(null);
    const before = await received(deviceEnd);
    await world.advance(10_000);
    const after = await received(deviceEnd);
    expect([after['0'] !== before['0'], after['1'] === before['1']]).toEqual([true, true]);
    expect((await received(serverEnd))['0']).toBe(0);
  });

  test('sends a further video to a device by another offer, while the first ones go on', async () => {
    const { world, server, serverEnd, deviceEnd, tracks } = await twoVideos();
    serverEnd.addTransceiver(server.track('audio', 'dave'), { direction: 'sendonly' });
    await offerFrom(serverEnd, deviceEnd);
    await world.advance(1_000);
    expect(tracks).toEqual(['video 0', 'video 1', 'audio 2']);
    expect(deviceEnd.connectionState).toBe('connected');
    expect(Object.values(await received(deviceEnd)).every((packets) => packets > 0)).toBe(true);
  });

  test('is lost to the device whose path to it is cut, and to no other device', async () => {
    const { world, server, serverEnd, deviceEnd } = await twoVideos();
    const other = world.platform('bob').rtc.createPeerConnection({});
    const otherEnd = server.connect();
    other.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate) void otherEnd.addIceCandidate(candidate.toJSON());
    });
    other.addTransceiver(world.platform('bob').devices.silence(), { direction: 'sendonly' });
    await offerFrom(other, otherEnd);
    await world.advance(100);
    world.media.cut('alice', 'sfu');
    await world.advance(8_000);
    const states = () => [serverEnd, deviceEnd, otherEnd, other].map(({ connectionState }) => connectionState);
    expect(states()).toEqual(['disconnected', 'disconnected', 'connected', 'connected']);
    world.media.restore('alice', 'sfu');
    await world.advance(100);
    expect(states()).toEqual(['connected', 'connected', 'connected', 'connected']);
    world.media.setQuality('bob', 'sfu', { lossRate: 0.5 });
    const before = (await received(otherEnd))['0'] ?? 0;
    await world.advance(10_000);
    expect(((await received(otherEnd))['0'] ?? 0) - before).toBe(250);
    expect(world.leftovers()).toContain('sfu: 2 peer connections');
    for (const end of [...server.open, deviceEnd, other]) end.close();
    for (const track of world.platform('bob').devices.liveTracks) track.stop();
    expect(world.leftovers()).toEqual([]);
  });
});

describe('offers that cross', () => {
  test('the side that gets one in have-local-offer rolls its own back, and can offer again later', async () => {
    const { world, server, alice, serverEnd, deviceEnd } = serverAndDevice();
    deviceEnd.addTransceiver(alice.devices.silence(), { direction: 'sendonly' });
    serverEnd.addTransceiver(server.track('video', 'bob'), { direction: 'sendonly' });
    await deviceEnd.setLocalDescription(await deviceEnd.createOffer());
    // The polite side is in have-local-offer, and the offer of the other side arrives.
    await offerFrom(serverEnd, deviceEnd);
    expect(sections(deviceEnd)).toEqual([
      ['audio', null, 'sendonly', null],
      ['video', '0', 'recvonly', 'recvonly'],
    ]);
    await offerFrom(deviceEnd, serverEnd);
    expect(sections(deviceEnd)).toEqual([
      ['audio', '1', 'sendonly', 'sendonly'],
      ['video', '0', 'recvonly', 'recvonly'],
    ]);
    await world.advance(1_000);
    expect([deviceEnd.connectionState, serverEnd.connectionState]).toEqual(['connected', 'connected']);
    expect((await received(serverEnd))['1']).toBeGreaterThan(0);
    expect((await received(deviceEnd))['0']).toBeGreaterThan(0);
  });

  test('a local offer over a remote one is refused', async () => {
    const { server, alice, serverEnd, deviceEnd } = serverAndDevice();
    deviceEnd.addTransceiver(alice.devices.silence());
    serverEnd.addTransceiver(server.track('audio', 'bob'));
    const own = await deviceEnd.createOffer();
    await deviceEnd.setRemoteDescription(await serverEnd.createOffer());
    await expect(deviceEnd.setLocalDescription(own)).rejects.toMatchObject({ name: 'InvalidStateError' });
    expect(deviceEnd.signalingState).toBe('have-remote-offer');
  });
});

describe('a rollback', () => {
  /** A device that is connected to a server, with one audio section. */
  async function connected() {
    const made = serverAndDevice();
    made.deviceEnd.addTransceiver(made.alice.devices.silence());
    await offerFrom(made.deviceEnd, made.serverEnd);
    await made.world.advance(100);
    return made;
  }

  test('of a remote offer removes the transceivers that it made, and their tracks end', async () => {
    const { server, serverEnd, deviceEnd } = await connected();
    serverEnd.addTransceiver(server.track('video', 'bob'), { direction: 'sendonly' });
    await deviceEnd.setRemoteDescription(await serverEnd.createOffer());
    const made = deviceEnd.getTransceivers()[1]?.receiver.track;
    await deviceEnd.setRemoteDescription({ type: 'rollback' });
    expect(sections(deviceEnd)).toEqual([['audio', '0', 'sendrecv', 'sendonly']]);
    expect([deviceEnd.signalingState, made?.readyState]).toEqual(['stable', 'ended']);
  });

  test('of an ICE restart keeps the credentials in use, and the connection', async () => {
    const { world, serverEnd, deviceEnd } = await connected();
    const before = deviceEnd.localUfrag;
    await deviceEnd.setLocalDescription(await deviceEnd.createOffer({ iceRestart: true }));
    expect(deviceEnd.localUfrag).not.toBe(before);
    await deviceEnd.setLocalDescription({ type: 'rollback' });
    expect(deviceEnd.localUfrag).toBe(before);
    await offerFrom(deviceEnd, serverEnd);
    await world.advance(30_000);
    expect([deviceEnd.localUfrag, deviceEnd.connectionState]).toEqual([before, 'connected']);
  });

  test('without a pending offer is refused on both sides', async () => {
    const { deviceEnd } = await connected();
    const refusal = { name: 'InvalidStateError' };
    await expect(deviceEnd.setLocalDescription({ type: 'rollback' })).rejects.toMatchObject(refusal);
    await expect(deviceEnd.setRemoteDescription({ type: 'rollback' })).rejects.toMatchObject(refusal);
  });
});

describe('a later description', () => {
  test('that changes the order of the sections is refused, and changes nothing', async () => {
    const { server, serverEnd, deviceEnd } = serverAndDevice();
    for (const kind of ['audio', 'video'] as const) serverEnd.addTransceiver(server.track(kind, 'bob'));
    await offerFrom(serverEnd, deviceEnd);
    const { sdp = '' } = await serverEnd.createOffer();
    const [head = '', audio = '', video = ''] = sdp.split(/^(?=m=)/m);
    const swapped = deviceEnd.setRemoteDescription({ type: 'offer', sdp: head + video + audio });
    await expect(swapped).rejects.toMatchObject({ name: 'InvalidAccessError' });
    expect(deviceEnd.signalingState).toBe('stable');
    await offerFrom(serverEnd, deviceEnd);
  });
});
