import type { FakeParticipant, FakeRoom, FakeRooms } from '../../fakes/fake-rooms.ts';
import type { RoomType } from '../../../../protocol/room-entities.ts';
import type { Scene, Scenes, SceneStreams, Stage } from '../scene.ts';
import { yuAn } from './call-scenes.ts';

const list = '/rooms';
const address = '/rooms/night-talk';
const me = { userId: 'me', nickname: '小宇', profileUrl: '/portraits/me.svg' };
const others = ['yu-an', 'pei-han', 'kai', 'jing-wen', 'sofia', 'bo-yu', 'xin-yi', 'zhi-hao', 'mina', 'ruo-xi'];
const names = [
  '予安',
  '沛涵',
  '阿凱',
  '一個名字真的非常非常長的人',
  'Sofia Alexandra',
  '柏宇',
  '心怡',
  '志豪',
  'Mina',
  '若希',
];
const people = others.map((userId, at) => ({
  userId,
  nickname: names[at] ?? '',
  profileUrl: `/portraits/${userId}.svg`,
}));

/** Adds the room of the scenes with some users inside. */
function addRoom(rooms: FakeRooms, streams: SceneStreams, type: RoomType, count: number): FakeRoom {
  const room = rooms.add('night-talk', type, '深夜聊聊', 'yu-an');
  Object.assign(room, { me, localStream: streams.local, createdAt: Date.now() - 3 * 60_000 });
  for (const user of people.slice(0, count)) room.join(user, { stream: streams.remote });
  return room;
}

const video = (count: number, type: RoomType = 'small_room_for_video') => ({
  path: address,
  rooms: (rooms: FakeRooms, streams: SceneStreams) => void addRoom(rooms, streams, type, count),
});

/** Returns a scene inside of the room. */
function inside(
  count: number,
  act: (room: FakeRoom, stage: Stage) => void | Promise<void> = () => {},
  type: RoomType = 'small_room_for_video',
): Scene {
  return {
    ...video(count, type),
    async play(stage) {
      const room = stage.library.rooms.all.get('night-talk');
      (await stage.shown('main section > button')).click();
      await stage.shown('[role=toolbar]');
      if (room !== undefined) await act(room, stage);
    },
  };
}

/** Presses a button of the room by its place among those that open a sheet. */
async function open({ shown }: Stage, selector: string): Promise<void> {
  (await shown(selector)).click();
  await shown('[role=dialog]');
}

const first = (room: FakeRoom): FakeParticipant => {
  const [participant] = room.remoteParticipants;
  if (participant === undefined) throw new Error('The room is empty');
  return participant;
};

function addList(rooms: FakeRooms, streams: SceneStreams): void {
  addRoom(rooms, streams, 'small_room_for_video', 3);
  const full = rooms.add('full', 'small_room_for_audio_only', '睡前電台', 'mina');
  const large = rooms.add(
    'large',
    'large_room_for_audio_only',
    '新朋友見面會：來自我介紹，順便說說你最近在看的劇',
    'kai',
  );
  for (const user of people.slice(0, 6)) full.join(user);
  for (const user of people) large.join(user);
  rooms.add('unnamed', 'small_room_for_video', '', 'kai').join({ userId: 'ting', nickname: '小婷', profileUrl: '' });
  for (const room of rooms.all.values()) room.createdAt = Date.now() - 3 * 60_000;
  for (let count = 1; count <= 9; count += 1) rooms.add(`more-${count}`, 'large_room_for_video', `週末揪團 ${count}`);
  for (const room of rooms.all.values()) if (room.createdAt === 0) room.createdAt = Date.now() - 26 * 3_600_000;
}

