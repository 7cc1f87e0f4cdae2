/** The endpoints of participants, with media that only records what the exchange asks. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ErrorCode } from '../../../../src/protocol/errors.ts';
import { ROOM_TYPES, type MediaDirection, type RoomType } from '../../../../src/protocol/room-entities.ts';
import { unpackSdp } from '../../../../src/protocol/sdp-codec.ts';
import { PACKED, SDP, type Device } from '../exchange-fixture.ts';
import {
  codeOf,
  createRoomWorld,
  endpoint,
  heard,
  master,
  run,
  type Party,
  type RoomWorld,
  type Way,
} from './room-fixture.ts';

let world: RoomWorld;
let alice: Party;
let bob: Party;
let room_id: string;
let devices: Device[];

/** Two participants in a room of a type. */
async function open(type: RoomType = 'small_room_for_video') {
  world = createRoomWorld();
  const { device } = world.fixture;
  devices = [await device('alice'), await device('bob')];
  const [one, two] = devices;
  if (!one || !two) throw new Error('no devices');
  room_id = await world.create(one, type);
  [alice, bob] = [await world.enter(one, room_id), await world.enter(two, room_id)];
  world.media.asked.length = 0;
}
beforeEach(() => open());

const viewer = (party: Party, way: Way = 'channel') => endpoint(party, 'recvonly', 'recvonly', way);
const attachCode = (
  party: Party,
  payload: { participant_id: string; endpoint_id: string },
  to: Party,
  way: Way = 'channel',
) => codeOf(party.device, 'endpoint_attach', { room_id, ...payload, attach_to: to.participant_id }, way);
const flush = async () => {
  for (let at = 0; at < 50; at += 1) await Promise.resolve();
};

it('an endpoint that the media server closes is forgotten, and its viewers get the next one', async () => {
  const [mine, former] = [await viewer(alice), await master(bob)];
  expect(await attachCode(alice, mine, bob)).toBe(0);
  world.media.lose(former.endpoint_id);
  expect(await attachCode(alice, mine, bob)).toBe(ErrorCode.ERR_SEND_ENDPOINT_CANNOT_ATTACH);
  expect(await codeOf(bob.device, 'endpoint_release', former)).toBe(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT);
  const next = await master(bob);
  expect(world.media.asked.at(-1)).toBe(`attach ${mine.endpoint_id} ${next.endpoint_id}`);
  world.media.lose(former.endpoint_id);
  expect([...world.media.endpoints]).toEqual([mine.endpoint_id, next.endpoint_id]);
});

it('a repeated request with its id makes one endpoint, and the id of another request is refused', async () => {
  const path = `/v1/rooms/${room_id}/participants/${alice.participant_id}/endpoints`;
  const body = { sdp: PACKED, audio_attr: 'sendonly', video_attr: 'sendonly' };
  const create = (id: string | null, more: object = {}) =>
    world.fixture.http('POST', path, {
      headers: { ...alice.device.headers, ...(id === null ? {} : { 'x-request-id': id }) },
      body: { ...body, ...more },
    });
  const answers = [await create('one'), await create('one')];
  expect(answers[0]).toEqual(answers[1]);
  expect([answers[0]?.status, world.media.plans.length]).toEqual([200, 1]);
  const others = [await create('one', { audio_attr: 'recvonly' }), await create(''), await create('i'.repeat(129))];
  expect(
    [...others, await create('two'), await create(null)].map(({ status, body: { code } }) => [status, code]),
  ).toEqual([
    [409, 1_800_300],
    [400, 1_800_300],
    [400, 1_800_300],
    [409, ErrorCode.ERR_PARTICIPANT_ALREADY_HAS_SEND_ENDPOINT],
    [409, ErrorCode.ERR_PARTICIPANT_ALREADY_HAS_SEND_ENDPOINT],
  ]);
});

