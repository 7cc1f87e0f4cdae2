/** The hooks and elements of rooms. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ParticipantAudio,
  ParticipantVideo,
  type ReceivedInvitation,
  RoomAudio,
  type RoomVisit,
  type Rooms,
  type VisitState,
  useDuration,
  useInvitations,
  usePresentVisit,
  useRoom,
  useRooms,
  useVisit,
} from '../../../src/react/index.ts';
import { Deferred } from '../../../src/app/testing/fakes/deferred.ts';
import { FakeRoomError } from '../../../src/app/testing/fakes/fake-rooms.ts';
import { elementsOf, openPage } from './support/page.tsx';
import { kai, mina, settled, startedStage } from './support/stage.tsx';

let page: ReturnType<typeof openPage>;
beforeEach(() => void (page = openPage()));
afterEach(() => page.close());

const on = { microphone: true, camera: true };

async function inLobby(type: 'small_room_for_video' | 'large_room_for_audio_only' = 'small_room_for_video') {
  const staged = await startedStage();
  const room = staged.library.rooms.add('r1', type);
  room.join(mina);
  const seen: { visit?: RoomVisit; state?: VisitState; present?: RoomVisit | null; seconds?: number } = {};
  function Room({ roomId }: { roomId: string }) {
    const visit = useRoom(roomId);
    seen.visit = visit;
    seen.state = useVisit(visit);
    seen.seconds = useDuration(seen.state.stage);
    return <p>{seen.state.stage.name}</p>;
  }
  function Present() {
    seen.present = usePresentVisit();
    return null;
  }
  const content = (roomId: string | null) =>
    staged.within(
      <>
        {roomId !== null && <Room roomId={roomId} />}
        <Present />
      </>,
    );
  const mounted = await page.mount(content('r1'));
  await mounted.act(settled);
  return { ...staged, ...mounted, room, seen, content };
}

describe('useRoom', () => {
  it('reads the room of a lobby, although effects run twice, and ends the lobby with the component', async () => {
    const { root, render, content, clock, room, seen } = await inLobby();
    expect([root.textContent, clock.pending]).toEqual(['lobby', 1]);
    expect(seen.state?.facts).toMatchObject({ roomId: 'r1', people: [mina] });
    await render(content(null));
    expect([clock.pending, room.listenerCount]).toEqual([0, 0]);
  });

  it('keeps a stay when the component unmounts, and returns it when it mounts again', async () => {
    const { root, act, render, content, room, ringback, seen } = await inLobby();
    const { visit } = seen;
    expect(seen.present).toBeNull();
    await act(() => visit?.enter(on));
    expect([root.textContent, seen.present]).toEqual(['inside', visit]);
    await render(content(null));
    expect(room.localParticipant).toBeDefined();
    await render(content('r1'));
    expect([seen.visit, root.textContent]).toEqual([visit, 'inside']);
    await act(() => ringback.stop());
    expect([seen.present, room.localParticipant, room.listenerCount]).toEqual([null, undefined, 0]);
  });

  it('follows a stay once, however often its component mounts again', async () => {
    const { act, render, content, seen } = await inLobby();
    const { visit } = seen;
    if (visit === undefined) throw new Error('there is no visit');
    await act(() => visit.enter(on));
    const { state } = visit;
    const subscribe = state.subscribe.bind(state);
    let listeners = 0;
    Object.assign(state, {
      subscribe(listener: () => void) {
        const end = subscribe(listener);
        listeners += 1;
        return () => {
          listeners -= 1;
          end();
        };
      },
    });
    const seenListeners: number[] = [];
    for (let at = 0; at < 3; at += 1) {
      await render(content(null));
      await render(content('r1'));
      seenListeners.push(listeners);
    }
    expect(seenListeners).toEqual([listeners, listeners, listeners]);
  });

  it('leaves the room when the component unmounts after an exit, and follows the participants and the time before', async () => {
    const { act, clock, room, seen } = await inLobby();
    await act(() => seen.visit?.enter(on));
    const joined = room.join(kai);
    await act(() => {});
    expect(seen.state?.people.map(({ userId }) => userId)).toEqual(['me', 'mina', 'kai']);
    await act(() => room.part(joined));
    expect(seen.state?.people).toHaveLength(2);
    await act(() => clock.advance(61_000));
    expect(seen.seconds).toBe(61);
    await act(() => seen.visit?.leave());
    expect([seen.state?.stage.name, seen.present, seen.seconds]).toEqual(['over', null, 61]);
  });

  it('follows a change of its room', async () => {
    const { act, render, content, library, room, seen } = await inLobby();
    library.rooms.add('r2', 'small_room_for_video');
    await render(content('r2'));
    await act(settled);
    expect(seen.state?.facts?.roomId).toBe('r2');
    expect(room.listenerCount).toBe(0);
  });
});

describe('the reads of a lobby', () => {
  /** Enters, and leaves at once. Returns also the ids that are fetched afterwards. */
  async function left() {
    const staged = await inLobby();
    const { act, library, seen } = staged;
    const fetched: string[] = [];
    const fetch = library.fetchRoomById.bind(library);
    library.fetchRoomById = (id) => (fetched.push(id), fetch(id));
    await act(() => seen.visit?.enter(on));
    await act(() => seen.visit?.leave());
    return { ...staged, fetched };
  }

  it('end with the entry', async () => {
    const { root, act, clock, fetched } = await left();
    await act(() => clock.advance(5_000));
    await act(() => clock.advance(5_000));
    expect([root.textContent, fetched, clock.pending]).toEqual(['over', [], 0]);
  });

  it('do not change the end of the visit, also when one ends after it', async () => {
    const { root, act, render, content, clock, library, room, seen } = await inLobby();
    const reading = new Deferred<void>();
    library.rooms.gate = () => reading.promise;
    await act(() => clock.advance(5_000));
    await act(() => seen.visit?.enter(on));
    await act(() => seen.visit?.leave());
    await act(() => room.beDeleted());
    expect(root.textContent).toBe('over');
    await act(async () => {
      reading.resolve();
      await settled();
    });
    expect(root.textContent).toBe('over');
    await act(() => clock.advance(5_000));
    await render(content(null));
    expect(clock.pending).toBe(0);
  });

  it('do not go on for a room that is deleted', async () => {
    const { root, act, clock, library, room, seen } = await inLobby();
    room.state = 'deleted';
    library.fetchRoomById = () => Promise.resolve(room);
    await act(async () => {
      seen.visit?.load();
      await settled();
    });
    expect([root.textContent, clock.pending]).toEqual(['missing', 0]);
  });
});

