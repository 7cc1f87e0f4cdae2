/** The code of rooms, which a client loads on first use (ADR 0027). */
import type { Connection } from '../connection/connection.ts';
import type { Logger } from '../logging/log.ts';
import type { MediaDevices } from '../media/media-devices.ts';
import type { Platform } from '../platform/platform.ts';
import { startParticipationMedia } from './media/start-participation-media.ts';
import type { StartParticipationMedia } from './participation-media.ts';
import type { RoomInvitation } from './room.ts';
import { Rooms } from './rooms.ts';

export { RoomPages } from './room-pages.ts';

export interface RoomsPartDeps {
  readonly platform: Platform;
  readonly log: Logger;
  /** The choice of devices. */
  readonly devices: MediaDevices;
  /** The connection of the signed-in user. */
  readonly connection: Connection;
  /** Reports a new invitation to the host. */
  readonly invited: (invitation: RoomInvitation) => void;
  /** Wraps the start of the media of a stay. Default: none. */
  readonly wrapMedia?: (startMedia: StartParticipationMedia) => StartParticipationMedia;
}

/** Returns the rooms of a user who has signed in. */
export function createRooms({
  platform,
  log,
  devices,
  connection,
  invited,
  wrapMedia = (startMedia) => startMedia,
}: RoomsPartDeps): Rooms {
  return new Rooms({
    routes: connection,
    startMedia: wrapMedia(startParticipationMedia({ platform, choice: devices, log })),
    clock: platform.clock,
    log,
    hasten: () => connection.hasten(),
    reconnect: () => connection.replaceChannel(),
    invited,
  });
}
