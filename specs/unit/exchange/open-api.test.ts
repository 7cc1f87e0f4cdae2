/** Every request of the calling service, asked over its router, against its OpenAPI document. */
import { beforeAll, describe, expect, it } from 'vitest';
import goldenLogs from '../../../fixtures/wire/logs.json' with { type: 'json' };
import { callingDocument } from '../../../sim/exchange/http/open-api.ts';
import { callingEndpointOf, type CallingRoute } from '../../../src/protocol/calling-api.ts';
import { filledPath } from '../../../src/protocol/endpoint.ts';
import { Documented } from '../http/documented.ts';
import { createExchangeFixture, PACKED, type Device, type ExchangeFixture } from './exchange-fixture.ts';
import { FakeRoomMedia } from './rooms/fake-room-media.ts';

let fixture: ExchangeFixture;
let alice: Device;
let call: string;
/** A room with both users, its participants, and the endpoint by which Alice receives Bob. */
let ofRoom: { room_id: string };
let me: { room_id: string; participant_id: string };
let him: string;
let mine: { room_id: string; participant_id: string; endpoint_id: string };
/** A room that Alice enters, and her participant in one that she exits. */
let another: { room_id: string };
let leaving: { room_id: string; participant_id: string };
beforeAll(async () => {
  fixture = createExchangeFixture({ roomMedia: new FakeRoomMedia() });
  alice = await fixture.device('alice');
  const bob = await fixture.device('bob');
  call = alice.dial('bob');
  bob.accept(call);
  const inRoom = async (by: Device, name: CallingRoute, params: Record<string, string>, body?: object) =>
    (await send(name, { params, body }, by.headers)).body as any;
  const create = async () => {
    const { room } = await inRoom(alice, 'createRoom', {}, { type: 'small_room_for_video' });
    return { room_id: room.room_id as string };
  };
  const enter = async (by: Device, room: { room_id: string }) => {
    const { me: entered } = await inRoom(by, 'enterRoom', room, media);
    return { ...room, participant_id: entered.participant_id as string };
  };
  ofRoom = await create();
  another = await create();
  me = await enter(alice, ofRoom);
  leaving = await enter(alice, await create());
  him = (await enter(bob, ofRoom)).participant_id;
  const his = { ...ofRoom, participant_id: him };
  const master = await inRoom(bob, 'createEndpoint', his, { ...offer, audio_attr: 'sendonly', video_attr: 'sendonly' });
  await inRoom(bob, 'endpointConnected', { ...his, endpoint_id: master.endpoint_id });
  const viewer = await inRoom(alice, 'createEndpoint', me, viewing);
  mine = { ...me, endpoint_id: viewer.endpoint_id };
  await inRoom(bob, 'sendInvitation', ofRoom, { invitee_id: 'alice' });
});

const media = { is_audio_on: true, is_video_on: true };
const offer = { sdp: PACKED };
const viewing = { ...offer, audio_attr: 'recvonly', video_attr: 'recvonly' };
const unknownRoom = { room_id: 'x' };
const unknownMe = () => ({ ...me, participant_id: 'x' });
const unknownEndpoint = () => ({ ...mine, endpoint_id: 'x' });

interface Sent {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
}

const summary = {
  version: 1,
  user_role: 'dc_caller',
  summary_data: {
    end_result: 'completed',
    pdd: 1,
    setup_time: 1,
    reconnection_count: 0,
    network_type: 'wifi',
    candidate_type: 'host',
    audio: { codec: 'opus', mos_list: [4], mos: 4, packet_loss_rate: 0, rtt: 1 },
    video: null,
    stats_interval: 1,
  },
};
const items = { custom_items: { a: 'b' }, mode: 'upsert' };
const loginOf = (app_id: string) => ({ app_id, user_id: 'carol' });
const ofAlice = { user_id: 'alice' };
const push = { ...ofAlice, token_type: 'fcm_voip' };
const statsOf = (call_id: string) => ({
  ...goldenLogs.stats,
  log_data: {
    ...goldenLogs.stats.log_data,
    app_id: 'ringback-demo',
    call_id,
    role: 'dc_caller',
    caller_id: 'alice',
    callee_id: 'bob',
    is_video_call: true,
  },
});

