import { describe, expect, it } from 'vitest';
import type { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';
import { callWorld, type Frame, type MediaPeer } from './support/call-world.ts';
import { connected } from './support/two-people.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

/** The holds of both sides of a call, and the other calls of a user after a dial or an accept. */
const VIDEO = { isVideoCall: true, callOption: {} };
const HOLDING = { ...VIDEO, holdActiveCall: true };

/** The hold events that a call emits to its host from now on: [by this user, held now]. */
function holdNotices(call: DirectCall): [boolean, boolean][] {
  const notices: [boolean, boolean][] = [];
  call.onUserHoldStatusChanged = (_, isLocalUser, isOnHold) => notices.push([isLocalUser, isOnHold]);
  return notices;
}

/** Makes the exchange refuse this command of the party. */
const refuse = (party: MediaPeer, type: string, code: number) =>
  party.rewrite((frame: Frame) => {
    const { payload, ...envelope } = frame;
    const isRefused = frame.type === `${type}_ack`;
    return isRefused ? ({ ...envelope, error: { code, message: 'refused' } } as unknown as Frame) : frame;
  });

/** Both directions are silent, or both are open. */
const media = (party: MediaPeer) => [party.sentSound()?.enabled, party.sentPicture()?.enabled];

describe('a call on hold', () => {
  it('HOLD-01: is on hold on both sides while either side holds it', async () => {
    for (const holder of ['caller', 'callee'] as const) {
      const { world, call, rung } = await connected();
      const [here, there] = holder === 'caller' ? [call, rung] : [rung, call];
      const notices = [holdNotices(here), holdNotices(there)];
      await world.done(here.hold());
      expect([here.isOnHold, there.isOnHold], holder).toEqual([true, true]);
      await world.done(here.unhold());
      expect([here.isOnHold, there.isOnHold], holder).toEqual([false, false]);
      expect(notices, holder).toEqual([
        [
          [true, true],
          [true, false],
        ],
        [
          [false, true],
          [false, false],
        ],
      ]);
    }
  });

  it('HOLD-01: stays on hold after both sides held it, until both have resumed', async () => {
    const { world, alice, bob, call, rung } = await connected();
    await world.done(call.hold());
    await world.done(rung.hold());
    await world.done(call.unhold());
    expect([call.isOnHold, rung.isOnHold]).toEqual([true, true]);
    expect([media(alice), media(bob)]).toEqual([
      [false, false],
      [false, false],
    ]);
    await world.done(rung.unhold());
    expect([call.isOnHold, rung.isOnHold]).toEqual([false, false]);
    expect([media(alice), media(bob)]).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  it('ERR-1400105: does not change when the exchange refuses the hold or the unhold', async () => {
    const { world, alice, bob, call } = await connected();
    const notices = holdNotices(call);
    refuse(alice, 'hold', ErrorCode.ERR_NO_PERMISSION);
    await expect(world.done(call.hold())).rejects.toMatchObject({ code: ErrorCode.ERR_NO_PERMISSION });
    expect([call.isOnHold, media(alice)]).toEqual([false, [true, true]]);
    expect(notices.splice(0)).toEqual([
      [true, true],
      [true, false],
    ]);
    alice.rewrite((frame) => frame);
    await world.done(bob.rung().hold());
    await world.done(bob.rung().unhold());
    await world.done(call.hold());
    notices.splice(0);
    refuse(alice, 'hold', ErrorCode.ERR_NO_PERMISSION);
    await expect(world.done(call.unhold())).rejects.toMatchObject({ code: ErrorCode.ERR_NO_PERMISSION });
    expect([call.isOnHold, media(alice)]).toEqual([true, [false, false]]);
    expect(notices).toEqual([
      [true, false],
      [true, true],
    ]);
  });
});

describe('the other calls of a user', () => {
  async function three() {
    const world = await callWorld();
    const [alice, bob, carol] = [await world.party('alice'), await world.party('bob'), await world.party('carol')];
    return { world, alice, bob, carol };
  }

  it('DC-54: accepting with hold holds a call that still dials, as soon as it is answered', async () => {
    const { world, alice, bob, carol } = await three();
    const dialled = alice.dial('bob', VIDEO);
    await world.settle();
    const fromCarol = carol.dial('alice', VIDEO);
    await world.settle();
    alice.rung().accept({ callOption: {}, holdActiveCall: true });
    await world.advance(1_000);
    expect([alice.state(dialled), alice.state(alice.rung())]).toEqual(['dialing', 'connected']);
    const notices = holdNotices(dialled);
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    expect([alice.state(dialled), alice.state(alice.rung())]).toEqual(['connected', 'connected']);
    expect([dialled.isOnHold, bob.rung().isOnHold]).toEqual([true, true]);
    expect([alice.rung().isOnHold, fromCarol.isOnHold]).toEqual([false, false]);
    expect(notices).toEqual([[true, true]]);
    await expect(world.done(dialled.unhold())).rejects.toMatchObject({ code: ErrorCode.ERR_ANOTHER_CALL_IN_PROGRESS });
  });

  it('DC-54: dialling with hold holds a call that still dials, as soon as it is answered', async () => {
    for (const answeredFirst of ['bob', 'carol'] as const) {
      const { world, alice, bob, carol } = await three();
      const [toBob, toCarol] = [alice.dial('bob', VIDEO), alice.dial('carol', HOLDING)];
      await world.settle();
      for (const party of answeredFirst === 'bob' ? [bob, carol] : [carol, bob]) {
        party.rung().accept({ callOption: {} });
        await world.advance(1_000);
      }
      expect([alice.state(toBob), alice.state(toCarol)], answeredFirst).toEqual(['connected', 'connected']);
      expect([toBob.isOnHold, toCarol.isOnHold], answeredFirst).toEqual([true, false]);
    }
  });

  it('DC-54: accepting with hold holds a call that is being accepted, as soon as it is established', async () => {
    const { world, alice, bob, carol } = await three();
    bob.dial('alice', VIDEO);
    await world.settle();
    const first = alice.rung();
    carol.dial('alice', VIDEO);
    await world.settle();
    const second = alice.rung();
    alice.delay({ from: 'alice', type: 'accept', by: 500 });
    first.accept({ callOption: {}, holdActiveCall: true });
    second.accept({ callOption: {}, holdActiveCall: true });
    expect([alice.state(first), alice.state(second)]).toEqual(['accepting', 'accepting']);
    await world.advance(3_000);
    expect([alice.state(first), alice.state(second)]).toEqual(['connected', 'connected']);
    expect([first.isOnHold, second.isOnHold]).toEqual([true, false]);
  });

  it('DC-54: a call that is answered after the new call has ended is not held', async () => {
    const { world, alice, bob, carol } = await three();
    const [toBob, toCarol] = [alice.dial('bob', VIDEO), alice.dial('carol', HOLDING)];
    await world.settle();
    carol.rung().end();
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    expect([toCarol.endResult, alice.state(toBob), toBob.isOnHold]).toEqual(['DECLINED', 'connected', false]);
  });

  it('DC-54: an incoming call continues to ring when the others are held, and is not held when it is accepted', async () => {
    const { world, alice, bob, carol } = await three();
    carol.dial('alice', VIDEO);
    await world.settle();
    const rung = alice.rung();
    const toBob = alice.dial('bob', HOLDING);
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    expect([alice.state(rung), alice.state(toBob), toBob.isOnHold]).toEqual(['ringing', 'connected', false]);
    rung.accept({ callOption: {}, holdActiveCall: true });
    await world.advance(1_000);
    expect([rung.isOnHold, toBob.isOnHold]).toEqual([false, true]);
  });

  it('DC-54: an incoming call that is accepted while another one dials is the active one', async () => {
    const { world, alice, bob, carol } = await three();
    carol.dial('alice', VIDEO);
    await world.settle();
    const toBob = alice.dial('bob', HOLDING);
    await world.settle();
    alice.rung().accept({ callOption: {}, holdActiveCall: true });
    await world.advance(1_000);
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    expect([alice.rung().isOnHold, toBob.isOnHold]).toEqual([false, true]);
  });

  it('DC-54: without hold, dialling and accepting end every other call: dialing, ringing or connected', async () => {
    const dialling = await three();
    const [first, second] = [dialling.alice.dial('bob', VIDEO), dialling.alice.dial('carol', VIDEO)];
    await dialling.world.settle();
    expect([first.endResult, second.isEnded]).toEqual(['CANCELED', false]);

    const ringing = await three();
    ringing.carol.dial('alice', VIDEO);
    await ringing.world.settle();
    ringing.alice.dial('bob', VIDEO);
    await ringing.world.settle();
    expect(ringing.alice.rung().endResult).toBe('DECLINED');

    const accepting = await three();
    const dialled = accepting.alice.dial('bob', VIDEO);
    accepting.carol.dial('alice', VIDEO);
    await accepting.world.settle();
    accepting.alice.rung().accept({ callOption: {} });
    await accepting.world.advance(1_000);
    expect([dialled.endResult, accepting.alice.rung().isOngoing]).toEqual(['CANCELED', true]);
  });

  it('HOLD-04 ERR-1800803: a call that only the other side holds is active, unless the host ends it', async () => {
    const { world, alice, bob, carol } = await three();
    const toBob = alice.dial('bob', VIDEO);
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    const toCarol = alice.dial('carol', HOLDING);
    await world.settle();
    carol.rung().accept({ callOption: {} });
    await world.advance(1_000);
    await world.done(carol.rung().hold());
    expect([toBob.isOnHold, toCarol.isOnHold]).toEqual([true, true]);
    await expect(world.done(toBob.unhold())).rejects.toMatchObject({ code: ErrorCode.ERR_ANOTHER_CALL_IN_PROGRESS });
    await world.done(carol.rung().unhold());
    expect([toBob.isOnHold, toCarol.isOnHold]).toEqual([true, false]);
    await world.done(toBob.unhold(true));
    expect([toBob.isOnHold, toCarol.endResult]).toEqual([false, 'COMPLETED']);
  });
});