describe.each<Way>(['channel', 'http'])('by %s', (way) => {
  it('HTTP-11: an endpoint is made for an offer, and answers its id and the answer of the media server', async () => {
    const create = { ...alice.me, sdp: PACKED, audio_attr: 'sendonly', video_attr: 'sendonly' } as const;
    const { endpoint_id, sdp } = await run(alice.device, 'endpoint_create', create, way);
    expect(unpackSdp(sdp)).toBe(SDP);
    expect(world.media.plans).toEqual([
      { endpointId: endpoint_id, participantId: alice.participant_id, audio: 'sendonly', video: 'sendonly' },
    ]);
    expect(world.media.asked).toEqual([`open ${room_id} small_room_for_video`, `create ${endpoint_id}`]);
  });

  it('HTTP-12: an endpoint is negotiated again', async () => {
    const made = await master(alice, way);
    const { endpoint_id, sdp } = await run(alice.device, 'endpoint_put', { ...made, sdp: PACKED }, way);
    expect([endpoint_id, unpackSdp(sdp)]).toEqual([made.endpoint_id, SDP]);
    expect(world.media.asked.at(-1)).toBe(`negotiate ${made.endpoint_id}`);
  });

  it('HTTP-14 HTTP-15 B59 ERR-1400123: an attach is refused until the master connects, as for an unknown participant', async () => {
    const mine = await viewer(alice, way);
    const refused = ErrorCode.ERR_SEND_ENDPOINT_CANNOT_ATTACH;
    expect(await attachCode(alice, mine, bob, way)).toBe(refused);
    const his = await endpoint(bob, 'sendonly', 'sendonly', way);
    expect(await attachCode(alice, mine, bob, way)).toBe(refused);
    expect(await attachCode(alice, mine, { ...bob, participant_id: 'x' }, way)).toBe(refused);
    expect(await run(bob.device, 'endpoint_connected', his, way)).toEqual({ room_id });
    expect(await attachCode(alice, mine, bob, way)).toBe(0);
    // An attach that is repeated is applied once.
    expect(await attachCode(alice, mine, bob, way)).toBe(0);
    expect(world.media.asked.slice(-1)).toEqual([`attach ${mine.endpoint_id} ${his.endpoint_id}`]);
  });

  it('HTTP-13 B59 ERR-1400124: a second endpoint that sends is refused, and one after its release is made', async () => {
    const first = await endpoint(alice, 'sendonly', 'sendonly', way);
    const again = { ...alice.me, sdp: PACKED, audio_attr: 'sendonly', video_attr: 'sendonly' } as const;
    expect(await codeOf(alice.device, 'endpoint_create', again, way)).toBe(
      ErrorCode.ERR_PARTICIPANT_ALREADY_HAS_SEND_ENDPOINT,
    );
    expect(await run(alice.device, 'endpoint_release', first, way)).toEqual({ room_id });
    expect(world.media.asked.at(-1)).toBe(`release ${first.endpoint_id}`);
    expect(await codeOf(alice.device, 'endpoint_create', again, way)).toBe(0);
    expect(await codeOf(alice.device, 'endpoint_release', first, way)).toBe(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT);
  });

  it('HTTP-13: an attach ends with a detach, without the end of the endpoint', async () => {
    const [mine, his] = [await viewer(alice, way), await master(bob, way)];
    await attachCode(alice, mine, bob, way);
    const detach = { ...mine, attach_to: bob.participant_id };
    expect(await run(alice.device, 'endpoint_detach', detach, way)).toEqual({ room_id });
    await run(alice.device, 'endpoint_detach', detach, way);
    expect(world.media.asked.slice(-2)).toEqual([
      `attach ${mine.endpoint_id} ${his.endpoint_id}`,
      `detach ${mine.endpoint_id} ${his.endpoint_id}`,
    ]);
    expect(world.media.endpoints.has(mine.endpoint_id)).toBe(true);
    expect(await attachCode(alice, mine, bob, way)).toBe(0);
  });
});

