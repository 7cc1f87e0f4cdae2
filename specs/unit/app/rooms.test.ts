import { beforeEach, describe, expect, it } from 'vitest';
import { createCallingService } from '../../../src/app/features/calling/calling-service.ts';
import { invitable } from '../../../src/app/features/rooms/stage/invitable.ts';
import { gridOf, pageOf, speakerViewOf } from '../../../src/app/features/rooms/stage/layout.ts';
import { REFRESH_MS, ROOMS_PER_PAGE, createRoomList } from '../../../src/app/features/rooms/list/room-list.ts';
import { joinCalls } from '../../../src/app/features/rooms/join-calls.ts';
import { createCallMove } from '../../../src/app/features/rooms/move-call.ts';
import { CAPACITY } from '../../../src/app/features/rooms/room-name.ts';
import { createRooms } from '../../../src/react/rooms/rooms.ts';
import { LOBBY_REFRESH_MS } from '../../../src/react/rooms/room-loader.ts';
import { createRoomVisit } from '../../../src/react/rooms/room-visit.ts';
import { type LoudnessMeter, createSpeakers } from '../../../src/app/features/rooms/stage/speakers.ts';
import { movePrice } from '../../../src/app/features/rooms/use-move-price.ts';
import { FakeCallingLibrary } from '../../../src/app/testing/fakes/fake-calling-library.ts';
import { FakeConnectivity } from '../../../src/app/testing/fakes/fake-connectivity.ts';
import { Deferred } from '../../../src/app/testing/fakes/deferred.ts';
import { FakeRoomError, type FakeRoom } from '../../../src/app/testing/fakes/fake-rooms.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import { createStore } from '../../../src/common/store.ts';
import { ROOM_LIMITS } from '../../../src/protocol/limits.ts';
import { HandClock } from '../support/hand-clock.ts';

/** Resolves after the pending work of the fakes. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const mina = { userId: 'mina', nickname: 'Mina', profileUrl: '/portraits/mina.svg' };
const kai = { userId: 'kai', nickname: '阿凱', profileUrl: '' };
const on = { microphone: true, camera: true };

async function stage() {
  const library = new FakeCallingLibrary();
  const logger = new RecordingLogger();
  const clock = new HandClock();
  const calling = createCallingService({
    service: () => ({ appId: 'app-1', apiHost: 'https://calls.test', websocketHost: 'wss://calls.test' }),
    load: () => Promise.resolve(library),
    volume: createStore(1),
    credentials: () => ({ userId: 'me', accessToken: 'secret' }),
    connectivity: new FakeConnectivity(true),
    live: createStore(true),
    clock,
    random: () => 0.5,
    logger,
  });
  await calling.start();
  const rooms = createRooms({ connection: calling.connection, received: calling.ringback.received, logger });
  joinCalls(calling, rooms.present);
  const move = createCallMove({ calling, userId: () => 'me', logger });
  const visitOf = (roomId: string) => createRoomVisit(roomId, { access: calling, clock, logger, entering: rooms.keep });
  return { library, logger, clock, calling, rooms, move, visitOf };
}

/** Returns a visit in the lobby of a room with one other user. */
async function lobby() {
  const staged = await stage();
  const room = staged.library.rooms.add('r1', 'small_room_for_video', '聊聊');
  room.join(mina);
  const visit = staged.visitOf('r1');
  visit.load();
  await settled();
  const stageOf = () => visit.state.get().stage;
  return { ...staged, room, visit, stageOf };
}

async function inside() {
  const staged = await lobby();
  await staged.visit.enter(on);
  return staged;
}

/** An element that only records its media. */
const element = (): HTMLMediaElement => Object.assign(new EventTarget(), { srcObject: null }) as never;

describe('a room', () => {
  it('has the capacity that the protocol states for its type', () => {
    expect(CAPACITY).toEqual(ROOM_LIMITS.roomSizes);
  });
});

