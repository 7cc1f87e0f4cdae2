/** The descriptions that the engine on Janus makes, and servers that are no Janus or lie. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { Log } from '../../../sim/exchange/logging/log.ts';
import {
  answerToJanus,
  answerToViewer,
  checkViewerOffer,
  joinedAnswer,
  offerOf,
} from '../../../sim/media/janus/descriptions.ts';
import { JanusRoomMediaEngine } from '../../../sim/media/janus/engine.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`;

/** An offer of a viewer, with names, numbers and an order that differ from those of Janus. */
const OFFER = lines(
  ...['v=0', 'o=- 7 2 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE picture sound', 'a=ice-ufrag:CLIENT'],
  ...['a=ice-pwd:client-password', 'a=fingerprint:sha-256 C1:1E', 'a=setup:actpass'],
  ...['m=video 9 UDP/TLS/RTP/SAVPF 96 97 98', 'a=mid:picture', 'a=recvonly', 'a=rtcp-mux'],
  ...[
    'a=extmap:7 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
    'a=extmap:9 urn:ietf:params:rtp-hdrext:sdes:mid',
  ],
  ...['a=extmap:11 urn:not-of-janus', 'a=rtpmap:96 VP8/90000', 'a=rtcp-fb:96 nack', 'a=rtcp-fb:96 nack pli'],
  ...['a=rtcp-fb:96 transport-cc', 'a=rtpmap:97 rtx/90000', 'a=fmtp:97 apt=96', 'a=rtpmap:98 VP9/90000'],
  ...['m=audio 9 UDP/TLS/RTP/SAVPF 111 0', 'a=mid:sound', 'a=recvonly', 'a=rtpmap:111 opus/48000/2'],
  ...['a=fmtp:111 minptime=10;useinbandfec=1', 'a=rtpmap:0 PCMU/8000'],
);

/** An offer of Janus. */
const JANUS = lines(
  ...['v=0', 'o=- 1 1 IN IP4 192.0.2.2', 's=VideoRoom', 't=0 0', 'a=group:BUNDLE 0 1'],
  ...['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=mid:0', 'a=sendonly', 'a=rtpmap:111 opus/48000/2', 'a=ice-ufrag:JANUS'],
  ...['a=ice-pwd:janus-password', 'a=fingerprint:sha-256 1A:05', 'a=setup:actpass', 'a=ssrc:10 cname:janus'],
  ...['a=candidate:1 1 udp 2015363327 192.0.2.2 20001 typ host', 'm=video 9 UDP/TLS/RTP/SAVPF 96 97', 'a=mid:1'],
  ...['a=sendonly', 'a=rtpmap:96 VP8/90000', 'a=rtpmap:97 rtx/90000', 'a=fmtp:97 apt=96', 'a=ice-ufrag:JANUS'],
  ...['a=ice-pwd:janus-password', 'a=fingerprint:sha-256 1A:05', 'a=setup:actpass', 'a=ssrc-group:FID 20 21'],
  ...[
    'a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid',
    'a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
  ],
  ...['a=ssrc:20 cname:janus', 'a=ssrc:21 cname:janus', 'a=candidate:1 1 udp 2015363327 192.0.2.2 20001 typ host'],
);

const sectionsOf = (sdp: string) =>
  sdp.split(/^(?=m=)/m).map((text) => text.split('\r\n').filter((line) => line !== ''));

