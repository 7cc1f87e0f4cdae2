/** The claims of rooms by one node, with a shared state that a test answers. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { roomKey } from '../../../sim/cluster/keys.ts';
import { SharedRooms, type SharedRoomsParts } from '../../../sim/cluster/shared-rooms.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { HandClock } from '../support/hand-clock.ts';

const PEOPLE = '{"participants":["alice"]}';
const turn = () => new Promise((resolve) => setImmediate(resolve));
const never = () => () => undefined;

let clock: HandClock;
/** The fields of each room in the shared state. */
let fields: Map<string, Map<string, string>>;
/** What each change of the shared state waits for. */
let beforeChange: (key: string) => Promise<void> | undefined;
/** Continues the room, or fails to. */
let continueRoom: () => Promise<void>;
/** The participants that this node has of the room in memory. */
let kept: unknown;
let claimant: string | null;
let warned: string[];
/** The rooms that this node has let go of. */
let letGo: string[];
/** The time of the shared state. */
let time: number;
/** The terms of the room at other nodes, as they have announced them. */
let announced: Map<string, string>;
/** Handles a change of {@link announced}. */
let changed: (roomId: string) => void;
let rooms: SharedRooms;

beforeEach(() => {
  clock = new HandClock();
  fields = new Map();
  ofDeadNode('room');
  beforeChange = () => undefined;
  kept = null;
  claimant = null;
  warned = [];
  continueRoom = async () => void (kept = JSON.parse(PEOPLE));
  const changeFields: SharedRoomsParts['link']['state']['changeFields'] = async (
    key,
    { where, set = {}, remove = [] },
  ) => {
    await beforeChange(key);
    const now = fields.get(key) ?? new Map<string, string>();
    if (where && (now.get(where.field) ?? null) !== where.is) return false;
    fields.set(key, new Map([...now, ...Object.entries(set)].filter(([field]) => !remove.includes(field))));
    return true;
  };
  time = 0;
  announced = new Map();
  const onChange = (listener: (roomId: string) => void) => {
    changed = listener;
    return () => undefined;
  };
  letGo = [];
  const parts = {
    link: {
      node: 'here',
      isSure: true,
      time: () => time,
      isAlive: (node: string) => node !== 'dead',
      onLost: never,
      state: { onReachable: never, fields: async (key: string) => fields.get(key) ?? new Map(), changeFields },
    },
    clock,
    log: { warn: (message: string) => void warned.push(message) },
    owned: { set: () => undefined, elsewhere: () => announced, onChange },
    isUsed: (room: string) => room !== 'room' || kept !== null,
    kept: (room: string) => (room === 'room' ? kept : null),
    continueRoom: () => continueRoom(),
    isDead: async (node: string) => node === 'dead',
    letGo: (room: string) => void letGo.push(room),
    claimant: () => claimant,
    exists: async () => true,
  };
  // The parts have what a claim uses.
  rooms = new SharedRooms(parts as unknown as SharedRoomsParts);
});

afterEach(() => rooms.dispose());

/** Makes a room one of a dead node in the shared state. */
function ofDeadNode(room: string): void {
  fields.set(
    roomKey(room),
    new Map([
      ['owner', 'dead'],
      ['people', PEOPLE],
    ]),
  );
}

const inState = () => ['owner', 'people'].map((field) => fields.get(roomKey('room'))?.get(field));

/** A continuation that ends when the test says so. */
function pendingContinuation() {
  let end = { done: (): void => undefined, fail: (): void => undefined };
  continueRoom = () =>
    new Promise((resolve, reject) => {
      end = { done: resolve, fail: () => reject(new Error('down')) };
    });
  return () => end;
}

