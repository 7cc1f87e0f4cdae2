/** The live calls of a node in the shared state. */
import { describe, expect, it, vi } from 'vitest';
import { callKey, callsKey } from '../../../sim/cluster/keys.ts';
import { MemoryStateServer } from '../../../sim/cluster/memory-state.ts';
import { SharedLiveCalls } from '../../../sim/cluster/shared-live-calls.ts';
import { StateUnreachable } from '../../../sim/cluster/shared-state.ts';
import type { LiveCall } from '../../../sim/exchange/calls/live-call.ts';
import { HandClock } from '../support/hand-clock.ts';
import { turn } from './nodes.ts';

const SEEN = { at: 0, clock: 0 };
const user = (user_id: string) => ({ user_id, nickname: '', profile_url: '', metadata: {}, is_active: true });

const CALL = {
  callId: 'n1.1',
  callerUser: user('alice'),
  calleeUser: user('bob'),
  state: { name: 'ringing', since: SEEN },
  begunAt: null,
  legs: [] as LiveCall['legs'],
} as LiveCall;

/** Ended calls of which none is known. */
const unknown = { call: async () => undefined, hasSoon: async () => false };

describe('the first write of a live call', () => {
  it('takes the call from no node that owns it', async () => {
    const server = new MemoryStateServer({ clock: new HandClock() });
    const first = new SharedLiveCalls(server.connect('n1'), 'n1', unknown);
    const second = new SharedLiveCalls(server.connect('n2'), 'n2', unknown);
    expect((await second.save(SEEN, [CALL], [])).lost).toEqual([]);
    expect((await first.save(SEEN, [CALL], [])).lost).toEqual([CALL.callId]);
    expect(server.keys.fields(callKey(CALL.callId)).get('owner')).toBe('n2');
  });
});

describe('a live call that is forgotten while it is written', () => {
  it('leaves nothing behind at its node, which may claim it again', async () => {
    const server = new MemoryStateServer({ clock: new HandClock() });
    const first = new SharedLiveCalls(server.connect('n1'), 'n1', unknown);
    const saving = first.save(SEEN, [CALL], []);
    first.letGo(CALL.callId);
    await saving;
    expect((await first.claim(CALL.callId, async () => false)).is).toBe('mine');
  });
});

