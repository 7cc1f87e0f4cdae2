import { describe, expect, it, vi } from 'vitest';
import { m } from '../../../src/app/core/i18n/generated/messages.js';
import { createStore } from '../../../src/common/store.ts';
import type { ActiveCall, CallStage } from '../../../src/react/index.ts';
import { newCall } from '../../../src/react/calls/line.ts';
import { createCallActions } from '../../../src/app/features/calling/overlays/call-view/call-actions.ts';
import { callScreen } from '../../../src/app/features/calling/overlays/call-view/call-screen.ts';

const NOW = 1_000_000;
const party = { userId: 'mina', nickname: 'Mina', profileUrl: '/portraits/mina.svg' };
const connected: CallStage = { name: 'connected', connectedAt: NOW - 5_000 };
const ended: CallStage = { name: 'ended', result: 'dial_failed', durationMs: 0, errorCode: null };
const surroundings = { now: NOW, isFullscreen: false, canShareScreen: true, canChat: true, canGive: true };
const refused = { allowed: false, reason: 'unavailable', rate: 40, max_minutes: 3, coins: 120, points: null } as const;
const bill = {
  type: 'call_billing',
  call_id: 'call-1',
  rate: 40,
  billed_minutes: 2,
  coins_left: 30,
  points_earned: null,
  ends_at: null,
} as const;

function call(values: Partial<ActiveCall> = {}): ActiveCall {
  return { ...newCall({ key: 'line-1', role: 'caller', kind: 'video', party, stage: connected }), ...values };
}

/** The call screen of a call, with spies of the services that its actions use. */
function stage(values: Partial<ActiveCall> = {}, permission: 'granted' | 'denied' | 'prompt' = 'granted') {
  const did: string[] = [];
  const note =
    (name: string) =>
    (...of: readonly unknown[]): void =>
      void did.push(
        [name, ...of.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one)))].join(' '),
      );
  const later = (name: string) => (): Promise<void> => Promise.resolve(note(name)());
  const capture = vi.fn((): Promise<string | null> => Promise.resolve('data:image/png;base64,AA=='));
  const confirm = vi.fn(() => Promise.resolve(true));
  const isMoreOpen = createStore(false);
  const actions = createCallActions({
    call: call(values),
    calling: {
      capture,
      dismissSummary: note('dismiss'),
      hold: later('hold'),
      resume: later('resume'),
      retryDevices: later('retry'),
      toggleScreenShare: later('share'),
    },
    dialer: { dial: (to, kind) => Promise.resolve(note('dial')(to.userId, kind)) },
    dock: { dock: note('dock') },
    dialogs: { confirm },
    permissions: { of: () => Promise.resolve(permission) },
    browser: 'chromium',
    isMoreOpen,
    controls: { touch: note('touch') },
    passing: { say: note('say') },
    focusMoreButton: note('focus'),
    float: later('float'),
    moveToRoom: later('room'),
    save: (_url, name) => note('save')(name),
    openChat: (to) => Promise.resolve(note('chat')(to.userId)),
    openSheet: note('sheet'),
  });
  return { actions, did, capture, confirm, isMoreOpen };
}

describe('the actions of the call screen', () => {
  it('close the panel and return the focus to its button before they begin', async () => {
    const { actions, did, isMoreOpen } = stage();
    actions.toggleMore();
    expect(isMoreOpen.get()).toBe(true);
    await actions.doExtra('hold');
    expect(isMoreOpen.get()).toBe(false);
    expect(did).toEqual(['focus', 'hold']);
  });

  it('resume a call that is on hold here', async () => {
    const { actions, did } = stage({ hold: { here: true, there: false } });
    await actions.doExtra('hold');
    expect(did).toEqual(['focus', 'resume']);
  });

  it('share the screen and open the floating window', async () => {
    const { actions, did } = stage();
    await actions.doExtra('screenShare');
    await actions.doExtra('pictureInPicture');
    expect(did).toEqual(['focus', 'share', 'focus', 'float']);
  });

  it('save a captured picture under the name of the other user', async () => {
    const { actions, did } = stage();
    await actions.doExtra('capture');
    expect(did).toEqual(['focus', 'save Mina.png', `say ${m.capture_done()}`]);
  });

  it('report a picture that was not captured, and save none', async () => {
    const { actions, capture, did } = stage();
    capture.mockResolvedValue(null);
    await actions.doExtra('capture');
    expect(did).toEqual(['focus', `say ${m.capture_failed()}`]);
  });

  it('dock the call before a chat or a sheet about the other user opens', async () => {
    const { actions, did } = stage();
    await actions.doExtra('message');
    await actions.doExtra('gift');
    expect(did).toEqual(['focus', 'dock', 'chat mina', 'focus', 'dock', 'sheet gift']);
  });

  it('dismiss the summary of an ended call before a sheet opens', async () => {
    const { actions, did } = stage({ stage: ended });
    await actions.doExtra('report');
    expect(did).toEqual(['focus', 'dismiss', 'sheet report']);
  });

  it('dismiss the summary, then dial the same user again', () => {
    const { actions, did } = stage({ stage: ended });
    actions.redial();
    expect(did).toEqual(['dismiss', 'dial mina video']);
  });
});