describe('a visit of a room', () => {
  it('shows the facts of the room in the lobby, and who is inside', async () => {
    const { visit } = await lobby();
    expect(visit.state.get()).toMatchObject({
      stage: { name: 'lobby', refusal: null },
      facts: { customItems: { name: '聊聊' }, people: [mina] },
      people: [],
    });
  });

  it('waits for the calling service, and starts it again after a failure', async () => {
    const { calling, library, visitOf } = await stage();
    calling.stop();
    library.authenticationErrors.push(new Error('refused'));
    const visit = visitOf('r1');
    visit.load();
    await calling.start();
    expect(visit.state.get().stage).toEqual({ name: 'failed' });
    library.rooms.add('r1', 'small_room_for_video');
    visit.load();
    await settled();
    expect(visit.state.get().stage.name).toBe('lobby');
  });

  it('says that a room is gone when the exchange does not know it, and else that the read failed', async () => {
    const { library, visitOf } = await stage();
    const unknown = visitOf('unknown');
    unknown.load();
    await settled();
    expect(unknown.state.get().stage).toEqual({ name: 'missing' });
    library.rooms.errors.push(new Error('the network'));
    const failing = visitOf('unknown');
    failing.load();
    await settled();
    expect(failing.state.get().stage).toEqual({ name: 'failed' });
  });

  it('reads the lobby again until the user enters, also after a failure, and learns of the deletion', async () => {
    const { clock, library, room, visit, stageOf } = await lobby();
    room.join(kai);
    clock.advance(LOBBY_REFRESH_MS);
    await settled();
    expect(visit.state.get().facts?.people).toEqual([mina, kai]);
    library.rooms.errors.push(new Error('the network'));
    clock.advance(LOBBY_REFRESH_MS);
    await settled();
    expect(stageOf().name).toBe('lobby');
    library.rooms.errors.push(new FakeRoomError(1_400_126));
    clock.advance(LOBBY_REFRESH_MS);
    await settled();
    expect(stageOf().name).toBe('missing');
  });

  it('enters with the chosen devices, and lists this user first', async () => {
    const { room, visit, clock } = await lobby();
    await visit.enter({ microphone: false, camera: true });
    expect(room.enteredWith).toEqual([{ audioEnabled: false, videoEnabled: true }]);
    expect(visit.state.get()).toMatchObject({
      stage: { name: 'inside', since: clock.wallTime(), isReconnecting: false },
      microphoneOn: false,
      people: [
        { isMe: true, microphoneOn: false },
        { userId: 'mina', isMe: false },
      ],
    });
  });

  it('sends no picture into a room with sound alone', async () => {
    const { library, visitOf } = await stage();
    const room = library.rooms.add('r2', 'small_room_for_audio_only');
    const visit = visitOf('r2');
    visit.load();
    await settled();
    await visit.enter(on);
    expect(room.enteredWith).toEqual([{ audioEnabled: true, videoEnabled: false }]);
  });

  it.each([
    [1_400_120, { name: 'lobby', refusal: 'full' }],
    [1_800_700, { name: 'lobby', refusal: 'alreadyInside' }],
    [1_800_200, { name: 'lobby', refusal: 'failed' }],
    [1_400_126, { name: 'missing' }],
  ])('shows the refusal %i in the lobby', async (code, shown) => {
    const { room, visit, stageOf } = await lobby();
    room.errors.push(new FakeRoomError(code));
    await visit.enter(on);
    expect(stageOf()).toEqual(shown);
  });

  it('that the user leaves while it enters leaves the room when the exchange answers', async () => {
    const { room, visit, stageOf } = await lobby();
    const answer = new Deferred<void>();
    room.answer = () => answer.promise;
    const entering = visit.enter(on);
    visit.leave();
    answer.resolve();
    await entering;
    expect(stageOf()).toMatchObject({ name: 'over', reason: 'left' });
    expect(room.localParticipant).toBeUndefined();
  });

  it.each([
    ['kicked', (room: FakeRoom) => room.expel(1_800_707)],
    ['lost', (room: FakeRoom) => room.expel(1_800_706)],
    ['deleted', (room: FakeRoom) => room.beDeleted()],
  ])('ends as %s, with the time of the stay', async (reason, end) => {
    const { room, visit, clock, stageOf, rooms, calling } = await inside();
    expect([rooms.present.get(), calling.stay.get()]).toEqual([visit, 'video']);
    clock.advance(61_000);
    end(room);
    expect(stageOf()).toEqual({ name: 'over', reason, durationMs: 61_000 });
    expect(visit.state.get().people).toEqual([]);
    expect([rooms.present.get(), calling.stay.get()]).toEqual([null, null]);
  });

  it('stays inside after an error about another participant', async () => {
    const { room, stageOf } = await inside();
    room.emit('error', new FakeRoomError(1_800_705));
    expect(stageOf().name).toBe('inside');
  });

  it('shows a lost connection until it is back, and the users who come and go', async () => {
    const { room, visit, stageOf } = await inside();
    room.emit('localParticipantDisconnected', room.localParticipant);
    expect(stageOf()).toMatchObject({ isReconnecting: true });
    room.emit('localParticipantReconnected', room.localParticipant);
    expect(stageOf()).toMatchObject({ isReconnecting: false });
    const joined = room.join(kai);
    expect(visit.state.get()).toMatchObject({ news: { what: 'entered', party: kai }, people: [{}, {}, kai] });
    room.part(joined);
    expect(visit.state.get().news).toMatchObject({ what: 'exited', party: kai });
    expect(visit.state.get().people).toHaveLength(2);
  });

  it('mutes, turns the camera off, shares the screen, and reports a share that failed', async () => {
    const { room, visit } = await inside();
    visit.toggleMicrophone();
    visit.toggleCamera();
    expect(room.localParticipant).toMatchObject({ isAudioEnabled: false, isVideoEnabled: false });
    await visit.toggleScreenShare();
    expect(visit.state.get()).toMatchObject({ sharingScreen: true, busy: [], microphoneOn: false, cameraOn: false });
    await visit.toggleScreenShare();
    expect(visit.state.get().sharingScreen).toBe(false);
    Object.assign(room.localParticipant ?? {}, { chooseScreen: () => Promise.reject(new FakeRoomError(1_800_627)) });
    await visit.toggleScreenShare();
    expect(visit.state.get().news).toBeNull();
    Object.assign(room.localParticipant ?? {}, { chooseScreen: () => Promise.reject(new FakeRoomError(1_800_626)) });
    await visit.toggleScreenShare();
    expect(visit.state.get().news).toMatchObject({ what: 'shareFailed' });
  });

  it('does not toggle a device that is missing', async () => {
    const { room, visit } = await inside();
    room.missDevices({ kind: 'audio', reason: 'NotAllowedError' });
    visit.toggleMicrophone();
    expect(visit.state.get()).toMatchObject({ missing: { microphone: 'denied' }, microphoneOn: true });
    expect(room.localParticipant?.isAudioEnabled).toBe(true);
  });

  it('passes a participant from one element to the next without an interruption, and removes the last', async () => {
    const { room, visit } = await inside();
    const [remote] = room.remoteParticipants;
    const [strip, large] = [element(), element()];
    const views: unknown[] = [];
    const set = remote?.setMediaView.bind(remote);
    Object.assign(remote ?? {}, { setMediaView: (one: HTMLMediaElement | null) => (views.push(one), set?.(one)) });
    const hideStrip = visit.show('p-mina', strip);
    hideStrip();
    const hideLarge = visit.show('p-mina', large);
    await settled();
    expect(views).toEqual([strip, large]);
    hideLarge();
    await settled();
    expect(views).toEqual([strip, large, null]);
  });

  it('deletes the room for everyone, and reports a failure', async () => {
    const { room, visit, stageOf } = await inside();
    room.errors.push(new FakeRoomError(1_800_200));
    await visit.deleteRoom();
    expect(visit.state.get().news).toMatchObject({ what: 'deleteFailed' });
    await visit.deleteRoom();
    expect(stageOf()).toMatchObject({ name: 'over', reason: 'deleted' });
  });

  it('leaves no listener behind, and leaves the room at the sign-out', async () => {
    const { calling, room, rooms } = await inside();
    calling.stop();
    expect([rooms.present.get(), calling.stay.get()]).toEqual([null, null]);
    expect(room.localParticipant).toBeUndefined();
    expect(room.listenerCount).toBe(0);
  });

  it('ends when the user enters another room', async () => {
    const { library, room, rooms, visitOf } = await inside();
    library.rooms.add('r2', 'small_room_for_video');
    const other = visitOf('r2');
    other.load();
    await settled();
    await other.enter(on);
    expect(room.localParticipant).toBeUndefined();
    expect(rooms.present.get()).toBe(other);
  });
});