describe('a room of a dead node', () => {
  it('answers a command when it has its participants again', async () => {
    const end = pendingContinuation();
    const answered: string[] = [];
    const first = rooms.ownerOf('room').then((node) => answered.push(`first ${node}`));
    await turn();
    const second = rooms.ownerOf('room').then((node) => answered.push(`second ${node}`));
    await turn();
    expect(answered).toEqual([]);
    end().done();
    await Promise.all([first, second]);
    expect(answered.toSorted()).toEqual(['first here', 'second here']);
    expect(await rooms.ownerOf('room')).toBe('here');
  });

  it('keeps its participants when the database fails, and the next command continues it', async () => {
    const goesOn = continueRoom;
    continueRoom = () => Promise.reject(new Error('down'));
    await expect(rooms.ownerOf('room')).rejects.toThrow('down');
    // This node looks after its rooms.
    clock.advance(30_000);
    await turn();
    expect([inState(), warned]).toEqual([['here', PEOPLE], []]);
    continueRoom = goesOn;
    expect(await rooms.ownerOf('room')).toBe('here');
    expect(kept).toEqual(JSON.parse(PEOPLE));
    clock.advance(30_000);
    await turn();
    expect(inState()).toEqual(['here', PEOPLE]);
  });

  it('goes on without its participants when it could not be continued for a minute', async () => {
    let tries = 0;
    continueRoom = () => Promise.reject(new Error(`down ${(tries += 1)}`));
    await expect(rooms.ownerOf('room')).rejects.toThrow('down 1');
    clock.advance(59_999);
    await expect(rooms.ownerOf('room')).rejects.toThrow('down 2');
    clock.advance(1);
    expect(await rooms.ownerOf('room')).toBe('here');
    expect(warned).toEqual(['a room of a dead node goes on without its participants']);
    expect(await rooms.ownerOf('room')).toBe('here');
    expect(tries).toBe(3);
  });

  it.each([
    ['is deleted', () => Promise.reject(new CallError(ErrorCode.ERR_ROOM_DELETED))],
    ['cannot be read', async () => void JSON.parse('{')],
  ])('that %s is not continued again', async (_, fails) => {
    let tries = 0;
    continueRoom = () => {
      tries += 1;
      return fails();
    };
    expect(await rooms.ownerOf('room')).toBe('here');
    expect(await rooms.ownerOf('room')).toBe('here');
    expect([tries, warned.length]).toEqual([1, 1]);
  });

  it('keeps its participants when it fails to be continued while this node looks after another room', async () => {
    expect(await rooms.ownerOf('other')).toBe('here');
    const end = pendingContinuation();
    const owner = rooms.ownerOf('room');
    await turn();
    let look = (): void => undefined;
    beforeChange = (key) => (key === roomKey('other') ? new Promise((resolve) => (look = resolve)) : undefined);
    clock.advance(30_000);
    await turn();
    end().fail();
    await expect(owner).rejects.toThrow('down');
    look();
    await turn();
    expect(inState()).toEqual(['here', PEOPLE]);
  });

  it('keeps its participants when its failures are more than a minute apart', async () => {
    continueRoom = () => Promise.reject(new Error('down'));
    for (let at = 0; at < 3; at += 1) {
      await expect(rooms.ownerOf('room')).rejects.toThrow('down');
      clock.advance(60_001);
    }
    expect([inState(), warned]).toEqual([['here', PEOPLE], []]);
  });

  it('keeps its participants when this node looks after its rooms while it continues one', async () => {
    const end = pendingContinuation();
    const owner = rooms.ownerOf('room');
    await turn();
    for (let at = 0; at < 3; at += 1) {
      clock.advance(30_000);
      await turn();
    }
    expect(inState()).toEqual(['here', PEOPLE]);
    end().done();
    expect(await owner).toBe('here');
  });

  it('keeps its participants when this node begins to drain while it continues it', async () => {
    const end = pendingContinuation();
    const first = rooms.ownerOf('room');
    await turn();
    claimant = 'other';
    const second = rooms.ownerOf('room');
    await turn();
    expect(inState()).toEqual(['here', PEOPLE]);
    end().done();
    expect(await Promise.all([first, second])).toEqual(['here', 'here']);
  });

  it('is handed over with its participants when this node drains before it could continue it', async () => {
    continueRoom = () => Promise.reject(new Error('down'));
    await expect(rooms.ownerOf('room')).rejects.toThrow('down');
    claimant = 'other';
    expect(await rooms.ownerOf('room')).toBe('other');
    expect(inState()).toEqual(['other', PEOPLE]);
  });

  it('gets a minute again when it comes back from the node that it was handed over to', async () => {
    continueRoom = () => Promise.reject(new Error('down'));
    await expect(rooms.ownerOf('room')).rejects.toThrow('down');
    claimant = 'other';
    expect(await rooms.ownerOf('room')).toBe('other');
    claimant = null;
    ofDeadNode('room');
    clock.advance(60_000);
    await expect(rooms.ownerOf('room')).rejects.toThrow('down');
  });
});

