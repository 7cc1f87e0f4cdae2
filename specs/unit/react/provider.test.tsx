/** The provider: it owns the session, also in strict mode, when it unmounts early, and when the user changes. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deferred } from '../../../src/app/testing/fakes/deferred.ts';
import { FakeCallingLibrary } from '../../../src/app/testing/fakes/fake-calling-library.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import {
  type CallingLibrary,
  type ConnectionView,
  type Credentials,
  type Ringback,
  RingbackProvider,
  useConnection,
  useRingback,
} from '../../../src/react/index.ts';
import { openPage } from './support/page.tsx';
import { lastDialled, mina, settled } from './support/stage.tsx';

let page: ReturnType<typeof openPage>;
beforeEach(() => void (page = openPage()));
afterEach(() => page.close());

const me: Credentials = { userId: 'me', accessToken: 'first' };

function provided(load: () => Promise<CallingLibrary>) {
  const logger = new RecordingLogger();
  const seen: { connection?: ConnectionView; ringback?: Ringback } = {};
  function Reader() {
    seen.connection = useConnection();
    seen.ringback = useRingback();
    return <p>{seen.connection.state}</p>;
  }
  const content = (user: Credentials | null, appId = 'app-1') => (
    <RingbackProvider appId={appId} apiHost="https://calls.test" load={load} logger={logger} user={user}>
      <Reader />
    </RingbackProvider>
  );
  return { content, seen, logger };
}

const count = (library: FakeCallingLibrary, step: string): number => library.steps.filter((one) => one === step).length;

describe('the provider of a session', () => {
  it('signs the user in once more than out, although effects run twice', async () => {
    const library = new FakeCallingLibrary();
    const { content, seen } = provided(() => Promise.resolve(library));
    const { root } = await page.mount(content(me));
    expect(root.textContent).toBe('on');
    expect(library.initArguments).toEqual(['app-1', 'https://calls.test', undefined]);
    expect(library.authenticatedAs).toEqual(me);
    expect(count(library, 'addListener') - count(library, 'removeListener')).toBe(1);
    expect(count(library, 'connectWebSocket')).toBe(1);
    expect(seen.connection?.error).toBeNull();
  });

  it('signs the user out when it unmounts, also while the library loads', async () => {
    const loaded = new Deferred<CallingLibrary>();
    const library = new FakeCallingLibrary();
    const early = await page.mount(provided(() => loaded.promise).content(me));
    expect(early.root.textContent).toBe('starting');
    await early.unmount();
    loaded.resolve(library);
    await settled();
    expect(library.steps).toEqual([]);

    const { content, seen } = provided(() => Promise.resolve(library));
    const mounted = await page.mount(content(me));
    await mounted.unmount();
    expect(library.steps.slice(-2)).toEqual(['removeListener', 'deauthenticate']);
    expect(seen.ringback?.connection.get()).toBe('off');
  });

  it('ends a pending dial when it unmounts, and ignores its late refusal', async () => {
    const library = new FakeCallingLibrary();
    const { content, seen, logger } = provided(() => Promise.resolve(library));
    const mounted = await page.mount(content(me));
    seen.ringback?.calls.dial(mina, 'voice');
    const call = lastDialled(library);
    expect(call.onEnded).not.toBeNull();
    await mounted.unmount();
    library.dialCallback?.(undefined, { code: 1_400_103, message: 'busy' });
    expect(seen.ringback?.calls.state.get()).toEqual({ incoming: [], active: null, held: [], missed: null });
    expect([call.onEnded, call.onConnected, call.onUserHoldStatusChanged]).toEqual([null, null, null]);
    expect(logger.of('error')).toEqual(['dialling failed']);
  });

  it('reports the error of a sign-in until a retry succeeds', async () => {
    const library = new FakeCallingLibrary();
    const refusal = Object.assign(new Error('Unknown token.'), { code: 1_400_117 });
    library.authenticationErrors.push(refusal, refusal);
    const { content, seen } = provided(() => Promise.resolve(library));
    const { root, act } = await page.mount(content(me));
    expect([root.textContent, seen.connection?.error]).toEqual(['failed', refusal]);
    library.authenticationErrors.length = 0;
    await act(() => seen.connection?.retry());
    expect([root.textContent, seen.connection?.error]).toEqual(['on', null]);
  });

  it('reports a browser without a network', async () => {
    Object.assign(navigator, { onLine: false });
    const { content, seen } = provided(() => Promise.resolve(new FakeCallingLibrary()));
    await page.mount(content(me));
    expect(seen.connection?.error).toEqual(new Error('the browser has no network'));
  });

  it('signs the next user in after the previous one, and no user for null', async () => {
    const library = new FakeCallingLibrary();
    const { content } = provided(() => Promise.resolve(library));
    const { root, render } = await page.mount(content(null));
    expect([root.textContent, library.steps]).toEqual(['off', []]);
    await render(content(me));
    expect(root.textContent).toBe('on');
    await render(content({ userId: 'other' }));
    expect([root.textContent, library.authenticatedAs]).toEqual(['on', { userId: 'other' }]);
    await render(content({ userId: 'other' }, 'app-2'));
    expect(library.initArguments[0]).toBe('app-2');
    await render(content(null));
    expect([root.textContent, library.steps.at(-1)]).toEqual(['off', 'deauthenticate']);
  });

  it('keeps the calls when the access token changes, and tries the new token at once after a refusal', async () => {
    const library = new FakeCallingLibrary();
    const { content, seen } = provided(() => Promise.resolve(library));
    const { root, render, act } = await page.mount(content(me));
    await act(() => seen.ringback?.calls.dial(mina, 'voice'));
    const signIns = count(library, 'authenticate');
    await render(content({ ...me, accessToken: 'second' }));
    expect(count(library, 'authenticate')).toBe(signIns);
    expect(seen.ringback?.calls.state.get().active?.party).toEqual(mina);
    library.authenticationErrors.push(new Error('expired'));
    await act(() => library.loseSession());
    await act(() => seen.connection?.retry());
    expect(root.textContent).toBe('failed');
    await render(content({ ...me, accessToken: 'third' }));
    expect([root.textContent, library.authenticatedAs?.accessToken]).toEqual(['on', 'third']);
  });

  it('is needed by every hook', async () => {
    const faults: unknown[] = [];
    function Outside() {
      try {
        useRingback();
      } catch (error) {
        faults.push(error);
      }
      return null;
    }
    await page.mount(<Outside />);
    expect(faults[0]).toEqual(new Error('This component must be inside of a RingbackProvider'));
  });
});
