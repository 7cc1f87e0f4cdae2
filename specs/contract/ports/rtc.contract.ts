import type { RtcPeerConnection, RtcPort } from '../../../src/calls/platform/rtc.ts';
import { check, checkEqual, eventually, nameOf, rejection, within, type ContractSuite, type Pass } from './contract.ts';

export interface RtcSubject {
  /** The ports of two devices that can reach each other. On one machine both may be the same port. */
  readonly rtc: readonly [RtcPort, RtcPort];
  /** Makes a live track of this kind. */
  readonly track: (kind: 'audio' | 'video') => MediaStreamTrack;
  readonly pass: Pass;
}

interface Pair {
  readonly caller: RtcPeerConnection;
  readonly callee: RtcPeerConnection;
  readonly received: { readonly caller: string[]; readonly callee: string[] };
  readonly close: () => void;
}

type Kinds = readonly ('audio' | 'video')[];

/** Sends the candidates of one side to the other. Returns a function that adds the early ones after the description. */
function trickle(from: RtcPeerConnection, to: RtcPeerConnection): () => Promise<void> {
  const early: RTCIceCandidateInit[] = [];
  let ready = false;
  from.addEventListener('icecandidate', ({ candidate }) => {
    if (!candidate?.candidate) return;
    const init = { candidate: candidate.candidate, sdpMid: candidate.sdpMid, sdpMLineIndex: candidate.sdpMLineIndex };
    if (ready) to.addIceCandidate(init).catch(() => undefined);
    else early.push(init);
  });
  return async () => {
    ready = true;
    for (const init of early.splice(0)) await to.addIceCandidate(init);
  };
}

/** Connects two sides as the library does: the offerer adds transceivers, and the answerer fills those of the offer. */
async function connect(
  { rtc: [a, b], track, pass }: RtcSubject,
  kinds: Kinds = ['audio'],
  direction: 'sendrecv' | 'sendonly' = 'sendrecv',
): Promise<Pair> {
  const caller = a.createPeerConnection({});
  const callee = b.createPeerConnection({});
  const received = { caller: [] as string[], callee: [] as string[] };
  caller.addEventListener('track', (event) => received.caller.push(event.track.kind));
  callee.addEventListener('track', (event) => received.callee.push(event.track.kind));
  const callerReady = trickle(callee, caller);
  const calleeReady = trickle(caller, callee);
  for (const kind of kinds) caller.addTransceiver(track(kind), { direction });
  const negotiate = async () => {
    const offer = await caller.createOffer();
    await caller.setLocalDescription(offer);
    await callee.setRemoteDescription(offer);
    await calleeReady();
    for (const kind of direction === 'sendrecv' ? kinds : []) callee.addTrack(track(kind));
    const answer = await callee.createAnswer();
    await callee.setLocalDescription(answer);
    await caller.setRemoteDescription(answer);
    await callerReady();
  };
  await within(pass, negotiate(), 'the sides negotiate');
  const close = () => {
    caller.close();
    callee.close();
  };
  try {
    const both = () => caller.connectionState === 'connected' && callee.connectionState === 'connected';
    await eventually(pass, both, 'both sides connect', 15_000);
  } catch (error) {
    close();
    throw error;
  }
  return { caller, callee, received, close };
}

const directionsOf = (side: RtcPeerConnection) =>
  side.getTransceivers().map(({ mid, currentDirection }) => `${mid} ${currentDirection}`);

const ufragOf = (sdp = '') => /^a=ice-ufrag:(\S+)/m.exec(sdp)?.[1];

async function counted(connection: RtcPeerConnection, type: string, counter: string): Promise<number> {
  let sum = 0;
  (await connection.getStats()).forEach((entry: Record<string, unknown>) => {
    if (entry['type'] === type && typeof entry[counter] === 'number') sum += entry[counter];
  });
  return sum;
}