/** For each request one that succeeds, and one that is refused with a status. In the order in which they are sent. */
const REQUESTS: Readonly<Record<CallingRoute, () => readonly [success: Sent, refused: Sent, status: number]>> = {
  callingLogin: () => [
    { params: { user_id: 'carol' }, body: loginOf('ringback-demo') },
    { params: { user_id: 'carol' }, body: loginOf('other') },
    401,
  ],
  action: () => [{ body: alice.frame('unended_calls', {}) }, { body: [] }, 400],
  missedSignals: () => [{ query: { call_ids: call } }, {}, 400],
  summary: () => [{ params: { call_id: call }, body: summary }, { params: { call_id: 'x' }, body: summary }, 404],
  putCustomItems: () => [{ params: { call_id: call }, body: items }, { params: { call_id: 'x' }, body: items }, 404],
  deleteCustomItems: () => [{ params: { call_id: call } }, { params: { call_id: 'x' }, body: { keys: ['a'] } }, 404],
  callHistory: () => [{ params: ofAlice, query: { limit: '5' } }, { params: { user_id: 'bob' } }, 403],
  registerPushToken: () => [
    { params: push, body: { token: 'abc', is_unique: true } },
    { params: { ...push, token_type: 'x' }, body: { token: 'abc', is_unique: true } },
    400,
  ],
  unregisterPushToken: () => [
    { params: { ...push, push_token: 'abc' } },
    { params: { ...push, push_token: 'unknown' } },
    404,
  ],
  unregisterPushTokens: () => [{ params: push }, { params: { ...push, user_id: 'bob' } }, 403],
  statsLogs: () => [{ body: statsOf(call) }, { body: statsOf('x') }, 404],
  debugLogs: () => [{ body: goldenLogs.debug }, { body: {} }, 400],
  createRoom: () => [{ body: { type: 'large_room_for_audio_only' } }, { body: { type: 'huge' } }, 400],
  listRooms: () => [{ query: { limit: '5', room_ids: ofRoom.room_id } }, { query: { next: 'x' } }, 400],
  getRoom: () => [{ params: ofRoom }, { params: unknownRoom }, 404],
  roomAlive: () => [{ params: me, body: {} }, { params: unknownMe(), body: {} }, 404],
  roomAudio: () => [{ params: me, body: { on: false } }, { params: unknownMe(), body: { on: false } }, 404],
  roomVideo: () => [{ params: me, body: { on: false } }, { params: me, body: { on: 'no' } }, 400],
  createEndpoint: () => [{ params: me, body: viewing }, { params: unknownMe(), body: viewing }, 404],
  putEndpoint: () => [{ params: mine, body: offer }, { params: unknownEndpoint(), body: offer }, 404],
  endpointConnected: () => [{ params: mine, body: {} }, { params: unknownEndpoint(), body: {} }, 404],
  attachEndpoint: () => [{ params: mine, body: { attach_to: him } }, { params: mine, body: { attach_to: 'x' } }, 409],
  releaseEndpoint: () => [{ params: mine }, { params: unknownEndpoint(), body: { attach_to: him } }, 404],
  putRoomCustomItems: () => [{ params: ofRoom, body: items }, { params: unknownRoom, body: items }, 404],
  roomCustomItems: () => [{ params: ofRoom }, { params: unknownRoom }, 404],
  deleteRoomCustomItems: () => [{ params: ofRoom }, { params: unknownRoom, body: { keys: ['a'] } }, 404],
  sendInvitation: () => [
    { params: ofRoom, body: { invitee_id: 'carol' } },
    { params: ofRoom, body: { invitee_id: 'stranger' } },
    404,
  ],
  cancelInvitation: () => [
    { params: ofRoom, body: { invitee_id: 'carol' } },
    { params: ofRoom, body: { invitee_id: 'carol' } },
    403,
  ],
  answerInvitation: () => [
    { params: ofRoom, body: { action: 'receive', inviter_id: 'bob' } },
    { params: ofRoom, body: { action: 'steal', inviter_id: 'bob' } },
    400,
  ],
  enterRoom: () => [{ params: another, body: media }, { params: ofRoom, body: media }, 409],
  exitRoom: () => [{ params: leaving }, { params: unknownMe() }, 404],
  deleteRoom: () => [{ params: ofRoom }, { params: unknownRoom }, 404],
};

/** Sends a request as the edge of the server does: the body of a request that is not admitted is never read. */
async function send(name: CallingRoute, { params = {}, query = {}, body }: Sent, headers: Record<string, string>) {
  const { method, path } = callingEndpointOf(name);
  const head = { method, path: filledPath<string>(path, params), query, headers, address: '192.0.2.1' };
  const admission = fixture.exchange.admit(head);
  return 'status' in admission ? admission : fixture.exchange.http({ ...head, body });
}

const documented = new Documented(callingDocument());

describe.each(Object.entries(REQUESTS))('the documented responses of %s', (name, requests) => {
  const route = name as CallingRoute;

  it('are the responses to a request that succeeds, and to a refused one', async () => {
    const [success, refused, status] = requests();
    const succeeded = await send(route, success, alice.headers);
    expect(succeeded).toMatchObject({ status: 200 });
    expect(documented.faults(name, succeeded)).toEqual([]);
    const answer = await send(route, refused, alice.headers);
    expect([answer.status, documented.names(name, status)]).toEqual([status, true]);
    expect(documented.faults(name, answer)).toEqual([]);
  });

  it('are the responses to a request without a session', async () => {
    const answer = await send(route, { params: requests()[1].params ?? {} }, {});
    expect(answer).toMatchObject({ status: name === 'callingLogin' ? 400 : 401 });
    expect(documented.faults(name, answer)).toEqual([]);
  });
});
