import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callWorld, type MediaPeer } from './support/call-world.ts';

/** The two media views of a call. The library itself shows nothing. */

const LIBRARY = new URL('../../../src/calls/', import.meta.url).pathname;

const tracksIn = (view: HTMLMediaElement) => (view.srcObject as MediaStream | null)?.getTracks() ?? [];
const labelsIn = (view: HTMLMediaElement) => tracksIn(view).map(({ label }) => label);

async function two(): Promise<{ world: Awaited<ReturnType<typeof callWorld>>; alice: MediaPeer; bob: MediaPeer }> {
  const world = await callWorld();
  return { world, alice: await world.party('alice'), bob: await world.party('bob') };
}

describe('the media views of a call', () => {
  it('LIB-14: the local view shows the media that this side sends, the remote view the received media; both detach at the end', async () => {
    const { world, alice, bob } = await two();
    const [local, remote] = [alice.view(), alice.view()];
    const callOption = { localMediaView: local, remoteMediaView: remote };
    const call = alice.dial('bob', { isVideoCall: true, callOption });
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    expect(labelsIn(local)).toContain('Camera 1');
    const own = alice.platform.devices.liveTracks;
    expect(
      tracksIn(remote)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['audio', 'video']);
    for (const track of tracksIn(remote)) expect(own).not.toContain(track);
    expect([local.muted, remote.muted]).toEqual([true, false]);
    call.end();
    await world.settle();
    expect([local.srcObject, remote.srcObject]).toEqual([null, null]);
  });

  it('LIB-14: a view may be set later, replaced and removed', async () => {
    const { world, alice, bob } = await two();
    const [early, late, local] = [alice.view(), alice.view(), alice.view()];
    const call = alice.dial('bob', { isVideoCall: true, callOption: { remoteMediaView: early } });
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    await call.setLocalMediaView(local);
    await call.setRemoteMediaView(late);
    expect([early.srcObject, tracksIn(late).length, labelsIn(local).includes('Camera 1')]).toEqual([null, 2, true]);
    await call.setLocalMediaView(null);
    expect(local.srcObject).toBe(null);
    call.end();
    await world.settle();
    expect(late.srcObject).toBe(null);
    await call.setLocalMediaView(null);
  });

  it('LIB-14: the library has no user interface: it runs without a document, and adds no element to one', async () => {
    // These tests run their calls without a document.
    expect('document' in globalThis).toBe(false);
    const files = readdirSync(LIBRARY, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(80);
    const sources = files.map((file) => [file, readFileSync(join(LIBRARY, file), 'utf8')] as const);
    // A canvas that draws the black picture, one that captures a frame, and the link of a download.
    const made = sources.flatMap(([, text]) =>
      [...text.matchAll(/createElement(?:NS)?\(([^)]*)\)/g)].map(([, what]) => what),
    );
    expect(made).toHaveLength(3);
    expect(made).toEqual(expect.arrayContaining(["'a'", "'canvas'"]));
    const placed =
      /document\.(?:body|documentElement|head|write)|\.(?:append|appendChild|prepend|insertBefore|insertAdjacent\w+|replaceChildren|replaceWith|attachShadow|innerHTML|outerHTML)\b/;
    expect(sources.filter(([, text]) => placed.test(text)).map(([file]) => file)).toEqual([]);
  });
});