describe('descriptions of viewers', () => {
  test('the answer to Janus has the transport, the extensions and the mid that each side expects', () => {
    const [session, audio, video] = sectionsOf(answerToJanus(JANUS, OFFER, 3));
    expect(session).toEqual(['v=0', 'o=- 1 3 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE 0 1']);
    const transport = ['a=ice-ufrag:CLIENT', 'a=ice-pwd:client-password', 'a=fingerprint:sha-256 C1:1E'];
    expect(audio).toEqual([
      ...['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'c=IN IP4 0.0.0.0', 'a=rtcp-mux', 'a=rtpmap:111 opus/48000/2'],
      ...['a=fmtp:111 minptime=10;useinbandfec=1', 'a=mid:0', 'a=recvonly', 'a=setup:active', ...transport],
    ]);
    expect(video).toEqual([
      ...['m=video 9 UDP/TLS/RTP/SAVPF 96', 'c=IN IP4 0.0.0.0', 'a=rtcp-mux', 'a=rtpmap:96 VP8/90000'],
      ...['a=rtcp-fb:96 nack', 'a=rtcp-fb:96 nack pli'],
      ...['a=extmap:7 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time'],
      ...['a=mid:1', 'a=recvonly', 'a=setup:active', ...transport],
    ]);
  });

  test('the answer to the client keeps its order and its mids, and has the transport of Janus', () => {
    const [session, video, audio] = sectionsOf(answerToViewer(OFFER, JANUS, 4));
    expect(session?.at(-1)).toBe('a=group:BUNDLE picture sound');
    const transport = ['a=ice-ufrag:JANUS', 'a=ice-pwd:janus-password', 'a=fingerprint:sha-256 1A:05'];
    const candidates = ['a=candidate:1 1 udp 2015363327 192.0.2.2 20001 typ host', 'a=end-of-candidates'];
    expect(video?.slice(7)).toEqual([
      ...['a=mid:picture', 'a=sendonly', 'a=setup:passive', 'a=msid:room picture', 'a=ssrc:20 cname:room'],
      ...['a=ssrc:20 msid:room picture', ...transport, ...candidates],
    ]);
    expect(audio?.slice(0, 1)).toEqual(['m=audio 9 UDP/TLS/RTP/SAVPF 111']);
    expect(audio).toContain('a=mid:sound');
  });

  test('a client that only waits for DTLS gets a server that begins', () => {
    const waiting = OFFER.replace('a=setup:actpass', 'a=setup:passive');
    expect(answerToJanus(JANUS, waiting, 1)).toContain('a=setup:passive');
    expect(answerToViewer(waiting, JANUS, 1)).toContain('a=setup:active');
  });

  test('a section that only one side has is refused in the answer to it', () => {
    const [session = '', video = ''] = OFFER.split(/^(?=m=)/m);
    const [, audio] = sectionsOf(answerToJanus(JANUS, session + video, 1));
    expect(audio).toEqual(['m=audio 0 UDP/TLS/RTP/SAVPF 111', 'c=IN IP4 0.0.0.0', 'a=mid:0', 'a=inactive']);
    const [janusSession = '', janusAudio = ''] = JANUS.split(/^(?=m=)/m);
    const [, picture] = sectionsOf(answerToViewer(OFFER, janusSession + janusAudio, 1));
    expect(picture?.[0]).toMatch(/^m=video 0 /);
  });

  test('a viewer whose payload types are not those of Janus is refused', () => {
    expect(() => checkViewerOffer(OFFER)).not.toThrow();
    expect(() => checkViewerOffer(OFFER.replace('rtpmap:96 VP8', 'rtpmap:120 VP8'))).toThrow(
      /video .* payload type 96/,
    );
    expect(() => checkViewerOffer(OFFER.replace('111 opus', '109 opus'))).toThrow(/audio .* payload type 111/);
  });

  test('the offer of one section has no other one, and the joined answer has a transport for each section', () => {
    const audio = offerOf(OFFER, 'audio') ?? '';
    expect(sectionsOf(audio)).toHaveLength(2);
    expect(audio).toContain('a=group:BUNDLE sound\r\n');
    expect(audio).toContain('a=ice-ufrag:CLIENT');
    expect(offerOf(audio, 'video')).toBeNull();
    const [session = '', sound = '', picture = ''] = JANUS.split(/^(?=m=)/m);
    // A transport may be in the session of an answer.
    const bare = picture.replaceAll(/^a=(ice-\w+|fingerprint|setup):.*\r\n/gm, '');
    const own = lines('a=ice-ufrag:OTHER', 'a=ice-pwd:other', 'a=fingerprint:sha-256 0E:2A', 'a=setup:active');
    const joined = joinedAnswer(OFFER, { audio: session + sound, video: session + own + bare }, 1);
    const [head, first, second] = sectionsOf(joined);
    expect(head?.join()).not.toContain('BUNDLE');
    expect(first?.[0]).toMatch(/^m=video/);
    expect(first).toEqual(expect.arrayContaining(['a=ice-ufrag:OTHER', 'a=setup:active']));
    expect(second).toEqual(expect.arrayContaining(['a=ice-ufrag:JANUS', 'a=setup:actpass']));
  });
});

describe('servers that are no Janus', () => {
  const ended: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ended.splice(0).toReversed()) await end();
  });

  /** Starts a server of websockets that answers each message. Returns its address. */
  async function socketServer(
    answer: (message: Record<string, unknown>, socket: WebSocket) => unknown,
    protocol = true,
  ) {
    const server: Server = createServer();
    const sockets = new WebSocketServer({ server, handleProtocols: () => (protocol ? 'janus-protocol' : false) });
    sockets.on('connection', (socket) => {
      socket.on('message', (data) => {
        const message = JSON.parse((data as Buffer).toString()) as Record<string, unknown>;
        const reply = answer(message, socket);
        if (reply !== undefined) {
          socket.send(
            typeof reply === 'string' ? reply : JSON.stringify({ ...reply, transaction: message['transaction'] }),
          );
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ended.push(() => {
      for (const socket of sockets.clients) socket.terminate();
      return new Promise((resolve) => server.close(resolve));
    });
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Starts an engine. Returns its log after the first attempt. */
  async function logOf(url: string) {
    const entries: string[] = [];
    const log = new Log(({ level, message }) => entries.push(`${level}: ${message}`), nodeClock);
    const times = { openMs: 300, requestMs: 300, aliveMs: 100, keepAliveMs: 50 };
    const engine = new JanusRoomMediaEngine({ urls: [url], secret: null, owner: 'test', clock: nodeClock, log, times });
    ended.push(() => engine.close());
    await engine.start();
    return { engine, entries };
  }

  const plugins = { 'janus.plugin.videoroom': {}, 'janus.plugin.audiobridge': {} };
  /** Answers as Janus does, as far as an engine needs it before its first room. */
  const asJanus = ({ janus, body }: Record<string, unknown>): object => {
    if (janus === 'info') return { janus: 'server_info', plugins };
    if (janus === 'keepalive') return { janus: 'ack' };
    const { request } = (body ?? {}) as { request?: string };
    if (request === 'list') return { janus: 'success', plugindata: { data: { list: [] } } };
    return { janus: 'success', data: { id: 1 } };
  };

  /** Answers as Janus does in a room: the publisher is 7, the dummy 99. @param switched - gets the streams of each switch. */
  function roomServer(switched: (streams: unknown) => void) {
    let id = 1;
    return (message: Record<string, unknown>, socket: WebSocket): object => {
      const { request, ptype, streams } = (message['body'] ?? {}) as Record<string, unknown>;
      id += 1;
      if (message['janus'] !== 'message') return { ...asJanus(message), data: { id } };
      const event = (data: object, jsep?: object) => ({ janus: 'event', plugindata: { data }, ...(jsep && { jsep }) });
      if (request === 'create') return event({ room: 5 });
      if (request === 'listparticipants') return event({ participants: [{ id: 99 }] });
      if (request === 'joinandconfigure') {
        socket.send(JSON.stringify({ janus: 'webrtcup', sender: message['handle_id'] }));
        return event({ id: 7 }, { type: 'answer', sdp: JANUS });
      }
      if (request === 'join' && ptype === 'subscriber') {
        const own = ['audio', 'video'].map((type, mid) => ({ type, mid: String(mid) }));
        return event({ streams: own }, { type: 'offer', sdp: JANUS });
      }
      if (request === 'switch') switched(streams);
      return request === 'list' ? asJanus(message) : event({});
    };
  }

  const LIES: Readonly<Record<string, readonly [reason: string, () => Promise<string>]>> = {
    'nothing listens': ['it cannot be reached (ECONNREFUSED)', () => Promise.resolve('ws://127.0.0.1:9')],
    'another protocol': ['it cannot be reached (Server sent no subprotocol)', () => socketServer(asJanus, false)],
    silence: ['no reply came in time', () => socketServer(() => undefined)],
    'text of another kind': [
      'the connection ended: it sent a message that is not of Janus',
      () => socketServer(() => 'hello'),
    ],
    'a refusal': ['go away', () => socketServer(() => ({ janus: 'error', error: { code: 403, reason: 'go away' } }))],
    'no plugins': [
      'it lacks the plugin janus.plugin.videoroom',
      () => socketServer(({ janus }) => (janus === 'info' ? { janus: 'server_info', plugins: {} } : undefined)),
    ],
    'an id beyond the safe numbers': [
      'the connection ended: it sent a message that is not of Janus',
      () =>
        socketServer((one) => (one['janus'] === 'create' ? { janus: 'success', data: { id: 2 ** 60 } } : asJanus(one))),
    ],
    'a list of another form': [
      'a reply has another form than that of Janus',
      () =>
        socketServer((one) =>
          one['janus'] === 'message' ? { janus: 'success', plugindata: { data: { list: 'none' } } } : asJanus(one),
        ),
    ],
    'too much text': [
      'the connection ended: the socket failed (WS_ERR_UNSUPPORTED_MESSAGE_LENGTH)',
      () => socketServer(() => 'x'.repeat(600_000)),
    ],
  };

  test.each(Object.entries(LIES))(
    '%s: one line names the setting and the reason, and endpoints are refused',
    async (_, [reason, start]) => {
      const { engine, entries } = await logOf(await start());
      expect(entries).toEqual([`error: Janus server 1 of 1 (JANUS_URL) cannot be used: ${reason}`]);
      const plan = { endpointId: 'a', participantId: 'p', audio: 'recvonly', video: 'recvonly' } as const;
      await expect(engine.open('room', 'small_room_for_video').create(plan, OFFER)).rejects.toMatchObject({
        name: 'ERR_SERVER_INTERNAL_ERROR',
        message: 'The media server does not answer.',
      });
      expect(entries.at(-1)).toBe('error: the media of a room failed');
    },
  );

  test('a server that stops answering is found by its keep-alive, and is used again when it answers', async () => {
    let isSilent = false;
    const url = await socketServer((message) => (isSilent ? undefined : asJanus(message)));
    const { entries } = await logOf(url);
    expect(entries).toEqual([]);
    isSilent = true;
    await expect
      .poll(() => entries)
      .toContain('error: Janus server 1 of 1 (JANUS_URL) cannot be used: it does not answer');
    isSilent = false;
    await expect
      .poll(() => entries, { timeout: 5_000 })
      .toContain('info: Janus server 1 of 1 (JANUS_URL) answers again');
  });

  test('a session that Janus ends is a lost server: the next endpoint is on a new session', async () => {
    const sockets: WebSocket[] = [];
    const answer = roomServer(() => undefined);
    const url = await socketServer((message, socket) => {
      if (!sockets.includes(socket)) sockets.push(socket);
      return answer(message, socket);
    });
    const { engine, entries } = await logOf(url);
    const media = engine.open('room', 'small_room_for_video');
    const sends = { participantId: 'p', audio: 'sendonly', video: 'sendonly' } as const;
    await media.create({ endpointId: 'a', ...sends }, OFFER);
    sockets[0]?.send(JSON.stringify({ janus: 'timeout' }));
    await expect.poll(() => entries, { timeout: 5_000 }).toContainEqual(expect.stringContaining('answers again'));
    expect(entries[0]).toBe('error: Janus server 1 of 1 (JANUS_URL) cannot be used: it ended the session');
    await expect(media.negotiate('a', OFFER)).rejects.toMatchObject({ name: 'ERR_INVALID_ROOM_PARTICIPANT' });
    await media.create({ endpointId: 'a2', ...sends }, OFFER);
    expect(sockets).toHaveLength(2);
    expect(sockets[0]?.readyState).toBe(3);
  });

  test('a kind that a viewer does not receive is not sent: the dummy replaces it, and the source returns', async () => {
    const switches: unknown[] = [];
    const url = await socketServer(roomServer((streams) => switches.push(streams)));
    const { engine } = await logOf(url);
    const media = engine.open('room', 'small_room_for_video');
    await media.create({ endpointId: 'a', participantId: 'p', audio: 'sendonly', video: 'sendonly' }, OFFER);
    await media.create({ endpointId: 'b', participantId: 'q', audio: 'recvonly', video: 'recvonly' }, OFFER);
    media.attach('b', 'a');
    const sound = { feed: 7, mid: 'sound', sub_mid: '0' };
    const picture = { feed: 7, mid: 'picture', sub_mid: '1' };
    await expect.poll(() => switches).toEqual([[sound, picture]]);
    const paused = await media.negotiate('b', OFFER.replace('a=recvonly', 'a=inactive'));
    expect(paused.match(/a=(sendonly|inactive)/g)).toEqual(['a=inactive', 'a=sendonly']);
    await expect.poll(() => switches.at(-1)).toEqual([{ feed: 99, mid: '1', sub_mid: '1' }]);
    const resumed = await media.negotiate('b', OFFER);
    expect(resumed.match(/a=(sendonly|inactive)/g)).toEqual(['a=sendonly', 'a=sendonly']);
    await expect.poll(() => switches.at(-1)).toEqual([picture]);
  });

  test('the close of the engine ends requests under way, and connects no more', async () => {
    const url = await socketServer((message) => (message['body'] ? undefined : asJanus(message)));
    const entries: string[] = [];
    const log = new Log(({ message }) => entries.push(message), nodeClock);
    const engine = new JanusRoomMediaEngine({ urls: [url], secret: null, owner: 'test', clock: nodeClock, log });
    const starting = engine.start();
    engine.close();
    await starting;
    const plan = { endpointId: 'a', participantId: 'p', audio: 'recvonly', video: 'recvonly' } as const;
    await expect(engine.open('room', 'small_room_for_video').create(plan, OFFER)).rejects.toMatchObject({
      name: 'ERR_SERVER_INTERNAL_ERROR',
    });
    expect(entries).toEqual(['the media of a room failed']);
  });
});
