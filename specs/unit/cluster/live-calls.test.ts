/** The live calls of a node in the shared state. */
import { describe, expect, it } from 'vitest';
import { callKey } from '../../../sim/cluster/keys.ts';
import { MemoryStateServer } from '../../../sim/cluster/memory-state.ts';
import { SharedLiveCalls } from '../../../sim/cluster/shared-live-calls.ts';
import type { LiveCall } from '../../../sim/exchange/calls/live-call.ts';
import { HandClock } from '../support/hand-clock.ts';

const SEEN = { at: 0, clock: 0 };
const user = (user_id: string) => ({ user_id, nickname: '', profile_url: '', metadata: {}, is_active: true });

const CALL = {
  callId: 'n1.1',
  callerUser: user('alice'),
  calleeUser: user('bob'),
  legs: [] as LiveCall['legs'],
} as LiveCall;

describe('the first write of a live call', () => {
  it('takes the call from no node that owns it', async () => {
    const server = new MemoryStateServer({ clock: new HandClock() });
    const unknown = { call: async () => undefined };
    const first = new SharedLiveCalls(server.connect('n1'), 'n1', unknown);
    const second = new SharedLiveCalls(server.connect('n2'), 'n2', unknown);
    expect((await second.save(SEEN, [CALL], [])).lost).toEqual([]);
    expect((await first.save(SEEN, [CALL], [])).lost).toEqual([CALL.callId]);
    expect(server.keys.fields(callKey(CALL.callId)).get('owner')).toBe('n2');
  });
});