describe('the received invitations', () => {
  it('are listed once for each inviter and room, and removed by an answer', async () => {
    const { library, rooms } = await stage();
    const room = library.rooms.add('r1', 'small_room_for_video', '聊聊');
    library.invite(room, mina);
    const again = library.invite(room, mina);
    const other = library.invite(room, kai);
    expect(rooms.invitations.get().map(({ inviter }) => inviter)).toEqual([mina, kai]);
    const [first, second] = rooms.invitations.get();
    expect(await rooms.accept(first?.key ?? '')).toBe(true);
    rooms.decline(second?.key ?? '');
    await settled();
    expect([again.answered, other.answered]).toEqual(['accepted', 'declined']);
    expect(rooms.invitations.get()).toEqual([]);
    expect(room.listenerCount).toBe(0);
  });

  it('are gone when the inviter cancels them or the room is deleted, and at the sign-out', async () => {
    const { calling, library, rooms } = await stage();
    const [first, second, third] = ['r1', 'r2', 'r3'].map((id) => library.rooms.add(id, 'small_room_for_video'));
    if (first === undefined || second === undefined || third === undefined) throw new Error('there is no room');
    const canceled = library.invite(first, mina);
    library.invite(second, mina);
    library.invite(third, mina);
    first.emit('invitationCanceled', canceled);
    second.beDeleted();
    expect(rooms.invitations.get().map(({ room }) => room.roomId)).toEqual(['r3']);
    calling.stop();
    expect(rooms.invitations.get()).toEqual([]);
  });

  it('that the exchange no longer knows are reported as gone', async () => {
    const { library, rooms } = await stage();
    const room = library.rooms.add('r1', 'small_room_for_video');
    library.invite(room, mina);
    room.errors.push(new FakeRoomError(1_400_126));
    expect(await rooms.accept(rooms.invitations.get()[0]?.key ?? '')).toBe(false);
    expect(await rooms.accept('another')).toBe(false);
  });
});

