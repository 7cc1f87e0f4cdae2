/** The hooks and elements of direct calls. */
import { createRef } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { END_RESULTS } from '../../../src/protocol/end-results.ts';
import { CALL_RESULTS } from '../../../src/react/calls/call-state.ts';
import {
  type ActiveCall,
  CallAudio,
  CallVideo,
  type CallsState,
  isLive,
  useCall,
  useCalls,
  useDuration,
} from '../../../src/react/index.ts';
import { elementsOf, openPage } from './support/page.tsx';
import { kai, lastDialled, mina, settled, startedStage } from './support/stage.tsx';

let page: ReturnType<typeof openPage>;
beforeEach(() => void (page = openPage()));
afterEach(() => page.close());

/** Mounts a reader of all calls. */
async function reading() {
  const staged = await startedStage();
  let seen: CallsState | undefined;
  function Reader() {
    seen = useCalls();
    return <p>{seen.active?.stage.name ?? 'none'}</p>;
  }
  const mounted = await page.mount(staged.within(<Reader />));
  const calls = (): CallsState => {
    if (seen === undefined) throw new Error('The reader is not mounted');
    return seen;
  };
  const keyOfActive = (): string => calls().active?.key ?? '';
  return { ...staged, ...mounted, calls, keyOfActive };
}

describe('useCalls', () => {
  it('has a dialled call from the dial to its summary', async () => {
    const { act, root, library, ringback, calls } = await reading();
    await act(() => ringback.calls.dial(mina, 'video'));
    expect(calls().active).toMatchObject({ party: mina, kind: 'video', role: 'caller', microphoneOn: true });
    const call = lastDialled(library);
    await act(() => call.establish());
    expect(root.textContent).toBe('connecting');
    await act(() => call.connect());
    expect(root.textContent).toBe('connected');
    await act(() => call.setRemote({ audio: false, video: false }));
    expect(calls().active).toMatchObject({ remoteMicrophoneOn: false, remoteCameraOn: false });
    await act(() => call.finish('COMPLETED', 61_000));
    expect(calls().active?.stage).toEqual({ name: 'ended', result: 'completed', durationMs: 61_000, errorCode: null });
    await act(() => ringback.calls.dismissSummary());
    expect(root.textContent).toBe('none');
  });

  it('has the calls that ring, the one in front, those on hold, and the missed one', async () => {
    const { act, library, ringback, calls, keyOfActive } = await reading();
    const first = library.ring(mina, false);
    await act(() => ringback.calls.accept(first.callId));
    await act(() => first.connect());
    const firstKey = keyOfActive();
    const second = library.ring(kai, true);
    await act(() => {});
    expect(calls().incoming).toEqual([{ callId: second.callId, kind: 'video', party: kai }]);
    await act(() => ringback.calls.accept(second.callId, 'hold'));
    await act(() => second.connect());
    expect(calls()).toMatchObject({ active: { party: kai }, held: [{ party: mina, hold: { here: true } }] });
    await act(() => ringback.calls.switchTo(firstKey));
    expect(calls()).toMatchObject({ active: { party: mina, hold: { here: false } }, held: [{ party: kai }] });
    const third = library.ring(kai, false);
    await act(() => third.finish('CANCELED'));
    expect(calls()).toMatchObject({ incoming: [], missed: { callId: third.callId } });
  });

  it('knows every result of the library', () => {
    expect(CALL_RESULTS).toEqual(END_RESULTS);
  });

  it('stops listening when the component unmounts, and the session frees every handler of a call', async () => {
    const { act, unmount, library, ringback } = await reading();
    await act(() => ringback.calls.dial(mina, 'voice'));
    const call = lastDialled(library);
    const ringing = library.ring(kai, false);
    await unmount();
    ringback.stop();
    const handlers = (of: typeof call) =>
      Object.entries(of).filter(([name, value]) => /^on[A-Z]/.test(name) && value !== null);
    expect([...handlers(call), ...handlers(ringing)]).toEqual([]);
  });
});

describe('useCall', () => {
  it('has one call by its key, and renders again only for that call', async () => {
    const { act, library, ringback, within, keyOfActive } = await reading();
    const first = library.ring(mina, false);
    await act(() => ringback.calls.accept(first.callId));
    const key = keyOfActive();
    const renders: (ActiveCall | null)[] = [];
    function One({ of }: { of: string }) {
      renders.push(useCall(of));
      return null;
    }
    const one = await page.mount(within(<One of={key} />));
    const before = renders.length;
    library.ring(kai, false);
    await act(() => {});
    expect(renders).toHaveLength(before);
    await act(() => ringback.calls.toggleMicrophone());
    expect(renders.at(-1)).toMatchObject({ key, microphoneOn: false });
    await one.render(within(<One of="another" />));
    expect(renders.at(-1)).toBeNull();
  });
});