describe('an entry that is refused late', () => {
  /** Enters, and returns the function that refuses the entry. */
  async function entering() {
    const staged = await inLobby();
    const answer = new Deferred<void>();
    staged.room.answer = () => answer.promise;
    const entry = staged.seen.visit?.enter(on);
    await staged.act(() => {});
    expect(staged.root.textContent).toBe('entering');
    const refuse = () =>
      staged.act(async () => {
        answer.reject(new FakeRoomError(1_400_120));
        await entry;
      });
    return { ...staged, refuse };
  }

  it('leaves no timer and no listener behind when its component has unmounted', async () => {
    const { render, content, clock, room, seen, refuse } = await entering();
    await render(content(null));
    expect(seen.present).not.toBeNull();
    await refuse();
    expect([seen.present, clock.pending, room.listenerCount]).toEqual([null, 0, 0]);
  });

  it('does not end the lobby of a component that has mounted again', async () => {
    const { root, render, content, clock, room, refuse } = await entering();
    await render(content(null));
    await render(content('r1'));
    await refuse();
    expect([root.textContent, clock.pending]).toEqual(['lobby', 1]);
    expect(room.listenerCount).toBeGreaterThan(0);
    await render(content(null));
    expect([clock.pending, room.listenerCount]).toEqual([0, 0]);
  });

  it('keeps the lobby current after a long entry', async () => {
    const { act, clock, library, refuse } = await entering();
    const fetched: string[] = [];
    const fetch = library.fetchRoomById.bind(library);
    library.fetchRoomById = (id) => (fetched.push(id), fetch(id));
    await act(() => clock.advance(6_000));
    expect([fetched, clock.pending]).toEqual([[], 0]);
    await refuse();
    await act(() => clock.advance(5_000));
    await act(() => clock.advance(5_000));
    expect(fetched).toEqual(['r1', 'r1']);
  });
});

describe('useInvitations', () => {
  it('lists the invitations until they are answered', async () => {
    const { library, within } = await startedStage();
    const room = library.rooms.add('r1', 'small_room_for_video');
    const seen: { invitations?: readonly ReceivedInvitation[]; rooms?: Rooms } = {};
    function Reader() {
      seen.invitations = useInvitations();
      seen.rooms = useRooms();
      return null;
    }
    const { act } = await page.mount(within(<Reader />));
    expect(seen.invitations).toEqual([]);
    const sent = library.invite(room, mina);
    await act(() => {});
    expect(seen.invitations).toMatchObject([{ inviter: mina, room: { roomId: 'r1' } }]);
    await act(() => seen.rooms?.decline(seen.invitations?.[0]?.key ?? ''));
    expect([seen.invitations, sent.answered]).toEqual([[], 'declined']);
  });
});

describe('the elements of a room', () => {
  it('play a participant while they are mounted, and move without an interruption', async () => {
    const { act, within, room, seen } = await inLobby();
    await act(() => seen.visit?.enter(on));
    const [remote] = room.remoteParticipants;
    const { visit } = seen;
    if (visit === undefined || remote === undefined) throw new Error('there is no participant');
    const views: unknown[] = [];
    const set = remote.setMediaView.bind(remote);
    remote.setMediaView = (element) => (views.push(element), set(element));
    const of = { visit, participantId: remote.participantId };
    const media = await page.mount(within(<ParticipantVideo {...of} muted />));
    const [video] = elementsOf(media.root, 'video');
    await settled();
    expect(remote.view).toBe(video);
    views.length = 0;
    await media.render(within(<ParticipantAudio {...of} />));
    const [audio] = elementsOf(media.root, 'audio');
    await settled();
    expect(views).not.toContain(null);
    expect(remote.view).toBe(audio);
    await media.unmount();
    await settled();
    expect(remote.view).toBeNull();
  });

  it('play the mix of a large room', async () => {
    const { act, within, room, seen } = await inLobby('large_room_for_audio_only');
    await act(() => seen.visit?.enter(on));
    const { visit } = seen;
    if (visit === undefined) throw new Error('there is no visit');
    const media = await page.mount(within(<RoomAudio visit={visit} />));
    const [audio] = elementsOf(media.root, 'audio');
    expect(room.mixElement).toBe(audio);
    await media.unmount();
    await settled();
    expect(room.mixElement).toBeNull();
  });

  it('play the mix of a room that was not read yet when they were mounted', async () => {
    const { library, within } = await startedStage();
    const room = library.rooms.add('r1', 'large_room_for_audio_only');
    function Listener() {
      return <RoomAudio visit={useRoom('r1')} />;
    }
    const { root, act } = await page.mount(within(<Listener />));
    await act(settled);
    expect(room.mixElement).toBe(elementsOf(root, 'audio')[0]);
  });
});