describe('a room that two nodes have after one was cut off, and the state has lost its keys', () => {
  /** This node owns the room in its second term, and writes it when it looks after its rooms. */
  async function owned(): Promise<void> {
    ofDeadNode('room');
    fields.get(roomKey('room'))?.set('term', '1');
    expect(await rooms.ownerOf('room')).toBe('here');
    expect(stateOf()).toEqual(['here', '2']);
  }
  const stateOf = () => ['owner', 'term'].map((field) => fields.get(roomKey('room'))?.get(field));
  const write = (owner: string, term: string) =>
    fields.set(
      roomKey('room'),
      new Map([
        ['owner', owner],
        ['term', term],
      ]),
    );
  async function look(): Promise<void> {
    clock.advance(30_000);
    await turn();
  }

  it('is written again under the number of its claim', async () => {
    await owned();
    fields.clear();
    await look();
    expect([stateOf(), letGo]).toEqual([['here', '2'], []]);
  });

  it('is taken from a node with an older claim that wrote it first', async () => {
    await owned();
    write('other', '1');
    await look();
    expect([stateOf(), letGo]).toEqual([['here', '2'], []]);
  });

  it.each(['2', '3'])('is left to a node with claim %s that wrote it first', async (term) => {
    await owned();
    write('other', term);
    await look();
    expect([stateOf(), letGo]).toEqual([['other', term], ['room']]);
  });

  it('is left to a node of a former version, which writes no number', async () => {
    await owned();
    fields.set(roomKey('room'), new Map([['owner', 'other']]));
    await look();
    expect([stateOf(), letGo]).toEqual([['other', undefined], ['room']]);
  });

  it('is claimed under the time of the state, so that no claim before an expiry is newer', async () => {
    time = 1_767_225_600_000.5;
    fields.clear();
    expect(await rooms.ownerOf('room')).toBe('here');
    expect(stateOf()).toEqual(['here', '1767225600000']);
  });

  it('is left to a live node that announces a newer claim, as soon as it does', async () => {
    await owned();
    announced.set('dead', '9').set('other', '2');
    changed('room');
    await turn();
    expect(letGo).toEqual([]);
    announced.set('other', '3');
    changed('room');
    await turn();
    expect([letGo, await rooms.ownerOf('room')]).toEqual([['room'], 'other']);
  });

  it('is left also when the announcement comes while this node looks after its rooms', async () => {
    await owned();
    let goOn: () => void = () => undefined;
    beforeChange = () => new Promise((resolve) => (goOn = resolve));
    clock.advance(30_000);
    await turn();
    announced.set('other', '3');
    changed('room');
    beforeChange = () => undefined;
    goOn();
    await turn();
    expect(letGo).toEqual(['room']);
  });

  it('is at the live node with the newest claim for a node that has none', async () => {
    announced.set('other', '4').set('later', '6').set('dead', '9');
    expect(await rooms.ownerOf('room')).toBe('later');
    announced = new Map([['dead', '9']]);
    await owned();
  });
});