export const roomScenes: Scenes = {
  rooms: { path: list, rooms: addList },
  'rooms-type': { path: `${list}?type=small_room_for_audio_only`, rooms: addList },
  'rooms-empty': { path: list, answers: 'empty' },
  'rooms-loading': { path: list, answers: 'loading' },
  'rooms-failed': { path: list, answers: 'failed' },
  'rooms-offline': { path: list, offline: true, rooms: addList },
  'rooms-create': { path: `${list}?invite=pei-han`, rooms: addList, play: ({ shown }) => void shown('[role=dialog]') },
  'room-docked': {
    ...inside(3, async (_room, { shown }) => {
      (await shown('main header a')).click();
      await shown('nav');
    }),
  },
  'room-lobby': video(3),
  'room-lobby-offline': { ...video(1), offline: true },
  'room-lobby-empty': video(0),
  'room-lobby-voice': video(2, 'small_room_for_audio_only'),
  'room-lobby-full': {
    ...video(6),
    async play({ library, shown }) {
      library.rooms.all.get('night-talk')?.refuse(1_400_120);
      (await shown('main section > button')).click();
      await shown('[role=alert]:not(:empty)');
    },
  },
  'room-lobby-invited': {
    ...video(2),
    async play({ library }) {
      const room = library.rooms.all.get('night-talk');
      if (room !== undefined) library.invite(room, yuAn);
    },
  },
  'room-loading': { path: address, answers: 'loading' },
  'room-failed': { path: address, answers: 'failed' },
  'room-missing': { path: address },
  'room-alone': inside(0),
  'room-two': inside(1),
  'room-four': inside(3, (room) => {
    first(room).setDevices({ audio: false, video: false });
  }),
  'room-six': inside(5),
  'room-pages': inside(10, () => {}, 'large_room_for_video'),
  'room-speaker': inside(5, async (_room, { shown }) => (await shown('header button')).click()),
  'room-voice': inside(4, (room) => first(room).setDevices({ audio: false }), 'small_room_for_audio_only'),
  'room-connecting': inside(2, (room) => first(room).setState('entered')),
  'room-own-off': inside(1, async (_room, { shown }) => {
    (await shown('[role=toolbar] button:nth-child(1)')).click();
    (await shown('[role=toolbar] button:nth-child(2)')).click();
  }),
  'room-no-devices': inside(1, (room) =>
    room.missDevices({ kind: 'audio', reason: 'NotAllowedError' }, { kind: 'video', reason: 'NotAllowedError' }),
  ),
  'room-reconnecting': inside(3, (room) => room.emit('localParticipantDisconnected', room.localParticipant)),
  'room-sharing': inside(1, async (_room, { shown }) => (await shown('[role=toolbar] button:nth-child(3)')).click()),
  'room-news': inside(2, (room) => room.part(first(room))),
  'room-people': inside(4, async (room, stage) => {
    first(room).setDevices({ audio: false, video: false });
    await open(stage, 'header button:nth-last-child(2)');
  }),
  'room-invite': inside(1, async (_room, stage) => await open(stage, 'header button:last-child')),
  'room-more': inside(1, async (_room, stage) => await open(stage, '[role=toolbar] button:nth-last-child(2)')),
  'room-left': inside(2, async (_room, { shown }) => (await shown('[role=toolbar] button:last-child')).click()),
  'room-kicked': inside(2, (room) => room.expel(1_800_707)),
  'room-lost': inside(2, (room) => room.expel(1_800_706)),
  'room-deleted': inside(2, (room) => room.beDeleted()),
  'room-invited': {
    path: '/home-man',
    rooms: (rooms, streams) => void addRoom(rooms, streams, 'small_room_for_video', 3),
    async play({ library, shown }) {
      const room = library.rooms.all.get('night-talk');
      if (room === undefined) return;
      library.invite(room, yuAn);
      library.invite(room, { userId: 'pei-han', nickname: '沛涵', profileUrl: '/portraits/pei-han.svg' });
      await shown('[role=alertdialog]');
    },
  },
  'room-invited-in-call': {
    path: '/home-man',
    rooms: (rooms, streams) => void addRoom(rooms, streams, 'small_room_for_video', 0),
    async play({ services, library, shown }) {
      services.calling.dial(yuAn, 'video');
      library.dialled.at(-1)?.connect();
      const room = library.rooms.all.get('night-talk');
      if (room !== undefined) library.invite(room, yuAn);
      await shown('[role=alertdialog]');
    },
  },
  'room-asked': { path: '/home-man', play: (stage) => asked(stage) },
  'room-declined': {
    path: '/home-man',
    async play(stage) {
      await asked(stage);
      const room = [...stage.library.rooms.all.values()].at(-1);
      const invitation = await room?.firstInvitation();
      room?.emit('invitationDeclined', invitation);
    },
  },
};

/** Invites the other user of a call into a room. */
async function asked({ services, library, shown }: Stage): Promise<void> {
  services.calling.dial(yuAn, 'video');
  library.dialled.at(-1)?.connect();
  (await shown('[role=dialog] header [aria-haspopup=dialog]')).click();
  (await shown('[data-over-call] [data-extra=room]')).click();
  await shown('[data-look=glass]');
}