describe('useDuration', () => {
  it('counts the seconds of a connected call, and keeps no timer after the end or the unmount', async () => {
    const { library, ringback, clock, within } = await startedStage();
    ringback.calls.dial(mina, 'voice');
    const call = lastDialled(library);
    function Timer() {
      const { active } = useCalls();
      return <p>{useDuration(active?.stage ?? { name: 'outgoing' })}</p>;
    }
    const { root, act, unmount } = await page.mount(within(<Timer />));
    await act(() => clock.advance(5_000));
    expect([root.textContent, clock.pending]).toEqual(['0', 0]);
    await act(() => call.connect());
    await act(() => clock.advance(61_000));
    expect([root.textContent, clock.pending]).toEqual(['61', 1]);
    await act(() => call.loseConnection());
    await act(() => clock.advance(1_000));
    expect(root.textContent).toBe('62');
    await act(() => call.finish('CONNECTION_LOST', 62_400));
    expect([root.textContent, clock.pending]).toEqual(['62', 0]);
    await act(() => ringback.calls.dismissSummary());
    await act(() => ringback.calls.dial(mina, 'voice'));
    await act(() => lastDialled(library).connect());
    expect(clock.pending).toBe(1);
    await unmount();
    expect(clock.pending).toBe(0);
  });

  it('starts with the present time, also when no component has counted for minutes', async () => {
    const { library, ringback, clock, within } = await startedStage();
    ringback.calls.dial(mina, 'voice');
    lastDialled(library).connect();
    clock.advance(300_000);
    const rendered: number[] = [];
    function Timer() {
      const { active } = useCalls();
      const seconds = useDuration(active?.stage ?? { name: 'outgoing' });
      rendered.push(seconds);
      return null;
    }
    await page.mount(within(<Timer />));
    expect(new Set(rendered)).toEqual(new Set([300]));
  });
});

describe('isLive', () => {
  it('separates calls by their type, and leaves the others usable', async () => {
    const { ringback } = await startedStage();
    ringback.calls.dial(mina, 'voice');
    const { active } = ringback.calls.state.get();
    const words = (call: ActiveCall): string => (isLive(call) ? call.stage.name : call.key);
    expect(active && words(active)).toBe('outgoing');
    expect(isLive(null)).toBe(false);
  });
});

describe('the elements of a call', () => {
  it('show both sides while they are mounted, with the refs of the host', async () => {
    const { library, ringback, within } = await startedStage();
    ringback.calls.dial(mina, 'video');
    const call = lastDialled(library);
    const key = ringback.calls.state.get().active?.key ?? '';
    const ref = createRef<HTMLVideoElement>();
    const { root, unmount } = await page.mount(
      within(
        <>
          <CallVideo ref={ref} call={key} side="remote" className="large" />
          <CallVideo call={key} side="local" />
        </>,
      ),
    );
    await settled();
    const [remote, local] = elementsOf(root, 'video');
    expect([call.remoteView, call.localView]).toEqual([remote, local]);
    expect(ref.current).toBe(remote);
    expect(Object.fromEntries(remote?.attributes ?? [])).toEqual({ autoplay: '', playsinline: '', class: 'large' });
    expect([remote, local].map((one) => (one as { muted?: boolean } | undefined)?.muted ?? false)).toEqual([
      false,
      true,
    ]);
    await unmount();
    await settled();
    expect([call.remoteView, call.localView, ref.current]).toEqual([null, null, null]);
  });

  it('never remove the media of an element in strict mode, nor when it moves to another element', async () => {
    const { library, ringback, within } = await startedStage();
    ringback.calls.dial(mina, 'video');
    const call = lastDialled(library);
    const key = ringback.calls.state.get().active?.key ?? '';
    const views: unknown[] = [];
    const set = call.setRemoteMediaView.bind(call);
    call.setRemoteMediaView = (element) => (views.push(element), set(element));
    const media = await page.mount(within(<CallVideo call={key} side="remote" />));
    await settled();
    await media.render(within(<CallAudio call={key} />));
    await settled();
    expect(views).not.toContain(null);
    expect(call.remoteView).toBe(elementsOf(media.root, 'audio')[0]);
    await media.unmount();
    await settled();
    expect(call.remoteView).toBeNull();
  });

  it('keep the media of the last element, when an earlier one of the same side unmounts', async () => {
    const { library, ringback, within } = await startedStage();
    ringback.calls.dial(mina, 'video');
    const call = lastDialled(library);
    const key = ringback.calls.state.get().active?.key ?? '';
    const large = await page.mount(within(<CallVideo call={key} side="remote" />));
    const small = await page.mount(within(<CallVideo call={key} side="remote" />));
    await large.unmount();
    expect(call.remoteView).toBe(elementsOf(small.root, 'video')[0]);
    await small.unmount();
    expect(call.remoteView).toBeNull();
  });

  it('move to another call, and free the previous one', async () => {
    const { library, ringback, within } = await startedStage();
    const first = library.ring(mina, false);
    ringback.calls.accept(first.callId);
    first.connect();
    const firstKey = ringback.calls.state.get().active?.key ?? '';
    const second = library.ring(kai, false);
    ringback.calls.accept(second.callId, 'hold');
    const secondKey = ringback.calls.state.get().active?.key ?? '';
    const { root, render } = await page.mount(within(<CallAudio call={firstKey} />));
    const [audio] = elementsOf(root, 'audio');
    await settled();
    expect([first.remoteView, second.remoteView]).toEqual([audio, null]);
    await render(within(<CallAudio call={secondKey} />));
    await settled();
    expect([first.remoteView, second.remoteView]).toEqual([null, audio]);
    await render(within(<CallAudio call="another" />));
    await settled();
    expect(second.remoteView).toBeNull();
  });
});