const ALL: readonly MediaDirection[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive'];

describe('EP-17 the directions of media', () => {
  it.each<[RoomType, string[]]>([
    ['small_room_for_audio_only', ['sendonly inactive', 'recvonly inactive']],
    ['large_room_for_audio_only', ['sendrecv inactive']],
    ['small_room_for_video', ['sendonly sendonly', 'recvonly recvonly']],
    ['large_room_for_video', ['sendrecv sendonly', 'inactive recvonly']],
  ])('EP-17: in a %s are those of its masters and viewers, and all others are refused', async (type, allowed) => {
    await open(type);
    const taken: string[] = [];
    for (const audio_attr of ALL) {
      for (const video_attr of ALL) {
        const payload = { ...alice.me, sdp: PACKED, audio_attr, video_attr };
        const reply = await alice.device.room('endpoint_create', payload);
        if (!reply.error) taken.push(`${audio_attr} ${video_attr}`);
        else expect(reply.error).toMatchObject({ code: ErrorCode.INVALID_PARAMETER_VALUE });
      }
    }
    expect(taken.toSorted()).toEqual(allowed.toSorted());
  });

  it('have a row for each type of room', () => expect(ROOM_TYPES).toHaveLength(4));
});

describe('an attach', () => {
  it('to itself, and of an endpoint that sends, is refused', async () => {
    const [mine, sending] = [await viewer(alice), await master(alice)];
    await master(bob);
    expect(await attachCode(alice, mine, alice)).toBe(ErrorCode.INVALID_PARAMETER_VALUE);
    expect(await attachCode(alice, sending, bob)).toBe(ErrorCode.INVALID_PARAMETER_VALUE);
  });

  it('to another participant replaces the former', async () => {
    const carol = await world.enter(await world.fixture.device('carol'), room_id);
    const [mine, his, hers] = [await viewer(alice), await master(bob), await master(carol)];
    await attachCode(alice, mine, bob);
    await attachCode(alice, mine, carol);
    expect(world.media.asked.slice(-2)).toEqual([
      `detach ${mine.endpoint_id} ${his.endpoint_id}`,
      `attach ${mine.endpoint_id} ${hers.endpoint_id}`,
    ]);
  });

  it('continues with the new master of a participant who connects again, once, for its viewers alone', async () => {
    const carol = await world.enter(await world.fixture.device('carol'), room_id);
    const [mine, , his] = [await viewer(alice), await viewer(carol), await master(bob)];
    await attachCode(alice, mine, bob);
    await run(bob.device, 'endpoint_release', his);
    expect(await attachCode(alice, mine, bob)).toBe(ErrorCode.ERR_SEND_ENDPOINT_CANNOT_ATTACH);
    world.media.asked.length = 0;
    const again = await master(bob);
    await run(bob.device, 'endpoint_connected', again);
    expect(world.media.asked).toEqual([
      `create ${again.endpoint_id}`,
      `attach ${mine.endpoint_id} ${again.endpoint_id}`,
    ]);
    expect(heard(alice.device).filter((event) => event.includes('connected'))).toHaveLength(1);
  });
});

describe('the endpoints of a participant', () => {
  it('end when it leaves, and no viewer gets its media any more', async () => {
    const [mine, his] = [await viewer(alice), await master(bob)];
    await attachCode(alice, mine, bob);
    world.media.asked.length = 0;
    await run(bob.device, 'room_exit', bob.me);
    expect(world.media.asked).toEqual([`detach ${mine.endpoint_id} ${his.endpoint_id}`, `release ${his.endpoint_id}`]);
    expect([...world.media.endpoints]).toEqual([mine.endpoint_id]);
    // The other participant may leave and detach at the same time.
    expect(await codeOf(alice.device, 'endpoint_detach', { ...mine, attach_to: bob.participant_id })).toBe(0);
    await run(alice.device, 'room_exit', alice.me);
    expect(world.media.asked.slice(-2)).toEqual([`release ${mine.endpoint_id}`, `close ${room_id}`]);
    expect(world.fixture.clock.pending).toBe(0);
  });

  it('are as many as the participants of its room', async () => {
    for (let at = 0; at < 6; at += 1) await viewer(alice);
    const payload = { ...alice.me, sdp: PACKED, audio_attr: 'recvonly', video_attr: 'recvonly' } as const;
    expect(await codeOf(alice.device, 'endpoint_create', payload)).toBe(ErrorCode.ERR_NO_PERMISSION);
    expect(world.media.endpoints.size).toBe(6);
  });

  it('are released after 60 s when they have not connected, so that a client whose answer was lost can offer again', async () => {
    const [lost, mine] = [await endpoint(alice, 'sendonly', 'sendonly'), await viewer(alice)];
    await run(alice.device, 'endpoint_connected', mine);
    await world.pass(55_000, alice, bob);
    world.fixture.clock.advance(4_999);
    expect(world.media.endpoints.size).toBe(2);
    world.fixture.clock.advance(1);
    expect([...world.media.endpoints]).toEqual([mine.endpoint_id]);
    expect(world.media.asked.at(-1)).toBe(`release ${lost.endpoint_id}`);
    expect(await endpoint(alice, 'sendonly', 'sendonly')).toMatchObject({ endpoint_id: expect.any(String) });
  });
});

describe('an endpoint that is still made', () => {
  let answer: (sdp: string) => void;
  let fail: (error: Error) => void;
  const offer = (party: Party) =>
    codeOf(party.device, 'endpoint_create', {
      ...party.me,
      sdp: PACKED,
      audio_attr: 'sendonly',
      video_attr: 'sendonly',
    });
  beforeEach(() => {
    world.media.answer = () =>
      new Promise((resolve, reject) => {
        [answer, fail] = [resolve, reject];
      });
  });

  it.each<[string, (party: Party) => Promise<unknown>]>([
    ['its participant leaves', ({ device, me }) => run(device, 'room_exit', me)],
    ['the room is deleted', () => run(bob.device, 'room_delete', { room_id })],
    ['its participant is silent', async () => world.pass(45_000, bob)],
    ['its login ends', async () => world.fixture.exchange.signOut('alice')],
  ])('is closed and refused when %s', async (_, act) => {
    const code = offer(alice);
    await flush();
    await act(alice);
    answer(SDP);
    expect(await code).toBe(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT);
    expect([...world.media.endpoints]).toEqual([]);
  });

  it('counts: a second one that sends is refused meanwhile', async () => {
    const code = offer(alice);
    await flush();
    world.media.answer = () => Promise.resolve(SDP);
    expect(await offer(alice)).toBe(ErrorCode.ERR_PARTICIPANT_ALREADY_HAS_SEND_ENDPOINT);
    answer(SDP);
    expect(await code).toBe(0);
  });

  it('does not remain when the media server fails', async () => {
    const code = offer(alice);
    await flush();
    fail(new Error('the media server failed'));
    expect(await code).toBe(ErrorCode.ERR_SERVER_INTERNAL_ERROR);
    expect(world.media.endpoints.size).toBe(0);
    world.media.answer = () => Promise.resolve(SDP);
    expect(await offer(alice)).toBe(0);
  });

  it('a negotiation that ends after the endpoint is refused', async () => {
    world.media.answer = () => Promise.resolve(SDP);
    const made = await master(alice);
    world.media.answer = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const code = codeOf(alice.device, 'endpoint_put', { ...made, sdp: PACKED });
    await flush();
    await run(alice.device, 'endpoint_release', made);
    answer(SDP);
    expect(await code).toBe(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT);
  });
});

it('B42 PAY-19: an offer that cannot be unpacked is refused, and its endpoint does not remain', async () => {
  const create = { ...alice.me, sdp: '!!!!', audio_attr: 'sendonly', video_attr: 'sendonly' } as const;
  expect(await codeOf(alice.device, 'endpoint_create', create)).toBe(ErrorCode.ERR_MALFORMED_DATA);
  expect(await codeOf(alice.device, 'endpoint_create', create, 'http')).toBe(ErrorCode.ERR_MALFORMED_DATA);
  const made = await master(alice);
  expect(await codeOf(alice.device, 'endpoint_put', { ...made, sdp: '!!!!' })).toBe(ErrorCode.ERR_MALFORMED_DATA);
});

it('an exchange without media refuses endpoints in one line', async () => {
  const { createExchangeFixture } = await import('../exchange-fixture.ts');
  const fixture = createExchangeFixture();
  const device = await fixture.device('alice');
  const { room } = await run(device, 'room_create', { type: 'small_room_for_video' });
  const enter = { room_id: room.room_id, is_audio_on: true, is_video_on: true, kick_siblings: false };
  const { me } = await run(device, 'room_enter', enter);
  const ids = { room_id: room.room_id, participant_id: me.participant_id };
  const reply = await device.room('endpoint_create', {
    ...ids,
    sdp: PACKED,
    audio_attr: 'sendonly',
    video_attr: 'sendonly',
  });
  expect(reply.error).toEqual({
    code: ErrorCode.ERR_SERVER_INTERNAL_ERROR,
    message: 'This exchange has no media server.',
  });
});