describe('the Escape key on the call screen', () => {
  it('closes the panel first', () => {
    const { actions, did, isMoreOpen } = stage();
    actions.toggleMore();
    actions.escape();
    expect(isMoreOpen.get()).toBe(false);
    expect(did).toEqual(['focus']);
  });

  it('shows the controls of a call, and ends no call', () => {
    const { actions, did } = stage();
    actions.escape();
    expect(did).toEqual(['touch']);
  });

  it('dismisses a summary', () => {
    const { actions, did } = stage({ stage: ended });
    actions.escape();
    expect(did).toEqual(['dismiss']);
  });
});

describe('the retry of unavailable devices', () => {
  it('opens the devices at once when none is denied, or when the browser asks again', async () => {
    for (const missing of [{ camera: 'busy' }, { camera: 'denied' }] as const) {
      const { actions, confirm, did } = stage({ missing }, 'prompt');
      await actions.allowDevices();
      expect(confirm).not.toHaveBeenCalled();
      expect(did).toEqual(['retry']);
    }
  });

  it('explains a stored denial first', async () => {
    const { actions, confirm, did } = stage({ missing: { microphone: 'denied' } }, 'denied');
    await actions.allowDevices();
    expect(confirm).toHaveBeenCalledTimes(1);
    expect(did).toEqual(['retry']);
  });

  it('opens no device when the user dismisses the explanation', async () => {
    const { actions, confirm, did } = stage({ missing: { microphone: 'denied' } }, 'denied');
    confirm.mockResolvedValue(false);
    await actions.allowDevices();
    expect(did).toEqual([]);
  });
});

describe('the content of the call screen', () => {
  it('names the minutes that the balance pays for while they are few', () => {
    expect(callScreen(call(), surroundings, { bill, quote: null }).lowMinutes).toBe(1);
    expect(callScreen(call(), surroundings, { bill: { ...bill, coins_left: 400 }, quote: null }).lowMinutes).toBeNull();
    const last = { ...bill, ends_at: NOW + 9_000 };
    expect(callScreen(call(), surroundings, { bill: last, quote: null }).lowMinutes).toBeNull();
    expect(callScreen(call(), surroundings, { bill: undefined, quote: null })).toMatchObject({ bill: null });
  });

  it('shows the cost to the caller until the other user answers', () => {
    const outgoing = call({ stage: { name: 'outgoing' } });
    expect(callScreen(outgoing, surroundings, { bill: undefined, quote: refused }).note).toContain('40');
    expect(callScreen(call(), surroundings, { bill: undefined, quote: refused }).note).toBe(m.call_remote_camera_off());
    const voice = call({ kind: 'voice' });
    expect(callScreen(voice, surroundings, { bill: undefined, quote: refused }).note).toBeNull();
  });

  it('explains a failed dial by the refusal of the product, if there was one', () => {
    const failed = call({ stage: ended });
    const hint = (quote: typeof refused | null) => callScreen(failed, surroundings, { bill: undefined, quote }).hint;
    expect(hint(refused)).toBe(m.call_unavailable({ name: 'Mina' }));
    expect(hint(null)).toBe(m.ended_hint_dial_failed());
    expect(callScreen(call(), surroundings, { bill: undefined, quote: refused }).hint).toBeNull();
  });

  it('measures the voice of a muted user only in a connected call that is not on hold', () => {
    const hears = (values: Partial<ActiveCall>) =>
      callScreen(call(values), surroundings, { bill: undefined, quote: null }).hearsMuted;
    expect(hears({ microphoneOn: false })).toBe(true);
    expect(hears({})).toBe(false);
    expect(hears({ microphoneOn: false, hold: { here: false, there: true } })).toBe(false);
    expect(hears({ microphoneOn: false, stage: { name: 'connecting' } })).toBe(false);
    expect(hears({ microphoneOn: false, missing: { microphone: 'denied' } })).toBe(false);
  });
});