export const rtcContract: ContractSuite<RtcSubject> = [
  {
    title: 'two sides connect by trickled candidates, and each receives the tracks of the other',
    run: async (subject) => {
      const { caller, callee, received, close } = await connect(subject, ['audio', 'video']);
      try {
        checkEqual(
          [received.caller.sort(), received.callee.sort()],
          [
            ['audio', 'video'],
            ['audio', 'video'],
          ],
          'tracks',
        );
        for (const side of [caller, callee]) {
          check(['connected', 'completed'].includes(side.iceConnectionState), 'ICE is connected too');
          const directions = side.getTransceivers().map(({ currentDirection }) => currentDirection);
          checkEqual(directions, ['sendrecv', 'sendrecv'], 'both directions of both kinds');
        }
      } finally {
        close();
      }
    },
  },
  {
    title: 'tracks that are added before an offer are sent in its sections, and an answer may be asked for at once',
    run: async ({ rtc: [first, second], track, pass }) => {
      const [caller, callee] = [first.createPeerConnection({}), second.createPeerConnection({})];
      const arrived: string[] = [];
      caller.addEventListener('track', (event) => arrived.push(event.track.kind));
      const [audio, video] = [track('audio'), track('video')];
      const negotiate = async () => {
        for (const own of [video, audio]) callee.addTrack(own);
        for (const kind of ['audio', 'video'] as const) caller.addTransceiver(kind, { direction: 'sendrecv' });
        const offer = await caller.createOffer();
        await caller.setLocalDescription(offer);
        const described = callee.setRemoteDescription(offer);
        const answer = await callee.createAnswer();
        await described;
        await callee.setLocalDescription(answer);
        await caller.setRemoteDescription(answer);
        checkEqual(directionsOf(callee).sort(), ['0 sendrecv', '1 sendrecv'], 'the directions of the answerer');
        checkEqual(arrived.sort(), ['audio', 'video'], 'tracks');
        const sent = callee.getTransceivers().map(({ sender }) => `${sender.track?.kind} ${sender.track?.id}`);
        checkEqual(sent.toSorted(), [`audio ${audio.id}`, `video ${video.id}`], 'no other transceiver was made');
        let again: unknown;
        try {
          callee.addTrack(audio);
        } catch (error) {
          again = error;
        }
        checkEqual(nameOf(again), 'InvalidAccessError', 'a track is sent once');
      };
      try {
        await within(pass, negotiate(), 'the sides negotiate');
      } finally {
        caller.close();
        callee.close();
      }
    },
  },
  {
    title: 'an ICE restart changes the credentials and leaves the sides connected',
    run: async (subject) => {
      const { caller, callee, close } = await connect(subject);
      try {
        const negotiate = async () => {
          const before = await caller.createOffer();
          const offer = await caller.createOffer({ iceRestart: true });
          check(ufragOf(offer.sdp) !== ufragOf(before.sdp), 'the restart has new credentials');
          await caller.setLocalDescription(offer);
          await callee.setRemoteDescription(offer);
          const answer = await callee.createAnswer();
          await callee.setLocalDescription(answer);
          await caller.setRemoteDescription(answer);
        };
        await within(subject.pass, negotiate(), 'the sides negotiate');
        await subject.pass(500);
        const both = () => caller.connectionState === 'connected' && callee.connectionState === 'connected';
        await eventually(subject.pass, both, 'both sides are connected');
      } finally {
        close();
      }
    },
  },
  {
    title: 'statistics contain the selected pair, and their counters never fall',
    run: async (subject) => {
      const { caller, close } = await connect(subject);
      try {
        await subject.pass(1_000);
        const first = await counted(caller, 'outbound-rtp', 'packetsSent');
        await subject.pass(1_000);
        const second = await counted(caller, 'outbound-rtp', 'packetsSent');
        check(second >= first && first >= 0, 'counters never fall');
        const types = new Set<string>();
        (await caller.getStats()).forEach((entry: Record<string, unknown>) => types.add(String(entry['type'])));
        for (const type of ['transport', 'candidate-pair', 'local-candidate', 'outbound-rtp']) {
          check(types.has(type), `there is an entry of type ${type}`);
        }
      } finally {
        close();
      }
    },
  },
  {
    title: 'a sender accepts another track, no track, and the first track again',
    run: async (subject) => {
      const { caller, close } = await connect(subject);
      try {
        const sender = caller.getTransceivers()[0]?.sender;
        const first = sender?.track ?? null;
        for (const track of [subject.track('audio'), null, first]) {
          await within(subject.pass, sender?.replaceTrack(track) ?? Promise.reject(), 'the track is replaced');
          checkEqual(sender?.track?.id ?? null, track?.id ?? null, 'the sender has it');
        }
      } finally {
        close();
      }
    },
  },
  {
    title: 'two videos with direction sendonly arrive as two tracks',
    run: async (subject) => {
      const { caller, callee, received, close } = await connect(subject, ['video', 'video'], 'sendonly');
      try {
        checkEqual([received.caller, received.callee], [[], ['video', 'video']], 'tracks');
        checkEqual(directionsOf(caller), ['0 sendonly', '1 sendonly'], 'the directions of the sender');
        checkEqual(directionsOf(callee), ['0 recvonly', '1 recvonly'], 'the directions of the receiver');
      } finally {
        close();
      }
    },
  },
  {
    title: 'a rollback withdraws an offer, and the connection then answers the offer of the other side',
    run: async ({ rtc: [first, second], track, pass }) => {
      const [polite, other] = [first.createPeerConnection({}), second.createPeerConnection({})];
      const negotiate = async () => {
        polite.addTransceiver(track('audio'), { direction: 'sendrecv' });
        other.addTransceiver(track('video'), { direction: 'sendonly' });
        await polite.setLocalDescription(await polite.createOffer());
        const offer = await other.createOffer();
        await other.setLocalDescription(offer);
        await polite.setLocalDescription({ type: 'rollback', sdp: '' });
        checkEqual(
          polite.getTransceivers().map(({ mid }) => mid),
          [null],
          'no section is left',
        );
        await polite.setRemoteDescription(offer);
        const answer = await polite.createAnswer();
        await polite.setLocalDescription(answer);
        await other.setRemoteDescription(answer);
        checkEqual(directionsOf(other), ['0 sendonly'], 'the directions of the crossing offer');
        checkEqual(directionsOf(polite), ['null null', '0 recvonly'], 'the own transceiver waits');
        const mids = [...((await polite.createOffer()).sdp ?? '').matchAll(/^m=(\w+)/gm)].map(([, kind]) => kind);
        checkEqual(mids, ['video', 'audio'], 'the next offer keeps the known section first');
      };
      try {
        await within(pass, negotiate(), 'the sides negotiate');
        const again = within(pass, polite.setLocalDescription({ type: 'rollback', sdp: '' }), 'a rollback settles');
        checkEqual(nameOf(await rejection(again, 'a rollback without an offer')), 'InvalidStateError', 'the error');
      } finally {
        polite.close();
        other.close();
      }
    },
  },
  {
    title: 'a method in the wrong state rejects',
    run: async ({ rtc: [port], pass }) => {
      const connection = port.createPeerConnection({});
      const refused = async (promise: Promise<unknown>, what: string) =>
        nameOf(await rejection(within(pass, promise, `${what} settles`), what));
      try {
        connection.addTransceiver('audio', { direction: 'sendrecv' });
        const offer = await connection.createOffer();
        await refused(connection.createAnswer(), 'an answer without an offer');
        await refused(
          connection.setRemoteDescription({ type: 'answer', sdp: offer.sdp ?? '' }),
          'an answer without a local offer',
        );
        const candidate = { candidate: 'candidate:1 1 udp 1 192.0.2.1 9 typ host', sdpMid: '0', sdpMLineIndex: 0 };
        await refused(connection.addIceCandidate(candidate), 'a candidate before the description');
        await refused(connection.setRemoteDescription({ type: 'offer', sdp: 'no sdp' }), 'an offer that is no SDP');
      } finally {
        connection.close();
      }
    },
  },
  {
    title: 'a closed connection reports its state, rejects methods, and can be closed again',
    run: async ({ rtc: [port], pass }) => {
      const connection = port.createPeerConnection({});
      connection.close();
      connection.close();
      checkEqual(connection.connectionState, 'closed', 'its state');
      await rejection(within(pass, connection.createOffer(), 'it settles'), 'an offer of a closed connection');
    },
  },
  {
    title: 'an invalid relay is refused when the connection is created',
    run: async ({ rtc: [port] }) => {
      let thrown: unknown;
      try {
        port.createPeerConnection({ iceServers: [{ urls: 'javascript:1' }] }).close();
      } catch (error) {
        thrown = error;
      }
      check(thrown !== undefined, 'it throws');
    },
  },
  {
    title: 'a new stream has the given tracks',
    run: async ({ rtc: [port], track }) => {
      const mine = track('audio');
      checkEqual(
        port
          .createMediaStream([mine])
          .getTracks()
          .map(({ id }) => id),
        [mine.id],
        'its tracks',
      );
      checkEqual(port.createMediaStream().getTracks(), [], 'without tracks it is empty');
    },
  },
];
