import { describe, expect, it } from 'vitest';
import { CaptureVideoViewResult } from '../../../src/calls/media/capture.ts';
import type { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';
import { callWorld } from './support/call-world.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

/** Still pictures of a call's views, in virtual time. The names of tracks show what the pictures contain. */
async function inCall({ isVideoCall = true, rungOnly = false } = {}) {
  const world = await callWorld();
  const [alice, bob] = [await world.party('alice'), await world.party('bob')];
  const views = { localMediaView: alice.view(), remoteMediaView: alice.view() };
  const call = alice.dial('bob', { isVideoCall, callOption: views });
  await world.settle();
  const rung = bob.rung();
  if (!rungOnly) {
    rung.accept({ callOption: {} });
    await world.advance(2_000);
    expect(alice.state(call)).toBe('connected');
  }
  return { world, alice, bob, call, rung };
}

const SIDES = ['captureLocalVideoView', 'captureRemoteVideoView'] as const;

/** Both sides are refused with the same code. */
async function expectRefused(call: DirectCall, code: number): Promise<void> {
  for (const capture of SIDES) await expect(call[capture]()).rejects.toMatchObject({ code });
}

describe('capturing a video view', () => {
  it('CAP-01: returns an image of the local or the remote video as the source of an img', async () => {
    const { call } = await inCall();
    const [local, remote] = await Promise.all(SIDES.map((capture) => call[capture]()));
    expect(local?.data).toBe('data:image/png,Camera%201');
    expect(remote?.data).toBe('data:image/png,remote%20video');
    // Hosts freeze plain objects.
    expect(local).toBeInstanceOf(CaptureVideoViewResult);
  });

  it('captures what the local view shows, also the shared screen', async () => {
    const { call, world } = await inCall();
    await world.done(call.startScreenShare());
    expect((await call.captureLocalVideoView()).data).toBe('data:image/png,Screen%201');
  });

  it('CAP-02 ERR-1800600: is refused in a voice call before any other check (B27)', async () => {
    for (const rungOnly of [true, false]) {
      const { call } = await inCall({ isVideoCall: false, rungOnly });
      await expectRefused(call, ErrorCode.ERR_CAPTURE_NOT_ALLOWED_ON_AUDIO_CALL);
    }
  });

  it('CAP-04 ERR-1800602: requires a connected call', async () => {
    const ringing = await inCall({ rungOnly: true });
    await ringing.call.setLocalMediaView(null);
    await expectRefused(ringing.call, ErrorCode.ERR_VIDEO_CALL_NOT_CONNECTED_YET);
    const { call, alice, world } = await inCall();
    world.cutMedia();
    await world.advance(8_000);
    expect(alice.state(call)).toBe('reconnecting');
    await expectRefused(call, ErrorCode.ERR_VIDEO_CALL_NOT_CONNECTED_YET);
    call.end();
    await expectRefused(call, ErrorCode.ERR_VIDEO_CALL_NOT_CONNECTED_YET);
  });

  it('CAP-03 ERR-1800601: requires a video element that shows a picture', async () => {
    const { call, rung, world, alice } = await inCall();
    await expectRefused(rung, ErrorCode.ERR_VIDEO_VIEW_NOT_READY);
    const other = alice.view();
    await call.setRemoteMediaView(other);
    expect((await call.captureRemoteVideoView()).data).toContain('remote');
    other.srcObject = null;
    await world.done(call.hold());
    await expect(call.captureRemoteVideoView()).rejects.toMatchObject({ code: ErrorCode.ERR_VIDEO_VIEW_NOT_READY });
  });

  it('CAP-06 ERR-1800631: is refused on hold, whichever side holds', async () => {
    const { call, rung, world } = await inCall();
    await world.done(rung.hold());
    await expectRefused(call, ErrorCode.ERR_MEDIA_STREAM_NOT_ALLOWED_ON_HOLD);
    await world.done(rung.unhold());
    expect((await call.captureRemoteVideoView()).data).toContain('remote');
  });

  it('CAP-05 ERR-1800603: a failed capture reports its cause', async () => {
    const { call, alice } = await inCall();
    alice.platform.frames.broken = true;
    await expect(call.captureRemoteVideoView()).rejects.toMatchObject({
      code: ErrorCode.FAILED_TO_GET_IMAGE_FROM_THE_MEDIA_STREAM,
      cause: { name: 'SecurityError' },
    });
  });

  it('a handler gets the outcome, and then the promise may be ignored', async () => {
    const { call, alice, world } = await inCall();
    const heard: unknown[][] = [];
    await call.captureRemoteVideoView((result, error) => heard.push([result?.data, error]));
    alice.platform.frames.broken = true;
    void call.captureRemoteVideoView((result, error) => heard.push([result, error?.code]));
    void call.captureRemoteVideoView(() => {
      throw new Error('a host at fault');
    });
    await world.settle();
    expect(heard).toEqual([
      ['data:image/png,remote%20video', undefined],
      [undefined, ErrorCode.FAILED_TO_GET_IMAGE_FROM_THE_MEDIA_STREAM],
    ]);
    expect(alice.errors().join()).toContain('the capture handler of the host threw');
  });
});
