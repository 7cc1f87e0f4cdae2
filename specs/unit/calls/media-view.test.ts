import { describe, expect, test } from 'vitest';
import { MediaView } from '../../../src/calls/media/media-view.ts';
import type { MediaElement } from '../../../src/calls/platform/media-element.ts';
import { fakeLog, fakeStream } from './media-fakes.ts';

/** An element that counts how often its media was set. Each time is a flicker on a screen. */
function fakeElement(play?: () => Promise<void>) {
  let media: MediaProvider | null = null;
  const element = {
    sets: 0,
    muted: false,
    get srcObject() {
      return media;
    },
    set srcObject(next: MediaProvider | null) {
      element.sets += 1;
      media = next;
    },
    ...(play && { play }),
  };
  return element;
}

const brokenElement = (): MediaElement => ({
  get srcObject(): MediaProvider | null {
    return null;
  },
  set srcObject(_: MediaProvider | null) {
    throw new TypeError('no media here');
  },
});

function setUp({ muted = false } = {}) {
  const log = fakeLog();
  return { view: new MediaView({ muted, log }), log, stream: fakeStream() };
}

describe('media view', () => {
  test('shows media that arrives before or after the element', async () => {
    const { view, stream } = setUp();
    const early = fakeElement();
    await view.set(early);
    expect(early.srcObject).toBeNull();
    view.attach(stream);
    expect(early.srcObject).toBe(stream);
    const late = fakeElement();
    await view.set(late);
    expect(late.srcObject).toBe(stream);
  });

  test('the last element wins and the previous one is detached', async () => {
    const { view, stream } = setUp();
    const [first, last] = [fakeElement(), fakeElement()];
    view.attach(stream);
    await view.set(first);
    await view.set(last);
    expect([first.srcObject, last.srcObject]).toEqual([null, stream]);
    expect(view.element).toBe(last);
  });

  test('the same element on every render does not flicker', async () => {
    const { view, stream } = setUp();
    const element = fakeElement();
    view.attach(stream);
    for (let render = 0; render < 3; render += 1) await view.set(element);
    view.attach(stream);
    expect(element.sets).toBe(1);
  });

  test.each([null, undefined])('%s detaches the media, also when it is set twice', async (nothing) => {
    const { view, stream } = setUp();
    const element = fakeElement();
    view.attach(stream);
    await view.set(element);
    await view.set(nothing);
    await view.set(nothing);
    expect(element.srcObject).toBeNull();
    expect(view.element).toBeNull();
  });

  test('an element that shows another call now is not changed', async () => {
    const { view, stream } = setUp();
    const element = fakeElement();
    view.attach(stream);
    await view.set(element);
    const other = fakeStream();
    element.srcObject = other;
    await view.set(null);
    expect(element.srcObject).toBe(other);
  });

  test('the end of the media detaches it, and elements that are set later show nothing', async () => {
    const { view, stream } = setUp();
    const [element, later] = [fakeElement(), fakeElement()];
    await view.set(element);
    view.attach(stream);
    view.attach(null);
    await view.set(later);
    await view.set(null);
    expect([element.srcObject, later.srcObject]).toEqual([null, null]);
  });

  test('the local view is muted, the remote one is not changed', async () => {
    const [local, remote] = [fakeElement(), fakeElement()];
    await setUp({ muted: true }).view.set(local);
    await setUp().view.set(remote);
    expect([local.muted, remote.muted]).toEqual([true, false]);
  });

  test('a browser that refuses to play causes no error', async () => {
    const { view, stream, log } = setUp();
    let asked = 0;
    const element = fakeElement(() => {
      asked += 1;
      return Promise.reject(new Error('NotAllowedError'));
    });
    view.attach(stream);
    await view.set(element);
    expect([asked, element.srcObject]).toEqual([1, stream]);
    expect(log.warnings).toEqual([]);
  });

  test('an element that throws is logged, nothing is thrown', async () => {
    const { view, stream, log } = setUp();
    view.attach(stream);
    await expect(view.set(brokenElement())).resolves.toBeUndefined();
    expect(log.warnings).toHaveLength(1);
  });
});
