import type { LibrarySession } from '../session/library-session.ts';

/** What rooms need of the session. */
export type RoomAccess = Pick<LibrarySession, 'connection' | 'library' | 'start'>;