describe('a call that another node adopted', () => {
  const at = (name: LiveCall['state']['name']) =>
    ({
      ...CALL,
      state: { name, since: SEEN, callee: 'phone' },
      begunAt: name === 'connected' ? SEEN : null,
    }) as LiveCall;
  const signal = (sequence: number) => ({
    ...({ callId: CALL.callId, side: 'callee', clientId: 'phone', sequence, frame: '{}' } as const),
  });

  async function adopted() {
    const clock = new HandClock();
    const server = new MemoryStateServer({ clock });
    const takenBack = vi.fn();
    const first = new SharedLiveCalls(server.connect('n1'), 'n1', unknown, takenBack);
    const second = new SharedLiveCalls(server.connect('n2'), 'n2', unknown);
    await first.save(SEEN, [at('ringing')], [signal(1)]);
    const claimed = await second.claim(CALL.callId, async () => false);
    if (claimed.is !== 'mine') throw new Error('the call is not claimed');
    await second.list(claimed.kept);
    await second.disown('n1', CALL.callId);
    const fields = () => server.keys.fields(callKey(CALL.callId));
    return { clock, server, takenBack, first, second, fields };
  }

  it('is taken back by a node where it was accepted, and loses its signals and its place in the list', async () => {
    const { takenBack, first, second, fields } = await adopted();
    expect(await first.save(SEEN, [at('accepted')], [])).toMatchObject({ lost: [], missing: [CALL.callId] });
    expect([fields().get('owner'), JSON.parse(fields().get('body') ?? ''), takenBack.mock.calls]).toEqual([
      ...['n1', at('accepted')],
      [[CALL.callId, 0]],
    ]);
    expect([...fields().keys()].filter((field) => field.startsWith('signal'))).toEqual([]);
    expect([await first.ownedBy('n1'), await first.ownedBy('n2')]).toEqual([new Map(), new Map()]);
    // This claim is newer than that of the other node.
    expect([fields().get('term'), first.termOf(CALL.callId)]).toEqual(['2', 2]);
    await first.save(SEEN, [at('accepted')], [signal(1)]);
    expect([...(await first.ownedBy('n1')).keys()]).toEqual([CALL.callId]);
    expect((await second.save(SEEN, [at('ringing')], [])).lost).toEqual([CALL.callId]);
  });

  it('is taken back by a node that asks for its owner, and is in the list of that node again', async () => {
    const { clock, server, first } = await adopted();
    server.setReachable('n1', false);
    await first.save(SEEN, [at('accepted')], []);
    server.setReachable('n1', true);
    clock.advance(5_000);
    await turn();
    expect(await first.ownerOf(CALL.callId)).toBe('n1');
    await first.save(SEEN, [at('accepted')], []);
    expect([...(await first.ownedBy('n1')).keys()]).toEqual([CALL.callId]);
  });

  it('has the moments of one clock after it is taken back', async () => {
    const { first, second, fields } = await adopted();
    await second.save({ at: 7_000, clock: 900 }, [at('ringing')], []);
    const seen = { at: 8_000, clock: 20 };
    await first.save(seen, [at('accepted')], []);
    expect([fields().get('owner'), JSON.parse(fields().get('seen') ?? '')]).toEqual(['n1', seen]);
  });

  it('is reported as taken back, also when the state does not answer afterwards', async () => {
    const { server, takenBack, first } = await adopted();
    const change = server.keys.changeFields.bind(server.keys);
    vi.spyOn(server.keys, 'changeFields').mockImplementation((key, made) => {
      if (key === callsKey('n2')) throw new StateUnreachable('no answer');
      return change(key, made);
    });
    await first.save(SEEN, [at('accepted')], []);
    expect(takenBack.mock.calls).toEqual([[CALL.callId, 0]]);
  });

  it('is not taken back by a node that has let it go', async () => {
    const { clock, server, first, fields } = await adopted();
    server.setReachable('n1', false);
    await first.save(SEEN, [at('accepted')], []);
    first.letGo(CALL.callId);
    server.setReachable('n1', true);
    clock.advance(5_000);
    await turn();
    expect([await first.ownerOf(CALL.callId), fields().get('owner')]).toEqual(['n2', 'n2']);
  });

  it.each([
    ['ringing', 'ringing'],
    ['accepted', 'accepted'],
    ['connected', 'connected'],
  ] as const)('is not taken back when it is %s there and %s here', async (there, here) => {
    const { takenBack, first, second, fields } = await adopted();
    await second.save(SEEN, [at(there)], []);
    expect((await first.save(SEEN, [at(here)], [])).lost).toEqual([CALL.callId]);
    expect([fields().get('owner'), takenBack.mock.calls]).toEqual(['n2', []]);
  });

  it('is taken back when its media has begun here, and it was only accepted there, after the signals there', async () => {
    const { takenBack, first, second, fields } = await adopted();
    const legs = [{ lastSignal: 1_003 }, { lastSignal: 1_007 }] as LiveCall['legs'];
    await second.save(SEEN, [{ ...at('accepted'), legs }], []);
    expect((await first.save(SEEN, [at('connected')], [])).lost).toEqual([]);
    expect([fields().get('owner'), takenBack.mock.calls]).toEqual(['n1', [[CALL.callId, 1_007]]]);
  });

  it('is taken back by the later claim when the state has lost its keys, and both are as far', async () => {
    const { server, first, second, fields } = await adopted();
    await second.save(SEEN, [at('ringing')], [signal(1_001)]);
    server.lose();
    expect((await first.save(SEEN, [at('ringing')], [])).missing).toEqual([CALL.callId]);
    await first.save(SEEN, [at('ringing')], [signal(1)]);
    expect([fields().get('owner'), second.termOf(CALL.callId)]).toEqual(['n1', 1]);
    expect(await second.save(SEEN, [at('ringing')], [])).toMatchObject({ lost: [], missing: [CALL.callId] });
    expect([fields().get('owner'), fields().get('term'), second.termOf(CALL.callId)]).toEqual(['n2', '2', 2]);
    expect((await first.save(SEEN, [at('ringing')], [])).lost).toEqual([CALL.callId]);
    // A third claim is newer again, also after another loss.
    const third = new SharedLiveCalls(server.connect('n3'), 'n3', unknown);
    await second.save(SEEN, [at('ringing')], []);
    await third.claim(CALL.callId, async () => false);
    await third.save(SEEN, [at('ringing')], []);
    server.lose();
    await second.save(SEEN, [at('ringing')], []);
    await second.save(SEEN, [at('ringing')], []);
    await third.save(SEEN, [at('ringing')], []);
    expect([fields().get('owner'), third.termOf(CALL.callId)]).toEqual(['n3', 4]);
    server.lose();
    await third.save(SEEN, [at('ringing')], []);
    await third.save(SEEN, [at('ringing')], []);
    expect([fields().get('owner'), fields().get('term')]).toEqual(['n3', '4']);
  });

  it.each(['a write', 'a command'])('is taken back by %s also when the answer of the state is lost', async (by) => {
    const { server, takenBack, first, second, fields } = await adopted();
    const legs = [{ side: 'callee', clientId: 'phone', firstSignal: 1, lastSignal: 3 }] as LiveCall['legs'];
    const call = { ...at('accepted'), legs };
    if (by === 'a command') {
      server.setReachable('n1', false);
      await first.save(SEEN, [call], []);
      server.setReachable('n1', true);
    }
    const change = server.keys.changeFields.bind(server.keys);
    const lost = vi.spyOn(server.keys, 'changeFields').mockImplementation((key, made) => {
      const isChanged = change(key, made);
      if (made.where?.field === 'body') throw new StateUnreachable('no answer');
      return isChanged;
    });
    if (by === 'a write') await first.save(SEEN, [call], []);
    else await expect(first.ownerOf(CALL.callId)).rejects.toThrow(StateUnreachable);
    lost.mockRestore();
    expect([fields().get('owner'), fields().get('term'), takenBack.mock.calls]).toEqual(['n1', '2', []]);
    // All signals of the call are missing.
    expect(await first.save(SEEN, [call], [])).toMatchObject({ lost: [], missing: [CALL.callId] });
    expect([takenBack.mock.calls, first.termOf(CALL.callId)]).toEqual([[[CALL.callId, 1_003]], 2]);
    expect((await first.save(SEEN, [call], [signal(1)])).missing).toEqual([]);
    expect([fields().get('term'), fields().has('signal callee 1 phone')]).toEqual(['2', true]);
    expect([...(await first.ownedBy('n1')).keys()]).toEqual([CALL.callId]);
    expect((await second.save(SEEN, [at('ringing')], [])).lost).toEqual([CALL.callId]);
  });

  it('has a newer claim also when the state has lost the term of the claim before', async () => {
    const { server } = await adopted();
    const [one, other] = ['n3', 'n4'].map(
      (name, more) => new SharedLiveCalls(server.connect(name), name, unknown, undefined, () => 1_000.5 + more),
    );
    await one?.claim(CALL.callId, async () => false);
    expect(one?.termOf(CALL.callId)).toBe(1_000);
    await one?.save(SEEN, [at('ringing')], []);
    server.keys.changeFields(callKey(CALL.callId), { remove: ['term'], lifeMs: 1_000 });
    await other?.claim(CALL.callId, async () => false);
    expect(other?.termOf(CALL.callId)).toBe(1_001);
  });

  it('is not taken back when the other node continues it at that moment', async () => {
    const { server, first, fields } = await adopted();
    const change = server.keys.changeFields.bind(server.keys);
    vi.spyOn(server.keys, 'changeFields').mockImplementation((key, made) => {
      if (made.where?.field === 'body') change(key, { set: { body: JSON.stringify(at('accepted')) }, lifeMs: 1_000 });
      return change(key, made);
    });
    expect((await first.save(SEEN, [at('accepted')], [])).lost).toEqual([CALL.callId]);
    expect(fields().get('owner')).toBe('n2');
  });
});
