import type { DevicesPort } from '../../../src/calls/platform/devices.ts';
import { check, checkEqual, nameOf, rejection, within, type ContractSuite, type Pass } from './contract.ts';

export interface DevicesSubject {
  /** A port with at least one microphone and one camera, and their permissions. */
  readonly devices: DevicesPort;
  readonly pass: Pass;
}

const kinds = (stream: MediaStream) =>
  stream
    .getTracks()
    .map(({ kind }) => kind)
    .sort();

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

export const devicesContract: ContractSuite<DevicesSubject> = [
  ...[
    { audio: true, video: true },
    { audio: true, video: false },
    { audio: false, video: true },
  ].map((wanted) => ({
    title: `opens the requested kinds and no others: ${JSON.stringify(wanted)}`,
    run: async ({ devices, pass }: DevicesSubject) => {
      const stream = await within(pass, devices.getUserMedia(wanted), 'a stream comes');
      const asked = Object.entries(wanted).flatMap(([kind, want]) => (want ? [kind] : []));
      checkEqual(kinds(stream), asked, 'the kinds of its tracks');
      check(
        stream.getTracks().every(({ readyState }) => readyState === 'live'),
        'they are live',
      );
      stop(stream);
      check(
        stream.getTracks().every(({ readyState }) => readyState === 'ended'),
        'stopping ends them',
      );
    },
  })),
  {
    title: 'a request without audio and video rejects with TypeError',
    run: async ({ devices, pass }) => {
      const error = await rejection(within(pass, devices.getUserMedia({}), 'it settles'), 'a request without kinds');
      checkEqual(nameOf(error), 'TypeError', 'the name of the error');
    },
  },
  {
    title: 'a required device that does not exist rejects with OverconstrainedError',
    run: async ({ devices, pass }) => {
      const asked = devices.getUserMedia({ audio: { deviceId: { exact: 'no such device' } } });
      const error = await rejection(within(pass, asked, 'it settles'), 'a device that does not exist');
      checkEqual(nameOf(error), 'OverconstrainedError', 'the name of the error');
    },
  },
  {
    title: 'opens the required device when it is listed',
    run: async ({ devices, pass }) => {
      const listed = await within(pass, devices.enumerate(), 'a list comes');
      for (const [kind, asked] of [
        ['audioinput', 'audio'],
        ['videoinput', 'video'],
      ] as const) {
        const exact = listed.findLast((device) => device.kind === kind)?.deviceId ?? '';
        const stream = await within(pass, devices.getUserMedia({ [asked]: { deviceId: { exact } } }), 'a stream comes');
        const [track] = stream.getTracks();
        checkEqual(
          [track?.kind, track?.getSettings().deviceId],
          [asked, exact],
          'the kind and the device of its track',
        );
        stop(stream);
      }
    },
  },
  {
    title: 'lists microphones and cameras, each with its id, name and group',
    run: async ({ devices, pass }) => {
      const listed = await within(pass, devices.enumerate(), 'a list comes');
      check(
        listed.every(({ deviceId, label, groupId }) => [deviceId, label, groupId].every((text) => text !== '')),
        'a permitted device has an id, a name and a group',
      );
      for (const kind of ['audioinput', 'videoinput']) {
        check(
          listed.some((device) => device.kind === kind),
          `there is one of kind ${kind}`,
        );
      }
    },
  },
  {
    title: 'replaces a missing device by a live track: silence for sound, a black picture for video',
    run: async ({ devices }) => {
      for (const [track, kind] of [
        [devices.silence(), 'audio'],
        [devices.blackPicture(), 'video'],
      ] as const) {
        checkEqual([track.kind, track.readyState, track.enabled], [kind, 'live', true], 'kind and state');
        track.stop();
        checkEqual(track.readyState, 'ended', 'it can be stopped');
      }
    },
  },
  {
    title: 'stops reporting changes on request, and a second request is harmless',
    run: async ({ devices }) => {
      const undo = devices.onChange(() => undefined);
      undo();
      undo();
    },
  },
];
