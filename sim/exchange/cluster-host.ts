import { adoptCall } from './calls/adopt-call.ts';
import { letGoOf } from './calls/let-go.ts';
import { takeBack } from './calls/take-back.ts';
import type { ClusterHost } from './cluster.ts';
import { loginOver, runHere } from './commands/dispatch.ts';
import type { Core } from './core.ts';
import { findUsers } from './directory/find-user.ts';
import { answerForwarded } from './http/forwarded.ts';
import { carryOut } from './orders.ts';
import { continueRoom, keepRoom } from './rooms/kept-room.ts';
import { letGoOfAll } from './rooms/membership.ts';

/** Another exchange owns what the device took part in (RFC 6455 and its registry: the service restarts). */
const CLOSE_MOVED = 1012;
/** Another socket of the same client replaced this one. */
const CLOSE_REPLACED = 4000;

/** Returns an exchange as the cluster of its node uses it. */
export function clusterHost(core: Core): ClusterHost {
  const { calls, channels, events, live, participations, rooms, router, status } = core;
  return {
    async command(from, frame, { callId, before }) {
      const { hasLogin } = await core.waiting.during(from, before);
      if (!hasLogin) return loginOver(frame);
      // The other exchange may know users that this one does not.
      if (frame.type === 'dial') await findUsers(core, [from.userId, frame.payload.callee_id]);
      const reply = await runHere(core, from, frame, undefined, callId);
      if (!reply) throw new Error('the command had no effect');
      // The state behind a reply must be stored before the reply leaves.
      await core.outbox.passed();
      return reply;
    },
    get isOpen() {
      return status.isOpen;
    },
    request: (from, request) => answerForwarded(core, from, request),
    welcome(device) {
      for (const one of participations) one.welcome(device);
    },
    repeatEnds(isMeant) {
      for (const one of participations) one.repeatEnds(isMeant);
    },
    unended: (device) => participations.flatMap((one) => one.unended(device)),
    replaced(device) {
      if (channels.has(device)) router.close(device, CLOSE_REPLACED, 'replaced by a newer connection');
    },
    adopt: (kept) => adoptCall(core, kept),
    letGo(callIds) {
      for (const callId of callIds) letGoOf(core, callId);
    },
    hasCall: (callId) => calls.get(callId) !== undefined,
    isLive: (callId) => calls.isLive(callId),
    carryOut: (order, at) => carryOut(core, order, at),
    presenceChanged: (userId) => events.emit({ kind: 'presence', userId, isElsewhere: true }),
    get dials() {
      return calls.live.flatMap(({ id: callId, createdAt, caller: { device, request } }) =>
        request === null ? [] : [{ callId, device, request, createdAt }],
      );
    },
    tookBack(callId, lastSignal) {
      const call = calls.get(callId);
      if (call) takeBack(core, call, lastSignal);
    },
    writeAgain(callId) {
      for (const call of callId === undefined ? calls.live : [calls.get(callId) ?? []].flat()) live?.again(call);
    },
    isRoomUsed: (roomId) => rooms.get(roomId) !== undefined,
    keptRoom(roomId) {
      const room = rooms.get(roomId);
      return room === undefined ? null : keepRoom(room);
    },
    continueRoom: (roomId, kept) => continueRoom(core, roomId, kept),
    letGoRoom(roomId) {
      const room = rooms.get(roomId);
      if (!room) return;
      const userIds = new Set([...room.members.values()].map(({ device }) => device.userId));
      const here = [...room.members.values()].map(({ device }) => device).filter((device) => channels.has(device));
      for (const invitation of [...room.invitations.values()]) rooms.people.uninvite(invitation);
      letGoOfAll(core, room);
      // They connect anew. The other node has continued the room with them, or refuses their next sign of life.
      for (const device of here) router.close(device, CLOSE_MOVED, 'the room has moved');
      for (const userId of userIds) events.emit({ kind: 'presence', userId });
    },
    isBusyHere: (userId) => participations.some((one) => one.isBusy(userId)),
  };
}