describe('a call that becomes a room', () => {
  async function asked() {
    const staged = await stage();
    staged.calling.dial(mina, 'video');
    const call = staged.library.dialled.at(-1);
    if (call === undefined) throw new Error('nothing was dialled');
    call.connect();
    await staged.move.start({ name: '和Mina聊聊' });
    const room = [...staged.library.rooms.all.values()].at(-1);
    if (room === undefined) throw new Error('no room was made');
    return { ...staged, call, room, invitation: await room.firstInvitation() };
  }

  it('lasts until both users are in the room with media', async () => {
    const { calling, call, invitation, library, move, room, rooms, visitOf } = await asked();
    expect(room).toMatchObject({ roomType: 'small_room_for_video', customItems: { name: '和Mina聊聊' } });
    expect(move.state.get()).toMatchObject({ name: 'asking', party: mina });
    calling.toggleMicrophone();
    room.emit('invitationAccepted', invitation);
    const devices = { microphone: false, camera: true };
    expect(move.state.get()).toEqual({ name: 'going', party: mina, roomId: room.roomId, devices });
    move.arrived();
    expect(move.state.get()).toBeNull();
    library.rooms.all.set(room.roomId, room);
    const visit = visitOf(room.roomId);
    visit.load();
    await settled();
    rooms.keep(visit);
    await visit.enter(devices);
    expect(call.wasEndedHere).toBe(false);
    const other = room.join(mina, { state: 'entered' });
    expect(call.wasEndedHere).toBe(false);
    other.setState('connected');
    expect(call.wasEndedHere).toBe(true);
    expect(calling.state.get().active).toBeNull();
  });

  it('shows no summary when the other user ends the call in the room', async () => {
    const { calling, call, room, rooms, visitOf } = await asked();
    const visit = visitOf(room.roomId);
    visit.load();
    await settled();
    rooms.keep(visit);
    await visit.enter(on);
    room.join(mina, { state: 'entered' });
    call.finish('completed');
    expect(calling.state.get().active).toBeNull();
  });

  it('continues when the other user declines, and the empty room is used again', async () => {
    const { call, invitation, library, move, room } = await asked();
    room.emit('invitationDeclined', invitation);
    expect(move.state.get()).toEqual({ name: 'declined', party: mina });
    expect(call.wasEndedHere).toBe(false);
    move.cancel();
    expect(move.state.get()).toBeNull();
    await move.start({ name: '再試一次' });
    expect(library.rooms.all.size).toBe(1);
    expect(room.customItems).toMatchObject({ name: '再試一次' });
    expect(room.invited).toHaveLength(2);
  });

  it('withdraws the invitation when the user cancels, and when the call ends before the answer', async () => {
    const first = await asked();
    first.move.cancel();
    await settled();
    expect(first.invitation.answered).toBe('canceled');
    const second = await asked();
    second.call.finish('completed');
    await settled();
    expect(second.invitation.answered).toBe('canceled');
    expect(second.move.state.get()).toBeNull();
    expect(second.room.listenerCount).toBe(0);
  });

  it('states to each side of a paid call that its price ends, and nothing about a free call', () => {
    const bill = {
      type: 'call_billing',
      call_id: 'c',
      billed_minutes: 1,
      rate: 40,
      coins_left: 200,
      points_earned: null,
      ends_at: null,
    } as const;
    expect(movePrice(bill)).toContain('停止計費');
    expect(movePrice({ ...bill, coins_left: null, points_earned: 1_200 })).toContain('通話點數只計到');
    expect([movePrice({ ...bill, rate: 0 }), movePrice({ ...bill, coins_left: null }), movePrice(undefined)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('continues when the exchange refuses the room', async () => {
    const { calling, library, move } = await stage();
    calling.dial(mina, 'voice');
    library.dialled.at(-1)?.connect();
    library.rooms.errors.push(new FakeRoomError(1_800_200));
    await move.start({ name: 'x' });
    expect(move.state.get()).toEqual({ name: 'failed', party: mina });
    expect(calling.state.get().active?.stage.name).toBe('connected');
  });
});

describe('the list of rooms', () => {
  it('reads the rooms of a type page by page, and their counts again while it is watched', async () => {
    const { calling, clock, library, logger } = await stage();
    for (let count = 0; count <= ROOMS_PER_PAGE; count += 1) library.rooms.add(`r${count}`, 'small_room_for_video');
    library.rooms.add('voice', 'small_room_for_audio_only');
    const list = createRoomList('small_room_for_video', { calling, clock, logger });
    const stop = list.watch();
    await settled();
    expect(list.state.get()).toMatchObject({ hasMore: true, isLoading: false });
    expect(list.state.get().rooms).toHaveLength(ROOMS_PER_PAGE);
    list.more();
    await settled();
    expect(list.state.get().rooms).toHaveLength(ROOMS_PER_PAGE + 1);
    library.rooms.all.get('r3')?.join(mina);
    clock.advance(REFRESH_MS);
    await settled();
    expect(list.state.get().rooms?.find(({ roomId }) => roomId === 'r3')?.people).toEqual([mina]);
    library.rooms.errors.push(new Error('the network'));
    clock.advance(REFRESH_MS);
    await settled();
    expect(list.state.get()).toMatchObject({ hasFailed: true });
    expect(list.state.get().rooms).toHaveLength(ROOMS_PER_PAGE + 1);
    stop();
    const asked = library.rooms.queries.length;
    clock.advance(REFRESH_MS * 3);
    await settled();
    expect(library.rooms.queries).toHaveLength(asked);
  });

  it('fails when the calling service fails, and reads when it is back', async () => {
    const { calling, clock, library, logger } = await stage();
    calling.stop();
    library.authenticationErrors.push(new Error('refused'));
    const list = createRoomList('all', { calling, clock, logger });
    list.watch();
    await calling.start();
    expect(list.state.get()).toMatchObject({ rooms: null, hasFailed: true });
    list.again();
    await settled();
    expect(list.state.get()).toMatchObject({ rooms: [], hasFailed: false });
  });
});

describe('the arrangement of a room', () => {
  it.each([
    [1, false, 1, 1, 1],
    [2, false, 2, 2, 1],
    [3, false, 4, 2, 2],
    [5, false, 6, 3, 2],
    [7, false, 9, 3, 3],
    [40, false, 9, 3, 3],
    [2, true, 2, 1, 2],
    [6, true, 6, 2, 3],
    [9, true, 6, 2, 3],
  ])('shows %i participants in a window that is high (%s) in a grid of %i', (count, isHigh, size, columns, rows) => {
    expect(gridOf(count, isHigh)).toEqual({ size, columns, rows });
  });

  it('shows the last page when the present one is gone', () => {
    expect(pageOf([1, 2, 3, 4, 5], 1, 2)).toEqual({ items: [3, 4], page: 1, pages: 3 });
    expect(pageOf([1, 2], 4, 2)).toEqual({ items: [1, 2], page: 0, pages: 1 });
    expect(pageOf([], 0, 2)).toEqual({ items: [], page: 0, pages: 1 });
  });

  it('puts the chosen participant on the stage, else the speaker, else another one, else this user', () => {
    const [me, a, b] = ['me', 'a', 'b'].map((participantId) => ({ participantId, isMe: participantId === 'me' }));
    if (me === undefined || a === undefined || b === undefined) throw new Error('there are three');
    expect(speakerViewOf([me, a, b], 'b', 'a')).toEqual({ onStage: b, others: [me, a] });
    expect(speakerViewOf([me, a, b], null, 'b').onStage).toBe(b);
    expect(speakerViewOf([me, a, b], 'gone', 'me').onStage).toBe(a);
    expect(speakerViewOf([me], null, null).onStage).toBe(me);
  });

  it('offers the users of chats first, and none who is inside', () => {
    const user = (u_id: string, nickname = u_id) => ({
      u_id,
      nickname,
      profile_url: '',
      city: '',
      presence: 'online' as const,
    });
    const offered = (search: string) =>
      invitable([user('b', 'Bea')], [user('a', 'Ann'), user('b', 'Bea'), user('c')], { inside: ['c'], search }).map(
        ({ u_id }) => u_id,
      );
    expect(offered('')).toEqual(['b', 'a']);
    expect(offered(' AN')).toEqual(['a']);
  });
});

describe('the speakers of a room', () => {
  const levels = new Map<MediaStream, number>();
  beforeEach(() => levels.clear());

  function voices() {
    const clock = new HandClock();
    const open: MediaStream[] = [];
    const meter: LoudnessMeter = {
      open(stream) {
        open.push(stream);
        return { level: () => levels.get(stream) ?? 0, close: () => void open.splice(open.indexOf(stream), 1) };
      },
    };
    return { clock, open, speakers: createSpeakers(clock, meter) };
  }
  const media = () => {
    const stream = { getAudioTracks: () => [{}] } as unknown as MediaStream;
    return { stream, element: Object.assign(element(), { srcObject: stream }) };
  };

  it('are those whose voice is heard, and the last to speak for a while is the active one', () => {
    const { clock, open, speakers } = voices();
    const [a, b] = [media(), media()];
    const stopA = speakers.watch('a', a.element);
    const stopB = speakers.watch('b', b.element);
    levels.set(a.stream, 0.2);
    clock.advance(400);
    expect(speakers.state.get()).toEqual({ speaking: new Set(['a']), active: 'a' });
    levels.set(b.stream, 0.5);
    clock.advance(400);
    expect(speakers.state.get()).toMatchObject({ speaking: new Set(['a', 'b']), active: 'a' });
    clock.advance(1_500);
    expect(speakers.state.get().active).toBe('b');
    levels.clear();
    clock.advance(3_000);
    expect(speakers.state.get()).toEqual({ speaking: new Set(), active: 'b' });
    stopA();
    stopB();
    expect(open).toEqual([]);
  });

  it('are measured in the stream that the library sets later', () => {
    const { clock, open, speakers } = voices();
    const late = element();
    speakers.watch('a', late);
    expect(open).toEqual([]);
    const { stream } = media();
    late.srcObject = stream;
    late.dispatchEvent(new Event('loadedmetadata'));
    levels.set(stream, 0.2);
    clock.advance(400);
    expect(speakers.state.get().active).toBe('a');
  });
});
