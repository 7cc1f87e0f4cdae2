/** A page that has the library by a script tag; the import is for its types alone. */
import type {} from 'ringback/global';

export const dial: typeof SendBirdCall.dial = SendBirdCall.dial;
export const userId = (): string => SendBirdCall.currentUser.userId;
